#include "logquery/memory_watch.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "lib/base/resident_memory.h"
#include "logquery/error.h"
#include "logquery/query_service.h"
#include "logquery/testing/fake_backend.h"

namespace logquery {
namespace {

constexpr int64_t kLimit = int64_t{1} << 30;

// A service whose backend holds each query until it is stopped, under a watch that is told how much memory there is.
struct Watched {
  std::atomic<int64_t> memory{kLimit};
  bool lets_go = true;  // the queries that are ended, of their memory
  absl::Notification stuck;
  absl::Mutex mutex;
  std::vector<std::string> lines;
  MemoryWatch watch;
  testing::FakeBackend backend{Catalog::DeclaredLogs()};
  std::unique_ptr<QueryService> service;

  explicit Watched(ExecutionGuard* next = nullptr) : watch(Options(next)) {
    backend.AnswerBy([](const PreparedQuery&, const Bindings&) { return testing::FakeBackend::Rows(); });
    backend.Block();
    QueryServiceOptions options;
    options.backend = &backend;
    options.guard = &watch;
    auto made = QueryService::Create(std::move(options));
    REQUIRE(made.ok());
    service = *std::move(made);
  }

  MemoryWatchOptions Options(ExecutionGuard* next) {
    MemoryWatchOptions options;
    options.limit_bytes = kLimit;
    options.patience = absl::Milliseconds(50);
    options.next = next;
    options.resident_bytes = [this] { return memory.load(); };
    options.on_stuck = [this] {
      if (!stuck.HasBeenNotified()) stuck.Notify();
    };
    options.log = [this](std::string_view line) {
      if (lets_go) memory = kLimit;
      absl::MutexLock lock(&mutex);
      lines.emplace_back(line);
    };
    return options;
  }

  absl::Status Ask(const std::string& project) {
    QueryRequest request;
    request.endpoint = "logs.all";
    request.parameters = {{"project", project}};
    return service->Run(request).status();
  }
};

TEST_CASE("above the limit the query during which memory has grown most is ended with the reason, others continue") {
  Watched watched;
  watched.memory = kLimit / 4;
  absl::Status before, taker, after;
  std::thread a([&] { before = watched.Ask("a"); });
  watched.backend.AwaitBlocked(1);
  watched.memory = kLimit / 3;
  std::thread b([&] { taker = watched.Ask("b"); });
  watched.backend.AwaitBlocked(2);
  watched.memory = kLimit - 1;
  std::thread c([&] { after = watched.Ask("c"); });
  watched.backend.AwaitBlocked(3);
  watched.memory = kLimit + 1;
  b.join();
  watched.backend.Unblock();
  a.join();
  c.join();
  CHECK(absl::IsResourceExhausted(taker));
  CHECK(GetErrorDetails(taker).reason == ErrorReason::kResourcesExceeded);
  CHECK(std::string(taker.message()).find("the server had no memory left") != std::string::npos);
  CHECK(before.ok());
  CHECK(after.ok());
  CHECK(watched.watch.counters().ended == 1);
  CHECK(watched.watch.counters().limit_bytes == kLimit);
  // The watch writes its line after the query was stopped, so perhaps after the query's answer.
  absl::MutexLock lock(&watched.mutex);
  const auto is_logged = [&watched] { return !watched.lines.empty(); };
  watched.mutex.Await(absl::Condition(&is_logged));
  REQUIRE(watched.lines.size() == 1);
  CHECK(watched.lines[0].find("because the process has 1024 MiB of memory, and may have 1024") != std::string::npos);
}

TEST_CASE("below the limit no query is touched") {
  Watched watched;
  absl::Status status = absl::UnknownError("");
  std::thread a([&] { status = watched.Ask("a"); });
  watched.backend.AwaitBlocked(1);
  watched.backend.Unblock();
  a.join();
  CHECK(status.ok());
  CHECK(watched.watch.counters().ended == 0);
}

TEST_CASE("the watch calls back when ending queries did not help") {
  Watched watched;
  watched.lets_go = false;
  watched.memory = 2 * kLimit;
  CHECK(absl::IsResourceExhausted(watched.Ask("a")));
  watched.stuck.WaitForNotification();
}

TEST_CASE("a cancelled call fails as cancelled, not for lack of memory") {
  Watched watched;
  CancellationSource caller;
  absl::Status status;
  std::thread a([&] {
    QueryRequest request;
    request.endpoint = "logs.all";
    request.parameters = {{"project", "a"}};
    request.cancellation = caller.token();
    status = watched.service->Run(request).status();
  });
  watched.backend.AwaitBlocked(1);
  caller.Cancel();
  a.join();
  CHECK(absl::IsCancelled(status));
}

// Refuses all, or lets in with a stop of its own.
class Doorkeeper : public ExecutionGuard {
 public:
  absl::Status answer;
  CancellationSource stop;

  absl::StatusOr<std::unique_ptr<Pass>> Enter(const ExecutionKey&, absl::Duration, const CancellationToken&) override {
    if (!answer.ok()) return answer;
    return std::make_unique<Admitted>(stop.token());
  }

 private:
  class Admitted : public Pass {
   public:
    explicit Admitted(CancellationToken token) : token_(std::move(token)) {}
    CancellationToken stop() const override { return token_; }
    absl::Status why_stopped() const override {
      return token_.IsCancelled() ? absl::UnavailableError("the doorkeeper closes") : absl::OkStatus();
    }

   private:
    const CancellationToken token_;
  };
};

TEST_CASE("the guard behind the watch still refuses, and still ends runs") {
  Doorkeeper doorkeeper;
  Watched watched(&doorkeeper);
  absl::Status status;
  std::thread a([&] { status = watched.Ask("a"); });
  watched.backend.AwaitBlocked(1);
  doorkeeper.stop.Cancel();
  a.join();
  CHECK(status == absl::UnavailableError("the doorkeeper closes"));

  doorkeeper.answer = absl::InvalidArgumentError("not today");
  CHECK(watched.Ask("b") == doorkeeper.answer);
}

TEST_CASE("the system tells how much memory the process has") {
  const base::ResidentMemory memory;
  const int64_t before = memory.Read();
  CHECK(before > 1 << 20);
  std::vector<char> taken(64 << 20, 'x');
  CHECK(memory.Read() >= before + (60 << 20));
  CHECK(taken[taken.size() / 2] == 'x');
}

}  // namespace
}  // namespace logquery
