// POST /api/translate: statuses, the log of requests, the OpenAPI document. tests/serving/query_rewrite_test.cc has what is
// rewritten.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/shim/introspected_server.h"

namespace logquery::shim {
namespace {

using Json = nlohmann::json;

HttpResponse Post(IntrospectedServer& server, const std::string& body, const std::string& token = "good",
                  const std::string& type = "application/json") {
  HttpRequest request;
  request.method = "POST";
  request.path = "/api/translate";
  request.headers = {{"X-API-KEY", token}, {"Content-Type", type}, {"Content-Length", std::to_string(body.size())}};
  request.body = body;
  return server.routes->Handle(request);
}

std::string BodyFor(const std::string& sql) { return Json{{"sql", sql}, {"to", "clickhouse"}}.dump(); }

TEST_CASE("SQL is posted, and comes back in the other language") {
  IntrospectedServer server;
  const HttpResponse response = Post(server, BodyFor("select count(*) as n from edge_logs"));
  INFO(response.body);
  CHECK(response.status == 200);
  CHECK(Json::parse(response.body)["sql"] == "SELECT count() AS n\nFROM logs\nWHERE source = 'edge_logs'");
}

TEST_CASE("SQL that is wrong, or has no equal, is refused with its place") {
  IntrospectedServer server;
  const HttpResponse wrong = Post(server, BodyFor("select nothing from edge_logs"));
  CHECK(wrong.status == 400);
  CHECK(Json::parse(wrong.body)["error"]["details"]["column"] == 8);
  const HttpResponse without = Post(server, BodyFor("select soundex(event_message) as s from edge_logs"));
  CHECK(without.status == 501);
  CHECK(Json::parse(without.body)["error"]["details"]["line"] == 1);
}

TEST_CASE("a rewrite takes a token for both endpoints, and JSON") {
  IntrospectedServer server;
  CHECK(Post(server, BodyFor("select id from edge_logs"), "unknown").status == 401);
  CHECK(Post(server, BodyFor("select id from edge_logs"), "one").status == 404);      // logs.all alone
  CHECK(Post(server, BodyFor("select id from edge_logs"), "metrics").status == 404);  // no endpoint
  CHECK(Post(server, "sql=select+1", "good", "application/x-www-form-urlencoded").status == 415);
  CHECK(Post(server, "").status == 400);
  CHECK(server.Get("/api/translate").status == 405);
}

TEST_CASE("the OpenAPI document has the call with its body") {
  IntrospectedServer server;
  const Json document = Json::parse(server.Get("/api/openapi.json").body);
  const Json& path = document["paths"]["/api/translate"];
  CHECK_FALSE(path.contains("get"));
  const Json& schema = path["post"]["requestBody"]["content"]["application/json"]["schema"];
  CHECK(schema["required"] == Json({"sql", "to"}));
  CHECK(schema["properties"]["to"]["enum"] == Json({"bigquery", "clickhouse"}));
  CHECK(path["post"]["responses"].contains("501"));
}

}  // namespace
}  // namespace logquery::shim
