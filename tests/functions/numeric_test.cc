// NUMERIC arithmetic and casts over the whole range, against BigInteger on random values near the limits.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "lib/base/big_integer.h"
#include "lib/functions/evaluate.h"
#include "lib/functions/function_lists.h"

namespace logquery::functions {
namespace {

using base::BigInteger;

const BigInteger kOne = BigInteger::PowerOfTen(9);
const BigInteger kLimit = BigInteger::PowerOfTen(38);

absl::StatusOr<Value> Call(const char* name, const std::vector<Value>& arguments) {
  return Evaluate(*FindFunction(name), arguments, Type::Numeric());
}

std::string Digits(const BigInteger& units) {
  std::string digits = units.Digits();
  if (digits.size() < 10) digits.insert(0, 10 - digits.size(), '0');
  digits.insert(digits.size() - 9, ".");
  return (units.Sign() < 0 ? "-" : "") + digits;
}

BigInteger Units(const Value& numeric) {
  std::string digits = numeric.string_value();
  const bool negative = digits.starts_with('-');
  if (negative) digits.erase(0, 1);
  const size_t point = digits.find('.');
  const size_t places = point == std::string::npos ? 0 : digits.size() - point - 1;
  if (point != std::string::npos) digits.erase(point, 1);
  digits.append(9 - places, '0');
  const BigInteger units = BigInteger::OfDigits(digits);
  return negative ? -units : units;
}

// Integers of up to 38 digits, with many at the limits, at powers of ten and with few digits.
class Numbers {
 public:
  explicit Numbers(unsigned seed) : random_(seed) {}

