// The three built-in endpoints over BigQuery: random calls answer what the same rows answer as a program's own, and a token of one
// project sees nothing of another's rows.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_random.hpp>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "logquery/bigquery/bigquery_backend.h"
#include "logquery/duckdb/source_backend.h"
#include "logquery/parameter_binder.h"
#include "logquery/query_service.h"
#include "logquery/testing/fake_clock.h"
#include "tests/bigquery/bigquery_host.h"
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

std::map<std::string, std::string> NamesOf(const std::vector<Table>& tables) {
  std::map<std::string, std::string> names;
  for (const Table& table : tables) {
    std::string& name = names[table.name];
    for (const unsigned char c : table.name) name += absl::ascii_isalnum(c) ? static_cast<char>(c) : '_';
  }
  return names;
}

TEST_CASE("random calls of the built-in endpoints return the same from BigQuery as from a folder") {
  const auto seed = GENERATE(take(1, random<uint32_t>(0, 1'000'000)));
  CAPTURE(seed);
  const FakeClock clock(*ParseTimestamp(kRandomLogsNow));
  const auto rows = std::make_shared<RandomLogs>(seed, absl::ToUnixMicros(*ParseTimestamp(kRandomLogsNow)), kRows);
  const auto engine = OpenOverSource(rows, {});
  const auto here = OpenOverSource(rows, {});
  REQUIRE(engine.ok());
  REQUIRE(here.ok());
  BigQueryHost host(engine->get(), NamesOf(rows->tables()));
  host.SetPageRows(257);
  host.SetPolls(1);
  auto there = OpenBigQuery(host.Options());
  INFO(there.status().ToString());
  REQUIRE(there.ok());
  const auto from_bigquery = MakeService(there->get(), &clock);
  const auto from_rows = MakeService(here->get(), &clock);
  Random random(seed);
  size_t bytes = 0;
  for (int i = 0; i < 100; ++i) {
    const QueryRequest call = RandomCall(random);
    std::string words = call.endpoint;
    for (const auto& [name, value] : call.parameters) base::StrAppend(&words, " ", name, "=", value);
    CAPTURE(words);
    const auto answer = from_bigquery->Run(call);
    const auto expected = from_rows->Run(call);
    INFO(answer.status().ToString());
    REQUIRE(answer.ok());
    REQUIRE(expected.ok());
    CHECK(answer->body == expected->body);
    bytes += expected->body.size();
  }
  CHECK(bytes > 10'000);
  CHECK(host.problems() == std::vector<std::string>());
}

}  // namespace
}  // namespace logquery::testing
