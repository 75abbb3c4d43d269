// Exports: what is in the files is what is in the folder, each file is whole or not there, and an interrupted export goes on.
#include "logquery/store/export.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "lib/base/sha256.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/export/export_manifest.h"
#include "tests/store/folder_test_util.h"
#include "tests/support/child_process.h"

namespace logquery::store {
namespace {

namespace fs = std::filesystem;
using testing::ChildArgument;

// Rows of a log on a day, with absent records, fields that are not declared and text that wants quoting.
std::string RowsOf(int day, int rows, std::string_view log) {
  std::string text;
  for (int i = 0; i < rows; ++i) {
    const std::string metadata =
        i % 5 == 4   ? "null"
        : i % 5 == 3 ? "{}"
                     : base::StrCat(R"({"request":{"method":"M)", i % 7, R"(","path":"/\"x\"\n\\)", i, R"(","grown":)",
                                    i, R"(},"response":{"status_code":)", 200 + i, "}}");
    base::StrAppend(&text, R"({"id":")", log, "-", day, "-", i, R"(","timestamp":"2026-01-)", 10 + day, "T",
                    i % 2 == 0 ? "00:00:00" : "23:59:59.999999", R"(Z","event_message":"\u00e4 ')", i,
                    R"(","project":"p)", i % 3, R"(","metadata":)", metadata, "}\n");
  }
  return text;
}

// Two logs of several days.
struct Logs {
  Logs() {
    const auto backend = Open();
    for (const int day : {0, 1, 2}) LoadDay(*backend, "edge_logs", day, 100 + day);
    for (const int day : {1, 4}) LoadDay(*backend, "postgres_logs", day, 10 + day);
  }
  std::unique_ptr<DuckDbBackend> Open(bool read_only = false) const {
    auto backend = OpenDuckDb({.folder = data, .read_only = read_only});
    INFO(backend.status().ToString());
    REQUIRE(backend.ok());
    return *std::move(backend);
  }
  void LoadDay(DuckDbBackend& backend, const std::string& log, int day, int rows) const {
    const std::string file = folder / base::StrCat(log, day, "-", rows, ".ndjson");
    Load(backend, {.table = log, .files = {WriteFile(file, RowsOf(day, rows, log))}});
  }
  ExportReport Export(ExportRequest request = {}) const {
    const auto report = TryExport(std::move(request));
    INFO(report.status().ToString());
    REQUIRE(report.ok());
    return *report;
  }
  absl::StatusOr<ExportReport> TryExport(ExportRequest request = {}) const {
    request.folder = data;
    if (request.target.empty()) request.target = out;
    return ExportFolder(request);
  }

  TemporaryFolder folder;
  const std::string data = folder / "data";
  const std::string out = folder / "out";
};

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

std::vector<std::string> NamesIn(const std::string& path) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), path));
  }
  std::sort(names.begin(), names.end());
  return names;
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

TEST_CASE("an export of a missing folder, log or day is an error with a suggestion") {
  const Logs logs;
  ExportRequest request;
  request.folder = logs.folder / "nothing";
  request.target = logs.out;
  CHECK(ExportFolder(request).status().code() == absl::StatusCode::kNotFound);
  CHECK_FALSE(fs::exists(logs.out));

  request.logs = {"edge_log"};
  const absl::Status unknown = logs.TryExport(request).status();
  CHECK(unknown.code() == absl::StatusCode::kInvalidArgument);
  CHECK(base::Message(unknown).find("there is no log edge_log; did you mean edge_logs") == 0);

  request.logs.clear();
  request.from = absl::CivilDay(2026, 1, 12);
  request.to = absl::CivilDay(2026, 1, 11);
  CHECK(base::Message(logs.TryExport(request).status()) ==
        "no day is from 2026-01-12 to 2026-01-11: the first day is after the last");
}

