// A request goes one way from its socket to its response: nothing about it is parsed or looked up twice. docs/request.md follows
// the same two requests.
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "lib/base/strings.h"
#include "logquery/http_server.h"
#include "logquery/serving/log_receiver.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim {
namespace {

// The threads that had a part in a request.
class Threads {
 public:
  void Add() {
    absl::MutexLock lock(&mutex_);
    ids_.insert(std::this_thread::get_id());
  }
  size_t count() {
    absl::MutexLock lock(&mutex_);
    return ids_.size();
  }

 private:
  absl::Mutex mutex_;
  std::set<std::thread::id> ids_ ABSL_GUARDED_BY(mutex_);
};

class WatchedService : public StubService {
 public:
  explicit WatchedService(Threads* threads) : threads_(threads) {
    on_run = [threads](const QueryRequest&) {
      threads->Add();
      return AnswerWith(R"({"result":[]})");
    };
  }
  absl::StatusOr<Principal> Authenticate(std::string_view token) override {
    threads_->Add();
    return StubService::Authenticate(token);
  }
  absl::StatusOr<CallTarget> Find(Principal principal, std::string_view endpoint) override {
    threads_->Add();
    return StubService::Find(std::move(principal), endpoint);
  }

 private:
  Threads* const threads_;
};

class WatchedReceiver : public LogReceiver {
 public:
  class Admission : public LogAdmission {
   public:
    explicit Admission(const Principal& principal) : principal_(principal) {}
    const Principal& principal() const override { return principal_; }
    bool Grow(int64_t) override { return true; }

   private:
    const Principal principal_;
  };

  explicit WatchedReceiver(Threads* threads) : threads_(threads) {}
  absl::StatusOr<std::unique_ptr<LogAdmission>> Admit(const Principal& principal, std::string_view source,
                                                      int64_t) override {
    threads_->Add();
    ++looked_up;
    if (source != "edge_logs") return absl::NotFoundError("there is no such log");
    return std::make_unique<Admission>(principal);
  }
  absl::StatusOr<ReceivedLogs> Append(LogAdmission&, const LogBody&) override {
    threads_->Add();
    ReceivedLogs logs;
    logs.rows = 1;
    return logs;
  }
  std::vector<std::string> Sources(const Principal&) const override { return {}; }
  LogReceiverState state() const override { return {}; }
  void Stop() override {}

  std::atomic<int> looked_up{0};

 private:
  Threads* const threads_;
};

class WatchedRequests : public HttpObserver {
 public:
  explicit WatchedRequests(Threads* threads) : threads_(threads) {}
  void OnResponse(const HttpRequestRecord& record) noexcept override {
    threads_->Add();
    absl::MutexLock lock(&mutex_);
    routes_.emplace_back(record.route);
  }
  std::vector<std::string> routes() {
    absl::MutexLock lock(&mutex_);
    return routes_;
  }

 private:
  Threads* const threads_;
  absl::Mutex mutex_;
  std::vector<std::string> routes_ ABSL_GUARDED_BY(mutex_);
};

struct WatchedServer {
  WatchedServer() {
    HttpServerOptions options;
    options.service = &service;
    options.queue = queue.get();
    options.observer = &requests;
    options.receiver = &receiver;
    server = HttpServer::Create(std::move(options)).value();
    REQUIRE(server->Start().ok());
  }
  ~WatchedServer() {
    server.reset();
    queue->Stop();
  }
  std::string Post(std::string_view target, std::string_view token = "good") {
    RawClient client(server->port());
    client.Send(base::StrCat("POST ", target, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: ", token,
                             "\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n[{}]"));
    return client.Receive();
  }

  Threads threads;
  WatchedService service{&threads};
  WatchedReceiver receiver{&threads};
  WatchedRequests requests{&threads};
  const std::unique_ptr<QueryQueue> queue = QueryQueue::Create({.service = &service}).value();
  std::unique_ptr<HttpServer> server;
};

TEST_CASE("a call of an endpoint is parsed, routed, authenticated and looked up once, on two threads") {
  WatchedServer watched;
  CHECK(StatusOf(Get(watched.server->port(), "/api/endpoints/query/logs.all?project=abc")) == 200);
  CHECK(watched.server->state().heads == 1);
  CHECK(watched.server->state().route_look_ups == 1);
  CHECK(watched.service.authenticated() == 1);
  CHECK(watched.service.found() == 1);
  CHECK(watched.threads.count() == 2);  // the one that reads the request and writes the response, and the query's
  CHECK(watched.requests.routes() == std::vector<std::string>{"/api/endpoints/query/{endpoint}"});
  // The labels are computed once, and handed on.
  CHECK(watched.service.requests().at(0).call_labels != nullptr);
}

TEST_CASE("a request with logs is parsed, routed, authenticated and its source looked up once, on one thread") {
  WatchedServer watched;
  CHECK(StatusOf(watched.Post("/api/logs?source_name=edge_logs")) == 200);
  CHECK(watched.server->state().heads == 1);
  CHECK(watched.server->state().route_look_ups == 1);
  CHECK(watched.service.authenticated() == 1);
  CHECK(watched.receiver.looked_up == 1);
  CHECK(watched.threads.count() == 1);  // the receiver stores batches on a thread of its own
  CHECK(watched.requests.routes() == std::vector<std::string>{"/api/logs"});
}

TEST_CASE("a request that is refused is looked up no more often than one that is not") {
  WatchedServer watched;
  CHECK(StatusOf(watched.Post("/api/logs?source_name=nothing")) == 404);
  CHECK(watched.receiver.looked_up == 1);
  CHECK(watched.service.authenticated() == 1);
  CHECK(StatusOf(watched.Post("/api/logs?source_name=edge_logs", "bad")) == 401);
  CHECK(watched.receiver.looked_up == 1);
  CHECK(watched.service.authenticated() == 2);
  CHECK(StatusOf(watched.Post("/api/endpoints/query/logs.all", "bad")) == 401);
  CHECK(watched.service.authenticated() == 3);
  CHECK(StatusOf(watched.Post("/nothing")) == 404);
  CHECK(watched.service.authenticated() == 3);
  CHECK(watched.server->state().heads == 4);
  CHECK(watched.server->state().route_look_ups == 4);
}

TEST_CASE("a server that lacks a part, or would listen where it may not, is not created") {
  Threads threads;
  WatchedService service(&threads);
  const auto queue = QueryQueue::Create({.service = &service}).value();
  HttpServerOptions options;
  CHECK(HttpServer::Create(options).status().code() == absl::StatusCode::kInvalidArgument);
  options.service = &service;
  options.queue = queue.get();
  for (const char* address : {"0.0.0.0:0", "127.0.0.1", "nowhere:", ""}) {
    CAPTURE(address);
    options.listen.address = address;
    CHECK(HttpServer::Create(options).status().code() == absl::StatusCode::kInvalidArgument);
  }
  options.listen.address = "127.0.0.1:0";
  options.cors_origins = {"dashboard.example"};
  CHECK(HttpServer::Create(options).status().code() == absl::StatusCode::kInvalidArgument);
  options.cors_origins.clear();
  options.admin = HttpListener();
  const auto server = HttpServer::Create(options).value();
  REQUIRE(server->Start().ok());
  CHECK(StatusOf(Get(server->port(), "/metrics")) == 404);  // of a token, and this server has none
  CHECK(StatusOf(Get(server->admin_port(), "/ready")) == 200);
  CHECK(server->admin_port() != server->port());
  server->Stop(absl::ZeroDuration());
  server->Wait();
  CHECK(server->state().stopping);
  queue->Stop();
}

}  // namespace
}  // namespace logquery::shim
