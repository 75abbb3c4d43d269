// The writes of one project delete no row of another: limits of size are shared fairly, whatever times rows have, and a clock
// that jumps deletes nothing.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/store/tables/retention.h"
#include "tests/store/one_project.h"

namespace logquery::store {
namespace {

// Midnight, 2026-03-31.
const absl::Time kNow = absl::FromUnixSeconds(1'774'915'200);
constexpr int64_t kMegabyte = 1'000'000;

absl::Time Day(int days_ago) { return kNow - absl::Hours(24 * days_ago - 12); }

RetainReport Retain(DuckDbBackend& backend, const RetentionRule& rule, absl::Time now = kNow, bool confirmed = true) {
  RetainRequest request;
  request.rules = {rule};
  request.rules[0].table = "test.logs";
  request.now = now;
  request.clock_is_confirmed = confirmed;
  const auto report = backend.store().Retain(request);
  INFO(report.status().ToString());
  REQUIRE(report.ok());
  return *report;
}

// Letters that nothing makes much shorter.
std::string Letters(std::mt19937& random, size_t size) {
  std::string text(size, ' ');
  for (char& c : text) c = static_cast<char>('a' + random() % 26);
  return text;
}

void Append(DuckDbBackend& backend, const std::vector<std::string>& texts, bool all = true) {
  const std::vector<std::string_view> rows(texts.begin(), texts.end());
  const auto report = backend.store().Append({.table = "test.logs", .rows = rows});
  INFO(report.status().ToString());
  REQUIRE(report.ok());
  if (all) CHECK(report->rejected_rows == 0);
}

int64_t RowsOf(DuckDbBackend& backend, const std::string& condition) {
  return SelectValue(backend, "SELECT count(*) FROM \"test.logs\" WHERE " + condition, Type::Int64()).int64_value();
}

TEST_CASE("a size is shared fairly: the small keep all that they have, the others have the rest alike") {
  CHECK(FairShare({10, 20, 30}, 60) == INFINITY);
  CHECK(FairShare({}, 0) == INFINITY);
  CHECK(FairShare({100}, 60) == 60);
  CHECK(FairShare({100, 100}, 60) == 30);
  CHECK(FairShare({10, 100}, 60) == 50);
  CHECK(FairShare({100, 10, 100}, 60) == 25);
  CHECK(FairShare({1, 2, 1000, 1000}, 103) == 50);
  CHECK(FairShare({5, 5, 5}, 0) == 0);
}

TEST_CASE("by size a project loses its own oldest days, and a project within its share loses nothing") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  std::mt19937 random(1);
  for (int day = 8; day > 0; --day) {
    std::vector<std::string> rows;
    for (int i = 0; i < 1'000; ++i) rows.push_back(ProjectRow("large", Day(day), Letters(random, 1'000)));
    Append(*backend, rows);
  }
  std::vector<std::string> rows;
  for (int day = 300; day > 0; day -= 3) rows.push_back(ProjectRow("small", Day(day), "older than all others"));
  rows.push_back(R"({"timestamp":"2020-01-01T00:00:00Z"})");  // of no project
  Append(*backend, rows);
  REQUIRE(backend->store().Checkpoint().ok());
  const ProjectView small = ViewOf(*backend, "small");
  const RetainReport report = Retain(*backend, {.max_bytes = 3 * kMegabyte});
  REQUIRE(report.tables.size() == 1);
  CHECK(report.tables[0].by_size);
  CHECK(report.tables[0].projects == 1);
  CHECK(report.rows >= 4'000);
  CHECK(report.rows < 8'000);
  CHECK(report.tables[0].before <= kNow - absl::Hours(24));
  CHECK(RowsOf(*backend, "project = 'large'") == 8'000 - report.rows);
  CHECK(RowsOf(*backend, "project = 'large' AND timestamp >= make_timestamp(" +
                             std::to_string(absl::ToUnixMicros(report.tables[0].before)) + ")") == 8'000 - report.rows);
  CHECK(ViewOf(*backend, "small") == small);
  CHECK(RowsOf(*backend, "project IS NULL") == 1);
  CHECK(Retain(*backend, {.max_bytes = 3 * kMegabyte}).rows == 0);
}

TEST_CASE("days later than tomorrow are removed first, and only those of their project") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  std::mt19937 random(2);
  std::vector<std::string> rows;
  for (int day = 0; day < 8; ++day) {
    for (int i = 0; i < 500; ++i) {
      rows.push_back(
          ProjectRow("a", absl::FromUnixSeconds(4'070'000'000) + absl::Hours(24 * day), Letters(random, 900)));
    }
  }
  for (int i = 0; i < 500; ++i) rows.push_back(ProjectRow("a", Day(1), Letters(random, 900)));
  for (int i = 0; i < 200; ++i) rows.push_back(ProjectRow("b", Day(30 + i), "b's row"));
  Append(*backend, rows);
  REQUIRE(backend->store().Checkpoint().ok());
  const ProjectView b = ViewOf(*backend, "b");
  CHECK(Retain(*backend, {.max_bytes = 1'000'000}).rows > 0);
  CHECK(ViewOf(*backend, "b") == b);
  CHECK(RowsOf(*backend, "project = 'a' AND timestamp < '2027-01-01'") == 500);  // its newest day
  CHECK(RowsOf(*backend, "project = 'a' AND timestamp > '2027-01-01'") < 1'500);
  const auto stats = backend->ReadStats();
  REQUIRE(stats.ok());
  CHECK_FALSE(stats->front().removed_before.has_value());  // nothing before a time is gone altogether
}

TEST_CASE("a table whose rows have no project is one project's") {
  constexpr char kSchema[] =
      R"({"plain": {"log": "plain", "time": "at", "columns": {"at": "TIMESTAMP", "id": "STRING"}}})";
  TemporaryFolder folder;
  DuckDbOptions options;
  options.folder = folder / "data";
  options.schema_json = kSchema;
  const auto backend = OpenDuckDb(options);
  REQUIRE(backend.ok());
  std::mt19937 random(3);
  std::vector<std::string> texts;
  for (int i = 0; i < 4'000; ++i) {
    texts.push_back(
        absl::StrCat("{\"at\":", absl::ToUnixMicros(Day(1 + i / 1'000)), ",\"id\":\"", Letters(random, 1'000), "\"}"));
  }
  const std::vector<std::string_view> rows(texts.begin(), texts.end());
  REQUIRE((*backend)->store().Append({.table = "plain", .rows = rows}).ok());
  REQUIRE((*backend)->store().Checkpoint().ok());
  const auto report = (*backend)->store().Retain(
      {.rules = {{.table = "plain", .max_bytes = 1}}, .now = kNow, .clock_is_confirmed = true});
  REQUIRE(report.ok());
  CHECK(report->rows == 3'000);
}

TEST_CASE("a clock that jumps deletes nothing by age, however often it is asked, until it is confirmed") {
  TemporaryFolder folder;
  const absl::Time later = kNow + absl::Hours(24 * 200);
  {
    const auto backend = OpenFolder(folder / "data");
    Append(*backend, {ProjectRow("b", Day(1)), ProjectRow("b", Day(40))});
    const RetentionRule rule = {.max_age = absl::Hours(24 * 30)};
    CHECK(Retain(*backend, rule, kNow).rows ==
          1);  // confirmed, because this test's clock has nothing to do with the machine's
    // The folder now knows the later of kNow and the machine's time.
    const absl::Time jumped = std::max(later, absl::Now() + absl::Hours(24 * 200));
    for (int i = 0; i < 3; ++i) {
      const RetainReport report = Retain(*backend, rule, jumped, /*confirmed=*/false);
      CHECK(report.rows == 0);
      REQUIRE(report.held_back.has_value());
      CHECK(*report.held_back >= kNow);
      CHECK(*report.held_back < jumped - absl::Hours(24 * 100));
    }
    CHECK_FALSE(Retain(*backend, {.max_bytes = 1'000'000'000}, jumped, false).held_back.has_value());
  }
  const auto backend = OpenFolder(folder / "data");
  const absl::Time jumped = std::max(later, absl::Now() + absl::Hours(24 * 200));
  Append(*backend, {ProjectRow("b", jumped)});  // rows of the wrong time confirm nothing
  CHECK(Retain(*backend, {.max_age = absl::Hours(24 * 30)}, jumped, false).held_back.has_value());
  CHECK(RowsOf(*backend, "project = 'b'") == 2);
  CHECK(Retain(*backend, {.max_age = absl::Hours(24 * 30)}, jumped, true).rows == 1);
  // From then on the clock goes on from there.
  const RetainReport next = Retain(*backend, {.max_age = absl::Hours(24 * 30)}, jumped + absl::Hours(70), false);
  CHECK_FALSE(next.held_back.has_value());
}

// One project writes without end: rows of any time and any size, in any order.
std::vector<std::string> HostileRows(std::mt19937& random, const std::string& project) {
  std::vector<std::string> rows;
  const size_t sizes[] = {1, 100, 3'000, 60'000};
  const size_t size = sizes[random() % 4];
  const int count = static_cast<int>(std::min<size_t>(2'000, 600'000 / size));
  const int64_t centers[] = {946'684'800, 1'000'000'000, 1'775'000'000, 4'070'000'000, 4'120'000'000};
  for (int i = 0; i < count; ++i) {
    const int64_t seconds = centers[random() % 5] + static_cast<int64_t>(random() % 40) * 86'400;
    rows.push_back(ProjectRow(project, absl::FromUnixSeconds(seconds), Letters(random, 1 + random() % size)));
  }
  return rows;
}

uint32_t SeedOf(uint32_t otherwise) {
  const char* const text = std::getenv("LOGQUERY_SEED");
  uint32_t seed = otherwise;
  if (text != nullptr) CHECK(absl::SimpleAtoi(text, &seed));
  return seed;
}

void CheckNeighbours(uint32_t seed, int rounds) {
  CAPTURE(seed);
  constexpr int64_t kLimit = 4 * kMegabyte;
  std::mt19937 random(seed);
  TemporaryFolder folder;
  auto backend = OpenFolder(folder / "data");
  std::vector<std::string> rows;
  // Each of three projects may have a third, in text: these two have less.
  for (const std::string project : {"b", "c"}) {
    for (int i = 0; i < 1'000; ++i) {
      const absl::Time time = kNow - absl::Hours(static_cast<int64_t>(random() % 9'000));
      rows.push_back(ProjectRow(project, time, Letters(random, random() % 500)));
    }
  }
  Append(*backend, rows);
  const ProjectView b = ViewOf(*backend, "b"), c = ViewOf(*backend, "c");
  int64_t removed = 0;
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    for (int i = 0; i < 4; ++i) Append(*backend, HostileRows(random, "a"), /*all=*/false);
    REQUIRE(backend->store().Checkpoint().ok());
    if (round % 2 == 1) REQUIRE(backend->store().Cluster({.now = kNow}).ok());
    removed += Retain(*backend, {.max_bytes = kLimit}).rows;
    if (round % 3 == 2) {
      backend.reset();
      backend = OpenFolder(folder / "data");
    }
    REQUIRE(ViewOf(*backend, "b") == b);
    REQUIRE(ViewOf(*backend, "c") == c);
  }
  CHECK(removed > 0);
  const auto findings = backend->Check(/*read_rows=*/true);
  REQUIRE(findings.ok());
  for (const FolderFinding& finding : *findings) CHECK(finding.kind != FolderFinding::Kind::kError);
  // The view would show it if one row went, as the oldest days of all projects once did.
  CHECK(Retain(*backend, {.max_age = absl::Hours(8'900)}).rows > 0);
  CHECK_FALSE(ViewOf(*backend, "b") == b);
}

TEST_CASE("one project that writes at its maximum changes no rows or receipts of its neighbours") {
  CheckNeighbours(SeedOf(29), 6);
}

TEST_CASE("one project that writes at its maximum for long changes nothing of its neighbours", "[nightly]") {
  const uint32_t seed = SeedOf(static_cast<uint32_t>(std::random_device()()));
  CheckNeighbours(seed, 100);
}

}  // namespace
}  // namespace logquery::store
