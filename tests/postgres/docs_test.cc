// Runs the statements that docs/postgres.md shows.
#include <catch2/catch_test_macros.hpp>
#include <regex>
#include <string>

#include "absl/strings/str_join.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/source/fragment_backend.h"
#include "lib/engines/postgres/backend/postgres_source.h"
#include "tests/postgres/cluster_or_skip.h"
#include "tests/postgres/logflare_loader.h"
#include "tests/support/counting_source.h"
#include "tests/support/read_file.h"
#include "tests/support/sandbox_service.h"

namespace logquery {
namespace {

using base::StrCat;
using testing::ClusterOrSkip;

TEST_CASE("the statements of the documentation give a role that reads, and an index that is used", "[postgres]") {
  ClusterOrSkip cluster;
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
  testing::SandboxService service(
      duckdb::OpenOverFragments(source, {}),
      {.log = "events",
       .query = "SELECT id, timestamp FROM events WHERE project = @project ORDER BY timestamp DESC LIMIT 2",
       .declared = {"project"},
       .takes_sql = false});
  CHECK(service.Ask("", {{"project", "p7"}}) ==
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
