#include "lib/endpoint/call/single_flight.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "lib/endpoint/call/cache_warmer.h"
#include "logquery/testing/fake_clock.h"

namespace logquery::endpoint {
namespace {

constexpr absl::Duration kTtl = absl::Seconds(900);
constexpr absl::Duration kPeriod = absl::Seconds(300);

constexpr ContentCoding kPlain = ContentCoding::kIdentity;

// A refresh that computes the answer alone.
CacheWarmer::Refresh ByMaking(SingleFlight::Compute compute) {
  return [compute = std::move(compute)](const CancellationToken& token, const CacheWarmer::Codings&) {
    return compute(token);
  };
}

struct Fixture {
  // Counts what is made; a body is its number.
  SingleFlight::Compute Made() {
    return [this](const CancellationToken&) -> absl::StatusOr<CachedAnswer> {
      if (!failure.ok()) return failure;
      CachedAnswer answer;
      answer.answer.body = std::to_string(++made);
      answer.bound_at = clock.Monotonic();
      return answer;
    };
  }
  std::string Get(const std::string& key = "k") {
    auto got = flights.Get(key, kTtl, {}, Made());
    if (!got.ok()) return std::string(got.status().message());
    warmer.Touch(key, kPlain, kPeriod, kTtl, ByMaking(Made()));
    return got->answer->answer.body;
  }

