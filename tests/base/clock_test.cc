#include "logquery/clock.h"

#include <catch2/catch_test_macros.hpp>
#include <thread>

#include "logquery/testing/fake_clock.h"

namespace logquery {
namespace {

TEST_CASE("a fake clock stands until it is moved") {
  testing::FakeClock clock(absl::FromUnixSeconds(1'700'000'000));
  REQUIRE(clock.Now() == absl::FromUnixSeconds(1'700'000'000));

  clock.Advance(absl::Minutes(15));
  CHECK(clock.Now() == absl::FromUnixSeconds(1'700'000'900));
  CHECK(clock.Monotonic() == absl::Minutes(15));
}

TEST_CASE("setting a fake clock back leaves its monotonic time") {
  testing::FakeClock clock;
  clock.Advance(absl::Hours(1));
  clock.Set(absl::UnixEpoch());
  CHECK(clock.Now() == absl::UnixEpoch());
  CHECK(clock.Monotonic() == absl::Hours(1));
}

TEST_CASE("the real clock's monotonic time does not go back") {
  const absl::Duration before = Clock::Real()->Monotonic();
  CHECK(Clock::Real()->Monotonic() >= before);
  CHECK(Clock::Real()->Now() > absl::FromUnixSeconds(1'700'000'000));
}

TEST_CASE("a fixed clock stands still, and its monotonic time is the machine's") {
  const FixedClock clock(absl::FromUnixSeconds(5));
  CHECK(clock.Now() == absl::FromUnixSeconds(5));
  const absl::Duration before = clock.Monotonic();
  CHECK(before <= Clock::Real()->Monotonic());
}

TEST_CASE("waiting on a fake clock ends when the time comes") {
  testing::FakeClock clock;
  bool came = false;
  std::thread waiter([&] { came = clock.Await(absl::Seconds(3), CancellationToken()); });
  clock.Advance(absl::Seconds(1));
  clock.Advance(absl::Seconds(2));
  waiter.join();
  CHECK(came);
}

TEST_CASE("waiting on a fake clock ends when it is cancelled") {
  testing::FakeClock clock;
  CancellationSource source;
  bool came = true;
  std::thread waiter([&] { came = clock.Await(absl::Seconds(3), source.token()); });
  source.Cancel();
  waiter.join();
  CHECK_FALSE(came);
}

}  // namespace
}  // namespace logquery
