// The list of projects as a call among others: on the queue's threads, with limits, events, a cache, and a caller that may leave.
#include "lib/serving/deployment/project_list.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "logquery/catalog.h"
#include "logquery/testing/fake_backend.h"

namespace logquery::serving {
namespace {

using Rows = testing::FakeBackend::Rows;

constexpr char kList[] = R"({"result":[{"project":"shop","newest":1700000000000000}]})";

// A backend whose catalog can get another version.
class VersionedBackend : public testing::FakeBackend {
 public:
  explicit VersionedBackend(Catalog catalog) : FakeBackend(std::move(catalog)) {}
  uint64_t CatalogVersion() const override { return version; }
  std::atomic<uint64_t> version = 1;
};

class Events : public ServiceObserver {
 public:
  void OnCall(const CallEvent& event) noexcept override {
    absl::MutexLock lock(&mutex_);
    calls_.push_back(
        base::StrCat(event.origin.endpoint, " of ", event.origin.client, ": ", absl::StatusCodeToString(event.code)));
  }
  void OnQueryStart(const QueryEvent&) noexcept override { ++queries; }
  void OnDefinitions(const DefinitionsEvent&) noexcept override { ++definitions; }
  std::vector<std::string> calls() {
    absl::MutexLock lock(&mutex_);
    return calls_;
  }
  std::atomic<int> queries = 0, definitions = 0;

