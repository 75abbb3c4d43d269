#include "logquery/retention_policy.h"

#include <catch2/catch_test_macros.hpp>

#include "absl/time/time.h"
#include "logquery/testing/fake_clock.h"

namespace logquery {
namespace {

TEST_CASE("the retention window is measured back from now") {
  testing::FakeClock clock(absl::FromUnixSeconds(1'700'000'000));
  RetentionPolicy policy = RetentionPolicy::Default(&clock);

  REQUIRE(policy.Start("PRO") == clock.Now() - absl::Hours(24 * 7));
}

TEST_CASE("each tier has its window; any other text has one day") {
  struct Case {
    const char* tier;
    int days;
  };
  const Case cases[] = {
      {"FREE", 1}, {"PRO", 7}, {"PAYG", 90}, {"ENTERPRISE", 90}, {"", 1}, {"free", 1}, {"PRO ", 1}, {"TEAM", 1},
  };
  testing::FakeClock clock(absl::FromUnixSeconds(1'700'000'000));
  RetentionPolicy policy = RetentionPolicy::Default(&clock);
  for (const Case& c : cases) {
    CAPTURE(c.tier);
    CHECK(policy.Start(c.tier) == clock.Now() - absl::Hours(24 * c.days));
  }
}

TEST_CASE("a policy with custom tiers") {
  testing::FakeClock clock;
  const auto policy = RetentionPolicy::Create(&clock, {{"GOLD", absl::Hours(48)}}, absl::Minutes(5));
  REQUIRE(policy.ok());
  CHECK(policy->Window("GOLD") == absl::Hours(48));
  CHECK(policy->Window("FREE") == absl::Minutes(5));
  CHECK(policy->Start("GOLD", absl::FromUnixSeconds(0)) == absl::FromUnixSeconds(-48 * 3600));
}

TEST_CASE("a policy with a window that is not positive and finite is refused") {
  struct Case {
    absl::Duration gold;
    absl::Duration otherwise;
    const char* message;
  };
  const absl::Duration day = absl::Hours(24);
  const Case cases[] = {
      {absl::ZeroDuration(), day, "retention of tier GOLD must be positive, is 0"},
      {absl::Seconds(-1), day, "retention of tier GOLD must be positive, is -1s"},
      {absl::InfiniteDuration(), day, "retention of tier GOLD must be finite, is inf"},
      {-absl::InfiniteDuration(), day, "retention of tier GOLD must be positive, is -inf"},
      {day, absl::ZeroDuration(), "retention of all other tiers must be positive, is 0"},
  };
  testing::FakeClock clock;
  for (const Case& c : cases) {
    const auto policy = RetentionPolicy::Create(&clock, {{"GOLD", c.gold}}, c.otherwise);
    REQUIRE(policy.status().code() == absl::StatusCode::kInvalidArgument);
    CHECK(policy.status().message() == c.message);
  }
}

}  // namespace
}  // namespace logquery
