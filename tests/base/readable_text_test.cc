#include "lib/base/readable_text.h"

#include <catch2/catch_test_macros.hpp>

namespace logquery::base {
namespace {

TEST_CASE("numbers, sizes and times as people read them") {
  CHECK(WithCommas(0) == "0");
  CHECK(WithCommas(999) == "999");
  CHECK(WithCommas(1'000) == "1,000");
  CHECK(WithCommas(-1'234'567) == "-1,234,567");
  CHECK(WithCommas(-123) == "-123");
  CHECK(Counted(0, "row") == "0 rows");
  CHECK(Counted(1, "row") == "1 row");
  CHECK(Counted(size_t{1'234}, "rejected event") == "1,234 rejected events");
  CHECK(BytesText(999) == "999 B");
  CHECK(BytesText(1'400'000'000) == "1.4 GB");
  CHECK(BytesText(25'000'000'000'000) == "25 TB");
  CHECK(DurationText(absl::Milliseconds(38)) == "38 ms");
  CHECK(DurationText(absl::Milliseconds(4'200)) == "4.2 s");
  CHECK(DurationText(absl::Seconds(185)) == "3 min 5 s");
  CHECK(DurationText(absl::Hours(2) + absl::Minutes(5)) == "2 h 5 min");
}

}  // namespace
}  // namespace logquery::base
