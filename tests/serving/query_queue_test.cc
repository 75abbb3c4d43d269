#include "logquery/serving/query_queue.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "logquery/catalog.h"
#include "logquery/testing/fake_backend.h"

namespace logquery {
namespace {

// Holds the status of a call's answer until the test reads it.
class Awaited {
 public:
  QueryQueue::Done Done() {
    return [this](QueuedAnswer made) {
      code_ = made.answer.status().code();
      message_ = std::string(made.answer.status().message());
      ended_.Notify();
    };
  }
  bool IsThere() const { return ended_.HasBeenNotified(); }
  absl::StatusCode code() {
    ended_.WaitForNotification();
    return code_;
  }
  std::string message() {
    ended_.WaitForNotification();
    return message_;
  }

 private:
  absl::Notification ended_;
  absl::StatusCode code_ = absl::StatusCode::kUnknown;
  std::string message_;
};

class Calls : public ServiceObserver {
 public:
  void OnCall(const CallEvent& event) noexcept override {
    absl::MutexLock lock(&mutex_);
    codes_.push_back(event.code);
  }
  std::vector<absl::StatusCode> codes() {
    absl::MutexLock lock(&mutex_);
    return codes_;
  }

 private:
  absl::Mutex mutex_;
  std::vector<absl::StatusCode> codes_ ABSL_GUARDED_BY(mutex_);
};

struct Fixture {
  explicit Fixture(QueryQueueOptions given = {}) : backend(Catalog::DeclaredLogs()) {
    backend.AnswerBy([](const PreparedQuery&, const Bindings&) { return testing::FakeBackend::Rows{}; });
    QueryServiceOptions options;
    options.backend = &backend;
    options.warming_threads = 0;
    options.cache_bytes = 0;
    service = QueryService::Create(std::move(options)).value();
    given.service = service.get();
    given.observer = &calls;
    queue = QueryQueue::Create(given).value();
  }

  void Submit(Awaited& awaited, const std::string& caller = "", CancellationToken cancellation = {}) {
    Principal principal;
    principal.token_id = caller;
    QueryRequest request;
    request.parameters = {{"project", "abc"}};
    request.cancellation = std::move(cancellation);
    queue->Submit(service->Find(principal, "logs.all").value(), std::move(request), awaited.Done());
  }

