#include "lib/base/big_integer.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <utility>

namespace logquery::base {
namespace {

TEST_CASE("BigInteger supports the arithmetic operators of int") {
  const BigInteger large = BigInteger::OfDigits("123456789012345678901234567890");
  CHECK((large * large).Digits() == "15241578753238836750495351562536198787501905199875019052100");
  CHECK((large + 1).Digits() == "123456789012345678901234567891");
  CHECK((1 - large).Digits() == "123456789012345678901234567889");
  CHECK((1 - large).Sign() == -1);
  CHECK((large / -7).Digits() == "17636684144620811271604938270");
  CHECK((large / -7).Sign() == -1);
  CHECK(-large % 7 == 0);
  CHECK(BigInteger(-7) % 4 == -3);
  CHECK(-large < large);
  CHECK(-large < BigInteger(0));
  CHECK(BigInteger() == 0);
  CHECK(-BigInteger(0) == 0);
}

TEST_CASE("a number keeps its value when it is copied, moved or assigned to itself") {
  BigInteger number = 5;
  BigInteger copy = number;
  copy += 1;
  CHECK(number == 5);
  BigInteger& same = number;
  number = same;
  CHECK(number == 5);
  number = std::move(copy);
  CHECK(number == 6);
}

TEST_CASE("int64_t's ends, digits and bytes") {
  CHECK(BigInteger(std::numeric_limits<int64_t>::min()).Digits() == "9223372036854775808");
  CHECK(BigInteger(std::numeric_limits<int64_t>::min()).Sign() == -1);
  CHECK(BigInteger::OfDigits("") == 0);
  CHECK(BigInteger::OfDigits("007").Digits() == "7");
  CHECK(BigInteger::OfBytes(std::string_view("\x01\x00", 2)) == 256);
  char bytes[3];
  BigInteger(258).WriteBytes(bytes, 3);
  CHECK(std::string_view(bytes, 3) == std::string_view("\x00\x01\x02", 3));
  CHECK(BigInteger(0).Bits() == 0);
  CHECK(BigInteger(-256).Bits() == 9);
  CHECK(BigInteger(-3).IsOdd());
  CHECK(BigInteger::PowerOfTen(20).Digits() == "100000000000000000000");
  CHECK(BigInteger::PowerOfTwo(70).Digits() == "1180591620717411303424");
}

TEST_CASE("rounded quotients go half away from zero") {
  struct Case {
    int64_t numerator, divisor, quotient;
  };
  for (const Case& c : {Case{5, 2, 3}, Case{-5, 2, -3}, Case{5, -2, -3}, Case{4, 3, 1}, Case{-4, -3, 1},
                        Case{-5, 3, -2}, Case{0, 9, 0}, Case{1, 3, 0}}) {
    CAPTURE(c.numerator, c.divisor);
    CHECK(RoundedQuotient(c.numerator, c.divisor) == c.quotient);
  }
}

}  // namespace
}  // namespace logquery::base
