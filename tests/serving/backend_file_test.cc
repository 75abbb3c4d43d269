// Backend files: what they may say, what each option sets, and how their errors read.
#include "logquery/serving/backend_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <any>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/bigquery/bigquery_backend.h"
#include "logquery/clickhouse/clickhouse_backend.h"
#include "logquery/postgres/postgres_backend.h"
#include "logquery/store/duckdb_backend.h"

namespace logquery {
namespace {

namespace fs = std::filesystem;

// A folder with a backend file "backend.json".
struct BackendFolder {
  explicit BackendFolder(const std::string& text = R"({"engine": "duckdb", "folder": "data"})")
      : path((fs::temp_directory_path() / base::StrCat("logquery-backend-file-", getpid())).string()),
        file(path + "/backend.json") {
    fs::remove_all(path);
    fs::create_directory(path);
    Write(text);
  }
  ~BackendFolder() { fs::remove_all(path); }
  BackendFolder(const BackendFolder&) = delete;
  BackendFolder& operator=(const BackendFolder&) = delete;

  void Write(const std::string& text, const std::string& name = "backend.json") const {
    std::ofstream(path + "/" + name, std::ios::trunc) << text;
  }
  absl::StatusOr<BackendOptions> Read() const { return ReadBackendFile(file); }
  // Returns the error without the file's name in front.
  std::string Error() const {
    const absl::Status status = Read().status();
    const std::string message(base::Message(status));
    return message.rfind(file, 0) == 0 ? message.substr(file.size()) : message;
  }

