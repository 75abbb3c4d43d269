// The three built-in endpoints over a ClickHouse with a column for each field.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_random.hpp>
#include <vector>

#include "logquery/clickhouse/clickhouse_backend.h"
#include "tests/clickhouse/click_house_or_skip.h"
#include "tests/clickhouse/log_loader.h"
#include "tests/engines/random_calls.h"

namespace logquery::testing {
namespace {

TEST_CASE("random calls of the built-in endpoints return the same from ClickHouse as from a folder", "[clickhouse]") {
  const auto seed = GENERATE(take(1, random<uint32_t>(0, 1'000'000)));
  CAPTURE(seed);
  const auto logs = MakeRandomLogs(seed, 1'500);
  ClickHouseOrSkip server;
  std::vector<ClickHouseTable> tables;
  for (const Table& table : logs->tables()) tables.push_back(LoadLog(server, table, logs->Lines(table)));
  const auto clickhouse = OpenClickHouse(server.Options(tables));
  INFO(clickhouse.status().ToString());
  REQUIRE(clickhouse.ok());
  CheckRandomCalls(**clickhouse, logs, seed);
}

}  // namespace
}  // namespace logquery::testing
