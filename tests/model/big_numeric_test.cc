#include "lib/model/big_numeric.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <vector>

namespace logquery::model {
namespace {

constexpr char kMost[] = "578960446186580977117854925043439539266.34992332820282019728792003956564819967";
constexpr char kLeast[] = "-578960446186580977117854925043439539266.34992332820282019728792003956564819968";

std::string BackFrom(std::string_view text, ExtraDigits extra = ExtraDigits::kRefused) {
  const auto bytes = ParseBigNumeric(text, extra);
  return bytes.has_value() ? BigNumericText(*bytes) : "none";
}

TEST_CASE("digits go to 32 bytes and back") {
  struct Case {
    const char* text;
    const char* back;
  };
  const Case cases[] = {
      {"0", "0"},
      {"-0", "0"},
      {"+1.50", "1.5"},
      {".5", "0.5"},
      {"5.", "5"},
      {"-12.5e1", "-125"},
      {"125E-3", "0.125"},
      {"1e+38", "100000000000000000000000000000000000000"},
      {kMost, kMost},
      {kLeast, kLeast},
      {"0.00000000000000000000000000000000000001", "0.00000000000000000000000000000000000001"},
      {"1e-38", "0.00000000000000000000000000000000000001"},
      {"0000000000000000000000000000000000000000000000000000000000000000000000000000000000001", "1"},
      {"1.10000000000000000000000000000000000000000000000000000000000", "1.1"},
      {"0e99999999999999999999999", "0"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(BackFrom(c.text) == c.back);
  }
}

TEST_CASE("text that is not a number, or out of range, is not parsed as BIGNUMERIC") {
  for (const char* text : {"", "-", ".", "1.2.3", "1e", "e5", "1e+", "0x1", "1 ", " 1", "nan", "--1", "1_000",
                           "578960446186580977117854925043439539266.34992332820282019728792003956564819968",
                           "-578960446186580977117854925043439539266.34992332820282019728792003956564819969", "1e39",
                           "1e999999999999999999999", "-1e77"}) {
    CAPTURE(text);
    CHECK(BackFrom(text) == "none");
    CHECK(BackFrom(text, ExtraDigits::kRounded) == "none");
  }
}

TEST_CASE("digits beyond the 38th are refused or rounded half away from zero") {
  struct Case {
    const char* text;
    const char* rounded;
  };
  const Case cases[] = {
      {"0.000000000000000000000000000000000000005", "0.00000000000000000000000000000000000001"},
      {"-0.000000000000000000000000000000000000005", "-0.00000000000000000000000000000000000001"},
      {"0.0000000000000000000000000000000000000049", "0"},
      {"1e-39", "0"},
      {"9e-40", "0"},
      {"1e-99999999999999999999", "0"},
      {"0.999999999999999999999999999999999999995", "1"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(BackFrom(c.text) == "none");
    CHECK(BackFrom(c.text, ExtraDigits::kRounded) == c.rounded);
  }
}

TEST_CASE("the bytes sort as the numbers do") {
  const std::vector<const char*> ascending = {kLeast, "-1e38", "-2", "-1",  "-1e-38", "0",  "1e-38",
                                              "1",    "1.5",   "2",  "256", "1e38",   kMost};
  std::vector<std::string> bytes;
  for (const char* text : ascending) bytes.push_back(*ParseBigNumeric(text, ExtraDigits::kRefused));
  for (const std::string& each : bytes) CHECK(each.size() == kBigNumericBytes);
  CHECK(std::is_sorted(bytes.begin(), bytes.end()));
  CHECK(std::adjacent_find(bytes.begin(), bytes.end()) == bytes.end());
}

}  // namespace
}  // namespace logquery::model
