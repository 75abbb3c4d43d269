// The report on an endpoint's query over an engine elsewhere agrees with what is sent there.
#include "lib/tools/pushdown.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lib/endpoint/call/query_planner.h"
#include "lib/engines/postgres/dialect/postgres_dialect.h"

namespace logquery::endpoint {
namespace {

using Names = std::vector<std::string>;

// The tables with their columns as PostgreSQL would have them, so that the dialect can spell what it scans.
Catalog Events() {
  Table table;
  table.name = "events";
  table.columns = {{"ts", Type::Timestamp()},
                   {"project", Type::String()},
                   {"n", Type::Int64()},
                   {"request", Type::Record({{"method", Type::String()}, {"path", Type::String()}})}};
  table.time_column = "ts";
  table.project_path = {"project"};
  return Catalog({table}, 1);
}

std::vector<split::Description> PartsOf(const std::string& sql) {
  Endpoint endpoint;
  endpoint.id = "5e0c2f57-5d0e-4b1b-9a53-0a6f4f0f4c17";
  endpoint.name = "t";
  endpoint.query = sql;
  const auto parts = PushdownOf(endpoint, Events(), emit::PostgresSql());
  INFO(parts.status().ToString());
  REQUIRE(parts.ok());
  return *parts;
}

TEST_CASE("the newest rows are asked for as such, with their conditions") {
  const auto parts = PartsOf("SELECT ts, n FROM events WHERE project = 'p' AND n > 1 ORDER BY ts DESC LIMIT 10");
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].tables == Names{"events"});
  // Newest rows are also asked for from a time on.
  CHECK(parts[0].conditions == Names{"project", "n", "ts"});
  CHECK(parts[0].is_limited);
  CHECK(parts[0].order == Names{"ts"});
  CHECK_FALSE(parts[0].is_grouped);
  CHECK(parts[0].columns == 2);
  CHECK(parts[0].then_here.empty());
  CHECK(PushdownText(parts, "  ") ==
        "  part 1 of 1, of events\n    where     conditions on project, n, ts\n    limits    LIMIT, ordered by ts\n"
        "    sends     rows of 2 columns\n    then here nothing but the order\n");
}

TEST_CASE("a grouping is said with its keys and functions, fields of records by their path") {
  const auto parts = PartsOf(
      "SELECT r.method, COUNT(*) AS c, MAX(n) AS m FROM events CROSS JOIN UNNEST(request) AS r "
      "WHERE r.path LIKE '/a%' GROUP BY 1");
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].is_grouped);
  CHECK(parts[0].groups == Names{"request.method"});
  CHECK(parts[0].aggregates == Names{"COUNT", "MAX"});
  CHECK(parts[0].conditions == Names{"request", "request.path"});
  CHECK(parts[0].columns == 3);
}

TEST_CASE("the explanation names the reason for local work and says that equal rows are sent once") {
  const auto parts =
      PartsOf("SELECT project, AVG(n) AS a FROM events WHERE n > 0 AND INITCAP(project) = 'x' GROUP BY 1");
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].conditions == Names{"n"});
  CHECK(parts[0].sends_equal_rows_once);
  CHECK_FALSE(parts[0].is_grouped);
  CHECK(parts[0].groups == Names{"project", "n"});
  CHECK(parts[0].then_here.find("INITCAP: ") == 0);
  const auto json = nlohmann::json::parse(PushdownJson(parts));
  REQUIRE(json.size() == 1);
  CHECK(json[0]["tables"] == Names{"events"});
  CHECK(json[0]["conditions"] == Names{"n"});
  CHECK(json[0]["equal_rows_once"] == true);
  CHECK_FALSE(json[0].contains("limited"));
  CHECK(json[0]["then_here"] == parts[0].then_here);
}

TEST_CASE("a query without conditions says that all rows are read; two tables are two parts") {
  const auto parts = PartsOf("SELECT a.n FROM events AS a JOIN events AS b ON LOWER(a.project) = LOWER(b.project)");
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].conditions.empty());
  CHECK(PushdownText(parts, "").find("where     (all rows)\n") != std::string::npos);
}

