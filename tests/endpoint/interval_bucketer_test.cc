#include "logquery/interval_bucketer.h"

#include <catch2/catch_test_macros.hpp>

#include "lib/base/strings.h"
#include "logquery/testing/fake_clock.h"

namespace logquery {
namespace {

absl::Time At(const char* text) {
  absl::Time time;
  std::string error;
  REQUIRE(absl::ParseTime(absl::RFC3339_full, text, &time, &error));
  return time;
}

TEST_CASE("a day of hours ends with the hour that now is in") {
  testing::FakeClock clock(At("2026-01-31T10:20:30.5Z"));
  const IntervalBucketer bucketer(&clock);
  const auto starts = bucketer.Generate(1, "day_hour");

  REQUIRE(starts.ok());
  REQUIRE(starts->size() == 24);
  CHECK(starts->front() == At("2026-01-30T11:00:00Z"));
  CHECK(starts->back() == At("2026-01-31T10:00:00Z"));
}

TEST_CASE("count and label determine the number and the width of buckets") {
  struct Case {
    int64_t count;
    const char* label;
    size_t buckets;
    absl::Duration step;
    const char* last;
  };
  const Case cases[] = {
      {5, "minute_second", 300, absl::Seconds(1), "2026-01-31T10:20:30Z"},
      {15, "minute_minute", 15, absl::Minutes(1), "2026-01-31T10:20:00Z"},
      {1, "hour_minute", 60, absl::Minutes(1), "2026-01-31T10:20:00Z"},
      {1, "day_hour", 24, absl::Hours(1), "2026-01-31T10:00:00Z"},
      {7, "day_day", 7, absl::Hours(24), "2026-01-31T00:00:00Z"},
      {3, "second_second", 3, absl::Seconds(1), "2026-01-31T10:20:30Z"},
      {2, "hour_second", 7'200, absl::Seconds(1), "2026-01-31T10:20:30Z"},
      {10'000, "second_second", 10'000, absl::Seconds(1), "2026-01-31T10:20:30Z"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.count, c.label);
    const auto starts = IntervalBucketer::Generate(c.count, c.label, At("2026-01-31T10:20:30.999999Z"));
    REQUIRE(starts.ok());
    REQUIRE(starts->size() == c.buckets);
    CHECK(starts->back() == At(c.last));
    for (size_t i = 1; i < starts->size(); ++i) REQUIRE((*starts)[i] - (*starts)[i - 1] == c.step);
  }
}

TEST_CASE("a bucket begins on its boundary, and before 1970 too") {
  CHECK(IntervalBucketer::Generate(1, "hour_hour", At("2026-01-31T10:00:00Z"))->back() == At("2026-01-31T10:00:00Z"));
  CHECK(IntervalBucketer::Generate(1, "hour_hour", At("2026-01-31T09:59:59.999Z"))->back() ==
        At("2026-01-31T09:00:00Z"));
  CHECK(IntervalBucketer::Generate(1, "day_day", At("1969-12-31T23:59:59.5Z"))->back() == At("1969-12-31T00:00:00Z"));
}

TEST_CASE("a day in which clocks change has 24 hours: buckets are UTC's") {
  const auto starts = IntervalBucketer::Generate(1, "day_hour", At("2026-03-29T12:00:00+02:00"));
  CHECK(starts->size() == 24);
  CHECK(starts->back() - starts->front() == absl::Hours(23));
}

TEST_CASE("invalid labels and counts are rejected, and the message lists valid ones") {
  struct Case {
    int64_t count;
    const char* label;
    const char* message;
  };
  const char* const unknown =
      " is unknown; it is UNIT_STEP, each one of second, minute, hour, day, such as \"day_hour\"";
  const Case cases[] = {
      {1, "", unknown},
      {1, "day", unknown},
      {1, "_", unknown},
      {1, "day_", unknown},
      {1, "week_day", unknown},
      {1, "DAY_HOUR", unknown},
      {1, "day_hour_minute", unknown},
      {1, " day_hour", unknown},
      {1, "hour_day", "bucket label \"hour_day\" has a step longer than its unit; the longer one goes first"},
      {0, "day_hour", "bucket count must be at least 1, is 0"},
      {-1, "day_hour", "bucket count must be at least 1, is -1"},
      {10'001, "second_second", "10001 of \"second_second\" makes more than 10000 buckets; at most 10000 fit"},
      {1, "day_second", "1 of \"day_second\" makes more than 10000 buckets; at most 0 fit"},
      {INT64_MAX, "day_hour", "makes more than 10000 buckets; at most 416 fit"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.count, c.label);
    const auto starts = IntervalBucketer::Generate(c.count, c.label, absl::UnixEpoch());
    REQUIRE(starts.status().code() == absl::StatusCode::kInvalidArgument);
    CAPTURE(base::Message(starts.status()));
    CHECK(base::Message(starts.status()).ends_with(c.message));
  }
}

}  // namespace
}  // namespace logquery
