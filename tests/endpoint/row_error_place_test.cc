// An error of a row names its place in the caller's SQL where it can come from one place alone, and none where it may come from
// several.
#include "lib/endpoint/call/row_error_place.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "logquery/error.h"

namespace logquery::endpoint {
namespace {

std::shared_ptr<ResolvedQuery> Resolved(const std::string& sql, const std::string& definition = "") {
  static const Catalog& catalog = *new Catalog(Catalog::DeclaredLogs());
  Endpoint endpoint;
  endpoint.id = "5e0c2f57-5d0e-4b1b-9a53-0a6f4f0f4c15";
  endpoint.name = "logs";
  endpoint.query =
      definition.empty() ? "WITH logs AS (SELECT * FROM `cloudflare.logs.prod`) SELECT * FROM logs" : definition;
  endpoint.query_sandboxing = true;
  const auto query = ParseDefinition(endpoint);
  REQUIRE(query.ok());
  const auto resolved = ResolveCallerSql(sql, endpoint, **query, catalog);
  INFO(resolved.status());
  REQUIRE(resolved.ok());
  return *resolved;
}

// "line:column", or "none".
std::string PlaceOf(const std::string& sql, const std::string& message, const std::string& definition = "") {
  const absl::Status status = PlaceRowError(*Resolved(sql, definition), absl::InvalidArgumentError(message));
  CHECK(absl::IsInvalidArgument(status));
  // The place follows, and then the advice.
  CHECK(std::string(status.message()).find(message.substr(0, message.find(';'))) == 0);
  const ErrorDetails details = GetErrorDetails(status);
  if (details.line == 0) return "none";
  CHECK(std::string(status.message()).find(" at line ") != std::string::npos);
  CHECK(details.snippet.find('^') != std::string::npos);
  return std::to_string(details.line) + ":" + std::to_string(details.column);
}

TEST_CASE("an error of a row has a position if a single expression can raise it") {
  CHECK(PlaceOf("SELECT id,\n  LENGTH(id) / LENGTH(event_message) AS q FROM logs", "division by zero: 1 / 0") == "2:3");
  CHECK(PlaceOf("SELECT CAST(id AS INT64) FROM logs", "Bad INT64 value: \"a\"; an INT64 is digits") == "1:8");
  CHECK(PlaceOf("SELECT SAFE_CAST(id AS INT64), CAST(id AS BOOL), CAST(project AS INT64) FROM logs",
                "Bad INT64 value: \"a\"") == "1:50");
  CHECK(PlaceOf("SELECT id FROM logs WHERE SUBSTR(id, 1, LENGTH(id) - 9) > 'a' AND LENGTH(id) / 2 > 1",
                "SUBSTR: length is negative") == "1:27");
  CHECK(PlaceOf("SELECT PARSE_DATE('%Y', id) AS d FROM logs",
                "\"a\" does not match the format \"%Y\", or one of its parts is out of range") == "1:8");
  CHECK(PlaceOf("SELECT SPLIT(id, '-')[OFFSET(9)] AS d FROM logs", "Array index 9 is out of bounds") == "1:8");
  CHECK(PlaceOf("SELECT (SELECT id FROM logs) AS d FROM logs",
                "a scalar subquery gave more than one row: it may give at most one") == "1:8");
  // The same expression written once, and read in several places of the plan.
  CHECK(PlaceOf("SELECT q, q + 1 AS r FROM (SELECT DIV(1, LENGTH(id)) AS q FROM logs)", "division by zero: 1 / 0") ==
        "1:35");
}

TEST_CASE("an error that several expressions, or none, can raise has no position") {
  CHECK(PlaceOf("SELECT 1 / LENGTH(id), MOD(1, LENGTH(id)) FROM logs", "division by zero: 1 / 0") == "none");
  CHECK(PlaceOf("SELECT 1 / LENGTH(id) FROM logs", "a value may have at most 1048576 bytes, not 2097152") == "none");
  CHECK(PlaceOf("SELECT 1 / LENGTH(id) FROM logs", "Bad INT64 value: \"a\"") == "none");
  CHECK(PlaceOf("SELECT 1 / LENGTH(id), IF(id = 'a', ERROR(id), 1) FROM logs", "division by zero: 1 / 0") == "none");
  CHECK(PlaceOf("SELECT n, 1 / n AS q FROM logs", "division by zero: 1 / 0",
                "WITH logs AS (SELECT LENGTH(id) AS n, 1 / LENGTH(project) AS q FROM `cloudflare.logs.prod`) SELECT * "
                "FROM logs") == "none");
}

TEST_CASE("other errors are unchanged") {
  const auto resolved = Resolved("SELECT 1 / LENGTH(id) FROM logs");
  CHECK(PlaceRowError(*resolved, absl::OkStatus()).ok());
  const absl::Status internal = absl::InternalError("division by zero: 1 / 0");
  CHECK(PlaceRowError(*resolved, internal) == internal);
  ErrorDetails details;
  details.line = 7;
  const absl::Status placed = WithErrorDetails(absl::InvalidArgumentError("division by zero"), details);
  CHECK(PlaceRowError(*resolved, placed) == placed);
}

}  // namespace
}  // namespace logquery::endpoint
