// A BigQuery that is away: after a few calls the others fail at once, with when to try again, and one call finds it back.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "lib/base/strings.h"
#include "lib/engines/bigquery/backend/bigquery_source.h"
#include "lib/engines/duckdb/backend/source/fragment_backend.h"
#include "logquery/error.h"
#include "logquery/query_service.h"
#include "logquery/testing/fake_clock.h"
#include "tests/bigquery/bigquery_host.h"
#include "tests/bigquery/value_tables.h"

namespace logquery::testing {
namespace {

TEST_CASE("calls of a BigQuery that is away fail at once, until one finds it back") {
  Table table;
  table.name = "t";
  table.columns = {{"n", Type::Int64()}};
  const auto engine = OpenValueTables({{table, {{Value::Int64(5)}}}});
  BigQueryHost host(engine.get(), {{"t", "t"}}, R"({"t": {"columns": {"n": "INT64"}}})");
  BigQueryOptions options = host.Options();
  options.retry_time = absl::ZeroDuration();
  const FakeClock now;
  FakeClock clock;
  auto source = bigquery::MakeBigQuerySource(options);
  REQUIRE(source.ok());
  const auto backend = duckdb::OpenOverFragments(*source, {}, &clock);
  INFO(backend.status().ToString());
  REQUIRE(backend.ok());
  Endpoint endpoint;
  endpoint.id = "5e0c2f57-5d0e-4b1b-9a53-0a6f4f0f4c17";
  endpoint.name = "t";
  endpoint.query = "SELECT n FROM t";
  QueryServiceOptions made;
  made.backend = backend->get();
  made.endpoints = {endpoint};
  made.clock = &now;
  const auto service = QueryService::Create(made);
  INFO(service.status().ToString());
  REQUIRE(service.ok());
  const auto ask = [&] {
    QueryRequest request;
    request.endpoint = "t";
    return (*service)->Run(request).status();
  };
  CHECK(ask().ok());
  CHECK((*backend)->State().status.ok());
  host.Stop();
  for (int i = 0; i < 5; ++i) {
    const absl::Status away = ask();
    CHECK(absl::IsUnavailable(away));
    CHECK(GetErrorDetails(away).retry_after == absl::ZeroDuration());
  }
  host.Start();
  const size_t asked = host.requests().size();
  const absl::Status refused = ask();
  INFO(refused.ToString());
  CHECK(absl::IsUnavailable(refused));
  CHECK(GetErrorDetails(refused).retry_after == absl::Seconds(1));
  CHECK((*backend)->State().status == absl::UnavailableError("BigQuery could not be reached by the last calls"));
  CHECK(host.requests().size() == asked);
  clock.Advance(absl::Seconds(1));
  CHECK(ask().ok());
  CHECK(ask().ok());
}

TEST_CASE("the end of a BigQuery outage is detected by a probe at no cost") {
  Table table;
  table.name = "t";
  table.columns = {{"n", Type::Int64()}};
  const auto engine = OpenValueTables({{table, {{Value::Int64(5)}}}});
  BigQueryHost host(engine.get(), {{"t", "t"}}, R"({"t": {"columns": {"n": "INT64"}}})");
  FakeClock clock;
  auto source = bigquery::MakeBigQuerySource(host.Options());
  REQUIRE(source.ok());
  const auto backend = duckdb::OpenOverFragments(*source, {}, &clock);
  REQUIRE(backend.ok());
  const int jobs = host.jobs();
  const auto state = [&] {
    clock.Advance(absl::Seconds(5));
    return (*backend)->State();
  };
  CHECK(state().status.ok());
  host.Stop();
  const EngineState away = state();
  CHECK(away.status == absl::UnavailableError("BigQuery cannot be reached"));
  CHECK_FALSE(away.details.empty());
  host.Start();
  CHECK(state().status.ok());
  // A table that is gone, and a service that has too much to do, do not make it unready; an account that is refused does.
  for (const auto& [status, reason, is_ready] :
       std::initializer_list<std::tuple<int, const char*, bool>>{{404, "notFound", true},
                                                                 {403, "rateLimitExceeded", true},
                                                                 {403, "accessDenied", false},
                                                                 {503, "backendError", false}}) {
    CAPTURE(status, reason);
    host.SetIntercept([status = status, reason = reason](const std::string& request, const std::string&) {
      Answer answer{status, base::StrCat(R"({"error": {"code": )", status,
                                         R"(, "message": "x", "errors": [{"reason": ")", reason, R"("}]}})")};
      return request.find("/tables/") == std::string::npos ? std::nullopt : std::optional<Answer>(answer);
    });
    CHECK(state().status.ok() == is_ready);
  }
  CHECK(host.jobs() == jobs);
}

}  // namespace
}  // namespace logquery::testing
