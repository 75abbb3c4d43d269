// A folder of rows, its export in the OTel layout, and a ClickHouse that has loaded that by the printed statements.
#ifndef LOGQUERY_TESTS_CLICKHOUSE_BOTH_LAYOUTS_H_
#define LOGQUERY_TESTS_CLICKHOUSE_BOTH_LAYOUTS_H_

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "lib/base/strings.h"
#include "lib/tools/engine_schema.h"
#include "logquery/clickhouse/clickhouse_backend.h"
#include "logquery/parameter_binder.h"
#include "logquery/query_service.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/store/export.h"
#include "logquery/testing/fake_clock.h"
#include "tests/clickhouse/click_house.h"

namespace logquery::testing {

struct BothLayouts {
  // `fill` loads the rows.
  BothLayouts(const std::string& now, const std::function<void(BothLayouts&)>& fill) : clock(*ParseTimestamp(now)) {
    path = (std::filesystem::temp_directory_path() / "logquery-layout-XXXXXX").string();
    REQUIRE(mkdtemp(path.data()) != nullptr);
    folder = OpenDuckDb({.folder = path + "/data"}).value();
    fill(*this);
    folder = nullptr;
    ExportRequest request;
    request.folder = path + "/data";
    request.target = path + "/out";
    request.layout = "otel";
    const auto exported = ExportFolder(request);
    INFO(exported.status().ToString());
    REQUIRE(exported.ok());
    folder = OpenDuckDb({.folder = path + "/data"}).value();
    Create();
    std::ifstream file(path + "/out/load_clickhouse.sql");
    const std::string script(std::istreambuf_iterator<char>(file), {});
    constexpr char kColumns[] = "id, timestamp, event_message, severity_text, source, project, log_attributes";
    REQUIRE(absl::StrContains(script, base::StrCat("INSERT INTO `logs`.otel_logs (", kColumns,
                                                   ")\nFROM INFILE 'otel_logs/*.parquet'\nFORMAT Parquet;")));
    // The test's server has no client, so it reads the files itself.
    server.Sql(base::StrCat("INSERT INTO logs.otel_logs (", kColumns, ") SELECT ", kColumns, " FROM file('", path,
                            "/out/otel_logs/*.parquet', Parquet)"));
    Open();
  }
  ~BothLayouts() {
    folder_service = nullptr;
    table_service = nullptr;
    table = nullptr;
    folder = nullptr;
    std::filesystem::remove_all(path);
  }

  void Load(const std::string& name, const std::string& lines) {
    const std::string file = path + "/rows.ndjson";
    std::ofstream(file, std::ios::binary) << lines;
    LoadFile(name, file);
  }
  void LoadFile(const std::string& name, const std::string& file) {
    const auto report = folder->store().Load({.table = name, .files = {file}}, nullptr);
    INFO(report.status().ToString());
    REQUIRE(report.ok());
  }

  void Create() {
    const auto schema = endpoint::MakeEngineSchema({.engine = "clickhouse", .days = 36'500, .layout = "otel"});
    REQUIRE(schema.ok());
    backend_file = schema->backend_file;
    for (const absl::string_view piece : absl::StrSplit(schema->script, ";\n")) {
      const std::string statement(piece);
      // The test's server has its database, and the user that it was started with.
      const size_t at = statement.find("CREATE ");
      if (at == std::string::npos || statement.compare(at, 15, "CREATE DATABASE") == 0 ||
          statement.compare(at, 11, "CREATE USER") == 0) {
        continue;
      }
      server.Sql(statement);
    }
  }

  void Open() {
    nlohmann::ordered_json file = nlohmann::ordered_json::parse(backend_file);
    const ClickHouseOptions reached = server.Options({});
    file["hosts"] = reached.hosts;
    file["user"] = reached.user;
    file["allow_sources"] = true;
    std::ofstream(base::StrCat(server.folder(), "/password")) << reached.password;
    const auto options = ClickHouseOptionsFromJson(file.dump(), server.folder());
    INFO(options.status().ToString());
    REQUIRE(options.ok());
    auto opened = OpenClickHouse(*options);
    INFO(opened.status().ToString());
    REQUIRE(opened.ok());
    table = *std::move(opened);
    folder_service = ServiceOf(folder.get());
    table_service = ServiceOf(table.get());
  }

  std::unique_ptr<QueryService> ServiceOf(QueryBackend* backend) {
    QueryServiceOptions options;
    options.backend = backend;
    options.clock = &clock;
    options.warming_threads = 0;
    options.kept_bytes = 0;
    auto service = QueryService::Create(options);
    INFO(service.status().ToString());
    REQUIRE(service.ok());
    return *std::move(service);
  }

  static QueryRequest Request(const std::string& endpoint, const std::string& sql) {
    QueryRequest request;
    request.endpoint = endpoint;
    request.parameters = {{"project", "abc"}, {"project_tier", "ENTERPRISE"}, {"sql", sql}};
    return request;
  }

  // Both answers are the same, and rows.
  void CheckSame(const std::string& endpoint, const std::string& sql) {
    CAPTURE(endpoint, sql);
    const auto expected = folder_service->Run(Request(endpoint, sql));
    INFO(expected.status().ToString());
    REQUIRE(expected.ok());
    const auto answer = table_service->Run(Request(endpoint, sql));
    INFO(answer.status().ToString());
    REQUIRE(answer.ok());
    const std::string seen = answer->body, right = expected->body;
    CHECK(seen == right);
    CHECK_FALSE(absl::StrContains(seen, "zqx"));
  }

  // Returns the explanation, which has the text that the server is asked.
  QueryExplanation Explained(const std::string& sql) {
    CAPTURE(sql);
    QueryRequest request = Request("logs.all.otel", sql);
    request.explain = true;
    const auto verdict = table_service->Check(request);
    INFO(verdict.status().ToString());
    REQUIRE(verdict.ok());
    INFO(verdict->reason.ToString());
    REQUIRE(verdict->explanation.has_value());
    return *verdict->explanation;
  }

  const FakeClock clock;
  ClickHouse server;
  std::string path;
  std::string backend_file;
  std::unique_ptr<DuckDbBackend> folder;
  std::unique_ptr<RemoteBackend> table;
  std::unique_ptr<QueryService> folder_service;
  std::unique_ptr<QueryService> table_service;
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_CLICKHOUSE_BOTH_LAYOUTS_H_