 private:
  absl::Mutex mutex_;
  std::vector<std::string> calls_ ABSL_GUARDED_BY(mutex_);
};

Principal Caller(std::string token_id) {
  Principal principal;
  principal.label = token_id;
  principal.token_id = std::move(token_id);
  return principal;
}

struct Fixture {
  Fixture() : backend(Catalog::DeclaredLogs()) {
    backend.AnswerBy([](const PreparedQuery&, const Bindings&) {
      return Rows{{Value::String("shop"), Value::Timestamp(absl::FromUnixSeconds(1'700'000'000))}};
    });
    QueryServiceOptions options;
    options.backend = &backend;
    options.warming_threads = 0;
    options.time_limit = absl::Seconds(7);
    service = QueryService::Create(options).value();
    options.observer = &events;
    list = std::make_unique<ProjectList>(std::move(options));
    MakeQueue(/*threads=*/3, /*max_waiting=*/8);
  }
  void MakeQueue(int threads, int max_waiting) {
    QueryQueueOptions options = {service.get(), threads, max_waiting};
    options.observer = &events;
    queue = QueryQueue::Create(options).value();
  }
  absl::StatusOr<std::string> Read(const Principal& principal = Caller("ops")) {
    return list->Read(*queue, principal, {}, nullptr);
  }
  size_t reads() const { return backend.calls().size(); }

  VersionedBackend backend;
  Events events;
  std::unique_ptr<QueryService> service;  // of the queue; the list has one of its own
  std::unique_ptr<ProjectList> list;
  std::unique_ptr<QueryQueue> queue;
};

TEST_CASE("the list is a call of its principal, with the service's limits, and its answer is kept") {
  Fixture f;
  CHECK(*f.Read() == kList);
  REQUIRE(f.reads() == 1);
  CHECK(f.backend.calls().back().limits.time_limit <= absl::Seconds(7));
  CHECK(f.events.calls() == std::vector<std::string>{"projects of ops: OK"});
  CHECK(f.events.queries == 1);
  CHECK(*f.Read(Caller("others")) == kList);
  CHECK(f.reads() == 1);
  CHECK(f.events.calls().size() == 2);
  f.list->ForgetAnswers();
  CHECK(*f.Read() == kList);
  CHECK(f.reads() == 2);
  // The definitions of a service are those of its endpoints, and these are none of them.
  CHECK(f.events.definitions == 0);
  CHECK_FALSE(f.service->Find(Caller("ops"), "projects").ok());
}

TEST_CASE("the list waits for the queue's threads, and is refused like other calls when too many wait") {
  Fixture f;
  f.MakeQueue(/*threads=*/1, /*max_waiting=*/0);
  f.backend.Block();
  QueryRequest request;
  request.parameters = {{"project", "abc"}};
  std::thread running([&] { f.queue->Run(f.service->Find(Caller("ops"), "logs.all").value(), request); });
  f.backend.AwaitBlocked(1);
  CHECK(absl::IsUnavailable(f.Read().status()));
  CHECK(f.events.calls() == std::vector<std::string>{"projects of ops: UNAVAILABLE"});
  CHECK(f.reads() == 1);  // that of the other call
  f.backend.Unblock();
  running.join();
  f.queue->Stop();
  CHECK(base::Message(f.Read().status()) == "the server is stopping");
}

TEST_CASE("calls at one time share a query, and one whose client leaves is cancelled") {
  Fixture f;
  f.backend.Block();
  absl::StatusOr<std::string> first, second;
  std::thread one([&] { first = f.Read(Caller("one")); });
  f.backend.AwaitBlocked(1);
  std::thread two([&] { second = f.Read(Caller("two")); });
  while (f.queue->use().running < 2) std::this_thread::yield();
  CHECK(absl::IsCancelled(f.list->Read(*f.queue, Caller("gone"), {}, [] { return true; }).status()));
  f.backend.Unblock();
  one.join();
  two.join();
  CHECK(*first == kList);
  CHECK(*second == kList);
  CHECK(f.reads() == 1);

  // Alone, the call that is left ends its query.
  f.list->ForgetAnswers();
  f.backend.Block();
  std::atomic<bool> left = false;
  absl::StatusOr<std::string> alone;
  std::thread three([&] { alone = f.list->Read(*f.queue, Caller("gone"), {}, [&] { return left.load(); }); });
  f.backend.AwaitBlocked(1);
  left = true;
  three.join();
  CHECK(absl::IsCancelled(alone.status()));
  while (f.queue->use().running > 0)
    std::this_thread::yield();  // only a cancelled execution ends while all are blocked
}

TEST_CASE("a token's limits hold, and an error of the engine is the list's") {
  Fixture f;
  Principal limited = Caller("limited");
  limited.limits.calls_per_minute = 1;
  CHECK(f.Read(limited).ok());
  f.list->ForgetAnswers();
  CHECK(absl::IsResourceExhausted(f.Read(limited).status()));
  f.backend.FailWith(absl::DeadlineExceededError("it takes too long"));
  CHECK(absl::IsDeadlineExceeded(f.Read().status()));
  f.backend.FailWith(absl::OkStatus());
  CHECK(*f.Read() == kList);
}

TEST_CASE("all rows are read where those of the last week name no project") {
  Fixture f;
  f.backend.AnswerBy([&](const PreparedQuery& query, const Bindings&) {
    const bool is_of_week = query.googlesql().find("TIMESTAMP_SUB(") != std::string::npos;
    return is_of_week ? Rows{} : Rows{{Value::String("shop"), Value::Timestamp(absl::FromUnixSeconds(1'700'000'000))}};
  });
  CHECK(*f.Read() == kList);
  CHECK(f.reads() == 2);
  f.backend.AnswerBy([](const PreparedQuery&, const Bindings&) { return Rows{}; });
  f.list->ForgetAnswers();
  CHECK(*f.Read() == R"({"result":[]})");
}

TEST_CASE("a new log is read once it is there, and nothing where no log has projects") {
  Fixture f;
  CHECK(f.Read().ok());
  CHECK(f.reads() == 1);
  const Catalog own = Catalog::FromSchemaJson(R"({"app.logs": {"log": "app_logs", "time": "ts", "project": ["who"],
      "columns": {"ts": "TIMESTAMP", "who": "STRING"}}})")
                          .value();
  f.backend.SetCatalog(own);
  ++f.backend.version;
  CHECK(f.Read().ok());
  REQUIRE(f.reads() == 2);
  CHECK(f.backend.calls().back().googlesql.find("`app.logs`") != std::string::npos);
  // Without a log that has projects nothing is read.
  f.backend.SetCatalog(Catalog::FromSchemaJson(R"({"app.logs": {"log": "app_logs", "time": "ts",
      "columns": {"ts": "TIMESTAMP", "who": "STRING"}}})")
                           .value());
  ++f.backend.version;
  CHECK(*f.Read() == R"({"result":[]})");
  CHECK(f.reads() == 2);
}

}  // namespace
}  // namespace logquery::serving
