// Exports: what is in the files is what is in the folder, each file is whole or not there, and an interrupted export goes on.
#include "logquery/store/export.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "lib/base/sha256.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/export/export_manifest.h"
#include "tests/store/exported_folder.h"
#include "tests/store/folder_test_util.h"
#include "tests/support/child_process.h"

namespace logquery::store::export_tests {
namespace {

using testing::ChildArgument;

// The rows of an engine that reads the files and nothing else.
duckdb::TextRows Read(const std::string& folder, const std::string& sql) {
  duckdb::DatabaseOptions options;
  options.files_folder = folder + "/";
  auto database = duckdb::Database::Open(options);
  REQUIRE(database.ok());
  auto connection = database->Connect();
  REQUIRE(connection.ok());
  auto rows = duckdb::Query(connection->get(), sql);
  INFO(sql << ": " << rows.status().ToString());
  REQUIRE(rows.ok());
  return *rows;
}

// How many rows there are, and a sum over the digests of their values: in the folder, and in the files.
std::string SumInFolder(const Logs& logs, const std::string& table, const std::string& fields) {
  const auto backend = logs.Open(/*read_only=*/true);
  return SelectValue(
             *backend,
             base::StrCat("SELECT concat(count(*), ' ', sum(hash(id, epoch_us(timestamp), event_message, project",
                          fields, ")::HUGEINT)) FROM \"", table, "\""),
             Type::String())
      .string_value();
}

std::string SumInFiles(const Logs& logs, const std::string& log, const std::string& fields) {
  return Read(logs.out,
              base::StrCat("SELECT concat(count(*), ' ', sum(hash(id, epoch_us(timestamp), event_message, project",
                           fields, ")::HUGEINT)) FROM read_parquet('", logs.out, "/", log, "/*.parquet')"))[0][0];
}

constexpr char kFieldsInFolder[] =
    ", metadata.request.method, metadata.request.path, metadata.response.status_code, metadata IS NOT NULL";
constexpr char kFieldsInFiles[] =
    ", metadata->>'$[0].request[0].method', metadata->>'$[0].request[0].path', "
    "(metadata->>'$[0].response[0].status_code')::BIGINT, metadata != '[]'";
constexpr char kHotFields[] = ", request_method, request_path, response_status_code, has_metadata";

void CheckEqual(const Logs& logs) {
  const std::string edge = SumInFolder(logs, "cloudflare.logs.prod", kFieldsInFolder);
  CHECK(SumInFiles(logs, "edge_logs", kFieldsInFiles) == edge);
  CHECK(SumInFiles(logs, "edge_logs", kHotFields) == edge);
  CHECK(SumInFiles(logs, "postgres_logs", "") == SumInFolder(logs, "postgres.logs", ""));
}

TEST_CASE("an export has the rows of each log and day, with a manifest and statements that load them") {
  const Logs logs;
  std::vector<std::string> told;
  ExportRequest request;
  request.on_file = [&](const ExportedFile& file) {
    CHECK_FALSE(file.before.has_value());
    told.push_back(file.name);
  };
  const ExportReport report = logs.Export(request);
  CHECK(report.files == 5);
  CHECK(report.kept == 0);
  CHECK(report.rows == 100 + 101 + 102 + 11 + 14);
  CHECK(NamesIn(logs.out) == std::vector<std::string>{".lock", "edge_logs/2026-01-10.parquet",
                                                      "edge_logs/2026-01-11.parquet", "edge_logs/2026-01-12.parquet",
                                                      "load_bigquery.sql", "load_clickhouse.sql", "load_postgres.sql",
                                                      "manifest.json", "postgres_logs/2026-01-11.parquet",
                                                      "postgres_logs/2026-01-14.parquet"});
  CheckEqual(logs);

  const auto manifest = ExportManifest::Parse(ReadFile(logs.out + "/manifest.json"));
  REQUIRE(manifest.ok());
  REQUIRE(manifest->files.size() == 5);
  int64_t bytes = 0;
  for (const ExportedFile& file : manifest->files) {
    CAPTURE(file.name);
    CHECK(std::find(told.begin(), told.end(), file.name) != told.end());
    const std::string text = ReadFile(logs.out + "/" + file.name);
    CHECK(static_cast<int64_t>(text.size()) == file.bytes);
    CHECK(base::Sha256Hex(text) == file.sha256);
    CHECK(Read(logs.out, base::StrCat("SELECT count(*), min(timestamp)::DATE, max(timestamp)::DATE FROM '", logs.out,
                                      "/", file.name, "'"))[0] ==
          std::vector<std::string>{base::StrCat(file.rows), file.name.substr(file.name.size() - 18, 10),
                                   file.name.substr(file.name.size() - 18, 10)});
    bytes += file.bytes;
  }
  CHECK(bytes == report.bytes);
}

TEST_CASE("a record is exported with the fields that its rows have brought, and a time as one in UTC") {
  const Logs logs;
  logs.Export();
  const std::string files = base::StrCat("read_parquet('", logs.out, "/edge_logs/*.parquet')");
  CHECK(Read(logs.out, "SELECT count(*), max((metadata->>'$[0].request[0].grown')::BIGINT) FROM " + files +
                           " WHERE metadata->>'$[0].request[0].grown' IS NOT NULL")[0] ==
        std::vector<std::string>{"183", "101"});
  CHECK(Read(logs.out, "SELECT DISTINCT typeof(timestamp), typeof(metadata) FROM " + files)[0] ==
        std::vector<std::string>{"TIMESTAMP WITH TIME ZONE", "VARCHAR"});
}

TEST_CASE("an export of some logs and days has these alone, and another adds to it") {
  const Logs logs;
  ExportRequest request;
  request.logs = {"EDGE_LOGS"};
  request.from = absl::CivilDay(2026, 1, 11);
  request.to = absl::CivilDay(2026, 1, 11);
  CHECK(logs.Export(request).rows == 101);
  CHECK(ReadFile(logs.out + "/load_clickhouse.sql").find("postgres_logs") == std::string::npos);
  request.logs = {"postgres.logs"};
  request.to.reset();
  CHECK(logs.Export(request).rows == 11 + 14);
  CHECK(ReadFile(logs.out + "/load_clickhouse.sql").find("`edge_logs`") != std::string::npos);
  CHECK(ReadFile(logs.out + "/load_clickhouse.sql").find("`postgres_logs`") != std::string::npos);
  request.from = absl::CivilDay(2027, 1, 1);
  CHECK(logs.Export(request).files == 0);
}

TEST_CASE("a second export writes nothing") {
  const Logs logs;
  logs.Export();
  std::vector<std::pair<std::string, fs::file_time_type>> before, after;
  for (const std::string& name : NamesIn(logs.out))
    before.emplace_back(name, fs::last_write_time(logs.out + "/" + name));
  const ExportReport report = logs.Export();
  for (const std::string& name : NamesIn(logs.out))
    after.emplace_back(name, fs::last_write_time(logs.out + "/" + name));
  CHECK(report.files == 0);
  CHECK(report.kept == 5);
  CHECK(before == after);
}

TEST_CASE("files that are missing or not whole are exported again, and the others stay") {
  const Logs logs;
  logs.Export();
  fs::remove(logs.out + "/edge_logs/2026-01-11.parquet");
  fs::resize_file(logs.out + "/postgres_logs/2026-01-14.parquet", 100);
  fs::create_directories(logs.out + "/.unfinished/deeper");
  WriteFile(logs.out + "/.unfinished/rows.parquet", "half of a file");
  WriteFile(logs.out + "/manifest.json.new", "half of a manifest");
  const ExportReport report = logs.Export();
  CHECK(report.files == 2);
  CHECK(report.kept == 3);
  CHECK(fs::is_empty(logs.out + "/.unfinished"));
  CheckEqual(logs);
}

TEST_CASE("child: exports a folder and is killed", "[.child]") {
  int files = 0;
  ExportRequest request;
  request.folder = ChildArgument() + "/data";
  request.target = ChildArgument() + "/out";
  request.on_file = [&](const ExportedFile&) {
    if (++files == 2) kill(getpid(), SIGKILL);
  };
  CHECK(ExportFolder(request).ok());
}

TEST_CASE("a killed export resumes where it stopped") {
  const Logs logs;
  CHECK(testing::RunInChild("child: exports a folder and is killed", fs::path(logs.data).parent_path().string()) ==
        -SIGKILL);
  const ExportReport report = logs.Export();
  CHECK(report.kept == 2);
  CHECK(report.files == 3);
  CheckEqual(logs);
}

TEST_CASE("a day that has more rows by now is exported again, and the report says so") {
  const Logs logs;
  logs.Export();
  logs.LoadDay(*logs.Open(), "edge_logs", 1, 7);
  std::vector<ExportedFile> told;
  ExportRequest request;
  request.on_file = [&](const ExportedFile& file) { told.push_back(file); };
  CHECK(logs.Export(request).kept == 4);
  REQUIRE(told.size() == 1);
  CHECK(told[0].name == "edge_logs/2026-01-11.parquet");
  CHECK(told[0].rows == 108);
  CHECK(told[0].before == 101);
  CheckEqual(logs);
}

TEST_CASE("values of every type are exported") {
  TemporaryFolder folder;
  {
    const auto backend = OpenFolder(folder / "data");
    const std::string file = WriteFile(
        folder / "rows",
        Row(R"("id":"a","i":9223372036854775807,"f":0.1,"b":true,"n":"1.25","big":"12345678901234567890123456789012345678.5",)"
            R"("y":"AP8=","d":"2026-03-08","t":"01:02:03.5","dt":"2026-03-08T01:02:03","j":{"k":[1,null]},"tags":["x","y"],)"
            R"("items":[{"name":"n","parts":[1,2]}],"metadata":{"request":{"path":"/","status":7,"list":["l"]},"level":"e"})") +
            "\n" + Row(R"("id":"b")") + "\n");
    Load(*backend, {.table = "test.logs", .files = {file}});
  }
  ExportRequest request;
  request.folder = folder / "data";
  request.target = folder / "out";
  request.schema_json = kTestSchema;
  const auto report = ExportFolder(request);
  INFO(report.status().ToString());
  REQUIRE(report.ok());
  CHECK(report->rows == 2);
  const std::string file = folder / "out/test_logs/2026-03-04.parquet";
  CHECK(Read(folder / "out",
             base::StrCat(
                 "SELECT i, f, b, n, big, y = '\\x00\\xFF'::BLOB, d, t, dt, j, tags, items, metadata, request_path, "
                 "request_status, has_request FROM '",
                 file, "' WHERE id = 'a'"))[0] ==
        std::vector<std::string>{
            "9223372036854775807", "0.1", "true", "1.250000000", "12345678901234567890123456789012345678.5", "true",
            "2026-03-08", "01:02:03.5", "2026-03-08 01:02:03", R"({"k":[1,null]})", R"(["x","y"])",
            R"([{"name":"n","parts":[1,2]}])", R"([{"request":[{"path":"/","status":7,"list":["l"]}],"level":"e"}])",
            "/", "7", "true"});
  CHECK(Read(folder / "out",
             base::StrCat("SELECT coalesce(i, f, n, -1), metadata, has_request, request_path IS NULL FROM '", file,
                          "' WHERE id = 'b'"))[0] == std::vector<std::string>{"-1.0", "[]", "false", "true"});
}

}  // namespace
}  // namespace logquery::store::export_tests
