// The three built-in endpoints over a PostgreSQL of Logflare's layout.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_random.hpp>
#include <vector>

#include "logquery/postgres/postgres_backend.h"
#include "tests/engines/random_calls.h"
#include "tests/postgres/cluster_or_skip.h"
#include "tests/postgres/logflare_loader.h"

namespace logquery::testing {
namespace {

TEST_CASE("random calls of the built-in endpoints return the same from PostgreSQL as from a folder", "[postgres]") {
  const auto seed = GENERATE(take(1, random<uint32_t>(0, 1'000'000)));
  CAPTURE(seed);
  const auto logs = MakeRandomLogs(seed, 1'500);
  ClusterOrSkip cluster;
  std::vector<PostgresTable> tables;
  for (const Table& table : logs->tables()) tables.push_back(LoadLogflare(cluster, table.name, logs->Lines(table)));
  const auto postgres = OpenPostgres(cluster.Options(tables));
  INFO(postgres.status().ToString());
  REQUIRE(postgres.ok());
  CheckRandomCalls(**postgres, logs, seed);
}

}  // namespace
}  // namespace logquery::testing