  testing::FakeClock clock;
  std::unique_ptr<ResultCache> cache = ResultCache::InMemory(1 << 20);
  std::atomic<int> made{0};
  absl::Status failure;
  SingleFlight flights{cache.get(), &clock};
  CacheWarmer warmer{&flights, cache.get(), &clock, 0};
};

TEST_CASE("an answer is kept until its time is over, and never served after it") {
  Fixture f;
  CHECK(f.Get() == "1");
  f.clock.Advance(kTtl - absl::Seconds(1));
  CHECK(f.Get() == "1");
  f.clock.Advance(absl::Seconds(1));
  CHECK(f.Get() == "2");
  CHECK(f.Get("other") == "3");
}

TEST_CASE("a machine's clock that jumps, either way, ages no answer and keeps none young") {
  Fixture f;
  CHECK(f.Get() == "1");
  for (const absl::Duration jump : {-absl::Hours(24 * 365), absl::Hours(2 * 24 * 365), -absl::Seconds(1)}) {
    f.clock.Set(f.clock.Now() + jump);
    CHECK(f.warmer.RunDue() == 0);
    CHECK(f.Get() == "1");
  }
  f.clock.Advance(kPeriod);
  CHECK(f.warmer.RunDue() == 1);
  CHECK(f.Get() == "2");
  f.clock.Advance(kTtl);
  f.clock.Set(absl::UnixEpoch());
  CHECK(f.Get() == "3");
}

TEST_CASE("errors are not cached") {
  Fixture f;
  f.failure = absl::UnavailableError("away");
  CHECK(f.Get() == "away");
  f.failure = absl::OkStatus();
  CHECK(f.Get() == "1");
}

TEST_CASE("a thousand concurrent requests run one query") {
  Fixture f;
  absl::Notification go;
  std::atomic<int> computed{0};
  std::atomic<int> good{0};
  const SingleFlight::Compute slow = [&](const CancellationToken&) -> absl::StatusOr<CachedAnswer> {
    ++computed;
    go.WaitForNotification();
    CachedAnswer answer;
    answer.answer.body = "one";
    answer.bound_at = f.clock.Monotonic();
    return answer;
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 1'000; ++i) {
    threads.emplace_back([&] {
      const auto got = f.flights.Get("k", kTtl, {}, slow);
      if (got.ok() && got->answer->answer.body == "one") ++good;
    });
  }
  go.Notify();
  for (std::thread& thread : threads) thread.join();
  CHECK(computed == 1);
  CHECK(good == 1'000);
}

TEST_CASE("a waiting call fails with an error of the query, but not with the leader's deadline") {
  for (const bool own : {true, false}) {
    Fixture f;
    absl::Notification begun;
    absl::Notification go;
    const SingleFlight::Compute fails = [&](const CancellationToken&) -> absl::StatusOr<CachedAnswer> {
      begun.Notify();
      go.WaitForNotification();
      return own ? absl::InvalidArgumentError("division by zero") : absl::DeadlineExceededError("too slow");
    };
    absl::Status first;
    std::string second;
    std::thread leader([&] { first = f.flights.Get("k", kTtl, {}, fails).status(); });
    begun.WaitForNotification();
    std::thread follower([&] { second = f.Get(); });
    while (f.flights.WaitingFor("k") < 2) std::this_thread::yield();
    go.Notify();
    leader.join();
    follower.join();
    CHECK_FALSE(first.ok());
    CHECK(second == (own ? "division by zero" : "1"));
  }
}

TEST_CASE("a query continues while any call waits for it, and is cancelled when all have left") {
  for (const bool all_leave : {false, true}) {
    Fixture f;
    absl::Notification begun;
    absl::Notification go;
    std::atomic<bool> cancelled{false};
    const SingleFlight::Compute slow = [&](const CancellationToken& token) -> absl::StatusOr<CachedAnswer> {
      absl::Notification ended;
      const auto registration = token.OnCancel([&] {
        cancelled = true;
        ended.Notify();
      });
      begun.Notify();
      if (all_leave) {
        ended.WaitForNotification();
        return absl::CancelledError("cancelled");
      }
      go.WaitForNotification();
      CachedAnswer answer;
      answer.answer.body = "made";
      answer.bound_at = f.clock.Monotonic();
      return answer;
    };
    CancellationSource one;
    CancellationSource two;
    absl::Status first;
    absl::StatusOr<SingleFlight::Got> second = absl::UnknownError("");
    std::thread leader([&] { first = f.flights.Get("k", kTtl, one.token(), slow).status(); });
    begun.WaitForNotification();
    std::thread follower([&] { second = f.flights.Get("k", kTtl, two.token(), slow); });
    while (f.flights.WaitingFor("k") < 2) std::this_thread::yield();
    one.Cancel();
    CHECK_FALSE(cancelled);
    if (all_leave) two.Cancel();
    go.Notify();
    leader.join();
    follower.join();
    CHECK(cancelled == all_leave);
    CHECK(second.ok() == !all_leave);
    if (!all_leave) CHECK(second->answer->answer.body == "made");
  }
}

TEST_CASE("after invalidation no call gets an earlier answer, whether cached, running or refreshing") {
  Fixture f;
  CHECK(f.Get() == "1");
  CHECK(f.Get("warm") == "2");
  f.flights.Forget();
  CHECK(f.Get() == "3");
  CHECK(f.Get() == "3");

  // A call that began before keeps its answer to itself and to those that waited for it.
  absl::Notification begun;
  absl::Notification go;
  const SingleFlight::Compute old = [&](const CancellationToken&) -> absl::StatusOr<CachedAnswer> {
    begun.Notify();
    go.WaitForNotification();
    CachedAnswer answer;
    answer.answer.body = "old";
    answer.bound_at = f.clock.Monotonic();
    return answer;
  };
  std::string first;
  std::thread before([&] { first = f.flights.Get("k2", kTtl, {}, old)->answer->answer.body; });
  begun.WaitForNotification();
  f.flights.Forget();
  CHECK(f.Get("k2") == "4");
  go.Notify();
  before.join();
  CHECK(first == "old");
  CHECK(f.Get("k2") == "4");

  const SingleFlight::Compute forgetting = [&](const CancellationToken&) -> absl::StatusOr<CachedAnswer> {
    f.flights.Forget();
    CachedAnswer answer;
    answer.answer.body = "old";
    answer.bound_at = f.clock.Monotonic();
    return answer;
  };
  REQUIRE(f.flights.Refresh("k2", {}, forgetting).ok());
  CHECK(f.Get("k2") == "5");
}

TEST_CASE("the warmer refreshes requested answers each period and drops unrequested ones") {
  Fixture f;
  CHECK(f.Get() == "1");
  CHECK(f.warmer.RunDue() == 0);
  f.clock.Advance(kPeriod);
  CHECK(f.warmer.RunDue() == 1);
  CHECK(f.Get() == "2");
  // Ten hours of calls: none waits, and none sees what is older than a period and what it is spread over.
  for (int i = 0; i < 120; ++i) {
    f.clock.Advance(kPeriod);
    CHECK(f.warmer.RunDue() == 1);
    const int before = f.made;
    f.Get();
    CHECK(f.made == before);
  }
  // Nobody asks: it is made once more for who asked last, and never again.
  const int last = f.made;
  for (int i = 0; i < 10; ++i) {
    f.clock.Advance(kPeriod);
    f.warmer.RunDue();
  }
  CHECK(f.made <= last + 1);
}

TEST_CASE("a refresh gets the codings that were asked for since the answer was last made") {
  Fixture f;
  std::vector<CacheWarmer::Codings> asked;
  const CacheWarmer::Refresh refresh = [&](const CancellationToken& token, const CacheWarmer::Codings& codings) {
    asked.push_back(codings);
    return f.Made()(token);
  };
  REQUIRE(f.flights.Get("k", kTtl, {}, f.Made()).ok());
  f.warmer.Touch("k", ContentCoding::kGzip, kPeriod, kTtl, refresh);
  CHECK(f.warmer.TouchAgain("k", ContentCoding::kZstd));
  CHECK_FALSE(f.warmer.TouchAgain("other", kPlain));
  f.clock.Advance(kPeriod);
  CHECK(f.warmer.RunDue() == 1);
  CHECK(f.warmer.TouchAgain("k", ContentCoding::kGzip));
  f.clock.Advance(kPeriod);
  CHECK(f.warmer.RunDue() == 1);
  CHECK(asked ==
        std::vector<CacheWarmer::Codings>{{ContentCoding::kGzip, ContentCoding::kZstd}, {ContentCoding::kGzip}});
}

TEST_CASE("a refresh waits for an answer that a caller computes already, and computes none") {
  Fixture f;
  absl::Notification begun, may_end;
  std::thread caller([&] {
    const auto slow = [&](const CancellationToken& token) {
      begun.Notify();
      may_end.WaitForNotification();
      return f.Made()(token);
    };
    CHECK_NOTHROW(f.flights.Get("k", kTtl, {}, slow).value());
  });
  begun.WaitForNotification();
  std::atomic<bool> refreshed{false};
  std::thread refresh([&] { refreshed = f.flights.Refresh("k", {}, f.Made()).ok(); });
  while (f.flights.WaitingFor("k") < 2) absl::SleepFor(absl::Milliseconds(1));
  may_end.Notify();
  caller.join();
  refresh.join();
  CHECK(refreshed);
  CHECK(f.made == 1);
}

TEST_CASE("a failed refresh keeps the previous answer until it expires") {
  Fixture f;
  CHECK(f.Get() == "1");
  f.failure = absl::UnavailableError("away");
  f.clock.Advance(kPeriod);
  CHECK(f.warmer.RunDue() == 0);
  CHECK(f.Get() == "1");
  f.clock.Advance(kPeriod);
  CHECK(f.warmer.RunDue() == 0);
  CHECK(f.Get() == "1");
  f.clock.Advance(kPeriod);
  CHECK(f.Get() == "away");
}

TEST_CASE("a hanging refresh delays no call, and ends with the warmer") {
  Fixture f;
  CHECK(f.Get() == "1");
  absl::Notification hangs;
  std::atomic<bool> cancelled{false};
  const SingleFlight::Compute hanging = [&](const CancellationToken& token) -> absl::StatusOr<CachedAnswer> {
    absl::Notification ended;
    const auto registration = token.OnCancel([&] { ended.Notify(); });
    hangs.Notify();
    ended.WaitForNotification();
    cancelled = true;
    return absl::CancelledError("cancelled");
  };
  auto warmer = std::make_unique<CacheWarmer>(&f.flights, f.cache.get(), &f.clock, 1);
  warmer->Touch("k", kPlain, kPeriod, kTtl, ByMaking(hanging));
  f.clock.Advance(kPeriod);
  hangs.WaitForNotification();
  CHECK(f.Get() == "1");
  // When the old answer's time is over, a caller has it made, and does not wait for the refresh.
  f.clock.Advance(kTtl - kPeriod);
  CHECK(f.Get() == "2");
  CHECK_FALSE(cancelled);
  warmer.reset();
  CHECK(cancelled);
  CHECK(f.Get() == "2");
}

TEST_CASE("a full cache evicts answers, never confuses them, and warms the rest") {
  Fixture f;
  f.cache = ResultCache::InMemory(8 << 10);
  SingleFlight flights(f.cache.get(), &f.clock);
  CacheWarmer warmer(&flights, f.cache.get(), &f.clock, 0);
  std::map<std::string, std::string> last;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 50; ++i) {
      const std::string key = std::to_string(i);
      const auto got = flights.Get(key, kTtl, {}, f.Made());
      REQUIRE(got.ok());
      const std::string body = got->answer->answer.body;
      CHECK((got->use == CacheUse::kMiss || body == last[key]));
      last[key] = body;
      warmer.Touch(key, kPlain, kPeriod, kTtl, ByMaking(f.Made()));
    }
  }
  CHECK(f.made > 100);  // few found what they had made before
  f.clock.Advance(kPeriod);
  const int made = warmer.RunDue();
  CHECK(made > 0);
  CHECK(made < 10);
}

TEST_CASE("ever-changing SQL evicts the least recently used answers instead of growing memory") {
  Fixture f;
  f.cache = ResultCache::InMemory(64 << 20);
  SingleFlight flights(f.cache.get(), &f.clock);
  CacheWarmer warmer(&flights, f.cache.get(), &f.clock, 0);
  const std::string sql(60'000, 'x');
  for (int i = 0; i < 400; ++i) {
    const std::string key = sql + std::to_string(i);
    REQUIRE(flights.Get(key, kTtl, {}, f.Made()).ok());
    warmer.Touch(key, kPlain, kPeriod, kTtl, ByMaking(f.Made()));
    f.clock.Advance(absl::Microseconds(1));
  }
  f.clock.Advance(kPeriod);
  const int made = f.made;
  CHECK(warmer.RunDue() == 185);  // 32 MiB of three times the key and 1 KiB
  // The newest are among them.
  REQUIRE(flights.Get(sql + "399", kTtl, {}, f.Made()).ok());
  CHECK(f.made == made + 185);
}

TEST_CASE("memory is bounded: the least recently used answers are evicted, and too large ones are not cached") {
  const std::unique_ptr<ResultCache> cache = ResultCache::InMemory(40'000);
  const auto answer = [](size_t bytes) {
    auto made = std::make_shared<CachedAnswer>();
    made->answer.body = std::string(bytes, 'x');
    return made;
  };
  for (int i = 0; i < 8; ++i) {
    cache->Put(std::to_string(i), answer(8'000));
    cache->Find("0");
  }
  CHECK(cache->Find("0") != nullptr);
  CHECK(cache->Find("1") == nullptr);
  CHECK(cache->Find("7") != nullptr);
  cache->Put("0", answer(20'000));
  CHECK(cache->Find("0") == nullptr);  // nor is the old one, which is not what was put last
  cache->Erase("7");
  CHECK(cache->Find("7") == nullptr);
}

}  // namespace
}  // namespace logquery::endpoint
