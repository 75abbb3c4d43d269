// Rows go by age and by size, for good, a day at a time, whatever happens meanwhile.
#include <signal.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/time/clock.h"
#include "lib/engines/duckdb/backend/database.h"
#include "logquery/store/folder_check.h"
#include "tests/store/folder_test_util.h"
#include "tests/support/child_process.h"

namespace logquery::store {
namespace {

// Midnight, 2026-03-31.
const absl::Time kNow = absl::FromUnixSeconds(1'774'915'200);

std::string RowAt(absl::Time time, std::string_view more = {}) {
  std::string row = "{\"timestamp\":" + std::to_string(absl::ToUnixMicros(time));
  if (!more.empty()) row.append(",").append(more);
  return row + "}";
}

// `rows` for each of the last `days` days, from noon on; each has so many letters that nothing makes shorter.
std::string Days(int days, int rows, int letters = 8) {
  std::mt19937 random(1);
  std::string message(static_cast<size_t>(letters), ' ');
  std::string text;
  for (int day = days; day > 0; --day) {
    for (int i = 0; i < rows; ++i) {
      for (char& c : message) c = static_cast<char>('a' + random() % 26);
      const absl::Time time = kNow - absl::Hours(24 * day - 12) + absl::Seconds(i);
      text += RowAt(time, "\"event_message\":\"" + message + "\"") + "\n";
    }
  }
  return text;
}

RetainReport Retain(DuckDbBackend& backend, RetentionRule rule, absl::Time now = kNow) {
  rule.table = "test.logs";
  const auto report = backend.store().Retain({.rules = {rule}, .now = now, .clock_is_confirmed = true});
  INFO(report.status().ToString());
  REQUIRE(report.ok());
  return *report;
}

TableStats StatsOf(DuckDbBackend& backend) {
  const auto stats = backend.ReadStats();
  REQUIRE(stats.ok());
  return stats->front();
}

TEST_CASE("rows beyond the maximum age are removed in whole hours, and reloading their file does not restore them") {
  TemporaryFolder folder;
  const std::string file = WriteFile(folder / "a", Days(10, 100));
  {
    const auto backend = OpenFolder(folder / "data");
    Load(*backend, {.table = "test.logs", .files = {file}});
    CHECK(Retain(*backend, {.max_age = absl::Hours(24 * 11)}).rows == 0);
    // The cut is in the hour of noon, four days ago: that hour stays.
    const RetainReport report = Retain(*backend, {.max_age = absl::Hours(24 * 4 - 12) - absl::Minutes(30)});
    CHECK(report.rows == 600);
    REQUIRE(report.tables.size() == 1);
    CHECK(report.tables[0].table == "test.logs");
    CHECK(report.tables[0].rows == 600);
    CHECK(report.tables[0].before == kNow - absl::Hours(24 * 4 - 12));
    CHECK_FALSE(report.tables[0].by_size);
    CHECK(CountRows(*backend) == 400);
    CHECK(Retain(*backend, {.max_age = absl::Hours(24 * 4 - 12)}).tables.empty());
  }
  const auto backend = OpenFolder(folder / "data");
  CHECK(CountRows(*backend) == 400);
  CHECK(Load(*backend, {.table = "test.logs", .files = {file}}).files_skipped.size() == 1);
  const TableStats stats = StatsOf(*backend);
  CHECK(stats.removed_rows == 600);
  CHECK(stats.removed_before == kNow - absl::Hours(24 * 4 - 12));
  CHECK(stats.rows == 400);
  CHECK(stats.loads == 1);
}

TEST_CASE("the oldest whole days are removed until the log fits, but never the newest day") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / "a", Days(8, 2'000, 2'000))}});
  REQUIRE(backend->store().Checkpoint().ok());
  const int64_t bytes = StatsOf(*backend).bytes_on_disk;
  REQUIRE(bytes > 0);
  CHECK(Retain(*backend, {.max_bytes = bytes}).rows == 0);
  const RetainReport report = Retain(*backend, {.max_bytes = bytes / 2 + bytes / 16});
  CHECK(report.rows == 8'000);
  REQUIRE(report.tables.size() == 1);
  CHECK(report.tables[0].by_size);
  CHECK(report.tables[0].before == kNow - absl::Hours(24 * 4));
  CHECK(CountRows(*backend) == 8'000);
  // A second run with the same rule takes nothing more, whatever place has come free by then.
  CHECK(Retain(*backend, {.max_bytes = bytes / 2 + bytes / 16}).rows == 0);
  CHECK(Retain(*backend, {.max_bytes = 1}).rows == 6'000);
  CHECK(CountRows(*backend) == 2'000);
  CHECK(Retain(*backend, {.max_bytes = 1}).rows == 0);
}

TEST_CASE("age and size limits apply together, and an invalid rule is rejected") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  CHECK(Retain(*backend, {.max_age = absl::Hours(1), .max_bytes = 1}).rows == 0);  // of nothing, nothing
  Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / "a", Days(5, 50))}});
  REQUIRE(backend->store().Checkpoint().ok());
  const RetainReport report = Retain(*backend, {.max_age = absl::Hours(24 * 3), .max_bytes = 1});
  CHECK(report.rows == 200);
  CHECK(report.tables.size() == 2);
  CHECK(Retain(*backend, {}).rows == 0);
  LogStore& store = backend->store();
  CHECK(store.Retain({.rules = {{.table = "none"}}, .now = kNow}).status().code() == absl::StatusCode::kNotFound);
  CancellationSource source;
  source.Cancel();
  const RetainRequest cancelled = {.rules = {{.table = "test.logs", .max_age = absl::Hours(1)}},
                                   .now = kNow,
                                   .clock_is_confirmed = true,
                                   .cancellation = source.token()};
  CHECK(store.Retain(cancelled).status().code() == absl::StatusCode::kCancelled);
  CHECK(CountRows(*backend) == 50);
  CHECK(OpenFolder(folder / "other")->store().Retain({}).ok());
}

