#include "logquery/cancellation.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <thread>
#include <vector>

#include "absl/synchronization/notification.h"

namespace logquery {
namespace {

TEST_CASE("cancelling reaches every copy of the token, and calls back once") {
  CancellationSource source;
  const CancellationToken token = source.token();
  const CancellationToken copy = token;
  int calls = 0;
  const auto registration = copy.OnCancel([&] { ++calls; });
  REQUIRE_FALSE(token.IsCancelled());

  source.Cancel();
  source.Cancel();
  CHECK(token.IsCancelled());
  CHECK(copy.IsCancelled());
  CHECK(calls == 1);
}

TEST_CASE("a default token is never cancelled, and never calls") {
  const CancellationToken token;
  int calls = 0;
  const auto registration = token.OnCancel([&] { ++calls; });
  CHECK_FALSE(token.IsCancelled());
  CHECK(calls == 0);
}

TEST_CASE("a callback that registers after the cancellation is called at once") {
  CancellationSource source;
  source.Cancel();
  int calls = 0;
  const auto registration = source.token().OnCancel([&] { ++calls; });
  CHECK(calls == 1);
}

TEST_CASE("a registration that has ended is not called") {
  CancellationSource source;
  int calls = 0;
  {
    const auto registration = source.token().OnCancel([&] { ++calls; });
  }
  source.Cancel();
  CHECK(calls == 0);
}

TEST_CASE("a registration moves") {
  CancellationSource source;
  int first = 0;
  int second = 0;
  CancellationToken::Registration a = source.token().OnCancel([&] { ++first; });
  CancellationToken::Registration b = source.token().OnCancel([&] { ++second; });
  a = std::move(b);  // ends the first one
  source.Cancel();
  CHECK(first == 0);
  CHECK(second == 1);
}

TEST_CASE("ending a registration waits for its callback under way") {
  CancellationSource source;
  absl::Notification began;
  absl::Notification may_end;
  std::atomic<bool> ended = false;
  std::optional<CancellationToken::Registration> registration = source.token().OnCancel([&] {
    began.Notify();
    may_end.WaitForNotification();
    ended = true;
  });
  std::thread canceller([&] { source.Cancel(); });
  began.WaitForNotification();
  std::thread releaser([&] { may_end.Notify(); });
  registration.reset();
  CHECK(ended);
  canceller.join();
  releaser.join();
}

TEST_CASE("a callback may end its own registration, cancel again, and register another") {
  CancellationSource source;
  std::optional<CancellationToken::Registration> own;
  CancellationToken::Registration other;
  int calls = 0;
  own = source.token().OnCancel([&] {
    own.reset();
    source.Cancel();
    other = source.token().OnCancel([&] { ++calls; });
  });
  source.Cancel();
  CHECK(calls == 1);
}

TEST_CASE("many threads that cancel, register and look agree on one call for each registration") {
  for (int round = 0; round < 200; ++round) {
    CancellationSource source;
    std::atomic<int> calls = 0;
    std::atomic<int> seen = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        const auto registration = source.token().OnCancel([&] { ++calls; });
        source.Cancel();
        seen += source.token().IsCancelled() ? 1 : 0;
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(calls == 4);
    CHECK(seen == 4);
  }
}

}  // namespace
}  // namespace logquery
