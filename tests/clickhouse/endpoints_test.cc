// The three built-in endpoints over a ClickHouse with a column for each field: random calls answer what the same rows answer as a
// program's own.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_random.hpp>
#include <memory>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/clickhouse/clickhouse_backend.h"
#include "logquery/duckdb/source_backend.h"
#include "logquery/parameter_binder.h"
#include "logquery/query_service.h"
#include "logquery/testing/fake_clock.h"
#include "tests/clickhouse/click_house.h"
#include "tests/clickhouse/log_loader.h"
#include "tests/support/random_logs.h"

namespace logquery::testing {
namespace {

constexpr int kRows = 1'500;

std::unique_ptr<QueryService> MakeService(QueryBackend* backend, const Clock* clock) {
  QueryServiceOptions options;
  options.backend = backend;
  options.clock = clock;
  auto service = QueryService::Create(options);
  INFO(service.status().ToString());
  REQUIRE(service.ok());
  return *std::move(service);
}

TEST_CASE("random calls of the built-in endpoints return the same from ClickHouse as from a folder", "[clickhouse]") {
  if (const std::string why = ClickHouse::WhyNot(); !why.empty()) SKIP(why);
  const auto seed = GENERATE(take(1, random<uint32_t>(0, 1'000'000)));
  CAPTURE(seed);
  const FakeClock clock(*ParseTimestamp(kRandomLogsNow));
  const auto rows = std::make_shared<RandomLogs>(seed, absl::ToUnixMicros(*ParseTimestamp(kRandomLogsNow)), kRows);
  ClickHouse server;
  std::vector<ClickHouseTable> tables;
  for (const Table& table : rows->tables()) tables.push_back(LoadLog(server, table, rows->Lines(table)));
  auto there = OpenClickHouse(server.Options(tables));
  auto here = OpenOverSource(rows, {});
  INFO(there.status().ToString());
  REQUIRE(there.ok());
  REQUIRE(here.ok());
  const auto from_clickhouse = MakeService(there->get(), &clock);
  const auto from_rows = MakeService(here->get(), &clock);
  Random random(seed);
  size_t bytes = 0;
  for (int i = 0; i < 100; ++i) {
    const QueryRequest call = RandomCall(random);
    std::string words = call.endpoint;
    for (const auto& [name, value] : call.parameters) base::StrAppend(&words, " ", name, "=", value);
    CAPTURE(words);
    const auto answer = from_clickhouse->Run(call);
    const auto expected = from_rows->Run(call);
    INFO(answer.status().ToString());
    REQUIRE(answer.ok());
    REQUIRE(expected.ok());
    CHECK(answer->body == expected->body);
    bytes += expected->body.size();
  }
  CHECK(bytes > 10'000);
}

}  // namespace
}  // namespace logquery::testing
