#include "lib/base/attempt_limiter.h"

#include <catch2/catch_test_macros.hpp>

#include "lib/base/strings.h"
#include "logquery/testing/fake_clock.h"

namespace logquery::base {
namespace {

TEST_CASE("a few attempts may fail at once, then one every few seconds") {
  testing::FakeClock clock(absl::UnixEpoch());
  AttemptLimiter limiter(&clock);

  for (int i = 0; i < AttemptLimiter::kAtOnce; ++i) {
    CHECK(limiter.Wait("10.0.0.1") == absl::ZeroDuration());
    limiter.AddFailure("10.0.0.1");
  }
  CHECK(limiter.Wait("10.0.0.1") == AttemptLimiter::kOneEvery);
  CHECK(limiter.Wait("10.0.0.2") == absl::ZeroDuration());

  clock.Advance(AttemptLimiter::kOneEvery);
  CHECK(limiter.Wait("10.0.0.1") == absl::ZeroDuration());
  limiter.AddFailure("10.0.0.1");
  CHECK(limiter.Wait("10.0.0.1") > absl::ZeroDuration());

  clock.Advance(AttemptLimiter::kOneEvery * AttemptLimiter::kAtOnce);
  CHECK(limiter.Wait("10.0.0.1") == absl::ZeroDuration());
}

TEST_CASE("one client's IPv6 network counts as one address") {
  CHECK(AddressGroup("2001:db8:1:2:3:4:5:6") == "2001:db8:1:2::/64");
  CHECK(AddressGroup("2001:db8:1:2::1") == "2001:db8:1:2::/64");
  CHECK(AddressGroup("fe80::1%eth0") == "fe80::/64");
  CHECK(AddressGroup("10.0.0.1") == "10.0.0.1");
  CHECK(AddressGroup("::ffff:10.0.0.1") == "::ffff:10.0.0.1");
  CHECK(AddressGroup("nonsense") == "nonsense");
}

TEST_CASE("the limiter's memory is bounded") {
  testing::FakeClock clock(absl::UnixEpoch());
  AttemptLimiter limiter(&clock);
  for (int i = 0; i < 50'000; ++i) limiter.AddFailure(StrCat("10.", i / 65'536, ".", i / 256 % 256, ".", i % 256));
  CHECK(limiter.Wait("192.0.2.1") == absl::ZeroDuration());
}

}  // namespace
}  // namespace logquery::base
