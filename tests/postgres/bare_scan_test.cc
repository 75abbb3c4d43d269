// If PostgreSQL fails to compute a query, it is asked for a scan, and the answer is right.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <vector>

#include "lib/engines/duckdb/backend/source/fragment_backend.h"
#include "lib/engines/postgres/backend/postgres_source.h"
#include "tests/postgres/cluster_or_skip.h"
#include "tests/support/counting_source.h"
#include "tests/support/sandbox_service.h"

namespace logquery {
namespace {

using testing::ClusterOrSkip;

TEST_CASE("when PostgreSQL fails to compute a fragment, it is computed locally from a scan", "[postgres]") {
  ClusterOrSkip cluster;
  cluster.Sql("CREATE TABLE rows (s text, n int8); INSERT INTO rows VALUES ('a', 1), ('b', 2), (NULL, 3)");
  // Fails for whoever groups.
  cluster.Sql(
      "CREATE VIEW v AS SELECT s, n FROM rows WHERE CASE WHEN current_query() LIKE '%GROUP BY%' THEN 1 / (n - n) = 1 "
      "ELSE "
      "true END");
  PostgresTable table;
  table.name = table.table = "v";
  const auto counting = std::make_shared<testing::CountingSource>(std::make_shared<postgres::PostgresSource>(
      cluster.Options({table}), *Catalog::FromSchemaJson(R"({"v": {"columns": {"s": "STRING", "n": "INT64"}}})")));
  testing::EngineFailures failures;
  testing::SandboxService service(
      duckdb::OpenOverFragments(counting, {}),
      {.log = "v", .query = "WITH v AS (SELECT * FROM v WHERE n > 1) SELECT * FROM v", .observer = &failures});
  CHECK(service.Ask("select ifnull(s, 'x') as s, count(*) as c from v group by 1 order by 1") ==
        R"({"result":[{"s":"b","c":1},{"s":"x","c":1}]})");
  REQUIRE(failures.words.size() == 1);
  CHECK(failures.words[0].find("(SQLSTATE 22012)") != std::string::npos);
  const auto asked = counting->Take();
  REQUIRE(asked.size() == 2);
  // The endpoint's own condition goes with the scan.
  CHECK(asked[1].rows == 2);
}

}  // namespace
}  // namespace logquery
