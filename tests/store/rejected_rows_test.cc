// Files of rejected rows: their names before and after the commit, and what a rename that fails leaves.
#include "lib/store/load/rejected_rows.h"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>

#include "tests/store/folder_test_util.h"

namespace logquery::store {
namespace {

RejectedRow Refused(const std::string& text) {
  RejectedRow row;
  row.text = text;
  row.line = 3;
  row.reason = "no time";
  return row;
}

TEST_CASE("files of rejected rows get their names when they are published, and are removed otherwise") {
  TemporaryFolder folder;
  {
    RejectedRows rows(folder / "", "test.logs", "01", "a.ndjson");
    REQUIRE(rows.Add(Refused("{}")).ok());
    REQUIRE(rows.Sync().ok());
    CHECK(std::filesystem::exists(folder / "test.logs.01.ndjson.partial"));
    REQUIRE(rows.Publish().ok());
  }
  CHECK(ReadFile(folder / "test.logs.01.ndjson") == "{}\n");
  CHECK(ReadFile(folder / "test.logs.01.reasons.ndjson") == R"({"file":"a.ndjson","line":3,"reason":"no time"})"
                                                            "\n");
  {
    RejectedRows rows(folder / "", "test.logs", "02", "a.ndjson");
    REQUIRE(rows.Add(Refused("{}")).ok());
    REQUIRE(rows.Sync().ok());
  }
  CHECK_FALSE(std::filesystem::exists(folder / "test.logs.02.ndjson.partial"));
  CHECK_FALSE(std::filesystem::exists(folder / "test.logs.02.reasons.ndjson.partial"));
}

TEST_CASE("rejected rows whose rename fails stay until the next opening settles them") {
  TemporaryFolder folder;
  const std::string in_the_way = folder / "test.logs.01.ndjson";
  REQUIRE(std::filesystem::create_directory(in_the_way));
  {
    RejectedRows rows(folder / "", "test.logs", "01", "a.ndjson");
    REQUIRE(rows.Add(Refused("{}")).ok());
    REQUIRE(rows.Sync().ok());
    CHECK_FALSE(rows.Publish().ok());
  }
  CHECK(std::filesystem::exists(folder / "test.logs.01.ndjson.partial"));
  CHECK(std::filesystem::exists(folder / "test.logs.01.reasons.ndjson.partial"));
  REQUIRE(std::filesystem::remove(in_the_way));
  REQUIRE(RejectedRows::Settle(folder / "", [](const std::string& name) { return name == "test.logs.01"; }).ok());
  CHECK(ReadFile(folder / "test.logs.01.ndjson") == "{}\n");
  CHECK(std::filesystem::exists(folder / "test.logs.01.reasons.ndjson"));
}

}  // namespace
}  // namespace logquery::store
