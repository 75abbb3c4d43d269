#include "lib/model/decimal_text.h"

#include <catch2/catch_test_macros.hpp>

namespace logquery::model {
namespace {

std::string Text(Int128 number, int scale) {
  std::string out;
  AppendDecimal(number, scale, out);
  return out;
}

TEST_CASE("digits go to an integer and back") {
  struct Case {
    const char* digits;
    int scale;
    const char* back;
  };
  const Case cases[] = {
      {"0", 9, "0"},
      {"-0", 9, "0"},
      {"1", 9, "1"},
      {"-12.5", 9, "-12.5"},
      {"+3.10", 9, "3.1"},
      {".5", 9, "0.5"},
      {"5.", 9, "5"},
      {"100", 0, "100"},
      {"0.000000001", 9, "0.000000001"},
      {"-0.01", 2, "-0.01"},
      {"10", 9, "10"},
      {"1200.00", 9, "1200"},
      {"99999999999999999999999999999.999999999", 9, "99999999999999999999999999999.999999999"},
      {"-99999999999999999999999999999.999999999", 9, "-99999999999999999999999999999.999999999"},
      {"0.00000000000000000000000000000000000001", 38, "0.00000000000000000000000000000000000001"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.digits);
    const auto number = ParseDecimal(c.digits, c.scale);
    REQUIRE(number.has_value());
    CHECK(Text(*number, c.scale) == c.back);
  }
}

TEST_CASE("the least of all 128-bit integers prints") {
  CHECK(Text({0, INT64_MIN}, 0) == "-170141183460469231731687303715884105728");
}

TEST_CASE("text that is not a number, or has too many digits, is not parsed as a decimal") {
  for (const char* digits : {"", "-", ".", "1e5", "1 ", " 1", "--1", "1.2.3", "0x1", "1.0000000001", "NaN",
                             "170141183460469231731687303715"
                             "884105728"}) {
    CAPTURE(digits);
    CHECK_FALSE(ParseDecimal(digits, 9).has_value());
  }
}

}  // namespace
}  // namespace logquery::model
