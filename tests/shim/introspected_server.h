// Routes over a real service with a backend that answers no rows, for tests of what the server says of itself.
#ifndef LOGQUERY_TESTS_SHIM_INTROSPECTED_SERVER_H_
#define LOGQUERY_TESTS_SHIM_INTROSPECTED_SERVER_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "logquery/authenticator.h"
#include "logquery/query_service.h"
#include "logquery/serving/query_queue.h"
#include "logquery/testing/fake_backend.h"
#include "logquery/testing/fake_clock.h"
#include "shim/http/calls/routes.h"
#include "shim/observe/metrics.h"
#include "shim/observe/request_log.h"
#include "shim/observe/request_observer.h"

namespace logquery::shim {

// "good" may do everything; "one" the endpoint logs.all, of one project; "fixed" has a parameter fixed; "metrics" reads metrics
// alone.
class FourTokens : public Authenticator {
 public:
  absl::StatusOr<Principal> Authenticate(std::string_view token) override {
    Principal principal;
    principal.label = token;
    if (token == "good") return principal;
    if (token == "one") {
      principal.endpoints = {"logs.all"};
      principal.project_scope = "abc";
      return principal;
    }
    if (token == "metrics") {
      principal.endpoints.emplace();
      principal.may_read_metrics = true;
      return principal;
    }
    if (token != "fixed") return absl::UnauthenticatedError("unknown token");
    principal.fixed_parameters = {{"interval", "daily"}};
    return principal;
  }
};

struct IntrospectedServer {
  explicit IntrospectedServer(std::vector<Endpoint> more = {})
      : backend(Catalog::DeclaredLogs(), &clock), log([](std::string_view) {}, true, Clock::Real()) {
    backend.AnswerBy([](const PreparedQuery&, const Bindings&) { return testing::FakeBackend::Rows{}; });
    QueryServiceOptions options;
    options.backend = &backend;
    options.clock = &clock;
    options.authenticator = &tokens;
    options.observer = &metrics;
    options.warming_threads = 0;
    for (Endpoint& endpoint : more) options.endpoints.push_back(std::move(endpoint));
    service = QueryService::Create(std::move(options)).value();
    queue = QueryQueue::Create({service.get(), 2, 8, absl::Seconds(10), &metrics}).value();
    world.service = service.get();
    world.queue = queue.get();
    world.observer = &observer;
    world.metrics = [this] { return metrics.Text(); };
    routes = std::make_unique<Routes>(world);
    admin = std::make_unique<Routes>(world, Cors(), /*admin=*/true);
  }
  ~IntrospectedServer() { queue->Stop(); }

  // Makes the server one that lists projects.
  void ListProjects(std::function<absl::StatusOr<std::string>()> projects) {
    world.projects = [projects = std::move(projects)](const Principal&, const QueryRequest&,
                                                      const std::function<bool()>&) { return projects(); };
    routes = std::make_unique<Routes>(world);
  }

  HttpResponse Get(const std::string& target, const std::string& token = "good") {
    HttpRequest request;
    request.method = "GET";
    request.path = target.substr(0, target.find('?'));
    if (target.find('?') != target.npos) request.query = target.substr(target.find('?') + 1);
    request.headers = {{"X-API-KEY", token}};
    return routes->Handle(request);
  }

  testing::FakeClock clock{absl::FromUnixSeconds(1'772'600'767)};
  testing::FakeBackend backend;
  FourTokens tokens;
  Metrics metrics{"1.2.3", nullptr};
  RequestLog log;
  RequestObserver observer{&log, nullptr, &metrics};
  std::unique_ptr<QueryService> service;
  std::unique_ptr<QueryQueue> queue;
  HttpServerOptions world;
  std::unique_ptr<Routes> routes;
  std::unique_ptr<Routes> admin;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_TESTS_SHIM_INTROSPECTED_SERVER_H_