TEST_CASE("a folder from before there were such books opens, for reading too, and is in order") {
  TemporaryFolder folder;
  {
    const auto backend = OpenFolder(folder / "data");
    Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / "a", Days(2, 5))}});
  }
  {
    duckdb::DatabaseOptions options;
    options.file = folder / "data/logs.duckdb";
    const auto database = duckdb::Database::Open(options);
    REQUIRE(database.ok());
    REQUIRE(duckdb::Run(database->Connect()->get(), "DROP TABLE logquery.removals").ok());
  }
  CHECK(StatsOf(*OpenFolder(folder / "data", /*read_only=*/true)).removed_rows == 0);
  CHECK(Retain(*OpenFolder(folder / "data"), {.max_age = absl::Hours(24)}).rows == 5);
  const auto findings = CheckFolder({folder / "data", kTestSchema});
  REQUIRE(findings.ok());
  for (const FolderFinding& finding : *findings) CHECK(absl::StrContains(finding.what, "the disk has"));
}

// ------------------------------------------------------------------------------------------------ kill -9

constexpr int kBatch = 100;

// Appends batches of a day each, and removes old ones, until it is killed.
TEST_CASE("child: appends and removes until it is killed", "[.child]") {
  const std::string root = testing::ChildArgument();
  const auto backend = OpenFolder(root + "data");
  std::thread appender([&] {
    for (int day = 0; day < 1'000; ++day) {
      const std::string row = RowAt(kNow + absl::Hours(24 * day), "\"i\":" + std::to_string(day));
      const std::vector<std::string_view> rows(kBatch, row);
      backend->store().Append({.table = "test.logs", .rows = rows, .batch = std::to_string(day)}).IgnoreError();
    }
  });
  WriteFile(root + "started", "");
  for (int day = 0;; ++day) Retain(*backend, {.max_age = absl::Hours(48)}, kNow + absl::Hours(24 * day));
}

void KillAndCount(int times) {
  for (int round = 0; round < times; ++round) {
    CAPTURE(round);
    TemporaryFolder folder;
    const pid_t child = testing::StartChild("child: appends and removes until it is killed", folder / "");
    while (!std::filesystem::exists(folder / "started")) absl::SleepFor(absl::Milliseconds(1));
    absl::SleepFor(absl::Milliseconds(30 + round * 23 % 250));
    kill(child, SIGKILL);
    REQUIRE(testing::AwaitChild(child) == -SIGKILL);
    const auto backend = OpenFolder(folder / "data");
    const auto number = [&](const std::string& sql) { return SelectValue(*backend, sql, Type::Int64()).int64_value(); };
    // Each day has all of its rows or none, and the missing ones are in the books.
    const std::string days = R"((SELECT i, count(*) AS n FROM "test.logs" GROUP BY i))";
    CHECK(number("SELECT count(*) FROM " + days + " WHERE n <> " + std::to_string(kBatch)) == 0);
    const TableStats stats = StatsOf(*backend);
    CHECK(stats.rows + stats.removed_rows == stats.loads * kBatch);
    const auto findings = backend->Check(/*read_rows=*/true);
    REQUIRE(findings.ok());
    for (const FolderFinding& finding : *findings) CHECK(finding.kind != FolderFinding::Kind::kError);
  }
}

TEST_CASE("kill -9 while rows are removed: of each day all are there or none, and the books say which") {
  KillAndCount(5);
}

TEST_CASE("kill -9 at many moments of retention", "[nightly]") { KillAndCount(100); }

}  // namespace
}  // namespace logquery::store