TEST_CASE("an export rejects a folder with other content") {
  const Logs logs;
  const auto refused = [&](std::string_view name) {
    const absl::Status status = logs.TryExport().status();
    INFO(status.ToString());
    CHECK(status.code() == absl::StatusCode::kFailedPrecondition);
    CHECK(base::Message(status).find(base::StrCat(logs.out, "/", name, " is not of an export")) == 0);
  };
  fs::create_directories(logs.out + "/edge_logs");
  WriteFile(logs.out + "/notes.txt", "mine");
  refused("notes.txt");
  CHECK(NamesIn(logs.out) == std::vector<std::string>{"notes.txt"});
  fs::remove(logs.out + "/notes.txt");
  WriteFile(logs.out + "/edge_logs/2026-01-10.parquet", "mine");
  refused("edge_logs/2026-01-10.parquet");
  CHECK(ReadFile(logs.out + "/edge_logs/2026-01-10.parquet") == "mine");
  fs::remove(logs.out + "/edge_logs/2026-01-10.parquet");
  logs.Export();
  WriteFile(logs.out + "/edge_logs/2025-01-10.parquet", "mine");
  refused("edge_logs/2025-01-10.parquet");

  ExportRequest request;
  request.target = WriteFile(logs.folder / "file", "");
  CHECK(base::Message(logs.TryExport(request).status()) == request.target + " is not a folder");
}

TEST_CASE("a damaged or newer manifest is rejected") {
  const Logs logs;
  logs.Export();
  const std::string name = logs.out + "/manifest.json";
  const std::string text = ReadFile(name);
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"files\"", "\"file\""}, {"edge_logs/", "../"}, {"\"bytes\":", "\"byte\":"}, {"}", ""}, {"2026", "a/b"}}) {
    CAPTURE(from);
    WriteFile(name, absl::StrReplaceAll(text, {{from, to}}));
    const absl::Status status = logs.TryExport().status();
    CHECK(status.code() == absl::StatusCode::kDataLoss);
    CHECK(base::Message(status).find(logs.out + ": manifest.json is damaged: ") == 0);
  }
  WriteFile(name, absl::StrReplaceAll(text, {{"\"logquery_export\": 1", "\"logquery_export\": 2"}}));
  CHECK(logs.TryExport().status().code() == absl::StatusCode::kFailedPrecondition);
}

TEST_CASE("an export can run with other readers, but not with a writer nor into another export's target") {
  const Logs logs;
  {
    const auto reader = logs.Open(/*read_only=*/true);
    CHECK(logs.Export().files == 5);
  }
  {
    const auto writer = logs.Open();
    const absl::Status status = logs.TryExport().status();
    CHECK(status.code() == absl::StatusCode::kFailedPrecondition);
    CHECK(base::Message(status).find(" is held by process ") != std::string_view::npos);
  }
  const int lock = open((logs.out + "/.lock").c_str(), O_RDWR);
  REQUIRE(flock(lock, LOCK_EX | LOCK_NB) == 0);
  CHECK(base::Message(logs.TryExport().status()) == "another process is exporting into " + logs.out);
  close(lock);
  CHECK(logs.Export().kept == 5);
}

TEST_CASE("an engine with a folder for files reaches nothing outside that folder") {
  TemporaryFolder folder;
  fs::create_directories(folder / "in");
  WriteFile(folder / "secret", "x");
  duckdb::DatabaseOptions options;
  options.files_folder = (folder / "in") + "/";
  auto database = duckdb::Database::Open(options);
  REQUIRE(database.ok());
  auto connection = database->Connect();
  REQUIRE(connection.ok());
  const auto run = [&](const std::string& sql) { return duckdb::Run(connection->get(), sql); };
  CHECK(run(base::StrCat("COPY (SELECT 1) TO '", folder / "in/a.parquet", "' (FORMAT parquet)")).ok());
  CHECK_FALSE(run(base::StrCat("COPY (SELECT 1) TO '", folder / "a.parquet", "' (FORMAT parquet)")).ok());
  CHECK_FALSE(run(base::StrCat("COPY (SELECT 1) TO '", folder / "in/../a.parquet", "' (FORMAT parquet)")).ok());
  CHECK_FALSE(run(base::StrCat("SELECT * FROM read_text('", folder / "secret", "')")).ok());
  CHECK_FALSE(run(base::StrCat("ATTACH '", folder / "other.duckdb", "'")).ok());
  CHECK_FALSE(run("SET GLOBAL enable_external_access = true").ok());
  CHECK_FALSE(run("SET GLOBAL allowed_directories = ['/']").ok());
  CHECK_FALSE(fs::exists(folder / "a.parquet"));
}

}  // namespace
}  // namespace logquery::store
