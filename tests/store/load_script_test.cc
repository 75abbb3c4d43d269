// The statements that load an export: those for BigQuery give the columns that its tables have. PostgreSQL's and ClickHouse's run
// on servers, in their own rooms.
#include "lib/emit/load_script.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/engines/bigquery/dialect/load_script.h"
#include "lib/engines/bigquery/dialect/schema_script.h"
#include "lib/engines/clickhouse/dialect/load_script.h"
#include "lib/engines/clickhouse/dialect/schema_script.h"
#include "lib/engines/postgres/dialect/load_script.h"
#include "lib/engines/postgres/dialect/schema_script.h"
#include "lib/model/schema_file.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/parser.h"
#include "logquery/query_service.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store {
namespace {

const model::SchemaFile& TestSchema() {
  static const auto& file = *new model::SchemaFile(*model::ParseSchemaFile("schema", kTestSchema));
  return file;
}

// The query of the INSERT.
std::string SelectOf(const std::string& script) {
  const size_t begin = script.find("SELECT\n"), end = script.find(";\nDROP TABLE");
  REQUIRE(begin != std::string::npos);
  REQUIRE(end != std::string::npos);
  return script.substr(begin, end - begin);
}

// The table that the files are loaded into: records, arrays and JSON are text.
Table LoadedTable(const Table& declared, const std::string& name) {
  Table table;
  table.name = name;
  for (const Field& column : declared.columns) {
    const Type& type = column.type;
    const bool is_text = type.is_array() || type.is_struct() || type.is(TypeKind::kJson) ||
                         type.is(TypeKind::kBigNumeric) || type.is(TypeKind::kInterval);
    table.columns.push_back({column.name, is_text ? Type::String() : type});
  }
  return table;
}

TEST_CASE("BigQuery's statements make of each file the columns of its table") {
  for (const model::SchemaFile* const file : {&model::BuiltInSchema(), &TestSchema()}) {
    for (const emit::ScriptTable& made : emit::BigQuerySchema(*file, {}).tables) {
      CAPTURE(made.name);
      std::string sql = SelectOf(emit::BigQueryLoad({.database = "logs", .tables = {made}}));
      sql = absl::StrReplaceAll(sql, {{base::StrCat("FROM logs.", made.name, "_export"), "FROM loaded"}});
      INFO(sql);
      const auto parsed = sql::ParseQuery(sql, {});
      REQUIRE(parsed.ok());
      const Catalog catalog({LoadedTable(*made.declared, "loaded")}, 1);
      rewrite::ResolveOptions options;
      options.catalog = &catalog;
      const auto plan = rewrite::Resolve(**parsed, sql, options);
      INFO(plan.status().ToString());
      REQUIRE(plan.ok());
      REQUIRE(plan->schema.size() == made.declared->columns.size());
      for (size_t i = 0; i < plan->schema.size(); ++i) {
        CHECK(plan->schema[i].type.ToString() == made.declared->columns[i].type.ToString());
      }
    }
  }
}

TEST_CASE("BigQuery's statements read the JSON text that an export has") {
  const emit::SchemaScript made = emit::BigQuerySchema(TestSchema(), {});
  std::string sql = SelectOf(emit::BigQueryLoad({.tables = made.tables}));
  const std::string rows =
      R"((SELECT 'a' AS id, CURRENT_TIMESTAMP() AS timestamp, 'm' AS event_message, 'p' AS project, 1 AS i, 1.5 AS f, TRUE AS b,
          NUMERIC '1' AS n, '2.5' AS big, b'y' AS y, DATE '2026-01-01' AS d, TIME '01:02:03' AS t,
          DATETIME '2026-01-01 00:00:00' AS dt, '{"k":[1]}' AS j, '["x","y"]' AS tags,
          '[{"name":"n","parts":[1,2]}]' AS items,
          '[{"request":[{"path":"/","status":"9007199254740993","list":[]}],"level":null}]' AS metadata
          UNION ALL SELECT 'b', CURRENT_TIMESTAMP(), '', '', 1, 1.5, TRUE, NUMERIC '1', NULL, b'', DATE '2026-01-01',
          TIME '01:02:03', DATETIME '2026-01-01 00:00:00', NULL, '[]', NULL, '[]'))";
  sql = absl::StrReplaceAll(sql, {{"FROM logs.test_logs_export", base::StrCat("FROM ", rows)}});
  const auto backend = OpenInMemory();
  Endpoint endpoint;
  endpoint.id = "5e0c2f57-5d0e-4b1b-9a53-0a6f4f0f4c15";
  endpoint.name = "loaded";
  endpoint.query = base::StrCat(
      "SELECT id, TO_JSON_STRING(big) AS big, TO_JSON_STRING(j) AS j, TO_JSON_STRING(tags) AS tags, "
      "TO_JSON_STRING(items) AS items, TO_JSON_STRING(metadata) AS metadata FROM (",
      sql, ") ORDER BY id");
  QueryServiceOptions options;
  options.backend = backend.get();
  options.endpoints = {endpoint};
  const auto service = QueryService::Create(options);
  INFO(service.status().ToString());
  REQUIRE(service.ok());
  QueryRequest request;
  request.endpoint = "loaded";
  const auto answer = (*service)->Run(request);
  INFO(answer.status().ToString());
  REQUIRE(answer.ok());
  CHECK(
      answer->body ==
      R"({"result":[{"id":"a","big":"\"2.5\"","j":"{\"k\":[1]}","tags":"[\"x\",\"y\"]","items":"[{\"name\":\"n\",\"parts\":[1,2]}]",)"
      R"("metadata":"[{\"request\":[{\"path\":\"/\",\"status\":\"9007199254740993\",\"list\":[]}],\"level\":null}]"},)"
      R"({"id":"b","big":"null","j":"null","tags":"[]","items":"[]","metadata":"[]"}]})");
}

TEST_CASE("each engine's statements name each table's columns and files") {
  const std::string clickhouse =
      emit::ClickHouseLoad({.database = "mine", .tables = emit::ClickHouseSchema(TestSchema(), {}).tables});
  CHECK(clickhouse.find("INSERT INTO `mine`.`test_logs` (`id`, ") != std::string::npos);
  CHECK(clickhouse.find(", `request_path`, `request_status`, `has_metadata`, `has_request`)\nFROM INFILE "
                        "'test_logs/*.parquet'\nFORMAT Parquet;\n") != std::string::npos);
  const std::string postgres =
      emit::PostgresLoad({.database = "mine", .tables = emit::PostgresSchema(TestSchema(), {}).tables});
  CHECK(postgres.find("\n\\copy \"mine\".\"test_logs\" (\"id\", ") != std::string::npos);
  CHECK(postgres.find("hex(\"y\")") != std::string::npos);
  CHECK(postgres.find("request_path") == std::string::npos);
  CHECK(emit::LoadWriters().size() == 3);
}

}  // namespace
}  // namespace logquery::store
