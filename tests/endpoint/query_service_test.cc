#include "logquery/query_service.h"

#include <catch2/catch_test_macros.hpp>
#include <thread>

#include "lib/base/strings.h"
#include "logquery/error.h"
#include "logquery/testing/fake_backend.h"
#include "logquery/testing/fake_clock.h"
#include "tests/endpoint/query_service_fixture.h"

namespace logquery::query_service_tests {
namespace {

constexpr char kUsageId[] = "e2f6c1d8-7b35-4c9e-8d21-5a0e4b9d3f03";

TEST_CASE("a call runs its endpoint's query and gives its rows as JSON") {
  Fixture f;
  f.backend.AnswerEndpoint(kUsageId, {{Value::Datetime(1'772'600'400'000'000), Value::Int64(3), Value::Int64(0),
                                       Value::Int64(1), Value::Int64(0)}});
  auto answer = f.Run("usage.api-counts", {{"project", "abc"}, {"interval", "hourly"}, {"team", "x"}});
  REQUIRE(answer.ok());
  CHECK(answer->body ==
        R"({"result":[{"timestamp":"2026-03-04T05:00:00","total_rest_requests":3,"total_storage_requests":0,)"
        R"("total_auth_requests":1,"total_realtime_requests":0}]})");
  CHECK(answer->rows == 1);
  CHECK_FALSE(answer->truncated);
  CHECK(answer->ignored_parameters == std::vector<std::string>{"team"});
}

TEST_CASE("an endpoint is found by its id in either case as well") {
  Fixture f;
  CHECK(f.Run(kUsageId, {{"project", "a"}, {"interval", "daily"}}).ok());
  CHECK(f.Run(base::ToUpper(kUsageId), {{"project", "a"}, {"interval", "daily"}}).ok());
}

TEST_CASE("an endpoint with caching runs its query once, until the answer is too old or the definitions change") {
  Fixture f;
  const ParameterTexts call = {{"project", "a"}, {"interval", "daily"}};
  auto runs = [&] { return f.backend.calls().size(); };
  CHECK((f.Run("usage.api-counts", call)->cache == CacheUse::kMiss));
  const auto again = f.Run("usage.api-counts", {{"interval", "daily"}, {"project", "a"}, {"unknown", "x"}});
  REQUIRE(again.ok());
  CHECK((again->cache == CacheUse::kHit));
  CHECK(again->ignored_parameters == std::vector<std::string>{"unknown"});  // the call's own
  CHECK(runs() == 1);
  f.clock.Advance(absl::Seconds(899));
  CHECK(f.Run("usage.api-counts", call)->age == absl::Seconds(899));
  f.clock.Advance(absl::Seconds(1));
  CHECK((f.Run("usage.api-counts", call)->cache == CacheUse::kMiss));
  REQUIRE(f.service->Reload().ok());
  CHECK((f.Run("usage.api-counts", call)->cache == CacheUse::kMiss));
  CHECK(runs() == 3);

  CHECK((f.Run("logs.all", {{"project", "a"}})->cache == CacheUse::kNone));  // its caching is disabled
  CHECK((f.Run("logs.all", {{"project", "a"}})->cache == CacheUse::kNone));
  CHECK(runs() == 5);
}

TEST_CASE("a caller may ask for an answer that is made for it and not kept, with a token that may") {
  Fixture f;
  QueryRequest request;
  request.endpoint = "usage.api-counts";
  request.token = "good";
  request.parameters = {{"project", "a"}, {"interval", "daily"}};
  request.no_store = true;
  CHECK((f.service->Run(request)->cache == CacheUse::kMiss));  // the token may not: it is kept
  CHECK((f.service->Run(request)->cache == CacheUse::kHit));
  f.authenticator.principal.may_bypass_cache = true;
  CHECK((f.service->Run(request)->cache == CacheUse::kBypass));
  CHECK(f.backend.calls().size() == 2);
  request.parameters[0].second = "b";
  CHECK((f.service->Run(request)->cache == CacheUse::kBypass));
  request.no_store = false;
  CHECK((f.service->Run(request)->cache == CacheUse::kMiss));
}

TEST_CASE("the tightest of the service's, the endpoint's and the token's limits applies") {
  std::vector<Endpoint> endpoints = Endpoint::BuiltIn();
  for (Endpoint& endpoint : endpoints) {
    endpoint.max_rows = 100;
    endpoint.limits.max_result_bytes = 1'000;
    endpoint.limits.time_limit = absl::Seconds(5);
  }
  Fixture f(endpoints);
  FakeBackend::Rows rows;
  for (int i = 0; i < 200; ++i) rows.push_back({Value::String(base::StrCat(i % 10))});
  f.backend.AnswerBy([rows](const PreparedQuery&, const Bindings&) { return rows; });
  const ParameterTexts call = {{"project", "a"}, {"sql", "select id from edge_logs"}};

  // 100 rows of {"id":"0"} are more than 1,000 bytes.
  const absl::Status large = f.Run("logs.all", call).status();
  CHECK(large.code() == absl::StatusCode::kResourceExhausted);
  CHECK(f.backend.calls().back().limits.time_limit == absl::Seconds(5));
  CHECK(f.backend.calls().back().limits.max_rows == 101);

  f.authenticator.principal.max_rows = 7;
  f.authenticator.principal.limits.time_limit = absl::Seconds(2);
  auto answer = f.Run("logs.all", call);
  REQUIRE(answer.ok());
  CHECK(answer->rows == 7);
  CHECK(answer->truncated);
  CHECK(f.backend.calls().back().limits.time_limit == absl::Seconds(2));

  f.authenticator.principal.max_rows = 1'000;  // never more than the endpoint's
  f.authenticator.principal.limits = {};
  f.authenticator.principal.limits.max_result_bytes = 1'000'000;
  f.authenticator.principal.limits.time_limit = absl::Hours(1);
  CHECK(f.Run("logs.all", call).status().code() == absl::StatusCode::kResourceExhausted);
  CHECK(f.backend.calls().back().limits.max_rows == 101);
  CHECK(f.backend.calls().back().limits.time_limit == absl::Seconds(5));
}

TEST_CASE("tokens with different limits never share an answer") {
  Fixture f;
  const ParameterTexts call = {{"project", "a"}, {"interval", "daily"}};
  CHECK((f.Run("usage.api-counts", call)->cache == CacheUse::kMiss));
  f.authenticator.principal.max_rows = 1;
  CHECK((f.Run("usage.api-counts", call)->cache == CacheUse::kMiss));
  f.authenticator.principal.limits.max_result_bytes = 100;
  CHECK((f.Run("usage.api-counts", call)->cache == CacheUse::kMiss));
  f.authenticator.principal.redact_pii = true;
  CHECK((f.Run("usage.api-counts", call)->cache == CacheUse::kMiss));
  CHECK((f.Run("usage.api-counts", call)->cache == CacheUse::kHit));
}

TEST_CASE("a token's rate is counted call by call, answers from the cache too, and refusals say when to come again") {
  Fixture f;
  f.authenticator.principal.limits.calls_per_minute = 2;
  const ParameterTexts call = {{"project", "a"}, {"interval", "daily"}};
  CHECK(f.Run("usage.api-counts", call).ok());
  CHECK(f.Run("usage.api-counts", call).ok());
  const absl::Status refused = f.Run("usage.api-counts", call).status();
  CHECK(refused.code() == absl::StatusCode::kResourceExhausted);
  CHECK(GetErrorDetails(refused).retry_after == absl::Seconds(30));
  f.authenticator.principal.token_id = "another";
  CHECK(f.Run("usage.api-counts", call).ok());
  f.authenticator.principal.token_id = "";
  f.clock.Advance(absl::Seconds(30));
  CHECK(f.Run("usage.api-counts", call).ok());
}

TEST_CASE("an endpoint's calls at one time are counted for all tokens together, until each is over") {
  std::vector<Endpoint> endpoints = Endpoint::BuiltIn();
  for (Endpoint& endpoint : endpoints) endpoint.limits.max_concurrent = 1;
  Fixture f(endpoints);
  f.backend.Block();
  absl::Status first_status = absl::UnknownError("it did not run");
  std::thread first([&] { first_status = f.Run("logs.all", {{"project", "a"}}).status(); });
  f.backend.AwaitBlocked(1);
  const absl::Status refused = f.Run("logs.all", {{"project", "b"}}).status();
  CHECK(refused.code() == absl::StatusCode::kResourceExhausted);
  CHECK(base::Message(refused).find("the endpoint logs.all may have 1 call at one time") == 0);
  f.backend.Unblock();
  first.join();
  CHECK(first_status.ok());
  CHECK(f.Run("logs.all", {{"project", "b"}}).ok());
}

TEST_CASE("calls that could give other bytes never share an answer") {
  Fixture f;
  QueryRequest plain;
  plain.endpoint = "usage.api-counts";
  plain.token = "good";
  plain.parameters = {{"project", "a"}, {"interval", "daily"}};
  std::vector<QueryRequest> requests(9, plain);
  requests[1].parameters[0].second = "b";
  requests[2].parameters[1].second = "hourly";
  requests[3].redact_pii = true;
  requests[4].format = RowFormat::kCsv;
  requests[5].int64_as_string = true;
  requests[6].csv_safe = true;
  requests[7].format = RowFormat::kJsonRows;
  requests[8].format = RowFormat::kArrow;
  for (const QueryRequest& request : requests) CHECK((f.service->Run(request)->cache == CacheUse::kMiss));
  for (const QueryRequest& request : requests) CHECK((f.service->Run(request)->cache == CacheUse::kHit));
}

TEST_CASE("Parquet needs a writer: without one, the call is wrong and says which formats there are") {
  Fixture f;
  QueryRequest request;
  request.endpoint = "usage.api-counts";
  request.token = "good";
  request.parameters = {{"project", "a"}, {"interval", "daily"}};
  request.format = RowFormat::kParquet;
  const absl::Status status = f.service->Run(request).status();
  CHECK(absl::IsInvalidArgument(status));
  CHECK(GetErrorDetails(status).parameter == "format");
  CHECK(base::Message(status) ==
        "parameter format: this server has no writer of Parquet; ask for arrow, json, json-rows, ndjson or csv");
  CHECK(f.backend.calls().empty());
}

TEST_CASE("a result cut by max rows says so") {
  Fixture f;
  FakeBackend::Rows rows;
  for (int i = 0; i < 1'500; ++i) rows.push_back({Value::String(base::StrCat(i))});
  f.backend.AnswerBy([rows](const PreparedQuery&, const Bindings&) { return rows; });
  auto answer = f.Run("logs.all", {{"project", "a"}, {"sql", "select id from edge_logs"}});
  REQUIRE(answer.ok());
  CHECK(answer->rows == 1'000);
  CHECK(answer->truncated);
}

TEST_CASE("an absent parameter is folded away and leaves no trace in the query") {
  Fixture f;
  REQUIRE(f.Run("logs.all", {{"project", "a"}}).ok());
  CHECK(f.backend.calls().back().googlesql.find("iso_timestamp") == std::string::npos);
  REQUIRE(f.Run("logs.all", {{"project", "a"}, {"iso_timestamp_start", "2026-03-01"}}).ok());
  const std::string text = f.backend.calls().back().googlesql;
  CHECK(text.find("> @iso_timestamp_start") != std::string::npos);
  CHECK(text.find("@iso_timestamp_end") == std::string::npos);
}

TEST_CASE("a failing conversion of a parameter is an error only if a row evaluates it in the engine") {
  Endpoint since = Endpoint::BuiltIn()[0];
  since.name = "since";
  since.parameters = {Parameter()};
  since.parameters[0].name = "since";
  since.query = "SELECT id FROM `cloudflare.logs.prod` WHERE timestamp > CAST(@since AS TIMESTAMP)";
  since.private_ctes.clear();
  Fixture f({since});
  REQUIRE(f.Run("since", {{"since", "2026-03-01"}}).ok());
  REQUIRE(f.Run("since", {{"since", "yesterday"}}).ok());
  CHECK(f.backend.calls().back().bindings == Bindings{Value::String("yesterday")});
}

TEST_CASE("a caller's text reaches the query only as a bound value") {
  Fixture f;
  const std::string hostile = "x' OR '1'='1";
  REQUIRE(f.Run("logs.all", {{"project", hostile}}).ok());
  const FakeBackend::Call call = f.backend.calls().back();
  CHECK(call.googlesql.find(hostile) == std::string::npos);
  bool bound = false;
  for (const Value& value : call.bindings) bound = bound || value == Value::String(hostile);
  CHECK(bound);
}

TEST_CASE("a call in steps authenticates and finds the endpoint once, and then runs any number of times") {
  Fixture f;
  const auto principal = f.service->Authenticate("good");
  REQUIRE(principal.ok());
  const absl::StatusOr<CallTarget> target = f.service->Find(*principal, kUsageId);
  REQUIRE(target.ok());
  CHECK(target->definition->name == "usage.api-counts");
  CHECK_FALSE(target->MandatesRedaction());
  QueryRequest request;
  request.parameters = {{"project", "a"}, {"interval", "daily"}};
  CHECK(f.service->Run(*target, request).ok());
  CHECK((f.service->Run(*target, request)->cache == CacheUse::kHit));
  CHECK(absl::IsNotFound(f.service->Find(*principal, "usage.api-count").status()));
  Principal other = *principal;
  other.endpoints = {"logs.all"};
  CHECK(absl::IsNotFound(f.service->Find(other, kUsageId).status()));
  CHECK(f.service->Find(other, "usage.api-count").status().message() == "there is no endpoint \"usage.api-count\"");
}

}  // namespace
}  // namespace logquery::query_service_tests
