// Ten times as many clients as there are threads for queries: what may be answered, and that all is well after.
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "lib/base/strings.h"
#include "logquery/clock.h"
#include "tests/shim/served_logs.h"

namespace logquery::shim {
namespace {

constexpr int kThreads = 4;
constexpr int kClients = 10 * kThreads;
// Some milliseconds of the engine's time.
constexpr char kWork[] =
    "/api/endpoints/query/logs.all?project=abc&sql=select+count(*)+as+n+from+edge_logs+a+cross+join+edge_logs+b+where+"
    "concat(a.id,b.id)='x'";

class Counts {
 public:
  void Add(int status) {
    absl::MutexLock lock(&mutex_);
    ++counts_[status];
  }
  bool Has(int status) const {
    absl::MutexLock lock(&mutex_);
    return counts_.contains(status);
  }
  std::map<int, int> Take() const {
    absl::MutexLock lock(&mutex_);
    return counts_;
  }

 private:
  mutable absl::Mutex mutex_;
  std::map<int, int> counts_ ABSL_GUARDED_BY(mutex_);
};

// Returns whether a client calls again. `round` is the number of its calls so far, `counts` has the answers of all clients.
using GoesOn = std::function<bool(int round, const Counts& counts)>;

// Every client asks without a pause, until `goes_on` says no. A quarter have a token that may have one call at a time.
std::map<int, int> Overload(ServedLogs& logs, const GoesOn& goes_on) {
  Counts counts;
  std::atomic<int> busy{kClients};
  std::vector<std::thread> clients;
  for (int i = 0; i < kClients; ++i) {
    clients.emplace_back([&, i] {
      RawClient client(logs.port());
      const std::string call =
          base::StrCat("GET ", kWork, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: ", i % 4 == 0 ? "slow" : "good", "\r\n\r\n");
      for (int round = 0; goes_on(round, counts); ++round) {
        client.Send(call);
        counts.Add(StatusOf(client.Receive()));
      }
      --busy;
    });
  }
  // Meanwhile the server says how it is, always.
  RawClient health(logs.port());
  while (busy > 0) {
    health.Send("GET /health HTTP/1.1\r\nHost: t\r\n\r\n");
    const int status = StatusOf(health.Receive());
    if (status != 200) counts.Add(-1 - status);
  }
  for (std::thread& client : clients) client.join();
  return counts.Take();
}

void CheckOverload(const GoesOn& goes_on) {
  ServedLogsOptions options{.rows = 200, .query_threads = kThreads, .max_queued = 8};
  options.http.max_requests = 1'000'000;
  ServedLogs logs(options);
  const std::map<int, int> counts = Overload(logs, goes_on);
  for (const auto& [status, count] : counts) {
    CAPTURE(status, count);
    CHECK((status == 200 || status == 429 || status == 503 || status == 504));
  }
  CHECK(counts.contains(200));
  CHECK(counts.contains(429));
  CHECK(counts.contains(503));
  // All well: every thread serves again, and nothing is counted against the token whose calls were refused.
  for (int i = 0; i < 2 * kThreads; ++i) CHECK(StatusOf(Get(logs.port(), kWork)) == 200);
  RawClient slow(logs.port());
  slow.Send(base::StrCat("GET ", kWork, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: slow\r\n\r\n"));
  CHECK(StatusOf(slow.Receive()) == 200);
}

TEST_CASE("health does not wait for queries, and on the admin listener not for connections") {
  TransportOptions options;
  options.max_connections = 3;
  ServerFixture fixture(options, /*query_threads=*/1, /*max_queued=*/2);
  absl::Notification go;
  fixture.service.on_run = [&](const QueryRequest&) {
    go.WaitForNotification();
    return AnswerWith("{}");
  };
  std::vector<std::unique_ptr<RawClient>> clients;
  const auto ask = [&] {
    clients.push_back(std::make_unique<RawClient>(fixture.port()));
    clients.back()->Send("GET /api/endpoints/query/logs.all HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\n\r\n");
  };
  ask();
  // A queue of two is full while the first still stands in it.
  while (fixture.queue->use().running < 1) std::this_thread::yield();
  ask();
  while (fixture.queue->use().waiting < 1) std::this_thread::yield();
  // No query can end before `go`.
  CHECK(StatusOf(Get(fixture.port(), "/health")) == 200);
  CHECK(StatusOf(Get(fixture.port(), "/ready")) == 200);
  ask();
  while (fixture.queue->use().waiting < 2) std::this_thread::yield();
  // Now every connection is taken, too.
  HttpServerOptions admin_options{&fixture.service, fixture.queue.get(), &fixture.log};
  Routes admin_routes(admin_options, {}, /*admin=*/true);
  auto admin = Transport::Bind({}, &admin_routes);
  REQUIRE(admin.ok());
  std::thread serving([&] { (*admin)->Serve(); });
  CHECK(StatusOf(Get((*admin)->port(), "/health")) == 200);
  const std::string ready = BodyOf(Get((*admin)->port(), "/ready"));
  CHECK(ready.find(R"("queries":{"running":1,"threads":1,"waiting":2,"max_waiting":2})") != std::string::npos);
  go.Notify();
  for (const auto& client : clients) CHECK(StatusOf(client->Receive()) == 200);
  (*admin)->Stop(absl::ZeroDuration());
  serving.join();
}

TEST_CASE("with ten times as many clients as threads, unanswered ones are told to retry, and the server recovers") {
  // Five rounds are enough if the clients get to run at the same time. On a busy machine it takes more.
  const absl::Duration end = Clock::Real()->Monotonic() + absl::Minutes(2);
  CheckOverload([&](int round, const Counts& counts) {
    return round < 5 || ((!counts.Has(429) || !counts.Has(503)) && Clock::Real()->Monotonic() < end);
  });
}

TEST_CASE("ten times as many clients as threads, for a minute", "[nightly]") {
  const absl::Duration end = Clock::Real()->Monotonic() + absl::Seconds(60);
  CheckOverload([&](int, const Counts&) { return Clock::Real()->Monotonic() < end; });
}

}  // namespace
}  // namespace logquery::shim
