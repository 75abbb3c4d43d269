// Data folders: which of them open, what opening cleans up, and how a schema may change.
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <functional>
#include <string>

#include "logquery/store/folder_check.h"
#include "tests/store/folder_test_util.h"
#include "tests/store/stored_files.h"
#include "tests/support/child_process.h"

namespace logquery::store::store_tests {
namespace {

using testing::ChildArgument;
using testing::RunInChild;

TEST_CASE("a folder is created, closed, and opened again with its content") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  {
    const auto backend = OpenFolder(data);
    Load(*backend, {.table = "test_logs", .files = {WriteFile(folder / "a", Rows(3))}});
    CHECK(backend->store().Checkpoint().ok());
  }
  CHECK(ReadFile(data + "/FORMAT") == "logquery data folder, format 3\n");
  CHECK(ReadFile(data + "/owner").empty());
  CHECK(CountRows(*OpenFolder(data)) == 3);
  const auto reader = OpenFolder(data, /*read_only=*/true);
  CHECK(CountRows(*reader) == 3);
  CHECK(reader->ReadCatalog()->Find("test.logs")->hot_columns.size() == 4);
  CHECK(reader->store().Load({.table = "test.logs"}, nullptr).status().code() == absl::StatusCode::kUnimplemented);
  CHECK(reader->store().Checkpoint().code() == absl::StatusCode::kUnimplemented);
}

TEST_CASE("opening a folder removes the temporary files of a killed process") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  OpenFolder(data);
  WriteFile(data + "/tmp/duckdb_temp_storage_DEFAULT-0.tmp", "spill");
  OpenFolder(data);
  CHECK(std::filesystem::is_empty(data + "/tmp"));
}

TEST_CASE("child: the folder opens for reading", "[.child]") { CHECK(OpenStatus(ChildArgument(), true).ok()); }
TEST_CASE("child: the folder is held, for reading", "[.child]") {
  CHECK(OpenStatus(ChildArgument(), true).code() == absl::StatusCode::kFailedPrecondition);
}
TEST_CASE("child: the folder is held, for writing", "[.child]") {
  CHECK(OpenStatus(ChildArgument()).code() == absl::StatusCode::kFailedPrecondition);
}

TEST_CASE("several processes can read a folder, and a writer has it alone") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  OpenFolder(data);
  {
    const auto reader = OpenFolder(data, true);
    const auto other = OpenFolder(data, true);
    CHECK(CountRows(*reader) == 0);
    const absl::Status status = OpenStatus(data);
    CHECK(status.code() == absl::StatusCode::kFailedPrecondition);
    CHECK(Says(status, "is being read by another process"));
    CHECK(RunInChild("child: the folder opens for reading", data) == 0);
    CHECK(RunInChild("child: the folder is held, for writing", data) == 0);
  }
  const auto writer = OpenFolder(data);
  for (const bool read_only : {true, false}) {
    const absl::Status status = OpenStatus(data, read_only);
    CHECK(status.code() == absl::StatusCode::kFailedPrecondition);
    CHECK(Says(status, "is held by process " + std::to_string(getpid()) + " ("));
  }
  CHECK(RunInChild("child: the folder is held, for reading", data) == 0);
}

