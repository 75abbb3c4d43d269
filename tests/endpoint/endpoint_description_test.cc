#include "logquery/endpoint_description.h"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "logquery/catalog.h"

namespace logquery {
namespace {

using Json = nlohmann::ordered_json;

Parameter Of(Type type) {
  Parameter parameter;
  parameter.name = "p";
  parameter.type = std::move(type);
  return parameter;
}

Json SchemaOf(const Parameter& parameter) { return Json::parse(ParameterSchemaJson(parameter)); }

std::shared_ptr<const EndpointRegistry> Registry() {
  return EndpointRegistry::Create(Endpoint::BuiltIn(), Catalog::DeclaredLogs()).value();
}

TEST_CASE("a list has the endpoints with their parameters and columns") {
  const auto registry = Registry();
  const Json list = Json::parse(EndpointListJson(registry->All(), Principal()));
  CHECK_FALSE(list.contains("project"));
  REQUIRE(list["endpoints"].size() == registry->All().size());
  const RegisteredEndpoint& counts = *registry->Find("usage.api-counts");
  const Json one = Json::parse(EndpointJson(counts, Principal()));
  CHECK(one["name"] == "usage.api-counts");
  CHECK(one["columns"].size() == counts.schema().size());
  for (const Json& parameter : one["parameters"]) CHECK(parameter["name"] != "window_start");  // computed
}

TEST_CASE("a list has only what the token may call, and its project as the default") {
  const auto registry = Registry();
  Principal principal;
  principal.endpoints = {"logs.all"};
  principal.project_scope = "abc";
  const Json list = Json::parse(EndpointListJson(registry->All(), principal));
  CHECK(list["project"] == "abc");
  REQUIRE(list["endpoints"].size() == 1);
  const Json& logs = list["endpoints"][0];
  CHECK(logs["name"] == "logs.all");
  bool has_sql = false;
  for (const Json& parameter : logs["parameters"]) {
    has_sql = has_sql || parameter["name"] == "sql";
    if (parameter["name"] == "project") CHECK((parameter["default"] == "abc" && parameter["required"] == false));
  }
  CHECK(has_sql);
  CHECK_FALSE(logs["tables"].empty());
}

TEST_CASE("a list says which endpoints take ClickHouse SQL") {
  const auto registry = Registry();
  const Json list = Json::parse(EndpointListJson(registry->All(), Principal()));
  for (const Json& endpoint : list["endpoints"]) {
    const bool otel = endpoint["name"] == "logs.all.otel";
    INFO(endpoint["name"]);
    CHECK(endpoint["settings"].contains("language") == otel);
    if (otel) CHECK(endpoint["settings"]["language"] == "clickhouse");
    const Json& parameters = endpoint["parameters"];
    CHECK(parameters.back()["name"] == "sql");
    CHECK((parameters.back()["description"].get<std::string>().find("ClickHouse") != std::string::npos) == otel);
  }
}

TEST_CASE("each type of a parameter has its JSON Schema") {
  CHECK(SchemaOf(Of(Type::Int64())) == Json::parse(R"({"type":"integer","format":"int64"})"));
  CHECK(SchemaOf(Of(Type::Float64())) == Json::parse(R"({"type":"number"})"));
  CHECK(SchemaOf(Of(Type::Bool())) == Json::parse(R"({"type":"boolean"})"));
  CHECK(SchemaOf(Of(Type::Date()))["format"] == "date");
  CHECK(SchemaOf(Of(Type::Array(Type::Int64())))["items"]["format"] == "int64");
  Parameter count = Of(Type::Int64());
  count.minimum = "1";
  count.maximum = "9223372036854775807";
  count.default_text = "5";
  count.examples = {"7"};
  CHECK(SchemaOf(count) == Json::parse(R"({"type":"integer","format":"int64","minimum":1,
                                           "maximum":9223372036854775807,"default":5,"examples":[7]})"));
  Parameter one_of = Of(Type::String());
  one_of.allowed = {"a", "\"b\""};
  CHECK(SchemaOf(one_of)["enum"] == Json({"a", "\"b\""}));
}

TEST_CASE("a row's JSON Schema has a member for each column") {
  const Json row = Json::parse(
      RowSchemaJson({{"n", Type::Int64()}, {"s", Type::Struct({{"x", Type::Bool()}})}, {"j", Type::Json()}}));
  CHECK(row["type"] == "object");
  CHECK(row["required"] == Json({"n", "s", "j"}));
  CHECK(row["properties"]["n"]["type"] == Json({"integer", "string", "null"}));
  CHECK(row["properties"]["s"]["properties"]["x"]["type"] == Json({"boolean", "null"}));
  CHECK(row["properties"]["j"] == Json::object());
  CHECK(Json::parse(RowSchemaJson({}))["required"] == Json::array());
}

}  // namespace
}  // namespace logquery
