// Runs the statements that docs/postgres.md shows.
#include <catch2/catch_test_macros.hpp>
#include <regex>
#include <string>

#include "absl/strings/str_join.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/source/fragment_backend.h"
#include "lib/engines/postgres/backend/postgres_source.h"
#include "logquery/query_service.h"
#include "tests/postgres/cluster.h"
#include "tests/postgres/logflare_loader.h"
#include "tests/support/counting_source.h"
#include "tests/support/read_file.h"

namespace logquery {
namespace {

using base::StrCat;
using testing::Cluster;

TEST_CASE("the statements of the documentation give a role that reads, and an index that is used", "[postgres]") {
  if (!Cluster::IsPossible()) SKIP("there is no PostgreSQL server on this machine");
  Cluster cluster;
  std::string lines;
  for (int i = 0; i < 20'000; ++i) {
    base::StrAppend(&lines, R"({"id":"a)", i, R"(","timestamp":)", 1'768'464'000 + i, R"(000000,"project":"p)", i % 50,
                    "\"}\n");
  }
  PostgresTable events = testing::LoadLogflare(cluster, "edge", lines);
  events.name = "events";
  events.columns = {{"project", "project"}};
  const std::string statements = absl::StrJoin(testing::CodeBlocks("docs/postgres.md", "sql"), "");
  REQUIRE(statements.find("log_events_edge") != std::string::npos);
  cluster.Sql(statements);
  cluster.Sql("ANALYZE log_events_edge");

  PostgresOptions options = cluster.Options({events});
  options.user = "logquery_reader";
  options.password = "change this";
  const Catalog declared = *Catalog::FromSchemaJson(
      R"({"events": {"log": "events", "project": ["project"], "time": "timestamp", "columns":
          {"id": "STRING", "timestamp": "TIMESTAMP", "event_message": "STRING", "project": "STRING"}}})");
  const auto source =
      std::make_shared<testing::CountingSource>(std::make_shared<postgres::PostgresSource>(options, declared));
  const auto backend = duckdb::OpenOverFragments(source, {});
  INFO(backend.status().ToString());
  REQUIRE(backend.ok());
  Endpoint endpoint;
  endpoint.id = "5e0c2f57-5d0e-4b1b-9a53-0a6f4f0f4c14";
  endpoint.name = "events";
  endpoint.query = "SELECT id, timestamp FROM events WHERE project = @project ORDER BY timestamp DESC LIMIT 2";
  endpoint.parameters.emplace_back().name = "project";
  QueryServiceOptions made;
  made.backend = backend->get();
  made.endpoints = {endpoint};
  const auto service = QueryService::Create(made);
  REQUIRE(service.ok());
  QueryRequest request;
  request.endpoint = "events";
  request.parameters = {{"project", "p7"}};
  const auto answer = (*service)->Run(request);
  INFO(answer.status().ToString());
  REQUIRE(answer.ok());
  CHECK(answer->body ==
        R"({"result":[{"id":"a19957","timestamp":1768483957000000},{"id":"a19907","timestamp":1768483907000000}]})");

  const auto asked = source->Take();
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].rows == 2);
  std::string sql = std::regex_replace(asked[0].text, std::regex(R"(\$\d+::text)"), "'p7'::text");
  sql = std::regex_replace(sql, std::regex(R"(\$\d+::timestamptz)"), "'2000-01-01'::timestamptz");
  cluster.Sql("SET TimeZone = 'UTC'");
  const std::string plan = cluster.Ask(StrCat("EXPLAIN (FORMAT json) ", sql));
  CAPTURE(plan);
  CHECK(plan.find("\"Index Scan\"") != std::string::npos);
  CHECK(plan.find("\"Sort\"") == std::string::npos);
}

}  // namespace
}  // namespace logquery
