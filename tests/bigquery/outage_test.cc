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
#include "logquery/testing/fake_clock.h"
#include "tests/bigquery/value_tables.h"
#include "tests/support/sandbox_service.h"

namespace logquery::testing {
namespace {

// A host with a table of one row, and a backend that asks it by a clock of the test's.
struct Away {
  explicit Away(absl::Duration retry_time) : host(NumberTable({5}), R"({"t": {"columns": {"n": "INT64"}}})") {
    BigQueryOptions options = host.Options();
    options.retry_time = retry_time;
    const auto source = bigquery::MakeBigQuerySource(options);
    REQUIRE(source.ok());
    auto opened = duckdb::OpenOverFragments(*source, {}, &clock);
    INFO(opened.status().ToString());
    REQUIRE(opened.ok());
    backend = *std::move(opened);
  }

  FakeClock clock;
  ValueHost host;
  std::unique_ptr<RemoteBackend> backend;
};

TEST_CASE("calls of a BigQuery that is away fail at once, until one finds it back") {
  Away at(absl::ZeroDuration());
  const FakeClock now;
  SandboxService service(*at.backend, {.log = "t", .query = "SELECT n FROM t", .takes_sql = false, .clock = &now});
  const auto ask = [&] { return service.Run().status(); };
  CHECK(ask().ok());
  CHECK(at.backend->State().status.ok());
  at.host.Stop();
  for (int i = 0; i < 5; ++i) {
    const absl::Status away = ask();
    CHECK(absl::IsUnavailable(away));
    CHECK(GetErrorDetails(away).retry_after == absl::ZeroDuration());
  }
  at.host.Start();
  const size_t asked = at.host.requests().size();
  const absl::Status refused = ask();
  INFO(refused.ToString());
  CHECK(absl::IsUnavailable(refused));
  CHECK(GetErrorDetails(refused).retry_after == absl::Seconds(1));
  CHECK(at.backend->State().status == absl::UnavailableError("BigQuery could not be reached by the last calls"));
  CHECK(at.host.requests().size() == asked);
  at.clock.Advance(absl::Seconds(1));
  CHECK(ask().ok());
  CHECK(ask().ok());
}

TEST_CASE("the end of a BigQuery outage is detected by a probe at no cost") {
  Away at(BigQueryOptions().retry_time);
  const int jobs = at.host.jobs();
  const auto state = [&] {
    at.clock.Advance(absl::Seconds(5));
    return at.backend->State();
  };
  CHECK(state().status.ok());
  at.host.Stop();
  const EngineState away = state();
  CHECK(away.status == absl::UnavailableError("BigQuery cannot be reached"));
  CHECK_FALSE(away.details.empty());
  at.host.Start();
  CHECK(state().status.ok());
  // A table that is gone, and a service that has too much to do, do not make it unready; an account that is refused does.
  for (const auto& [status, reason, is_ready] :
       std::initializer_list<std::tuple<int, const char*, bool>>{{404, "notFound", true},
                                                                 {403, "rateLimitExceeded", true},
                                                                 {403, "accessDenied", false},
                                                                 {503, "backendError", false}}) {
    CAPTURE(status, reason);
    at.host.SetIntercept([status = status, reason = reason](const std::string& request, const std::string&) {
      Answer answer{status, base::StrCat(R"({"error": {"code": )", status,
                                         R"(, "message": "x", "errors": [{"reason": ")", reason, R"("}]}})")};
      return request.find("/tables/") == std::string::npos ? std::nullopt : std::optional<Answer>(answer);
    });
    CHECK(state().status.ok() == is_ready);
  }
  CHECK(at.host.jobs() == jobs);
}

}  // namespace
}  // namespace logquery::testing
