// Closed days in the order of projects: the same rows, each once, whatever happens meanwhile.
#include <signal.h>

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "lib/engines/duckdb/backend/database.h"
#include "tests/store/folder_test_util.h"
#include "tests/support/child_process.h"

namespace logquery::store {
namespace {

constexpr int kProjects = 10;
constexpr int kRowsOfDay = 32'000;  // a little more than a row group
constexpr int kRowsAtATime = 12'000;
constexpr int kSteps = 3;  // that a day takes; after every second there is a checkpoint
const absl::Time kFirstDay = absl::FromUnixSeconds(1'774'915'200);  // 2026-03-31

absl::Time Day(int day) { return kFirstDay + absl::Hours(24 * day); }

std::string RowOf(int day, int number) {
  const absl::Time time = Day(day) + absl::Seconds(2 * number);
  return absl::StrCat("{\"timestamp\":", absl::ToUnixMicros(time), ",\"i\":", day * 1'000'000 + number,
                      ",\"project\":\"p", number * 7919 % kProjects, "\",\"tags\":[\"t", number % 3,
                      "\"],\"metadata\":{\"request\":{\"path\":\"/", number, "\",\"learned\":", number, "}}}");
}

// Stores rows `begin` to `end` of a day, in the order of their times: a load of a file would store them by project.
void LoadDay(DuckDbBackend& backend, int day, int begin = 0, int end = kRowsOfDay) {
  std::vector<std::string> texts;
  for (int number = begin; number < end; ++number) texts.push_back(RowOf(day, number));
  const AppendRequest request = {
      .table = "test.logs", .rows = {texts.begin(), texts.end()}, .batch = absl::StrCat(day, "-", begin)};
  const auto report = backend.store().Append(request);
  INFO(report.status().ToString());
  REQUIRE(report.ok());
}

ClusterRequest Now(int day) { return {.now = Day(day) + absl::Hours(5), .rows_at_a_time = kRowsAtATime}; }

ClusterReport Cluster(DuckDbBackend& backend, const ClusterRequest& request) {
  const auto report = backend.store().Cluster(request);
  INFO(report.status().ToString());
  REQUIRE(report.ok());
  return *report;
}

int64_t Number(QueryBackend& backend, const std::string& sql) {
  return SelectValue(backend, sql, Type::Int64()).int64_value();
}

// All values of all rows, in whatever order these are.
std::string Contents(QueryBackend& backend) {
  return SelectValue(backend, R"(SELECT count(*) || ' ' || sum(hash(t)::HUGEINT) FROM "test.logs" AS t)",
                     Type::String())
      .string_value();
}

// The number of rows that come after one of another project, or of an earlier time.
int64_t Turns(QueryBackend& backend, int day) {
  return Number(backend,
                absl::StrCat("SELECT count(*) FROM (SELECT project, lag(project) OVER w AS before, timestamp, "
                             "lag(timestamp) OVER w AS earlier FROM \"test.logs\" WHERE i // 1000000 = ",
                             day, " WINDOW w AS (ORDER BY rowid)) WHERE project <> before OR timestamp > earlier"));
}

TableStats StatsOf(DuckDbBackend& backend) {
  const auto stats = backend.ReadStats();
  REQUIRE(stats.ok());
  return stats->front();
}

TEST_CASE("closed days are clustered by project, and today and yesterday are unchanged") {
  TemporaryFolder folder;
  {
    const auto backend = OpenFolder(folder / "data");
    for (int day = 0; day < 4; ++day) LoadDay(*backend, day);
    const std::string before = Contents(*backend);
    CHECK(Turns(*backend, 0) == kRowsOfDay - 1);
    CHECK(StatsOf(*backend).clustered_rows == 0);

    std::vector<absl::Time> told;
    ClusterRequest request = Now(3);
    request.share = 0.999;
    request.on_day = [&](const ClusteredDay& day) { told.push_back(day.day); };
    const ClusterReport report = Cluster(*backend, request);
    CHECK(report.rows == 2 * kRowsOfDay);
    REQUIRE(report.days.size() == 2);
    CHECK(report.days[0].day == Day(1));  // what is asked for most comes first
    CHECK(report.days[1].day == Day(0));
    CHECK(report.days[0].table == "test.logs");
    CHECK(report.days[0].rows == kRowsOfDay);
    CHECK(told == std::vector<absl::Time>{Day(1), Day(0)});

    CHECK(Contents(*backend) == before);
    // Three steps a day, in each of which the projects follow one another.
    CHECK(Turns(*backend, 0) == kSteps * kProjects - 1);
    CHECK(Turns(*backend, 1) == kSteps * kProjects - 1);
    CHECK(Turns(*backend, 2) == kRowsOfDay - 1);
    CHECK(Turns(*backend, 3) == kRowsOfDay - 1);
    CHECK(StatsOf(*backend).clustered_rows == 2 * kRowsOfDay);
    CHECK(Cluster(*backend, Now(3)).days.empty());
  }
  const auto backend = OpenFolder(folder / "data");
  CHECK(Cluster(*backend, Now(3)).days.empty());
  CHECK(Cluster(*backend, Now(4)).rows == kRowsOfDay);
  const auto findings = backend->Check(/*read_rows=*/true);
  REQUIRE(findings.ok());
  for (const FolderFinding& finding : *findings) CHECK(finding.kind == FolderFinding::Kind::kNote);
}

TEST_CASE("a day with late rows is clustered again, as far as they reach") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  LoadDay(*backend, 0, 0, kRowsOfDay);
  CHECK(Cluster(*backend, Now(2)).rows == kRowsOfDay);
  LoadDay(*backend, 0, kRowsOfDay, kRowsOfDay + 3'000);
  CHECK(Cluster(*backend, Now(2)).days.empty());  // too few
  LoadDay(*backend, 0, kRowsOfDay + 3'000, kRowsOfDay + 5'000);
  CHECK(Cluster(*backend, Now(2)).rows > 5'000);
  CHECK(CountRows(*backend) == kRowsOfDay + 5'000);
  CHECK(StatsOf(*backend).clustered_rows == kRowsOfDay + 5'000);
  CHECK(Cluster(*backend, Now(2)).days.empty());
  // A day with fewer rows than a row group holds would gain nothing.
  LoadDay(*backend, 1, 0, 1'000);
  CHECK(Cluster(*backend, Now(9)).days.empty());
}

TEST_CASE("rows of one time stay together, however many they are") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  std::string text;
  for (int i = 0; i < kRowsOfDay; ++i) {
    absl::StrAppend(&text, "{\"timestamp\":\"2026-03-31T12:00:00Z\",\"project\":\"p", i % 2, "\",\"i\":", i, "}\n");
  }
  Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / "a", text)}});
  const auto in_order = [&] {
    return SelectValue(*backend, "SELECT md5(list(i ORDER BY project, rowid)::VARCHAR) FROM \"test.logs\"",
                       Type::String())
        .string_value();
  };
  const std::string before = in_order();
  CHECK(Cluster(*backend, Now(2)).rows == kRowsOfDay);
  CHECK(Number(*backend,
               "SELECT count(*) FROM (SELECT project <> lag(project) OVER (ORDER BY rowid) AS turns "
               "FROM \"test.logs\") WHERE turns") == 1);
  CHECK(in_order() == before);  // of one project they are in the order in which they came
}

TEST_CASE("removed rows are no longer counted as clustered") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  LoadDay(*backend, 0);
  LoadDay(*backend, 1);
  CHECK(Cluster(*backend, Now(3)).rows == 2 * kRowsOfDay);
  const RetainRequest retain = {
      .rules = {{.table = "test.logs", .max_age = absl::Hours(48)}}, .now = Day(3), .clock_is_confirmed = true};
  REQUIRE(backend->store().Retain(retain)->rows == kRowsOfDay);
  CHECK(StatsOf(*backend).clustered_rows == kRowsOfDay);
  CHECK(Cluster(*backend, Now(3)).days.empty());
}

TEST_CASE("queries see the same rows during clustering, and loads continue") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  for (int day = 0; day < 3; ++day) LoadDay(*backend, day);
  const auto sum = [&] {
    return SelectValue(*backend, R"(SELECT count(*) || ' ' || sum(i) FROM "test.logs" WHERE i < 3000000)",
                       Type::String())
        .string_value();
  };
  const std::string before = sum();
  std::atomic<bool> done = false;
  int reads = 0;
  std::thread clusterer([&] {
    backend->store().Cluster(Now(4)).IgnoreError();
    done = true;
  });
  int batches = 0;
  while (!done) {
    CHECK(sum() == before);
    ++reads;
    const std::string row = RowOf(10, batches++);
    CHECK(backend->store().Append({.table = "test.logs", .rows = {row}}).ok());
  }
  clusterer.join();
  CHECK(reads > 1);
  CHECK(sum() == before);
  CHECK(CountRows(*backend) == 3 * kRowsOfDay + batches);
  CHECK(Cluster(*backend, Now(4)).days.empty());
}

