#include "lib/serving/store/ingest_quota.h"

#include <catch2/catch_test_macros.hpp>

#include "logquery/error.h"
#include "logquery/testing/fake_clock.h"

namespace logquery::serving {
namespace {

absl::Duration WaitOf(const absl::StatusOr<IngestQuota::Charge>& charge) {
  CHECK(absl::IsResourceExhausted(charge.status()));
  return GetErrorDetails(charge.status()).retry_after;
}

TEST_CASE("rows per second: rows above the rate delay the next request") {
  testing::FakeClock clock;
  IngestQuota quota(&clock);
  IngestRights rights;
  rights.rows_per_second = 100;
  CHECK(quota.Take("a", rights, 100, 1).ok());
  CHECK(WaitOf(quota.Take("a", rights, 1, 1)) == absl::Milliseconds(10));
  CHECK(quota.Take("b", rights, 1, 1).ok());
  clock.Advance(absl::Milliseconds(10));
  // A request is never cut in two.
  CHECK(quota.Take("a", rights, 1'000, 1).ok());
  CHECK(WaitOf(quota.Take("a", rights, 1, 1)) > absl::Seconds(9.9));
  clock.Advance(absl::Seconds(10));
  CHECK(quota.Take("a", rights, 1, 1).ok());
  // Quota that was not used is kept for no more than a second.
  clock.Advance(absl::Hours(1));
  CHECK(quota.Take("a", rights, 100, 1).ok());
  CHECK_FALSE(quota.Take("a", rights, 1, 1).ok());
}

TEST_CASE("bytes per day: the count restarts with each day in UTC, wherever the clock is set") {
  testing::FakeClock clock(absl::FromUnixSeconds(1'769'846'400));  // 08:00
  IngestQuota quota(&clock);
  IngestRights rights;
  rights.bytes_per_day = 1'000;
  CHECK(quota.Take("a", rights, 1, 1'000).ok());
  CHECK(WaitOf(quota.Take("a", rights, 1, 1)) == absl::Hours(16));
  clock.Advance(absl::Hours(16));
  CHECK_FALSE(quota.Take("a", rights, 1, 1'001).ok());
  CHECK(quota.Take("a", rights, 1, 1'000).ok());
  clock.Set(absl::FromUnixSeconds(-1));
  CHECK(quota.Take("a", rights, 1, 1'000).ok());
}

TEST_CASE("rows that came while a token had no rate do not count against the rate that it gets") {
  testing::FakeClock clock;
  IngestQuota quota(&clock);
  IngestRights rights;
  rights.bytes_per_day = 1'000;
  CHECK(quota.Take("a", rights, 1'000'000, 1).ok());
  rights.rows_per_second = 100;
  CHECK(quota.Take("a", rights, 100, 1).ok());
  CHECK(WaitOf(quota.Take("a", rights, 1, 1)) == absl::Milliseconds(10));
}

TEST_CASE("returned quota may be taken again on the day on which it was counted") {
  testing::FakeClock clock(absl::FromUnixSeconds(1'769'846'400));  // 08:00
  IngestQuota quota(&clock);
  IngestRights rights;
  rights.rows_per_second = 100;
  rights.bytes_per_day = 1'000;
  const auto all = quota.Take("a", rights, 100, 1'000);
  REQUIRE(all.ok());
  CHECK_FALSE(quota.Take("a", rights, 1, 1).ok());
  quota.GiveBack("a", *all);
  const auto again = quota.Take("a", rights, 100, 1'000);
  REQUIRE(again.ok());
  CHECK(WaitOf(quota.Take("a", rights, 1, 1)) == absl::Milliseconds(10));
  // A charge that is given back later makes neither a bucket of more than a second's rows nor a day of more bytes.
  clock.Advance(absl::Hours(16));
  REQUIRE(quota.Take("a", rights, 1, 1'000).ok());
  quota.GiveBack("a", *again);
  clock.Advance(absl::Seconds(1));
  CHECK(WaitOf(quota.Take("a", rights, 1, 1)) == absl::Hours(24) - absl::Seconds(1));
  CHECK(quota.Take("a", rights, 100, 0).ok());
  CHECK_FALSE(quota.Take("a", rights, 1, 0).ok());
  quota.GiveBack("no token's", *again);
}

TEST_CASE("a token without a quota is not counted") {
  testing::FakeClock clock;
  IngestQuota quota(&clock);
  for (int i = 0; i < 3; ++i) CHECK(quota.Take("a", {}, 1'000'000'000, 1'000'000'000).ok());
}

}  // namespace
}  // namespace logquery::serving
