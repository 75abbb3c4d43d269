// A service with the built-in endpoints over a fake backend and a fake clock, and calls of it with a token.
#ifndef LOGQUERY_TESTS_ENDPOINT_QUERY_SERVICE_FIXTURE_H_
#define LOGQUERY_TESTS_ENDPOINT_QUERY_SERVICE_FIXTURE_H_

#include "logquery/query_service.h"
#include "logquery/testing/fake_backend.h"
#include "logquery/testing/fake_clock.h"

namespace logquery::query_service_tests {

using testing::FakeBackend;
using testing::FakeClock;

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

}  // namespace logquery::query_service_tests

#endif  // LOGQUERY_TESTS_ENDPOINT_QUERY_SERVICE_FIXTURE_H_