  testing::FakeBackend backend;
  Calls calls;
  std::unique_ptr<QueryService> service;
  std::unique_ptr<QueryQueue> queue;
};

TEST_CASE("a submitted query is answered on a thread of the queue") {
  Fixture f;
  absl::Notification ended;
  std::thread::id thread;
  QueryRequest request;
  request.parameters = {{"project", "abc"}};
  f.queue->Submit(f.service->Find({}, "logs.all").value(), request, [&](QueuedAnswer made) {
    CHECK(made.answer.ok());
    CHECK(made.answer->body == R"({"result":[]})");
    CHECK(made.queued >= absl::ZeroDuration());
    thread = std::this_thread::get_id();
    ended.Notify();
  });
  ended.WaitForNotification();
  CHECK(thread != std::this_thread::get_id());
  CHECK(f.queue->Run(f.service->Find({}, "logs.all").value(), request).answer->body == R"({"result":[]})");
  CHECK(f.calls.codes().empty());  // the service's own observer has these
}

TEST_CASE("an answer in the cache waits for no thread, and a stopped queue gives none") {
  testing::FakeBackend backend(Catalog::DeclaredLogs());
  backend.AnswerBy([](const PreparedQuery&, const Bindings&) { return testing::FakeBackend::Rows{}; });
  QueryServiceOptions options;
  options.backend = &backend;
  options.warming_threads = 0;
  const std::unique_ptr<QueryService> service = QueryService::Create(std::move(options)).value();
  const auto queue = QueryQueue::Create({.service = service.get(), .threads = 1, .max_waiting = 1}).value();
  QueryRequest request;
  request.parameters = {{"project", "abc"}, {"interval", "daily"}};
  const CallTarget cached = service->Find({}, "usage.api-counts").value();
  REQUIRE(queue->Run(cached, request).answer.ok());

  backend.Block();
  Awaited running, waiting;
  queue->Submit(service->Find({}, "logs.all").value(), request, running.Done());
  backend.AwaitBlocked(1);  // before, its thread may still have been at the end of the call above
  queue->Submit(service->Find({}, "logs.all").value(), request, waiting.Done());
  CHECK(queue->Run(service->Find({}, "logs.all").value(), request).answer.status().code() ==
        absl::StatusCode::kUnavailable);
  std::thread::id thread;
  queue->Submit(cached, request, [&](QueuedAnswer made) {
    CHECK((made.answer.ok() && made.answer->cache == CacheUse::kHit));
    CHECK(made.queued == absl::ZeroDuration());
    thread = std::this_thread::get_id();
  });
  CHECK(thread == std::this_thread::get_id());
  backend.Unblock();
  CHECK(running.code() == absl::StatusCode::kOk);
  CHECK(waiting.code() == absl::StatusCode::kOk);
  queue->Stop();
  CHECK(queue->Run(cached, request).answer.status().code() == absl::StatusCode::kUnavailable);
}

TEST_CASE("callers whose queries wait get a thread in turn") {
  Fixture f({.threads = 1});
  f.backend.Block();
  Awaited first;
  f.Submit(first, "a");
  f.backend.AwaitBlocked(1);
  absl::Mutex mutex;
  std::vector<std::string> order;
  const auto submit = [&](const std::string& caller) {
    Principal principal;
    principal.token_id = caller;
    QueryRequest request;
    request.parameters = {{"project", "abc"}};
    f.queue->Submit(f.service->Find(principal, "logs.all").value(), request, [&, caller](const QueuedAnswer&) {
      absl::MutexLock lock(&mutex);
      order.push_back(caller);
    });
  };
  for (const char* caller : {"a", "a", "b"}) submit(caller);
  CHECK(f.queue->use().waiting == 3);
  f.backend.Unblock();
  QueryRequest last;
  last.parameters = {{"project", "abc"}};
  f.queue->Run(f.service->Find({}, "logs.all").value(), last);
  f.queue->Stop();
  CHECK(order == std::vector<std::string>{"a", "b", "a"});
}

TEST_CASE("queries beyond threads and waiting places are refused, and told to the observer") {
  Fixture f({.threads = 1, .max_waiting = 1});
  f.backend.Block();
  Awaited running;
  Awaited waiting;
  Awaited refused;
  f.Submit(running);
  f.backend.AwaitBlocked(1);
  f.Submit(waiting);
  CHECK(f.queue->IsFull());
  f.Submit(refused);
  CHECK(refused.IsThere());
  CHECK(refused.code() == absl::StatusCode::kUnavailable);
  CHECK(f.calls.codes() == std::vector<absl::StatusCode>{absl::StatusCode::kUnavailable});
  Awaited again;
  f.Submit(again);
  CHECK(again.code() == absl::StatusCode::kUnavailable);
  f.backend.Unblock();
  CHECK(running.code() == absl::StatusCode::kOk);
  CHECK(waiting.code() == absl::StatusCode::kOk);
}

TEST_CASE("a caller with fewer waiting queries displaces one of the caller with the most") {
  Fixture f({.threads = 1, .max_waiting = 2});
  f.backend.Block();
  Awaited running;
  Awaited first;
  Awaited second;
  Awaited other;
  f.Submit(running, "a");
  f.backend.AwaitBlocked(1);
  f.Submit(first, "a");
  f.Submit(second, "a");
  f.Submit(other, "b");
  CHECK(second.code() == absl::StatusCode::kUnavailable);
  f.backend.Unblock();
  CHECK(first.code() == absl::StatusCode::kOk);
  CHECK(other.code() == absl::StatusCode::kOk);
}

TEST_CASE("a query that waits for longer than max_wait is refused, and never runs") {
  Fixture f({.threads = 1, .max_wait = absl::Milliseconds(1)});
  f.backend.Block();
  // On a busy machine the thread may come too late for the first one, too.
  std::deque<Awaited> attempts;
  while (f.backend.calls().empty()) {
    f.Submit(attempts.emplace_back());
    while (!attempts.back().IsThere() && f.backend.calls().empty()) std::this_thread::yield();
  }
  Awaited& running = attempts.back();
  f.backend.AwaitBlocked(1);
  Awaited waiting;
  f.Submit(waiting);
  CHECK(waiting.code() == absl::StatusCode::kUnavailable);
  CHECK(waiting.message() == "the query waited for its turn for too long; try again in a moment");
  f.backend.Unblock();
  CHECK(running.code() == absl::StatusCode::kOk);
  f.queue->Stop();
  CHECK(f.backend.calls().size() == 1);
}

TEST_CASE("a caller cancels its query while it waits and while it runs") {
  Fixture f({.threads = 1});
  f.backend.Block();
  CancellationSource cancel_running;
  CancellationSource cancel_waiting;
  CancellationSource cancelled;
  cancelled.Cancel();
  Awaited running;
  Awaited waiting;
  Awaited never;
  f.Submit(running, "", cancel_running.token());
  f.backend.AwaitBlocked(1);
  f.Submit(waiting, "", cancel_waiting.token());
  f.Submit(never, "", cancelled.token());
  CHECK(never.code() == absl::StatusCode::kCancelled);
  cancel_waiting.Cancel();
  CHECK(waiting.IsThere());
  CHECK(waiting.code() == absl::StatusCode::kCancelled);
  cancel_running.Cancel();
  f.backend.Unblock();
  CHECK(running.code() == absl::StatusCode::kCancelled);
}

TEST_CASE("a stopped queue ends its calls and takes no more") {
  Fixture f({.threads = 1});
  f.backend.Block();
  Awaited running;
  Awaited waiting;
  Awaited late;
  f.Submit(running);
  f.backend.AwaitBlocked(1);
  f.Submit(waiting);
  f.queue->CancelAll();
  CHECK(waiting.message() == "the server is stopping");
  f.backend.Unblock();
  f.queue->Stop();
  CHECK(running.code() == absl::StatusCode::kUnavailable);
  f.Submit(late);
  CHECK(late.message() == "the server is stopping");
}

TEST_CASE("options that make no queue are refused with their values") {
  CHECK(QueryQueue::Create({}).status().message() == "a query queue needs a service");
  Fixture f;
  CHECK(QueryQueue::Create({.service = f.service.get(), .threads = 0}).status().message() ==
        "threads is 0; a query queue needs 1 or more");
  CHECK(QueryQueue::Create({.service = f.service.get(), .max_waiting = -1}).status().message() ==
        "max_waiting is -1; it can't be negative");
  CHECK(QueryQueue::Create({.service = f.service.get(), .max_wait = absl::ZeroDuration()}).status().message() ==
        "max_wait is 0; a query may wait for some time");
}

TEST_CASE("calls that are cancelled, displaced and too late at random each end once") {
  Fixture f({.threads = 2, .max_waiting = 4, .max_wait = absl::Milliseconds(1)});
  constexpr int kCalls = 400;
  std::atomic<int> ended{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&, caller] {
      for (int i = 0; i < kCalls / 4; ++i) {
        CancellationSource source;
        Principal principal;
        principal.token_id = std::to_string(caller);
        QueryRequest request;
        request.parameters = {{"project", "abc"}};
        request.cancellation = source.token();
        f.queue->Submit(f.service->Find(principal, "logs.all").value(), request,
                        [&ended](const QueuedAnswer&) { ++ended; });
        if (i % 3 == 0) source.Cancel();
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  f.queue->Stop();
  CHECK(ended == kCalls);
}

}  // namespace
}  // namespace logquery