  const std::string path;
  const std::string file;
};

template <typename Remote>
Remote RemoteOf(const BackendOptions& options) {
  const auto* const remote = std::any_cast<Remote>(&options.remote);
  REQUIRE(remote != nullptr);
  return *remote;
}

TEST_CASE("a backend file sets the engine's options, with its folder relative to the file") {
  const BackendFolder at(R"({"engine": "duckdb", "folder": "sub/data", "memory_limit_mb": 100, "threads": 3})");
  absl::StatusOr<BackendOptions> options = at.Read();
  INFO(options.status().ToString());
  REQUIRE(options.ok());
  CHECK(options->engine == "duckdb");
  CHECK(options->folder == at.path + "/sub/data");
  CHECK(options->memory_limit_bytes == 100'000'000);
  CHECK(options->threads == 3);
  CHECK_FALSE(options->remote.has_value());

  at.Write(R"({"engine": "duckdb", "folder": "/elsewhere"})");
  options = at.Read();
  REQUIRE(options.ok());
  CHECK(options->folder == "/elsewhere");
  CHECK(options->memory_limit_bytes == BackendOptions().memory_limit_bytes);
  CHECK(options->threads == 0);
}

TEST_CASE("a backend of a data folder opens as the store that it is") {
  const BackendFolder at;
  const absl::StatusOr<BackendOptions> options = at.Read();
  REQUIRE(options.ok());
  CHECK(absl::IsNotFound(OpenBackend(*options, {.read_only = true}).status()));
  constexpr char kOwn[] = R"({"own.logs": {"log": "own_logs", "time": "at", "columns": {"at": "TIMESTAMP"}}})";
  {
    const absl::StatusOr<OpenedBackend> opened = OpenBackend(*options, {.own_logs_json = kOwn});
    INFO(opened.status().ToString());
    REQUIRE(opened.ok());
    CHECK(opened->store == opened->backend.get());
    CHECK(opened->remote == nullptr);
  }
  const absl::StatusOr<OpenedBackend> read = OpenBackend(*options, {.read_only = true});
  REQUIRE(read.ok());
  CHECK(read->backend->ReadCatalog()->Find("own.logs") != nullptr);
  CHECK(absl::IsUnimplemented(read->store->DeclareLogs("s", kOwn)));
}

TEST_CASE("a backend file sets each option of ClickHouse") {
  if (!CheckEngine("clickhouse").ok()) SKIP("this logquery is built without ClickHouse");
  const BackendFolder at;
  at.Write("hidden\n", "password");
  at.Write(R"({"schema": 1})", "schema.json");
  at.Write(R"({"engine": "clickhouse", "hosts": ["https://a:1", "https://b:2"], "database": "d", "user": "u",
    "password": {"file": "password"}, "ca_file": "ca.pem", "certificate_file": "/c.pem", "key_file": "k.pem",
    "proxy": "http://p:1", "compression": false, "allow_sources": true, "schema_file": "schema.json", "connections": 2,
    "connect_timeout_ms": 3, "statement_timeout_ms": 4, "server_memory_bytes": 1048576, "rows_to_read": 5,
    "fragment_rows": 6, "fragment_bytes": 7, "memory_limit_mb": 64, "threads": 8,
    "tables": {"x.logs": {"table": "t", "database": "e", "columns": {"a": "b"}, "fields": {"c": "d"},
                          "presence": {"e": "f"}}}})");
  const absl::StatusOr<BackendOptions> read = at.Read();
  INFO(read.status().ToString());
  REQUIRE(read.ok());
  CHECK(read->engine == "clickhouse");
  CHECK(read->folder.empty());
  CHECK(read->memory_limit_bytes == 64'000'000);
  CHECK(read->threads == 8);
  const auto options = RemoteOf<ClickHouseOptions>(*read);
  CHECK(options.hosts == std::vector<std::string>{"https://a:1", "https://b:2"});
  CHECK(options.database == "d");
  CHECK(options.user == "u");
  CHECK(options.password == "hidden");
  CHECK(options.ca_file == at.path + "/ca.pem");
  CHECK(options.certificate_file == "/c.pem");
  CHECK(options.key_file == at.path + "/k.pem");
  CHECK(options.proxy == "http://p:1");
  CHECK_FALSE(options.compression);
  CHECK(options.allow_sources);
  CHECK(options.schema_json == R"({"schema": 1})");
  CHECK(options.max_connections == 2);
  CHECK(options.connect_timeout == absl::Milliseconds(3));
  CHECK(options.statement_timeout == absl::Milliseconds(4));
  CHECK(options.max_server_memory_bytes == 1'048'576);
  CHECK(options.max_rows_to_read == 5);
  CHECK(options.max_fragment_rows == 6);
  CHECK(options.max_fragment_bytes == 7);
  REQUIRE(options.tables.size() == 1);
  CHECK(options.tables[0].name == "x.logs");
  CHECK(options.tables[0].table == "t");
  CHECK(options.tables[0].database == "e");
  CHECK(options.tables[0].columns.at("a") == "b");
  CHECK(options.tables[0].fields.at("c") == "d");
  CHECK(options.tables[0].presence.at("e") == "f");
}

TEST_CASE("a backend file sets each option of PostgreSQL") {
  if (!CheckEngine("postgres").ok()) SKIP("this logquery is built without PostgreSQL");
  REQUIRE(setenv("LOGQUERY_BACKEND_FILE_TEST", "hidden", 1) == 0);
  const BackendFolder at;
  at.Write("{}", "schema.json");
  at.Write(R"({"engine": "postgres", "host": "h", "port": 65535, "database": "d", "user": "u",
    "password": {"env": "LOGQUERY_BACKEND_FILE_TEST"}, "tls": "disable", "ca_file": "ca.pem",
    "certificate_file": "c.pem", "key_file": "k.pem", "connections": 1000, "connect_timeout_ms": 86400000,
    "statement_timeout_ms": 4, "fragment_rows": 6, "fragment_bytes": 7, "memory_limit_mb": 16777216, "threads": 1024,
    "schema_file": "schema.json",
    "tables": {"x.logs": {"table": "t", "schema": "s", "layout": "logflare", "body": "b", "columns": {"a": "b"}}}})");
  const absl::StatusOr<BackendOptions> read = at.Read();
  INFO(read.status().ToString());
  REQUIRE(read.ok());
  CHECK(read->memory_limit_bytes == 16'777'216'000'000);
  CHECK(read->threads == 1'024);
  const auto options = RemoteOf<PostgresOptions>(*read);
  CHECK(options.host == "h");
  CHECK(options.port == 65'535);
  CHECK(options.database == "d");
  CHECK(options.user == "u");
  CHECK(options.password == "hidden");
  CHECK(options.tls == "disable");
  CHECK(options.ca_file == at.path + "/ca.pem");
  CHECK(options.certificate_file == at.path + "/c.pem");
  CHECK(options.key_file == at.path + "/k.pem");
  CHECK(options.max_connections == 1'000);
  CHECK(options.connect_timeout == absl::Hours(24));
  CHECK(options.statement_timeout == absl::Milliseconds(4));
  CHECK(options.max_fragment_rows == 6);
  CHECK(options.max_fragment_bytes == 7);
  CHECK(options.schema_json == "{}");
  REQUIRE(options.tables.size() == 1);
  CHECK(options.tables[0].schema == "s");
  CHECK(options.tables[0].table == "t");
  CHECK(options.tables[0].layout == PostgresTable::Layout::kLogflare);
  CHECK(options.tables[0].body == "b");
  CHECK(options.tables[0].columns.at("a") == "b");
}

TEST_CASE("a backend file sets each option of BigQuery") {
  if (!CheckEngine("bigquery").ok()) SKIP("this logquery is built without BigQuery");
  const BackendFolder at;
  at.Write("the key", "key.json");
  at.Write("{}", "schema.json");
  at.Write(R"({"engine": "bigquery", "project": "p", "dataset": "d", "location": "EU",
    "service_account": {"file": "key.json"}, "api_url": "https://a", "metadata_url": "http://m", "ca_file": "ca.pem",
    "proxy": "http://p:1", "schema_file": "schema.json", "labels": {"a": "b"}, "bytes_billed": 0, "page_rows": 100000,
    "connections": 1, "connect_timeout_ms": 1, "statement_timeout_ms": 2, "retry_wait_ms": 3, "retry_time_ms": 0,
    "fragment_rows": 1, "fragment_bytes": 9223372036854775807, "memory_limit_mb": 100, "threads": 0,
    "tables": {"x.logs": {"table": "t", "dataset": "e", "project": "q", "columns": {"a": "b"}}}})");
  const absl::StatusOr<BackendOptions> read = at.Read();
  INFO(read.status().ToString());
  REQUIRE(read.ok());
  CHECK(read->memory_limit_bytes == 100'000'000);
  const auto options = RemoteOf<BigQueryOptions>(*read);
  CHECK(options.project == "p");
  CHECK(options.dataset == "d");
  CHECK(options.location == "EU");
  CHECK(options.service_account_key == "the key");
  CHECK(options.api_url == "https://a");
  CHECK(options.metadata_url == "http://m");
  CHECK(options.ca_file == at.path + "/ca.pem");
  CHECK(options.proxy == "http://p:1");
  CHECK(options.schema_json == "{}");
  CHECK(options.labels.at("a") == "b");
  CHECK(options.max_bytes_billed == 0);
  CHECK(options.page_rows == 100'000);
  CHECK(options.max_connections == 1);
  CHECK(options.connect_timeout == absl::Milliseconds(1));
  CHECK(options.statement_timeout == absl::Milliseconds(2));
  CHECK(options.retry_wait == absl::Milliseconds(3));
  CHECK(options.retry_time == absl::ZeroDuration());
  CHECK(options.max_fragment_rows == 1);
  CHECK(options.max_fragment_bytes == INT64_MAX);
  REQUIRE(options.tables.size() == 1);
  CHECK(options.tables[0].table == "t");
  CHECK(options.tables[0].dataset == "e");
  CHECK(options.tables[0].project == "q");
  CHECK(options.tables[0].columns.at("a") == "b");
}

struct ErrorCase {
  const char* text;
  const char* error;
};

TEST_CASE("an error in a backend file names the position and what would be valid") {
  const ErrorCase cases[] = {
      {"", ": not JSON at line 1, column 1: "},
      {"{\n \"engine\": duckdb}", ": not JSON at line 2, column 12: "},
      {"[]", " at line 1, column 1: must be an object, is []"},
      {"{}", " at line 1, column 1: engine is missing"},
      {R"({"engine": 1})", R"( at line 1, column 2: engine must be a string, is 1)"},
      {R"({"engine": "duckbd", "folder": "x"})",
       R"( at line 1, column 2: there is no engine "duckbd"; the engines are duckdb, clickhouse, postgres, bigquery; did you mean duckdb?)"},
      {R"({"engine": "duckdb"})", " at line 1, column 1: folder is missing"},
      {"{\"engine\": \"duckdb\",\n  \"folder\": \"\"}",
       " at line 2, column 3: folder must not be empty: it names the data folder"},
      {"{\"engine\": \"duckdb\",\n  \"folder\": [\"x\"]}", " at line 2, column 3: folder must be a string, is a list"},
      {"{\"engine\": \"duckdb\", \"folder\": \"x\",\n\t\"memory_limit_mb\": \"2GB\"}",
       " at line 2, column 2: memory_limit_mb must be a whole number from 64 to 16777216, is \"2GB\""},
      {R"({"engine": "duckdb", "folder": "x", "memory_limit_mb": 63})",
       " at line 1, column 37: memory_limit_mb must be a whole number from 64 to 16777216, is 63"},
      {R"({"engine": "duckdb", "folder": "x", "threads": -1})",
       " at line 1, column 37: threads must be a whole number from 0 to 1024, is -1"},
      {R"({"engine": "duckdb", "folder": "x", "password": "p"})",
       " at line 1, column 37: password is not a field; known are engine, folder, memory_limit_mb, threads"},
      {R"({"engine": "duckdb", "folder": "x", "thread": 1})",
       " at line 1, column 37: thread is not a field; known are engine, folder, memory_limit_mb, threads; did you mean "
       "threads?"},
      {R"({"engine": "duckdb", "engine": "x"})", R"(: the JSON has the key "engine" twice)"},
  };
  const BackendFolder at;
  for (const ErrorCase& c : cases) {
    CAPTURE(c.text);
    at.Write(c.text);
    CHECK(at.Read().status().code() == absl::StatusCode::kInvalidArgument);
    CHECK(at.Error().substr(0, std::string(c.error).size()) == c.error);
  }
  // The message does not repeat the value of an unknown field, which may be a misplaced secret.
  at.Write(R"({"engine": "duckdb", "folder": "x", "password": "hunter2"})");
  CHECK(at.Error().find("hunter2") == std::string::npos);
}

TEST_CASE("an error in a remote engine's backend file names the position and what would be valid") {
  const ErrorCase cases[] = {
      {R"({"engine": "clickhouse"})", " at line 1, column 1: hosts must be a list of at least one URL"},
      {R"({"engine": "clickhouse", "hosts": []})", " at line 1, column 26: hosts must be a list of at least one URL"},
      {R"({"engine": "clickhouse", "hosts": "h"})", " at line 1, column 26: hosts must be a list of strings, is \"h\""},
      {R"({"engine": "clickhouse", "hosts": ["h"]})", " at line 1, column 1: user is missing"},
      {R"({"engine": "clickhouse", "hosts": ["h"], "user": "u", "compression": 1})",
       " at line 1, column 55: compression must be true or false, is 1"},
      {R"({"engine": "clickhouse", "hosts": ["h"], "user": "u", "server_memory_bytes": 1})",
       " at line 1, column 55: server_memory_bytes must be a whole number from 1048576 to 9223372036854775807, is 1"},
      {R"({"engine": "clickhouse", "hosts": ["h"], "user": "u", "tables": {}})",
       " at line 1, column 55: tables must be an object with at least one table"},
      {R"({"engine": "clickhouse", "hosts": ["h"], "user": "u", "tables": {"a": {}}})",
       " at line 1, column 55: tables.a.table is missing"},
      {R"({"engine": "clickhouse", "hosts": ["h"], "user": "u", "tables": {"a": {"table": "t", "colums": {}}}})",
       " at line 1, column 55: tables.a.colums is not a field; known are table, database, columns, fields, presence, "
       "layout; "
       "did you mean columns?"},
      {R"({"engine": "postgres", "host": "h", "port": 0})",
       " at line 1, column 37: port must be a whole number from 1 to 65535, is 0"},
      {R"({"engine": "postgres", "host": "h", "database": "d"})", " at line 1, column 1: user is missing"},
      {R"({"engine": "postgres", "host": "h", "database": "d", "user": "u", "password": "hunter2"})",
       R"( at line 1, column 67: password is a secret and not written here: name it as {"file": PATH} or {"env": NAME})"},
      {R"({"engine": "postgres", "host": "h", "database": "d", "user": "u", "password": {}})",
       R"( at line 1, column 67: password must have one of "file" and "env")"},
      {R"({"engine": "postgres", "host": "h", "database": "d", "user": "u", "connect_timeout_ms": 86400001})",
       " at line 1, column 67: connect_timeout_ms must be a whole number from 1 to 86400000, is 86400001"},
      {R"({"engine": "postgres", "host": "h", "database": "d", "user": "u", "tables": {"a": {"table": "t", "layout": "x"}}})",
       R"( at line 1, column 67: tables.a.layout must be columns or logflare, is "x")"},
      {R"({"engine": "bigquery"})", " at line 1, column 1: project is missing"},
      {R"({"engine": "bigquery", "project": "p", "labels": {"a": 1}})",
       " at line 1, column 40: labels must be an object of strings, is an object"},
      {R"({"engine": "bigquery", "project": "p", "retry_time_ms": -1})",
       " at line 1, column 40: retry_time_ms must be a whole number from 0 to 86400000, is -1"},
  };
  const BackendFolder at;
  for (const ErrorCase& c : cases) {
    CAPTURE(c.text);
    at.Write(c.text);
    if (absl::IsUnimplemented(at.Read().status())) continue;  // this logquery is built without the engine
    CHECK(absl::IsInvalidArgument(at.Read().status()));
    CHECK(at.Error() == c.error);
    CHECK(at.Error().find("hunter2") == std::string::npos);
  }
}

TEST_CASE("a text is read as a file is, with the caller's name for it in errors") {
  const absl::StatusOr<BackendOptions> options =
      ParseBackendFile(R"({"engine": "duckdb", "folder": "data"})", "the setting backend", "/srv");
  REQUIRE(options.ok());
  CHECK(options->folder == "/srv/data");
  CHECK(base::Message(ParseBackendFile("{}", "the setting backend", "").status()) ==
        "the setting backend at line 1, column 1: engine is missing");
}

TEST_CASE("an unreadable or endless backend file is an error") {
  const BackendFolder at;
  fs::remove(at.file);
  CHECK(at.Read().status().code() == absl::StatusCode::kNotFound);
  fs::create_directory(at.file);
  CHECK(base::Message(at.Read().status()) == base::StrCat(at.file, ": it is not a file"));
  fs::remove(at.file);
  REQUIRE(mkfifo(at.file.c_str(), 0600) == 0);  // opening it to read would wait for a writer
  CHECK(at.Read().status().code() == absl::StatusCode::kNotFound);
  fs::remove(at.file);
  at.Write(std::string(kMaxBackendFileBytes, ' '));
  CHECK(at.Error().rfind(": not JSON", 0) == 0);
  at.Write(std::string(kMaxBackendFileBytes + 1, ' '));
  CHECK(absl::IsInvalidArgument(at.Read().status()));
  CHECK(base::Message(at.Read().status()) == base::StrCat(at.file, ": is longer than 1048576 bytes"));
}

TEST_CASE("a backend with the options of another engine, without a folder, or of no engine is not opened") {
  CHECK(base::Message(OpenBackend({}, {}).status()) == "the engine duckdb needs a data folder, and none is named");
  CHECK(absl::IsInvalidArgument(OpenBackend({.engine = "oracle"}, {}).status()));
  BackendOptions options{.engine = "clickhouse"};
  if (!CheckEngine(options.engine).ok()) SKIP("this logquery is built without ClickHouse");
  CHECK(base::Message(OpenBackend(options, {}).status()) ==
        "the engine clickhouse needs its options: read them from a backend file");
  options.remote = PostgresOptions();
  CHECK(absl::IsInvalidArgument(OpenBackend(options, {}).status()));
  options.remote = ClickHouseOptions();
  CHECK(base::Message(OpenBackend(options, {.own_logs_json = "{}", .own_logs_source = "own.json"}).status()) ==
        "own.json declares logs of a data folder; the tables of clickhouse are named by its backend file");
}

}  // namespace
}  // namespace logquery
