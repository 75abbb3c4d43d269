#include "logquery/catalog.h"

#include <catch2/catch_test_macros.hpp>

#include "lib/base/strings.h"
#include "lib/model/schema_file.h"

namespace logquery {
namespace {

TEST_CASE("the nine declared logs are there") {
  const Catalog catalog = Catalog::DeclaredLogs();
  REQUIRE(catalog.tables().size() == 9);
  const Table* edge = catalog.Find("Cloudflare.Logs.PROD");
  REQUIRE(edge != nullptr);
  CHECK(edge->log == "edge_logs");
  CHECK(edge->time_column == "timestamp");
  CHECK(edge->id_column == "id");
  CHECK(edge->project_path == std::vector<std::string>{"project"});
  CHECK(edge->hot_columns.empty());
  CHECK(catalog.Find("edge_logs") == nullptr);
}

TEST_CASE("each log has a project path and a time column") {
  struct Case {
    const char* table;
    const char* log;
    const char* project;
  };
  const Case cases[] = {
      {"cloudflare.logs.prod", "edge_logs", "project"},
      {"postgres.logs", "postgres_logs", "project"},
      {"deno-relay-logs", "function_edge_logs", "metadata.project_ref"},
      {"deno-subhosting-events", "function_logs", "metadata.project_ref"},
      {"gotrue.logs.prod", "auth_logs", "project"},
      {"realtime.logs.prod", "realtime_logs", "metadata.project"},
      {"storage.logs.prod.2", "storage_logs", "metadata.project"},
      {"postgREST.logs.prod", "postgrest_logs", "project"},
      {"pgbouncer.logs.prod", "pgbouncer_logs", "project"},
  };
  const Catalog catalog = Catalog::DeclaredLogs();
  for (const Case& c : cases) {
    CAPTURE(c.table);
    const Table* table = catalog.Find(c.table);
    REQUIRE(table != nullptr);
    CHECK(table->log == c.log);
    CHECK(base::Join(table->project_path, ".") == c.project);
    CHECK(table->time_column == "timestamp");
    REQUIRE(table->columns.size() >= 4);
    CHECK(table->columns[0].name == "id");
    CHECK(table->columns[1].name == "timestamp");
    CHECK(table->columns[2].name == "event_message");
    CHECK(table->columns.back().name == "metadata");
    CHECK(table->columns.back().type.is_record());
  }
}

TEST_CASE("nested objects are records, lists are arrays") {
  const Catalog catalog = Catalog::DeclaredLogs();
  const Schema& auth = catalog.Find("gotrue.logs.prod")->columns;
  const Type* args = model::FieldType(auth, {"metadata", "args"});
  REQUIRE(args != nullptr);
  CHECK(*args == Type::Array(Type::String()));
  CHECK_FALSE(args->is_record());
  CHECK(model::FieldType(auth, {"metadata", "auth_event", "traits"})->is_record());
  CHECK(model::FieldType(auth, {"metadata", "nothing"}) == nullptr);
  CHECK(model::FieldType(auth, {"id", "x"}) == nullptr);
}

TEST_CASE("the built-in schema declares the hot columns") {
  const model::SchemaFile& schema = model::BuiltInSchema();
  REQUIRE(schema.hot.size() == 9);
  const model::HotDeclaration& edge = schema.hot[0];
  CHECK(edge.table == "cloudflare.logs.prod");
  CHECK(edge.values[1] == model::FieldPath{"metadata", "request", "path"});
  CHECK(edge.presence ==
        std::vector<model::FieldPath>{{"metadata"}, {"metadata", "request"}, {"metadata", "response"}});
}

TEST_CASE("the revision follows the tables") {
  const auto one = Catalog::FromSchemaJson(R"({"t": {"columns": {"a": "INT64"}}})");
  const auto same = Catalog::FromSchemaJson(R"({ "t": {"columns": {"a": "int64"}} })");
  const auto other = Catalog::FromSchemaJson(R"({"t": {"columns": {"a": "STRING"}}})");
  REQUIRE(one.ok());
  CHECK(one->revision() == same->revision());
  CHECK(one->revision() != other->revision());
  CHECK(one->revision() != Catalog().revision());
}

TEST_CASE("a record and the array that it prints as have different revisions") {
  Table record{"t", "", "", {{"r", Type::Record({{"a", Type::Int64()}})}}, {}, {}, "", "", {}};
  Table array{"t", "", "", {{"r", Type::Array(Type::Struct({{"a", Type::Int64()}}))}}, {}, {}, "", "", {}};
  CHECK(model::Fingerprint({record}) != model::Fingerprint({array}));
}

TEST_CASE("an invalid schema is rejected with the position of the error") {
  struct Case {
    const char* json;
    const char* message;
  };
  const Case cases[] = {
      {"[]", "schema: wants an object of tables"},
      {"{}", "schema: wants an object of tables"},
      {R"({"t": 1})", "schema: t wants an object with \"columns\""},
      {R"({"t": {}})", "schema: t.columns is missing"},
      {R"({"t": {"columns": {}}})", "schema: t.columns declares no fields"},
      {R"({"t": {"columns": []}})", "schema: t.columns wants an object of fields"},
      {R"({"t": {"colums": {"a": "INT64"}}})",
       "schema: t has an unknown key \"colums\"; known: log, project, time, id, message, hot, retention, columns; "
       "did you mean columns?"},
      {R"({"t": {"columns": {"a": {"b": "INTEGER"}}}})",
       "schema: t.columns.a.b has an unknown type \"INTEGER\"; wanted a type such as \"STRING\" or \"INT64\", an "
       "object of "
       "fields, or [type]"},
      {R"({"t": {"columns": {"a": 5}}})",
       "schema: t.columns.a has an unknown type 5; wanted a type such as \"STRING\" or \"INT64\", an object of fields, "
       "or "
       "[type]"},
      {R"({"t": {"columns": {"a": ["INT64", "DATE"]}}})",
       "schema: t.columns.a wants one element type, such as [\"STRING\"]"},
      {R"({"t": {"columns": {"a": [["INT64"]]}}})", "schema: t.columns.a wants one element type, such as [\"STRING\"]"},
      {R"({"t": {"columns": {"a": {"x": "INT64", "X": "INT64"}}}})",
       "schema: t.columns.a.X stands twice, but for letter case"},
      {R"({"t": {"columns": {"a": "INT64"}, "time": "a"}})",
       "schema: t.time names \"a\", which is no TIMESTAMP column"},
      {R"({"t": {"columns": {"a": "INT64"}, "project": ["a"]}})",
       "schema: t.project names a, which is no STRING field"},
      {R"({"t": {"columns": {"a": "INT64"}, "project": "a"}})",
       "schema: t.project wants an array of names, from a column down"},
      {R"({"t": {"columns": {"a": {"b": "INT64"}}, "hot": {"values": ["a"]}}})",
       "schema: t.hot.values names a, which is no field with a value"},
      {R"({"t": {"columns": {"a": {"b": "INT64"}}, "hot": {"presence": ["a.b"]}}})",
       "schema: t.hot.presence names a.b, which is no record"},
      {R"({"t": {"columns": {"a": "INT64"}, "hot": {"value": []}}})",
       "schema: t.hot has an unknown key \"value\"; known: values, presence; did you mean values?"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.json);
    const auto catalog = Catalog::FromSchemaJson(c.json);
    REQUIRE(catalog.status().code() == absl::StatusCode::kInvalidArgument);
    CHECK(base::Message(catalog.status()) == c.message);
  }
}

}  // namespace
}  // namespace logquery