TEST_CASE("PostgreSQL searches for the text of a parameter that is a plain pattern, and is given no other") {
  Endpoint endpoint;
  endpoint.id = "5e0c2f57-5d0e-4b1b-9a53-0a6f4f0f4c17";
  endpoint.name = "t";
  endpoint.query =
      "SELECT COUNT(*) AS c FROM events CROSS JOIN UNNEST(request) AS r WHERE REGEXP_CONTAINS(r.path, @ref)";
  endpoint.parameters.emplace_back().name = "ref";
  const Catalog catalog = Events();
  const auto query = ParseDefinition(endpoint);
  REQUIRE(query.ok());
  const auto resolved = ResolveEndpoint(endpoint, **query, catalog);
  REQUIRE(resolved.ok());
  const QueryPlanner planner(Dialect::kDuckDb, nullptr, false, &emit::PostgresSql());
  const auto part_of = [&](const std::string& ref) {
    const auto planned = planner.Plan(**resolved, {{"ref", Value::String(ref)}});
    INFO(planned.status().ToString());
    REQUIRE(planned.ok());
    REQUIRE(planned->query->fragments().size() == 1);
    return planned->query->fragments()[0].text;
  };
  const std::string plain = part_of("abc/v1");
  CHECK(plain.find("strpos(") != std::string::npos);
  CHECK(plain.find("count(*)") != std::string::npos);
  CHECK(part_of("x y_z-1") == plain);
  const std::string other = part_of("abc.v1");
  CHECK(other.find("strpos(") == std::string::npos);
  CHECK(other.find("abc") == std::string::npos);
}

TEST_CASE("a time that is computed from a parameter is sent as a value") {
  Endpoint endpoint;
  endpoint.id = "5e0c2f57-5d0e-4b1b-9a53-0a6f4f0f4c17";
  endpoint.name = "t";
  endpoint.query =
      "SELECT COUNT(*) AS c FROM events WHERE ts >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL @hours HOUR)";
  Parameter& hours = endpoint.parameters.emplace_back();
  hours.name = "hours";
  hours.type = Type::Int64();
  const Catalog catalog = Events();
  const auto query = ParseDefinition(endpoint);
  REQUIRE(query.ok());
  const auto resolved = ResolveEndpoint(endpoint, **query, catalog);
  REQUIRE(resolved.ok());
  const QueryPlanner planner(Dialect::kDuckDb, nullptr, false, &emit::PostgresSql());
  const auto plan_for = [&](int64_t count) {
    const absl::Time now = absl::FromUnixSeconds(1'000'000);
    return planner.Plan(**resolved, {{"hours", Value::Int64(count)}, {rewrite::kNowParameter, Value::Timestamp(now)}});
  };
  const auto planned = plan_for(24);
  INFO(planned.status().ToString());
  REQUIRE(planned.ok());
  REQUIRE(planned->bindings.size() == 1);
  CHECK(planned->bindings[0] == Value::Timestamp(absl::FromUnixSeconds(1'000'000 - 86'400)));
  CHECK(planned->query->fragments()[0].text.find("interval") == std::string::npos);
  // Out of range: an error of the rows that get there.
  CHECK(plan_for(std::numeric_limits<int64_t>::max()).ok());
}

TEST_CASE("the parts of each built-in endpoint are described") {
  for (const Endpoint& endpoint : Endpoint::BuiltIn()) {
    CAPTURE(endpoint.name);
    const auto parts = PushdownOf(endpoint, Catalog::DeclaredLogs(), emit::PostgresSql());
    INFO(parts.status().ToString());
    REQUIRE(parts.ok());
    REQUIRE_FALSE(parts->empty());
    for (const split::Description& part : *parts) {
      CHECK_FALSE(part.tables.empty());
      CHECK_FALSE(part.conditions.empty());
    }
  }
}

}  // namespace
}  // namespace logquery::endpoint
