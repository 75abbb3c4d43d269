// The server's description of its own interface: the list of endpoints, one of them, and the OpenAPI document.
#include "shim/http/about/openapi.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "lib/base/strings.h"
#include "tests/shim/introspected_server.h"

namespace logquery::shim {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kCounts[] = "/api/endpoints/query/usage.api-counts";

Json Parameter(const Json& operation, std::string_view name) {
  for (const Json& parameter : operation["parameters"]) {
    if (parameter["name"] == name) return parameter;
  }
  return Json();
}

Endpoint Own() {
  const auto read =
      Endpoint::FromJson("own", R"({"id": "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f01", "name": "own/{a} b",
      "description": "Everything.", "parameters": [
        {"name": "format", "type": "ENUM", "allowed": ["a", "b"], "default": "a"},
        {"name": "count", "type": "INT64", "default": 5, "examples": [7], "minimum": 1, "maximum": 9},
        {"name": "numbers", "type": "ARRAY<INT64>", "allowed": [1, 2], "maximum": 2},
        {"name": "url", "type": "PATTERN", "required": true},
        {"name": "day", "type": "DATE"}, {"name": "share", "type": "FLOAT64"}, {"name": "on", "type": "BOOL"}]})",
                         R"(SELECT @count AS i, @share AS f, @on AS b, @url AS s, @day AS d, @numbers AS l,
                                          STRUCT(1 AS x) AS o, CURRENT_TIMESTAMP() AS t, @format AS m)");
  INFO(read.status().ToString());
  REQUIRE(read.ok());
  return *read;
}

TEST_CASE("the document has the endpoints with their parameters and result columns") {
  IntrospectedServer server;
  const HttpResponse response = server.Get("/api/openapi.json");
  REQUIRE(response.status == 200);
  const Json document = Json::parse(response.body);
  CHECK(document["openapi"] == "3.1.0");
  const Json& get = document["paths"][kCounts]["get"];
  CHECK(get["operationId"] == "get_usage_api_counts");
  CHECK(Parameter(get, "interval")["required"] == true);
  CHECK(Parameter(get, "interval")["schema"]["enum"] == Json({"hourly", "minutely", "daily"}));
  CHECK(Parameter(get, "project")["schema"]["format"] == "regex");
  CHECK(Parameter(get, "window_start").is_null());  // computed
  const Json& row = document["components"]["schemas"]["usage_api_counts_row"];
  CHECK(row["properties"]["total_rest_requests"]["type"] == Json({"integer", "string", "null"}));
  CHECK(row["required"].size() == 5);
  CHECK(get["responses"]["400"]["content"]["application/json"]["schema"]["$ref"] == "#/components/schemas/Error");
  CHECK(get["responses"].contains("304"));
  CHECK(document["paths"].contains("/health"));
  CHECK_FALSE(document["paths"].contains("/stats"));  // the owner's
}

TEST_CASE("each type of a parameter and of a column has its schema, also with unusual names") {
  IntrospectedServer server({Own()});
  const Json document = Json::parse(server.Get("/api/openapi.json").body);
  const Json& paths = document["paths"];
  REQUIRE(paths.contains("/api/endpoints/query/own%2F%7Ba%7D%20b"));
  const Json& get = paths["/api/endpoints/query/own%2F%7Ba%7D%20b"]["get"];
  CHECK(get["description"] == "Everything.");
  CHECK(Parameter(get, "format")["schema"] == Json::parse(R"({"type":"string","enum":["a","b"],"maxLength":65536,
                                                             "default":"a"})"));
  CHECK(Parameter(get, "count")["schema"] ==
        Json::parse(R"({"type":"integer","format":"int64","minimum":1,"maximum":9,"default":5,"examples":[7]})"));
  const Json numbers = Parameter(get, "numbers");
  CHECK(numbers["schema"] ==
        Json::parse(R"({"type":"array","items":{"type":"integer","format":"int64","enum":[1,2],"maximum":2}})"));
  CHECK(numbers["explode"] == false);
  CHECK(Parameter(get, "day")["schema"]["format"] == "date");
  CHECK(Parameter(get, "sql").is_null());  // no sandbox
  const Json& post = paths["/api/endpoints/query/own%2F%7Ba%7D%20b"]["post"];
  CHECK(post["requestBody"]["content"]["application/json"]["schema"]["properties"].contains("share"));
  const Json& columns = document["components"]["schemas"]["own__a__b_row"]["properties"];
  CHECK(columns["o"]["properties"].contains("x"));
  CHECK(columns["l"]["items"]["type"] == Json({"integer", "string", "null"}));
  CHECK(columns["b"]["type"] == Json({"boolean", "null"}));
  CHECK(columns["t"]["type"] == Json({"integer", "null"}));
}

