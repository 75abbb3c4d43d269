// A LIMIT that is a parameter goes to an engine elsewhere with its value. One that is no count of rows is the query's error, in the
// words that it has without that engine.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <memory>
#include <string>

#include "logquery/query_service.h"
#include "tests/engines/engine_tables.h"

namespace logquery::testing {
namespace {

TEST_CASE("a bound LIMIT has the same result in each engine", "[postgres][clickhouse]") {
  const char* const name = GENERATE("postgres", "clickhouse", "bigquery");
  CAPTURE(name);
  const auto engine = StartEngine(name);
  if (absl::IsNotFound(engine.status())) SKIP(engine.status().ToString());
  REQUIRE(engine.ok());
  GivenTable table{"t", {{"n", Type::Int64()}}, {}};
  for (int i = 0; i < 5; ++i) table.rows.push_back({Value::Int64(i)});
  const auto backend = (*engine)->Put({table});
  REQUIRE(backend.ok());
  Endpoint endpoint;
  endpoint.id = "5e0c2f57-5d0e-4b1b-9a53-0a6f4f0f4c19";
  endpoint.name = "t";
  endpoint.query = "SELECT n FROM t ORDER BY n LIMIT @rows OFFSET @skipped";
  for (const char* const parameter : {"rows", "skipped"}) {
    endpoint.parameters.emplace_back().name = parameter;
    endpoint.parameters.back().type = Type::Int64();
  }
  QueryServiceOptions options;
  options.backend = backend->get();
  options.endpoints = {endpoint};
  const auto service = *QueryService::Create(options);
  const auto ask = [&](const std::string& rows, const std::string& skipped) {
    QueryRequest request;
    request.endpoint = "t";
    if (!rows.empty()) request.parameters.emplace_back("rows", rows);
    if (!skipped.empty()) request.parameters.emplace_back("skipped", skipped);
    const auto answer = service->Run(request);
    return answer.ok() ? answer->body : answer.status().ToString();
  };
  CHECK(ask("2", "0") == R"({"result":[{"n":0},{"n":1}]})");
  CHECK(ask("2", "4") == R"({"result":[{"n":4}]})");
  CHECK(ask("0", "0") == R"({"result":[]})");
  CHECK(ask("9223372036854775807", "3") == R"({"result":[{"n":3},{"n":4}]})");
  for (const auto& [rows, skipped] : {std::pair{"-1", "0"}, {"", "0"}, {"2", "-9223372036854775808"}, {"2", ""}}) {
    CAPTURE(rows, skipped);
    const std::string error = ask(rows, skipped);
    CHECK(error.starts_with("INVALID_ARGUMENT: "));
    CHECK(error.find("LIMIT and OFFSET") != std::string::npos);
  }
}

}  // namespace
}  // namespace logquery::testing
