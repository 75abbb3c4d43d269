#include "logquery/query_service.h"

#include <catch2/catch_test_macros.hpp>
#include <thread>

#include "lib/base/strings.h"
#include "logquery/error.h"
#include "logquery/testing/fake_backend.h"
#include "logquery/testing/fake_clock.h"

namespace logquery {
namespace {

using testing::FakeBackend;
using testing::FakeClock;

constexpr char kUsageId[] = "e2f6c1d8-7b35-4c9e-8d21-5a0e4b9d3f03";

// Gives every token the principal that a test wants.
class OnePrincipal : public Authenticator {
 public:
  absl::StatusOr<Principal> Authenticate(std::string_view token) override {
    if (token != "good") return absl::UnauthenticatedError("unknown token");
    return principal;
  }
  Principal principal;
};

struct Fixture {
  explicit Fixture(std::vector<Endpoint> endpoints = Endpoint::BuiltIn())
      : clock(absl::FromUnixSeconds(1'772'600'767)), backend(Catalog::DeclaredLogs(), &clock) {
    backend.AnswerBy([](const PreparedQuery&, const Bindings&) { return FakeBackend::Rows{}; });
    QueryServiceOptions options;
    options.backend = &backend;
    options.authenticator = &authenticator;
    options.clock = &clock;
    options.endpoints = std::move(endpoints);
    options.warming_threads = 0;  // what is made in the background has tests of its own
    service = QueryService::Create(options).value();
  }
  absl::StatusOr<QueryAnswer> Run(const std::string& endpoint, ParameterTexts parameters) {
    QueryRequest request;
    request.endpoint = endpoint;
    request.parameters = std::move(parameters);
    request.token = "good";
    return service->Run(request);
  }
  FakeClock clock;
  FakeBackend backend;
  OnePrincipal authenticator;
  std::unique_ptr<QueryService> service;
};

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
  CHECK(base::Message(refused).find("the endpoint logs.all may have 1 calls") == 0);
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

TEST_CASE("principals of other projects never share an answer, whatever they send") {
  Fixture f;
  const std::vector<std::string> projects = {"a", "b", "a1:b", "1:a", ".*", ""};
  size_t made = 0;
  for (const std::string& scope : projects) {
    for (const std::string& fixed : projects) {
      for (const std::string& sent : projects) {
        f.authenticator.principal.project_scope = scope;
        f.authenticator.principal.fixed_parameters.clear();
        if (!fixed.empty()) f.authenticator.principal.fixed_parameters["project"] = fixed;
        auto answer = f.Run("usage.api-counts", {{"project", sent}, {"interval", "daily"}});
        if (!answer.ok()) continue;
        // The project that is asked for is the fixed one or, without it, the one that was sent.
        const bool first = fixed.empty() || sent == fixed || sent.empty();
        REQUIRE(first);
        made += answer->cache == CacheUse::kMiss ? 1 : 0;
      }
    }
  }
  // One for each scope and each project that is asked for, and no more.
  CHECK(made == projects.size() * (projects.size() - 1));
  CHECK(f.backend.calls().size() == made);
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

TEST_CASE("unauthenticated and forbidden calls are rejected") {
  Fixture f;
  struct Case {
    const char* endpoint;
    ParameterTexts parameters;
    absl::StatusCode code;
    const char* message;
  };
  const Case cases[] = {
      {"logs.al", {}, absl::StatusCode::kNotFound, "did you mean logs.all"},
      {"logs.all", {}, absl::StatusCode::kInvalidArgument, "project"},
      {"logs.all", {{"project", ""}}, absl::StatusCode::kInvalidArgument, "project"},
      {"logs.all", {{"project", "a"}, {"project", "a"}}, absl::StatusCode::kInvalidArgument, "project"},
      {"logs.all", {{"project", "a"}, {"iso_timestamp_end", "soon"}}, absl::StatusCode::kInvalidArgument, "soon"},
      {"logs.all",
       {{"project", "a"}, {"sql", "select 1"}, {"sql", "select 2"}},
       absl::StatusCode::kInvalidArgument,
       "twice"},
      {"logs.all", {{"project", "a"}, {"sql", "select id from"}}, absl::StatusCode::kInvalidArgument, "line 1"},
      {"logs.all", {{"project", "a"}, {"sql", "delete from edge_logs"}}, absl::StatusCode::kInvalidArgument, "SELECT"},
      {"logs.all",
       {{"project", "a"}, {"sql", "select * from `cloudflare.logs.prod`"}},
       absl::StatusCode::kInvalidArgument,
       "cloudflare.logs.prod"},
      {"usage.api-counts", {{"project", "a"}, {"interval", "weekly"}}, absl::StatusCode::kInvalidArgument, "hourly"},
      {"usage.api-counts",
       {{"project", "a("}, {"interval", "hourly"}},
       absl::StatusCode::kInvalidArgument,
       "missing )"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.endpoint, c.message);
    auto answer = f.Run(c.endpoint, c.parameters);
    CHECK(answer.status().code() == c.code);
    CHECK(base::Message(answer.status()).find(c.message) != std::string_view::npos);
  }
  CHECK(f.backend.calls().empty());
}

TEST_CASE("a token gives access to its own endpoints, and nothing is revealed without one") {
  Fixture f;
  QueryRequest request;
  request.endpoint = "no such endpoint";
  request.token = "bad";
  CHECK(f.service->Run(request).status().code() == absl::StatusCode::kUnauthenticated);

  f.authenticator.principal.endpoints = std::vector<std::string>{"logs.all"};
  CHECK(f.Run("logs.all", {{"project", "a"}}).ok());
  CHECK(f.Run("usage.api-counts", {{"project", "a"}, {"interval", "hourly"}}).status().code() ==
        absl::StatusCode::kNotFound);
}

TEST_CASE("a parameter that a token fixes may be left out or be the same") {
  Fixture f;
  f.authenticator.principal.fixed_parameters = {{"project", "mine"}};
  CHECK(f.Run("logs.all", {}).ok());
  CHECK(f.Run("logs.all", {{"project", ""}}).ok());
  CHECK(f.Run("logs.all", {{"project", "mine"}}).ok());
  CHECK(f.Run("logs.all", {{"project", "yours"}}).status().code() == absl::StatusCode::kPermissionDenied);
}

TEST_CASE("a token of one project reads that project's rows in every log, whatever is asked") {
  Fixture f;
  f.authenticator.principal.project_scope = "mine";
  REQUIRE(f.Run("usage.api-counts", {{"project", ".*"}, {"interval", "hourly"}}).ok());
  FakeBackend::Call call = f.backend.calls().back();
  CHECK(call.googlesql.find("project = @`@project_scope`") != std::string::npos);
  bool bound = false;
  for (const Value& value : call.bindings) bound = bound || value == Value::String("mine");
  CHECK(bound);

  REQUIRE(f.Run("logs.all", {{"project", "yours"}, {"sql", "select a.id from auth_logs a, storage_logs b"}}).ok());
  const std::string text = f.backend.calls().back().googlesql;
  size_t scopes = 0;
  for (size_t at = text.find("@project_scope"); at != std::string::npos; at = text.find("@project_scope", at + 1))
    ++scopes;
  CHECK(scopes == 2);
}

TEST_CASE("redaction is on where the call or the definition asks for it, and covers errors") {
  Fixture f;
  f.backend.AnswerBy(
      [](const PreparedQuery&, const Bindings&) { return FakeBackend::Rows{{Value::String("from 10.1.2.3")}}; });
  QueryRequest request;
  request.endpoint = "logs.all";
  request.token = "good";
  request.parameters = {{"project", "a"}, {"sql", "select event_message from edge_logs"}};
  CHECK(f.service->Run(request)->body == R"({"result":[{"event_message":"from 10.1.2.3"}]})");
  request.redact_pii = true;
  CHECK(f.service->Run(request)->body == R"({"result":[{"event_message":"from REDACTED"}]})");
  CollectingSink rows;
  REQUIRE(f.service->Run(request, rows).ok());
  CHECK(rows.rows()[0][0] == Value::String("from REDACTED"));

  f.backend.FailWith(absl::InvalidArgumentError("can't cast \"10.1.2.3\" to INT64"));
  CHECK(base::Message(f.service->Run(request).status()) == "can't cast \"REDACTED\" to INT64");
}

TEST_CASE("errors quote no address from the request if the call, the token or the endpoint turns redaction on") {
  std::vector<Endpoint> mandating = Endpoint::BuiltIn();
  for (Endpoint& endpoint : mandating) {
    endpoint.redact_pii = true;
    endpoint.redaction.email = true;
  }
  const ParameterTexts wrong[] = {
      {{"project", "a"}, {"iso_timestamp_start", "192.0.2.7"}},
      {{"project", "a"}, {"sql", "select nothing.`192.0.2.7` from edge_logs"}},
      {{"project", "a"}, {"sql", "select cast('192.0.2.7' as timestamp) + from edge_logs"}},
      {{"project", "a"}, {"cursor", "192.0.2.7"}},
  };
  for (const ParameterTexts& parameters : wrong) {
    CAPTURE(parameters.back().second);
    const auto quotes = [&](Fixture& f, bool redact_pii) {
      QueryRequest request;
      request.endpoint = "logs.all";
      request.token = "good";
      request.parameters = parameters;
      request.redact_pii = redact_pii;
      const absl::Status status = f.service->Run(request).status();
      REQUIRE_FALSE(status.ok());
      CollectingSink rows;
      const absl::Status other = f.service->Run(request, rows).status();
      CHECK(other == status);
      const ErrorDetails details = GetErrorDetails(status);
      return base::StrCat(base::Message(status), details.snippet, details.parameter).find("192.0.2.7") !=
             std::string::npos;
    };
    Fixture plain;
    const bool quoted = quotes(plain, false);
    CHECK((quoted || parameters.back().first == "cursor"));
    CHECK_FALSE(quotes(plain, true));
    plain.authenticator.principal.redact_pii = true;
    CHECK_FALSE(quotes(plain, false));
    Fixture by_endpoint(mandating);
    CHECK_FALSE(quotes(by_endpoint, false));
  }
  Fixture by_endpoint(mandating);
  CHECK(
      base::Message(by_endpoint.Run("logs.all", {{"project", "a"}, {"iso_timestamp_end", "ann@example.com"}}).status())
          .find("ann@") == std::string::npos);
  Fixture by_token;
  by_token.authenticator.principal.redact_pii = true;
  CHECK(base::Message(by_token.Run("192.0.2.7", {}).status()) == "there is no endpoint \"REDACTED\"");
}

TEST_CASE("a changed catalog is read again, and an invalid one changes nothing") {
  Fixture f;
  auto before = f.service->registry();
  f.backend.SetCatalog(absl::UnavailableError("down"));
  CHECK(f.service->Reload().code() == absl::StatusCode::kUnavailable);
  CHECK(f.service->registry() == before);
  f.backend.SetCatalog(Catalog::DeclaredLogs());
  CHECK(f.service->Reload().ok());
  CHECK(f.service->registry() != before);
}

TEST_CASE("a registry rejects invalid definitions with the endpoint and the reason") {
  auto broken = [](auto change) {
    std::vector<Endpoint> endpoints = Endpoint::BuiltIn();
    change(endpoints);
    auto registry = EndpointRegistry::Create(endpoints, Catalog::DeclaredLogs());
    return std::string(base::Message(registry.status()));
  };
  using Endpoints = std::vector<Endpoint>;
  CHECK(broken([](Endpoints& e) { e[1].name = e[0].name; }).find("two endpoints of this name") != std::string::npos);
  CHECK(broken([](Endpoints& e) { e[1].id = e[0].id; }).find("has the id") != std::string::npos);
  CHECK(broken([](Endpoints& e) { e[0].id = "12"; }).find("must be a UUID") != std::string::npos);
  CHECK(broken([](Endpoints& e) { e[0].name = e[1].id; }).find("the form of an id") != std::string::npos);
  CHECK(broken([](Endpoints& e) { e[0].max_rows = 0; }).find("max_rows") != std::string::npos);
  CHECK(broken([](Endpoints& e) { e[0].private_ctes = {"bucketz"}; }).find("bucketz") != std::string::npos);
  CHECK(broken([](Endpoints& e) {
          e[0].query = "SELECT FROM";
        }).find(base::StrCat("endpoint ", Endpoint::BuiltIn()[0].name)) != std::string::npos);
  const std::string unknown = broken([](Endpoints& e) {
    e[0].query = "SELECT @nobody AS a";
    e[0].private_ctes.clear();
  });
  INFO(unknown);
  CHECK(unknown.find("unknown parameter @nobody") != std::string::npos);
}

TEST_CASE("a registry made from another takes the endpoints over whose definition is the same") {
  std::vector<Endpoint> endpoints = Endpoint::BuiltIn();
  const auto first = EndpointRegistry::Create(endpoints, Catalog::DeclaredLogs());
  REQUIRE(first.ok());
  endpoints[0].description += " Changed.";
  endpoints.pop_back();
  const auto second = (*first)->With(endpoints);
  REQUIRE(second.ok());
  const auto find = [](const auto& registry, const Endpoint& endpoint) { return (*registry)->Find(endpoint.name); };
  CHECK((*second)->All().size() == endpoints.size());
  CHECK(find(second, endpoints[1]) == find(first, endpoints[1]));
  CHECK(find(second, endpoints[0])->revision() > find(first, endpoints[0])->revision());
  CHECK(find(second, endpoints[0])->definition().description.ends_with(" Changed."));
  endpoints[1].query = "SELECT FROM";
  CHECK_FALSE((*second)->With(endpoints).ok());
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
}  // namespace logquery
