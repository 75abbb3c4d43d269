// Access to endpoints: who may call, which rows a token reads, and what a refusal reveals.
#include <catch2/catch_test_macros.hpp>

#include "lib/base/strings.h"
#include "logquery/error.h"
#include "logquery/query_service.h"
#include "logquery/testing/fake_backend.h"
#include "tests/endpoint/query_service_fixture.h"

namespace logquery::query_service_tests {
namespace {

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

}  // namespace
}  // namespace logquery::query_service_tests
