// NUMERIC arithmetic whose intermediate results may exceed 128 bits, which is what DuckDB's decimals have: a product of
// two values has 18 digits after the point before it is rounded to 9. Values that fit are computed with 128 bits.
#include <cstdlib>
#include <limits>

#include "absl/numeric/int128.h"
#include "lib/base/strings.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/functions/numeric_units.h"
#include "lib/model/decimal_text.h"

namespace logquery::functions {
namespace {

using absl::int128;
using base::BigInteger;
using base::StrCat;

std::string TextOf(const Row& in, size_t i) {
  std::string text;
  model::AppendDecimal(in.Numeric(i), model::kNumericScale, text);
  return text;
}

absl::Status Overflow(std::string_view what) { return absl::OutOfRangeError(StrCat("NUMERIC overflow: ", what)); }

absl::Status OverflowOf(const Row& in, std::string_view op) {
  return Overflow(StrCat(TextOf(in, 0), " ", op, " ", TextOf(in, 1)));
}

absl::Status DivisionByZero(const Row& in) {
  return absl::OutOfRangeError(StrCat("division by zero: ", TextOf(in, 0), " / 0"));
}

bool FitsInt64(int128 x) {
  return x >= std::numeric_limits<int64_t>::min() && x <= std::numeric_limits<int64_t>::max();
}

int128 Magnitude(int128 x) { return x < 0 ? -x : x; }

// Rounds half away from zero. |numerator| is at most 2^126.
int128 Rounded(int128 numerator, int128 divisor) {
  const int128 quotient = numerator / divisor, rest = Magnitude(numerator % divisor);
  if (rest < Magnitude(divisor) - rest) return quotient;
  return (numerator < 0) == (divisor < 0) ? quotient + 1 : quotient - 1;
}

absl::Status Multiply(const Row& in, Output& out) {
  const int128 a = NumericUnits(in, 0), b = NumericUnits(in, 1);
  if (FitsInt64(a) && FitsInt64(b)) return GiveUnits(Rounded(a * b, kNumericOne), out);
  const BigInteger product = RoundedQuotient(BigUnits(a) * BigUnits(b), BigUnits(kNumericOne));
  return product.Abs() < BigUnits(kNumericLimit) ? out.Numeric(product) : OverflowOf(in, "*");
}

absl::Status Divide(const Row& in, Output& out) {
  const int128 a = NumericUnits(in, 0), b = NumericUnits(in, 1);
  if (b == 0) return DivisionByZero(in);
  if (Magnitude(a) < kNumericLimit / kNumericOne) {
    const int128 quotient = Rounded(a * kNumericOne, b);
    return Magnitude(quotient) < kNumericLimit ? GiveUnits(quotient, out) : OverflowOf(in, "/");
  }
  const BigInteger quotient = RoundedQuotient(BigUnits(a) * BigUnits(kNumericOne), BigUnits(b));
  return quotient.Abs() < BigUnits(kNumericLimit) ? out.Numeric(quotient) : OverflowOf(in, "/");
}

absl::Status Div(const Row& in, Output& out) {
  const int128 b = NumericUnits(in, 1);
  if (b == 0) return DivisionByZero(in);
  const int128 quotient = NumericUnits(in, 0) / b;
  if (Magnitude(quotient) >= kNumericLimit / kNumericOne) return OverflowOf(in, "/");
  return GiveUnits(quotient * kNumericOne, out);
}

absl::Status Mod(const Row& in, Output& out) {
  const int128 b = NumericUnits(in, 1);
  return b == 0 ? DivisionByZero(in) : GiveUnits(NumericUnits(in, 0) % b, out);
}

// The unit of so many places after the point, or before it; 0: it is more than twice as large as any NUMERIC.
int128 UnitOf(int64_t places) {
  if (places < model::kNumericScale - kNumericDigits) return 0;
  int128 unit = 1;
  for (int64_t i = places; i < model::kNumericScale; ++i) unit *= 10;
  return unit;
}

// ROUND(x, places, mode)
absl::Status Round(const Row& in, Output& out) {
  const int128 number = NumericUnits(in, 0), unit = UnitOf(in.Int(1));
  const std::string_view mode = in.Text(2);
  const bool even = mode == "ROUND_HALF_EVEN";
  if (!even && mode != "ROUND_HALF_AWAY_FROM_ZERO") {
    return absl::InvalidArgumentError(
        StrCat("ROUND takes the mode ROUND_HALF_EVEN or ROUND_HALF_AWAY_FROM_ZERO, not ", mode.substr(0, 40)));
  }
  if (unit == 0) return GiveUnits(0, out);
  int128 units = Rounded(number, unit);
  const int128 rest = Magnitude(number % unit);
  if (even && rest != 0 && rest == unit - rest && units % 2 != 0) units -= number < 0 ? -1 : 1;
  if (Magnitude(units) >= kNumericLimit / unit) return Overflow(StrCat("ROUND(", TextOf(in, 0), ", ", in.Int(1), ")"));
  return GiveUnits(units * unit, out);
}

absl::Status Trunc(const Row& in, Output& out) {
  const int128 number = NumericUnits(in, 0), unit = UnitOf(in.Int(1));
  return GiveUnits(unit == 0 ? int128(0) : number - number % unit, out);
}

constexpr FunctionEntry kEntries[] = {
    {"lq_numeric_multiply", "(NUMERIC, NUMERIC) -> NUMERIC", Multiply, "$multiply"},
    {"lq_numeric_divide", "(NUMERIC, NUMERIC) -> NUMERIC", Divide, "$divide"},
    {"lq_numeric_div", "(NUMERIC, NUMERIC) -> NUMERIC", Div, "DIV"},
    {"lq_numeric_mod", "(NUMERIC, NUMERIC) -> NUMERIC", Mod, "MOD"},
    {"lq_numeric_round", "(NUMERIC, INT64, STRING) -> NUMERIC", Round},
    {"lq_numeric_trunc", "(NUMERIC, INT64) -> NUMERIC", Trunc},
};

}  // namespace

FunctionEntries NumericFunctions() { return kEntries; }

}  // namespace logquery::functions