TEST_CASE("opening fails for a path that is no data folder and for a folder of another version") {
  TemporaryFolder folder;
  struct Case {
    const char* what;
    std::function<void(const std::string&)> make;
    bool read_only;
    absl::StatusCode code;
    const char* says;
  };
  const Case cases[] = {
      {"absent", [](const std::string&) {}, true, absl::StatusCode::kNotFound, "there is no folder"},
      {"absent parent", [](const std::string& path) { std::filesystem::remove_all(path + "/.."); }, true,
       absl::StatusCode::kNotFound, "there is no folder"},
      {"empty", [](const std::string& path) { std::filesystem::create_directories(path); }, true,
       absl::StatusCode::kNotFound, "holds no logs"},
      {"file", [](const std::string& path) { WriteFile(path, "text"); }, false, absl::StatusCode::kFailedPrecondition,
       "is not a folder"},
      {"newer",
       [](const std::string& path) {
         OpenFolder(path);
         WriteFile(path + "/FORMAT", "logquery data folder, format 4\n");
       },
       false, absl::StatusCode::kFailedPrecondition, "was written by a newer logquery: its format is 4"},
      {"unknown format",
       [](const std::string& path) {
         OpenFolder(path);
         WriteFile(path + "/FORMAT", "something else");
       },
       true, absl::StatusCode::kFailedPrecondition, "does not say what format"},
      {"garbage",
       [](const std::string& path) {
         OpenFolder(path);
         WriteFile(path + "/logs.duckdb", std::string(100'000, 'x'));
       },
       false, absl::StatusCode::kDataLoss, "logs.duckdb"},
      {"cut short",
       [](const std::string& path) {
         OpenFolder(path);
         truncate((path + "/logs.duckdb").c_str(), 5000);
       },
       true, absl::StatusCode::kDataLoss, ""},
      {"header overwritten",
       [](const std::string& path) {
         OpenFolder(path);
         std::fstream file(path + "/logs.duckdb", std::ios::in | std::ios::out | std::ios::binary);
         file.seekp(4200);
         file << std::string(8000, '\x55');
       },
       true, absl::StatusCode::kDataLoss, ""},
  };
  int number = 0;
  for (const Case& c : cases) {
    CAPTURE(c.what);
    std::filesystem::create_directories(folder / "all");
    const std::string path = folder / ("all/data" + std::to_string(++number));
    c.make(path);
    const absl::Status status = OpenStatus(path, c.read_only);
    CAPTURE(status.ToString());
    CHECK(status.code() == c.code);
    CHECK(Says(status, c.says));
  }
}

TEST_CASE("opening fails for an invalid schema and for one that changes a field's type") {
  TemporaryFolder folder;
  DuckDbOptions options;
  options.folder = folder / "data";
  options.schema_json = "{";
  CHECK(OpenDuckDb(options).status().code() == absl::StatusCode::kInvalidArgument);
  options.schema_json = R"({"t": {"columns": {"a": "INT64", "r": {"b": "STRING"}}}})";
  REQUIRE(OpenDuckDb(options).ok());
  options.schema_json = R"({"t": {"columns": {"a": "INT64", "r": {"b": "STRING", "c": "STRING"}}}})";
  for (const bool read_only : {false, true}) {
    options.read_only = read_only;
    const absl::Status status = OpenDuckDb(options).status();
    CHECK(status.code() == absl::StatusCode::kFailedPrecondition);
    CHECK(Says(status, "the schema declares t.r as"));
  }
}

// The engine has both as bytes.
TEST_CASE("BYTES never become BIGNUMERIC, wherever in a column they are") {
  TemporaryFolder folder;
  DuckDbOptions options;
  options.folder = folder / "data";
  options.schema_json = R"({"t": {"columns": {"r": {"a": "BYTES", "b": "BIGNUMERIC"}}}})";
  REQUIRE(OpenDuckDb(options).ok());
  REQUIRE(OpenDuckDb(options).ok());
  FolderCheckOptions check;
  check.folder = options.folder;
  check.schema_json = options.schema_json;
  const auto findings = CheckFolder(check);
  REQUIRE(findings.ok());
  for (const FolderFinding& finding : *findings) CHECK(finding.kind != FolderFinding::Kind::kError);
  options.schema_json = R"({"t": {"columns": {"r": {"a": "BIGNUMERIC", "b": "BYTES"}}}})";
  const absl::Status status = OpenDuckDb(options).status();
  CHECK(status.code() == absl::StatusCode::kFailedPrecondition);
  CHECK(
      Says(status,
           "t.r as STRUCT<a BIGNUMERIC, b BYTES>, but the folder has it as STRUCT<a BYTES, b BIGNUMERIC>: a declared"));
}

TEST_CASE("a schema may gain tables, columns and hot columns, and lose hot ones; rows that are there get them") {
  TemporaryFolder folder;
  const std::string first = R"({"t": {"time": "timestamp", "hot": {"values": ["m.a"], "presence": ["m"]},
      "columns": {"timestamp": "TIMESTAMP", "m": {"a": "STRING", "b": "INT64"}}}})";
  const std::string second = R"({"t": {"time": "timestamp", "hot": {"values": ["m.b"], "presence": ["m"]},
      "columns": {"new": "STRING", "timestamp": "TIMESTAMP", "m": {"a": "STRING", "b": "INT64"}}},
      "u": {"columns": {"x": "INT64"}}})";
  DuckDbOptions options;
  options.folder = folder / "data";
  options.schema_json = first;
  Load(**OpenDuckDb(options), {.table = "t", .files = {WriteFile(folder / "1", Row(R"("m":{"a":"A","b":5})"))}});
  options.read_only = true;
  options.schema_json = second;
  CHECK(OpenDuckDb(options).status().code() == absl::StatusCode::kFailedPrecondition);
  options.read_only = false;
  for (int again = 0; again < 2; ++again) {
    auto backend = OpenDuckDb(options);
    INFO(backend.status().ToString());
    REQUIRE(backend.ok());
    const Table* const table = (*backend)->ReadCatalog()->Find("t");
    REQUIRE(table != nullptr);
    const std::string row = Row(R"("m":{"a":"B","b":6},"new":"n)" + std::to_string(again) + "\"");
    Load(**backend, {.table = "t", .files = {WriteFile(folder / "2", row)}});
    CHECK(SelectValue(**backend, R"(SELECT list("m.b" ORDER BY rowid) FROM t WHERE "m.b" = m.b AND "?m")",
                      Type::Array(Type::Int64()))
              .children()
              .size() == static_cast<size_t>(2 + again));
    CHECK(SelectValue(**backend, "SELECT count(*) FROM t WHERE new IS NULL", Type::Int64()) == Value::Int64(1));
    CHECK((*backend)->ReadCatalog()->Find("u") != nullptr);
    CHECK((*backend)->ReadCatalog()->Find("t")->hot_columns.size() == 2);
  }
}

}  // namespace
}  // namespace logquery::store::store_tests
