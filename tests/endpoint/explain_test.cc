// Dry runs that explain, over a real engine.
#include "lib/endpoint/call/explain.h"

#include <catch2/catch_test_macros.hpp>

#include "nlohmann/json.hpp"
#include "tests/endpoint/served_rows.h"

namespace logquery {
namespace {

using Json = nlohmann::json;

Endpoint Logs(bool redact = false) {
  Endpoint endpoint =
      MakeEndpoint("logs",
                   "with edge as (select id, timestamp, event_message from `cloudflare.logs.prod` "
                   "where project = @project and (COALESCE(@level, '') = '' or event_message = @level)) select id "
                   "from edge",
                   1);
  endpoint.query_sandboxing = true;
  endpoint.redact_pii = redact;
  for (const char* name : {"project", "level"}) {
    Parameter parameter;
    parameter.name = name;
    parameter.required = parameter.name == "project";
    endpoint.parameters.push_back(parameter);
  }
  return endpoint;
}

QueryRequest Explained(const std::string& sql, bool with_project = true) {
  QueryRequest request;
  request.endpoint = "logs";
  request.parameters = {{"sql", sql}};
  if (with_project) request.parameters.emplace_back("project", "abc");
  request.explain = true;
  return request;
}

TEST_CASE("a dry run that explains shows the query after each pass and the engine's plan, and runs nothing") {
  ServedRows rows({Logs()});
  const auto verdict = rows.service->Check(Explained("select count(*) as n from edge where id > 'id0'"));
  INFO(verdict.status().ToString());
  REQUIRE(verdict.ok());
  REQUIRE(verdict->explanation.has_value());
  const QueryExplanation& explanation = *verdict->explanation;
  REQUIRE(explanation.passes.size() > 3);
  CHECK(explanation.passes.front().first == "resolve");
  CHECK(explanation.passes.front().second.find("@level") != std::string::npos);
  CHECK(explanation.passes.back().second.find("@level") == std::string::npos);  // folded: no such condition is left
  CHECK(explanation.text.find("SELECT") != std::string::npos);
  CAPTURE(explanation.engine_plan, explanation.text);
  CHECK(explanation.variables.size() == 1);
  CHECK(explanation.variables.at(0) == "project STRING");
  CHECK(explanation.parts.empty());
  CHECK(explanation.engine.find("DuckDB") == 0);
  CHECK(explanation.engine_plan.find("UNGROUPED_AGGREGATE") != std::string::npos);
  CHECK(explanation.engine_plan.find("abc") != std::string::npos);  // the caller's own value
  CHECK(explanation.engine_plan.find("xyz") == std::string::npos);
  const Json json = Json::parse(VerdictJson(*verdict));
  CHECK(json["allowed"] == true);
  CHECK(json["explain"]["passes"][0]["pass"] == "resolve");
  CHECK(json["explain"]["engine_plan"].get<std::string>() == explanation.engine_plan);
}

TEST_CASE("a verdict has no explanation without explain, nor for rejected SQL") {
  ServedRows rows({Logs()});
  QueryRequest request = Explained("select id from edge");
  request.explain = false;
  CHECK(Json::parse(VerdictJson(*rows.service->Check(request))).count("explain") == 0);
  const auto refused = rows.service->Check(Explained("select nothing from edge"));
  REQUIRE(refused.ok());
  CHECK_FALSE(refused->allowed);
  CHECK_FALSE(refused->explanation.has_value());
}

TEST_CASE("only tokens of all projects without fixed parameters get explanations") {
  ServedRows rows({Logs()});
  rows.authenticator.principal.project_scope = "abc";
  CHECK(absl::IsPermissionDenied(rows.service->Check(Explained("select id from edge")).status()));
  rows.authenticator.principal.project_scope.reset();
  rows.authenticator.principal.fixed_parameters = {{"project", "abc"}};
  CHECK(absl::IsPermissionDenied(rows.service->Check(Explained("select id from edge")).status()));
  rows.authenticator.principal.fixed_parameters.clear();
  // A definition's text shows what its endpoint's callers otherwise do not see.
  rows.authenticator.principal.endpoints = {"logs"};
  CHECK(absl::IsPermissionDenied(rows.service->Check(Explained("select id from edge")).status()));
  rows.authenticator.principal.endpoints.reset();
  rows.authenticator.principal.redact_pii = true;
  CHECK(absl::IsPermissionDenied(rows.service->Check(Explained("select id from edge")).status()));
  rows.authenticator.principal.redact_pii = false;
  CHECK(rows.service->Check(Explained("select id from edge")).ok());
}

TEST_CASE("an explanation requires the call's parameters, because they decide what runs") {
  ServedRows rows({Logs()});
  const absl::Status missing = rows.service->Check(Explained("select id from edge", false)).status();
  CHECK(absl::IsInvalidArgument(missing));
  CHECK(std::string(missing.message()).find("parameter project") != std::string::npos);
}

TEST_CASE("an explanation quotes no address if redaction is mandated") {
  ServedRows rows({Logs(true)});
  const auto verdict = rows.service->Check(Explained("select id from edge where event_message = 'from 9.8.7.6'"));
  INFO(verdict.status().ToString());
  REQUIRE(verdict.ok());
  const std::string json = VerdictJson(*verdict);
  CHECK(json.find("9.8.7.6") == std::string::npos);
  CHECK(json.find("from REDACTED") != std::string::npos);
  CHECK(json.find("\"engine_plan\"") == std::string::npos);
}

TEST_CASE("a query whose text would run something under EXPLAIN is rejected") {
  ServedRows rows({Logs()});
  for (const char* text : {"ANALYZE SELECT 1", "ANALYZE DELETE FROM \"cloudflare.logs.prod\"",
                           "DELETE FROM \"cloudflare.logs.prod\"", "CREATE TABLE t AS SELECT 1"}) {
    PreparedQuery::Parts parts;
    parts.dialect_text = text;
    CAPTURE(text);
    CHECK_FALSE(endpoint::EnginePlan(*rows.backend, PreparedQuery(std::move(parts)), {}, {}, {}).ok());
  }
  CHECK(rows.Body("logs", {{"project", "abc"}, {"sql", "select id from edge order by id"}}) ==
        R"({"result":[{"id":"id0"},{"id":"id1"}]})");
}

}  // namespace
}  // namespace logquery
