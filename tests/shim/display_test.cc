#include "shim/observe/display.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstdio>
#include <random>

namespace logquery::shim {
namespace {

TEST_CASE("fast formatting of log times matches the library's") {
  const uint32_t seed = 20'260'304;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 1'000; ++i) {
    const auto micros = static_cast<int64_t>(random() % 1'000'000'000'000) - 1'000'000;
    char expected[64];
    std::snprintf(expected, sizeof(expected), "%.3f", static_cast<double>(micros) / 1'000);
    CHECK(MillisecondsText(absl::Microseconds(micros)) == expected);
    const absl::Time time = absl::FromUnixMicros(static_cast<int64_t>(random() % 253'402'300'799'999'999));
    CHECK(UtcText(time) == absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ", time, absl::UTCTimeZone()));
  }
  CHECK(MillisecondsText(absl::ZeroDuration()) == "0.000");
  CHECK(MillisecondsText(absl::Nanoseconds(1'499)) == "0.001");
  CHECK(MillisecondsText(absl::Nanoseconds(1'500)) == "0.002");
  CHECK(MillisecondsText(absl::Nanoseconds(-1)) == "0.000");
  CHECK(MillisecondsText(absl::Microseconds(-7)) == "-0.007");
}

TEST_CASE("width is counted in a terminal's columns") {
  CHECK(DisplayWidth("abc") == 3);
  CHECK(DisplayWidth("größe") == 5);
  CHECK(DisplayWidth("大阪市") == 6);
  CHECK(DisplayWidth("e\xCC\x81") == 1);
}

TEST_CASE("a cell stays on its line and within its width") {
  CHECK(OneLine("abc", 3) == "abc");
  CHECK(OneLine("abcd", 3) == "ab…");
  CHECK(OneLine("大阪市", 5) == "大阪…");
  CHECK(OneLine("大阪市", 4) == "大…");
  CHECK(OneLine("a\nb\x1b[31m", 20) == "a␊b␛[31m");
  CHECK(OneLine("x\xE2\x80\xAEy\xff", 20) == "x\xEF\xBF\xBDy\xEF\xBF\xBD");
  CHECK(OneLine("", 5).empty());
}

}  // namespace
}  // namespace logquery::shim
