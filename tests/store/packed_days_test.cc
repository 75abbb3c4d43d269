// The memory of which days have rows without packed records.
#include "lib/store/tables/packed_days.h"

#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "logquery/testing/fake_clock.h"

namespace logquery::store {
namespace {

constexpr absl::Time kNow = absl::FromUnixSeconds(1'700'000'000);
constexpr absl::Time kOpen = absl::FromUnixSeconds(1'699'833'600);  // the beginning of the day before
constexpr absl::Time kAlways = absl::InfinitePast();
constexpr absl::Time kEnd = absl::InfiniteFuture();

absl::Time DaysBefore(int days) { return kOpen - absl::Hours(24 * days); }

TEST_CASE("packed records are looked for in all days, until a row has none") {
  testing::FakeClock clock(kNow);
  PackedDays days(&clock);
  for (const std::optional<std::string>& project : {std::optional<std::string>(), std::optional<std::string>("p")}) {
    CAPTURE(project.value_or("all projects"));
    CHECK(days.From("t", project) == kAlways);
    days.NoteMissing("t", project, kAlways, kEnd);
    CHECK(days.From("t", project) == kOpen);
    // Nor has one of the open days.
    days.NoteMissing("t", project, kOpen, kEnd);
    CHECK(days.From("t", project) == kEnd);
    // Other rows may have one.
    CHECK(days.From("t", "q") == kAlways);
    CHECK(days.From("other", project) == kAlways);
  }
}

TEST_CASE("later days than those of a query may have packed records though its rows have none") {
  testing::FakeClock clock(kNow);
  PackedDays days(&clock);
  days.NoteMissing("t", "p", kAlways, DaysBefore(10) + absl::Hours(5));
  CHECK(days.From("t", "p") == DaysBefore(9));
  days.NoteMissing("t", "p", DaysBefore(9), DaysBefore(3));
  CHECK(days.From("t", "p") == DaysBefore(2));
  // Open days are not known by a query that reads them and closed ones.
  days.NoteMissing("t", "p", DaysBefore(2), kNow);
  CHECK(days.From("t", "p") == kOpen);
}

TEST_CASE("days without packed records are tried again, closed ones after a longer time than open ones") {
  testing::FakeClock clock(kNow);
  PackedDays days(&clock);
  days.NoteMissing("t", "open", kOpen, kEnd);
  days.NoteMissing("t", "closed", kAlways, kEnd);
  clock.Advance(PackedDays::kRest - absl::Seconds(1));
  CHECK(days.From("t", "open") == kEnd);
  clock.Advance(absl::Seconds(1));
  CHECK(days.From("t", "open") == kAlways);
  CHECK(days.From("t", "closed") == kOpen);
  clock.Advance(PackedDays::kRestOfClosedDays - PackedDays::kRest);
  CHECK(days.From("t", "closed") == kAlways);
}

TEST_CASE("projects without packed records are forgotten before they take much memory") {
  testing::FakeClock clock(kNow);
  PackedDays days(&clock);
  for (size_t i = 0; i <= PackedDays::kMostProjects; ++i) {
    days.NoteMissing("t", absl::StrCat("p", i), kAlways, kEnd);
  }
  CHECK(days.From("t", "p0") == kAlways);
  CHECK(days.From("t", absl::StrCat("p", PackedDays::kMostProjects)) == kOpen);
}

}  // namespace
}  // namespace logquery::store