TEST_CASE("the document is specific to the token, without other endpoints and fixed parameters") {
  IntrospectedServer server;
  const Json one = Json::parse(server.Get("/api/openapi.json", "one").body);
  CHECK_FALSE(one["paths"].contains(kCounts));
  REQUIRE(one["paths"].contains("/api/endpoints/query/logs.all"));
  CHECK(Parameter(one["paths"]["/api/endpoints/query/logs.all"]["get"], "project")["required"] == false);
  const Json fixed = Json::parse(server.Get("/api/openapi.json", "fixed").body);
  CHECK(Parameter(fixed["paths"][kCounts]["get"], "interval").is_null());
  CHECK(server.Get("/api/openapi.json", "unknown").status == 401);
}

TEST_CASE("operations have names of their own, references lead somewhere, and paths' names are parameters") {
  IntrospectedServer server({Own()});
  const Json document = Json::parse(server.Get("/api/openapi.json").body);
  std::set<std::string> ids;
  for (const auto& [path, item] : document["paths"].items()) {
    for (const auto& [method, operation] : item.items()) {
      CAPTURE(path, method);
      CHECK(ids.insert(operation["operationId"].get<std::string>()).second);
      CHECK_FALSE(operation["responses"].empty());
      std::set<std::string> seen;
      bool in_path = false;
      for (const Json& parameter : operation.value("parameters", Json::array())) {
        CHECK(seen.insert(parameter["in"].get<std::string>() + " " + parameter["name"].get<std::string>()).second);
        in_path = in_path || parameter["in"] == "path";
      }
      CHECK(in_path == (path.find('{') != std::string::npos));
    }
  }
  for (const Json& found : document.flatten()) {
    if (!found.is_string() || !found.get<std::string>().starts_with("#/")) continue;
    CHECK(document.contains(Json::json_pointer(found.get<std::string>().substr(1))));
  }
}

TEST_CASE("an endpoint is described by name and by id, with its columns") {
  IntrospectedServer server;
  const HttpResponse response = server.Get("/api/endpoints/usage.api-counts");
  REQUIRE(response.status == 200);
  const Json shown = Json::parse(response.body);
  CHECK(shown["name"] == "usage.api-counts");
  CHECK(shown["columns"][0] == Json({{"name", "timestamp"}, {"type", "DATETIME"}}));
  CHECK(shown["columns"].size() == 5);
  const Json own = Json::parse(IntrospectedServer({Own()}).Get("/api/endpoints/own%2F%7Ba%7D%20b").body);
  CHECK(own["parameters"][1]["minimum"] == 1);
  CHECK(own["parameters"][1]["maximum"] == 9);
  CHECK(shown["revision"].get<std::string>().size() == 16);
  CHECK(server.Get("/api/endpoints/E2F6C1D8-7b35-4c9e-8d21-5a0e4b9d3f03").body == response.body);
  CHECK(server.Get("/api/endpoints/usage.api-count").status == 404);
  CHECK(server.Get("/api/endpoints/usage.api-counts", "one").status == 404);
  CHECK(server.Get("/api/endpoints/usage.api-counts", "unknown").status == 401);
  const Json list = Json::parse(server.Get("/api/endpoints", "one").body)["endpoints"];
  REQUIRE(list.size() == 1);
  CHECK(list[0]["columns"].size() == 4);
}

}  // namespace
}  // namespace logquery::shim
