// Queries that resolve but can't be written for the engine: the error gives the place in the caller's text.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "absl/strings/match.h"
#include "lib/endpoint/call/query_planner.h"
#include "logquery/error.h"

namespace logquery::endpoint {
namespace {

absl::Status StatusOf(const std::string& sql) {
  const Catalog catalog = Catalog::DeclaredLogs();
  Endpoint logs_all;
  for (Endpoint& endpoint : Endpoint::BuiltIn()) {
    if (endpoint.name == "logs.all") logs_all = std::move(endpoint);
  }
  const auto definition = ParseDefinition(logs_all);
  REQUIRE(definition.ok());
  rewrite::ParameterValues values;
  for (const Parameter& parameter : logs_all.parameters) values.emplace(parameter.name, Value::Null(parameter.type));
  values.insert_or_assign("project", Value::String("abc"));
  values.emplace(rewrite::kNowParameter, Value::TimestampMicros(1'772'600'767'000'000));
  const auto resolved = ResolveCallerSql(sql, logs_all, **definition, catalog);
  INFO(resolved.status());
  REQUIRE(resolved.ok());
  return QueryPlanner(Dialect::kDuckDb, nullptr).Plan(**resolved, values).status();
}

TEST_CASE("an invalid regular expression is an error with its position, also in an aggregate's argument") {
  for (const char* sql : {
           "SELECT id\nFROM edge_logs\nWHERE REGEXP_CONTAINS(event_message, r'(') LIMIT 5",
           "SELECT\n1 AS one,\nCOUNTIF(REGEXP_CONTAINS(event_message, r'(')) AS n FROM edge_logs",
       }) {
    CAPTURE(sql);
    const absl::Status status = StatusOf(sql);
    INFO(status);
    CHECK(absl::IsInvalidArgument(status));
    CHECK(GetErrorDetails(status).line == 3);
    CHECK(GetErrorDetails(status).column > 1);
    CHECK(absl::StrContains(status.message(), " at line 3, column "));
    CHECK(absl::StrContains(GetErrorDetails(status).snippet, "^"));
  }
}

TEST_CASE("a subquery over both sides of an outer join is an error with its position") {
  const std::string join = "SELECT a.id\nFROM edge_logs AS a\nLEFT JOIN auth_logs AS b ON a.id = b.id AND ";
  CHECK(StatusOf(join + "b.id IN (SELECT id FROM postgres_logs)").ok());
  const absl::Status status = StatusOf(join + "EXISTS (SELECT 1 FROM postgres_logs AS p WHERE p.id IN (a.id, b.id))");
  INFO(status);
  CHECK(absl::IsUnimplemented(status));
  CHECK(GetErrorDetails(status).line == 3);
  CHECK(GetErrorDetails(status).column == 45);
  CHECK(absl::StrContains(status.message(), "a subquery over both sides of an outer join"));
}

}  // namespace
}  // namespace logquery::endpoint
