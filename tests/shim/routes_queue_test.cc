// Calls that wait for a thread: refused, cancelled, and observed.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "absl/synchronization/notification.h"
#include "lib/base/strings.h"
#include "logquery/testing/fake_clock.h"
#include "shim/http/calls/routes.h"
#include "tests/shim/route_requests.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim::route_tests {
namespace {

TEST_CASE("queries beyond threads and queue are 503 at once") {
  RoutesFixture fixture(1, 1);
  absl::Notification begun;
  absl::Notification go;
  fixture.service.on_run = [&](const QueryRequest&) {
    if (!begun.HasBeenNotified()) begun.Notify();
    go.WaitForNotification();
    return AnswerWith("{}");
  };
  int first = 0;
  int second = 0;
  std::thread running([&] { first = fixture.routes.Handle(Call()).status; });
  begun.WaitForNotification();
  std::thread waiting([&] { second = fixture.routes.Handle(Call()).status; });
  while (!fixture.queue->IsFull()) std::this_thread::yield();

  const HttpResponse refused = fixture.routes.Handle(Call());
  CHECK(refused.status == 503);
  CHECK(Header(refused, "Retry-After") == "1");
  go.Notify();
  running.join();
  waiting.join();
  CHECK(first == 200);
  CHECK(second == 200);
}

TEST_CASE("a query that waits too long for a thread is rejected, and never runs") {
  RoutesFixture fixture(1, 1, Clock::Real(), absl::Milliseconds(1));
  absl::Notification begun;
  absl::Notification go;
  std::atomic<int> runs{0};
  fixture.service.on_run = [&](const QueryRequest&) {
    ++runs;
    begun.Notify();
    go.WaitForNotification();
    return AnswerWith("{}");
  };
  int first = 503;
  std::thread running([&] {
    // On a busy machine its thread may come too late for the first one, too.
    while (first == 503) first = fixture.routes.Handle(Call()).status;
  });
  begun.WaitForNotification();
  CHECK(fixture.routes.Handle(Call()).status == 503);
  go.Notify();
  running.join();
  CHECK(first == 200);
  fixture.queue->Stop();
  CHECK(runs == 1);
}

TEST_CASE("the query of a client that disconnects is cancelled") {
  RoutesFixture fixture;
  fixture.HoldQuery();
  HttpRequest request = Call();
  request.client_left = [] { return true; };
  CHECK(fixture.routes.Handle(request).status == 499);
  fixture.cancelled.WaitForNotification();
}

TEST_CASE("stopping cancels running queries and starts no new ones") {
  RoutesFixture fixture;
  fixture.HoldQuery();
  int status = 0;
  std::thread running([&] { status = fixture.routes.Handle(Call()).status; });
  fixture.begun.WaitForNotification();
  fixture.routes.CancelAll();
  running.join();
  CHECK(status == 503);
  CHECK(fixture.routes.Handle(Call()).status == 503);
}

TEST_CASE("the observer is notified of calls that get no thread, because the service never sees them") {
  class Codes : public ServiceObserver {
   public:
    void OnCall(const CallEvent& event) noexcept override {
      absl::MutexLock lock(&mutex);
      calls.push_back(base::StrCat(event.origin.endpoint, " ", event.origin.client, " ",
                                   absl::StatusCodeToString(event.code), event.admitted ? " admitted" : ""));
    }
    absl::Mutex mutex;
    std::vector<std::string> calls ABSL_GUARDED_BY(mutex);
  } codes;
  RoutesFixture fixture(1, 0, Clock::Real(), absl::Seconds(10), &codes);
  Routes& routes = fixture.routes;
  fixture.HoldQuery();
  std::thread running([&] { routes.Handle(Call()); });
  fixture.begun.WaitForNotification();
  CHECK(routes.Handle(Call()).status == 503);  // too many wait
  routes.CancelAll();
  running.join();
  CHECK(routes.Handle(Call()).status == 503);  // the server stops
  fixture.queue->Stop();
  absl::MutexLock lock(&codes.mutex);
  CHECK(codes.calls == std::vector<std::string>(2, "logs.all tester UNAVAILABLE"));
}

}  // namespace
}  // namespace logquery::shim::route_tests
