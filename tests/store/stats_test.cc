// Counts of what a folder holds.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "tests/store/folder_test_util.h"

namespace logquery::store {
namespace {

std::vector<TableStats> Stats(DuckDbBackend& backend) {
  const auto stats = backend.ReadStats();
  INFO(stats.status().ToString());
  REQUIRE(stats.ok());
  return *stats;
}

TEST_CASE("a writer and a reader count each table's rows, times, days, bytes and loads") {
  TemporaryFolder folder;
  const std::string text =
      "{\"timestamp\":\"2026-03-04T05:06:07.5Z\"}\n"
      "{\"timestamp\":\"2026-03-01T23:59:59Z\",\"new\":{}}\n"
      "{\"timestamp\":\"2026-03-01T00:00:00Z\"}\n"
      "bad\n";
  const std::string file = WriteFile(folder / "a", text);
  for (const bool read_only : {false, true}) {
    CAPTURE(read_only);
    const auto backend = OpenFolder(folder / "data", read_only);
    if (!read_only) {
      Load(*backend, {.table = "test.logs", .files = {file}});
      REQUIRE(backend->store().Checkpoint().ok());
    }
    const std::vector<TableStats> all = Stats(*backend);
    REQUIRE(all.size() == 1);
    CHECK(all[0].table == "test.logs");
    CHECK(all[0].log == "test_logs");
    CHECK(all[0].rows == 3);
    CHECK(all[0].rows_with_undeclared_fields == 1);
    CHECK(all[0].first == absl::FromUnixSeconds(1'772'323'200));
    CHECK(all[0].last == absl::FromUnixMicros(1'772'600'767'500'000));
    CHECK(all[0].days == 2);
    CHECK(all[0].loads == 1);
    CHECK(all[0].rejected_rows == 1);
    CHECK(all[0].bytes_read == static_cast<int64_t>(text.size()));
    CHECK(all[0].bytes_on_disk > 0);
    CHECK(all[0].bytes_on_disk % 4096 == 0);
  }
}

TEST_CASE("an empty table has no times, and a database in memory no tables") {
  TemporaryFolder folder;
  const std::vector<TableStats> all = Stats(*OpenFolder(folder / "data"));
  REQUIRE(all.size() == 1);
  CHECK(all[0].rows == 0);
  CHECK_FALSE(all[0].first.has_value());
  CHECK_FALSE(all[0].last.has_value());
  CHECK(all[0].loads == 0);
  CHECK(Stats(*OpenInMemory()).empty());
}

}  // namespace
}  // namespace logquery::store