  BigInteger Next() {
    const int digits = static_cast<int>(random_() % 39);
    BigInteger number = 0;
    switch (random_() % 4) {
      case 0:
        number = BigInteger::PowerOfTen(digits) - static_cast<int64_t>(random_() % 3);
        break;
      case 1:
        number = static_cast<int64_t>(random_() % 1'000);
        break;
      default:
        std::string text;
        for (int i = 0; i < digits; ++i) text += static_cast<char>('0' + random_() % 10);
        number = BigInteger::OfDigits(text);
    }
    if (number.Abs() >= kLimit) number = kLimit - 1;
    return random_() % 2 == 0 ? number : -number;
  }
  int64_t Places() { return static_cast<int64_t>(random_() % 45) - 33; }

 private:
  std::mt19937 random_;
};

// The result in units, if NUMERIC has it.
void Check(const char* name, const std::vector<Value>& arguments, const BigInteger& units) {
  const absl::StatusOr<Value> result = Call(name, arguments);
  INFO(name << " " << arguments[0].DebugString() << ", " << arguments[1].DebugString());
  if (units.Abs() >= kLimit) {
    CHECK(absl::IsOutOfRange(result.status()));
    return;
  }
  CAPTURE(result.status().ToString());
  REQUIRE(result.ok());
  CHECK(Units(*result) == units);
}

// Half away from zero, or to even, by its definition.
BigInteger RoundedUnits(const BigInteger& x, const BigInteger& unit, bool even) {
  BigInteger down = x.Abs() / unit;
  const BigInteger twice = (x.Abs() - down * unit) * 2;
  if (twice > unit || (twice == unit && (!even || down.IsOdd()))) down += 1;
  return x.Sign() < 0 ? -(down * unit) : down * unit;
}

TEST_CASE("NUMERIC results are exact up to the last number that the type has") {
  const unsigned seed = std::random_device()();
  CAPTURE(seed);
  Numbers numbers(seed);
  for (int i = 0; i < 5'000; ++i) {
    const BigInteger a = numbers.Next(), b = numbers.Next();
    const std::vector<Value> both = {Value::Numeric(Digits(a)), Value::Numeric(Digits(b))};
    Check("lq_numeric_multiply", both, RoundedQuotient(a * b, kOne));
    if (b.Sign() != 0) {
      Check("lq_numeric_divide", both, RoundedQuotient(a * kOne, b));
      Check("lq_numeric_div", both, a / b * kOne);
      Check("lq_numeric_mod", both, a % b);
    }
    const int64_t places = numbers.Places();
    const BigInteger unit = places >= 9 ? BigInteger(1) : BigInteger::PowerOfTen(static_cast<int>(9 - places));
    const Value x = both[0], n = Value::Int64(places);
    Check("lq_numeric_trunc", {x, n}, a / unit * unit);
    Check("lq_numeric_round", {x, n, Value::String("ROUND_HALF_AWAY_FROM_ZERO")}, RoundedUnits(a, unit, false));
    Check("lq_numeric_round", {x, n, Value::String("ROUND_HALF_EVEN")}, RoundedUnits(a, unit, true));
  }
}

TEST_CASE("the limits of a product are those of the type, not of a wider one") {
  const auto product = [](const char* a, const char* b) {
    const absl::StatusOr<Value> result = Call("lq_numeric_multiply", {Value::Numeric(a), Value::Numeric(b)});
    return result.ok() ? result->string_value() : std::string(result.status().message());
  };
  CHECK(product("10000000000", "10000000000") == "100000000000000000000");
  CHECK(product("99999999999999999999999999999.999999999", "1") == "99999999999999999999999999999.999999999");
  CHECK(product("99999999999999999999999999999.999999999", "1.000000001") ==
        "NUMERIC overflow: 99999999999999999999999999999.999999999 * 1.000000001");
  CHECK(product("0.000000001", "0.5") == "0.000000001");
  CHECK(product("-0.000000001", "0.4") == "0");
}

TEST_CASE("FLOAT64 becomes the NUMERIC nearest to it, and back") {
  const unsigned seed = std::random_device()();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 5'000; ++i) {
    const double x =
        std::ldexp(static_cast<double>(static_cast<int64_t>(random())), static_cast<int>(random() % 60) - 55);
    CAPTURE(x);
    if (std::fabs(x) >= 1e29) continue;
    int exponent = 0;
    const BigInteger mantissa = static_cast<int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
    const int shift = exponent - 53;
    const BigInteger units = shift >= 0 ? mantissa * BigInteger::PowerOfTwo(shift) * kOne
                                        : RoundedQuotient(mantissa * kOne, BigInteger::PowerOfTwo(-shift));
    const absl::StatusOr<Value> numeric = Call("lq_numeric_of_float", {Value::Float64(x)});
    REQUIRE(numeric.ok());
    CHECK(Units(*numeric) == units);
    const absl::StatusOr<Value> back = Evaluate(*FindFunction("lq_numeric_to_float"), {*numeric}, Type::Float64());
    REQUIRE(back.ok());
    CHECK(back->float64_value() == std::strtod(numeric->string_value().c_str(), nullptr));
  }
  CHECK_FALSE(Call("lq_numeric_of_float", {Value::Float64(1.1e29)}).ok());
  CHECK_FALSE(Call("lq_numeric_of_float", {Value::Float64(NAN)}).ok());
  CHECK(Call("lq_numeric_of_float", {Value::Float64(98765432.1)})->string_value() == "98765432.099999994");
}

TEST_CASE("NUMERIC is read from text, rounded half away from zero") {
  const auto read = [](const char* function, const char* text) {
    const absl::StatusOr<Value> result = Call(function, {Value::String(text)});
    return result.ok() ? result->string_value() : std::string(result.status().message());
  };
  CHECK(read("lq_numeric_of_text", " -12.5e3 ") == "-12500");
  CHECK(read("lq_numeric_of_text", "0.0000000005") == "0.000000001");
  CHECK(read("lq_numeric_of_text", "0.00000000049999999999999999999999999999999999999999") == "0");
  CHECK(read("lq_numeric_of_text", "99999999999999999999999999999.9999999994") ==
        "99999999999999999999999999999.999999999");
  CHECK(read("lq_numeric_of_text", "1e29") == "Bad NUMERIC value: \"1e29\"");
  CHECK(read("lq_numeric_of_text", "1_000") == "Bad NUMERIC value: \"1_000\"");
  CHECK(read("lq_numeric_of_text", "") == "Bad NUMERIC value: \"\"");
  CHECK(read("lq_numeric_parse", " - 1,2.34 ") == "-12.34");
  CHECK(read("lq_numeric_parse", "12.34e-1  +") == "1.234");
  CHECK(read("lq_numeric_parse", "1 2") == "Invalid input to PARSE_NUMERIC: \"1 2\"");
  CHECK(read("lq_numeric_parse", "- -1") == "Invalid input to PARSE_NUMERIC: \"- -1\"");
}

}  // namespace
}  // namespace logquery::functions
