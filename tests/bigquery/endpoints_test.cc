// The three built-in endpoints over BigQuery's test host.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_random.hpp>
#include <string>
#include <vector>

#include "logquery/bigquery/bigquery_backend.h"
#include "logquery/duckdb/source_backend.h"
#include "tests/bigquery/bigquery_host.h"
#include "tests/engines/random_calls.h"

namespace logquery::testing {
namespace {

TEST_CASE("random calls of the built-in endpoints return the same from BigQuery as from a folder") {
  const auto seed = GENERATE(take(1, random<uint32_t>(0, 1'000'000)));
  CAPTURE(seed);
  const auto logs = MakeRandomLogs(seed, 1'500);
  const auto engine = OpenOverSource(logs, {});
  REQUIRE(engine.ok());
  BigQueryHost host(engine->get(), BigQueryNames(logs->tables()));
  host.SetPageRows(257);
  host.SetPolls(1);
  const auto bigquery = OpenBigQuery(host.Options());
  INFO(bigquery.status().ToString());
  REQUIRE(bigquery.ok());
  CheckRandomCalls(**bigquery, logs, seed);
  CHECK(host.problems() == std::vector<std::string>());
}

}  // namespace
}  // namespace logquery::testing
