// If ClickHouse fails to compute a query, it is asked for a scan, and the answer is right.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <vector>

#include "lib/engines/clickhouse/backend/clickhouse_source.h"
#include "lib/engines/duckdb/backend/source/fragment_backend.h"
#include "tests/clickhouse/click_house_or_skip.h"
#include "tests/support/counting_source.h"
#include "tests/support/sandbox_service.h"

namespace logquery {
namespace {

using testing::ClickHouseOrSkip;

TEST_CASE("when ClickHouse fails to compute a fragment, it is computed locally from a scan", "[clickhouse]") {
  ClickHouseOrSkip server;
  server.Sql("CREATE TABLE logs.v (s Nullable(String), n Int64) ENGINE = MergeTree ORDER BY n");
  server.Sql("INSERT INTO logs.v VALUES ('a', 1), ('b', 2), (NULL, 3)");
  ClickHouseTable table;
  table.name = table.table = "v";
  const auto counting = std::make_shared<testing::CountingSource>(std::make_shared<clickhouse::ClickHouseSource>(
      server.Options({table}), *Catalog::FromSchemaJson(R"({"v": {"columns": {"s": "STRING", "n": "INT64"}}})")));
  testing::EngineFailures failures;
  testing::SandboxService service(duckdb::OpenOverFragments(counting, {}),
                                  {.log = "v",
                                   .query = "WITH v AS (SELECT * FROM v WHERE n > 1) SELECT * FROM v",
                                   .observer = &failures,
                                   .declared = {"p"}});
  const auto ask = [&](const std::string& pattern) {
    return service.Ask("select regexp_contains(s, @p) as m, count(*) as c from v group by 1 order by 1",
                       {{"p", pattern}});
  };
  // A bound pattern goes there as it is; a wrong one is an error of the query, in our words.
  CHECK(ask("^b$") == R"({"result":[{"m":null,"c":1},{"m":true,"c":1}]})");
  CHECK(failures.words.empty());
  counting->Take();
  const std::string wrong = ask("(");
  CHECK(wrong.find("INVALID_ARGUMENT") == 0);
  CHECK(wrong.find("ClickHouse") == std::string::npos);
  REQUIRE(failures.words.size() == 1);
  CHECK(failures.words[0].find("cannot compile re2") != std::string::npos);
  const auto asked = counting->Take();
  REQUIRE(asked.size() == 2);
  // The endpoint's own condition goes with the scan.
  CHECK(asked[1].rows == 2);
  // The server has less memory for patterns than is needed here: it fails, and the answer is right.
  CHECK(ask("^.{1,900}$") == R"({"result":[{"m":null,"c":1},{"m":true,"c":1}]})");
}

}  // namespace
}  // namespace logquery