TEST_CASE("cancelled clustering resumes where it stopped, and invalid requests are rejected") {
  TemporaryFolder folder;
  {
    const auto backend = OpenFolder(folder / "data");
    LoadDay(*backend, 0);
    LoadDay(*backend, 1);
    CancellationSource source;
    ClusterRequest request = Now(3);
    request.cancellation = source.token();
    request.on_day = [&](const ClusteredDay&) { source.Cancel(); };
    LogStore& store = backend->store();
    CHECK(store.Cluster(request).status().code() == absl::StatusCode::kCancelled);
    CHECK(StatsOf(*backend).clustered_rows == kRowsOfDay);
    // A rest ends at once.
    request = Now(3);
    request.share = 1e-9;
    request.cancellation = source.token();
    CHECK(store.Cluster(request).status().code() == absl::StatusCode::kCancelled);
    CHECK(Cluster(*backend, Now(3)).rows == kRowsOfDay);
    for (const double share : {0.0, -1.0, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
      request.share = share;
      CHECK(store.Cluster(request).status().code() == absl::StatusCode::kInvalidArgument);
    }
    CHECK(store.Cluster({.rows_at_a_time = 0}).status().code() == absl::StatusCode::kInvalidArgument);
  }
  const auto reader = OpenFolder(folder / "data", /*read_only=*/true);
  CHECK(reader->store().Cluster(Now(3)).status().code() == absl::StatusCode::kUnimplemented);
  CHECK(StatsOf(*reader).clustered_rows == 2 * kRowsOfDay);
}

TEST_CASE("a folder from before there were books of clustering opens, for reading too") {
  TemporaryFolder folder;
  {
    const auto backend = OpenFolder(folder / "data");
    LoadDay(*backend, 0);
  }
  {
    duckdb::DatabaseOptions options;
    options.file = folder / "data/logs.duckdb";
    const auto database = duckdb::Database::Open(options);
    REQUIRE(database.ok());
    REQUIRE(duckdb::Run(database->Connect()->get(), "DROP TABLE logquery.clustered").ok());
  }
  CHECK(StatsOf(*OpenFolder(folder / "data", /*read_only=*/true)).clustered_rows == 0);
  CHECK(Cluster(*OpenFolder(folder / "data"), Now(2)).rows == kRowsOfDay);
}

// ------------------------------------------------------------------------------------------------ kill -9

constexpr int kBatch = 1'000;

// Clusters more and more days, while others are appended and the oldest are removed, until it is killed.
TEST_CASE("child: clusters until it is killed", "[.child]") {
  const std::string root = testing::ChildArgument();
  const auto backend = OpenFolder(root + "data");
  std::atomic<int> today = 3;
  std::thread appender([&] {
    for (int day = 3;; ++day) {
      for (int begin = 0; begin < kRowsOfDay; begin += kBatch) {
        std::vector<std::string> texts;
        for (int number = begin; number < begin + kBatch; ++number) texts.push_back(RowOf(day, number));
        const std::vector<std::string_view> rows(texts.begin(), texts.end());
        const std::string name = absl::StrCat(day, "/", begin);
        backend->store().Append({.table = "test.logs", .rows = rows, .batch = name}).IgnoreError();
      }
      today = day + 1;
    }
  });
  WriteFile(root + "started", "");
  while (true) {
    backend->store().Cluster(Now(today + 1)).IgnoreError();
    const RetainRequest retain = {.rules = {{.table = "test.logs", .max_age = absl::Hours(24 * 4)}},
                                  .now = Day(today),
                                  .clock_is_confirmed = true};
    backend->store().Retain(retain).IgnoreError();
  }
}

void KillAndCount(int times) {
  for (int round = 0; round < times; ++round) {
    CAPTURE(round);
    TemporaryFolder folder;
    {
      const auto backend = OpenFolder(folder / "data");
      for (int day = 0; day < 3; ++day) LoadDay(*backend, day);
    }
    const pid_t child = testing::StartChild("child: clusters until it is killed", folder / "");
    while (!std::filesystem::exists(folder / "started")) absl::SleepFor(absl::Milliseconds(1));
    absl::SleepFor(absl::Milliseconds(30 + round * 37 % 1'500));
    kill(child, SIGKILL);
    REQUIRE(testing::AwaitChild(child) == -SIGKILL);
    const auto backend = OpenFolder(folder / "data");
    // Every row is there once, or gone with its whole hour, as the books say.
    CHECK(Number(*backend, R"(SELECT count(*) - count(DISTINCT i) FROM "test.logs")") == 0);
    const TableStats stats = StatsOf(*backend);
    CHECK(stats.rows + stats.removed_rows == Number(*backend, "SELECT sum(row_count)::BIGINT FROM logquery.loads"));
    CHECK(Number(*backend, R"(SELECT count(*) FROM "test.logs" WHERE "metadata.request.learned" <> i % 1000000)") == 0);
    const auto findings = backend->Check(/*read_rows=*/true);
    REQUIRE(findings.ok());
    for (const FolderFinding& finding : *findings) CHECK(finding.kind != FolderFinding::Kind::kError);
    CHECK(backend->store().Cluster(Now(100)).ok());
    CHECK(Number(*backend, R"(SELECT count(*) - count(DISTINCT i) FROM "test.logs")") == 0);
  }
}

TEST_CASE("kill -9 while days are clustered: every row is stored once") { KillAndCount(3); }

TEST_CASE("kill -9 at many moments of clustering", "[nightly]") { KillAndCount(100); }

}  // namespace
}  // namespace logquery::store
