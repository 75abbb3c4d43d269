// RANGE frames on BIGNUMERIC. DuckDB finds the ends of frames only with numbers of at most 128 bits.
//
// Therefore a number is mapped to an integer that keeps the order of the numbers, although there are fewer such
// integers. It is built like a floating-point number, from an exponent of ten and the number's first 36 digits.
#include <algorithm>

#include "lib/base/strings.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/model/big_numeric.h"

namespace logquery::functions {
namespace {

using base::BigInteger;

constexpr int kMantissaDigits = 36;

struct Place {
  BigInteger below;    // of the greatest number of a place of its own that is not above
  bool exact = false;  // that number itself
};

Place PlaceOf(const BigInteger& number) {
  const int exponent = std::max(0, static_cast<int>(number.Digits().size()) - kMantissaDigits);
  const BigInteger unit = BigInteger::PowerOfTen(exponent);
  const BigInteger mantissa = number / unit;
  Place place;
  place.exact = mantissa * unit == number;
  // Except for the exponent 0, a mantissa's first digit is not 0. So each exponent has nine tenths of a mantissa's
  // numbers, and its places continue those of the exponent before it. 42 exponents have fewer than 10^38 places, as
  // many as a decimal has.
  place.below = mantissa + BigInteger::PowerOfTen(kMantissaDigits - 1) * 9 * exponent * (number.Sign() < 0 ? -1 : 1);
  if (number.Sign() < 0 && !place.exact) place.below -= 1;
  return place;
}

absl::Status KeyPlace(const Row& in, Output& out) {
  const Place place = PlaceOf(in.Big(0));
  if (!place.exact) {
    return absl::UnimplementedError(base::StrCat("RANGE with an offset over a BIGNUMERIC of more than 36 digits: ",
                                                 model::BigNumericText(in.Text(0))));
  }
  return out.Numeric(place.below);
}

// Returns the place of key + offset or key - offset. If that value has no place of its own, returns the next one above
// or below.
absl::Status BoundPlace(const Row& in, Output& out) {
  const BigInteger key = in.Big(0), offset = in.Big(1);
  const Place place = PlaceOf(in.Bool(2) ? key + offset : key - offset);
  const bool up = in.Bool(3) && !place.exact;
  return out.Numeric(place.below + (up ? 1 : 0));
}

constexpr FunctionEntry kEntries[] = {
    {"lq_big_place", "(BIGNUMERIC) -> NUMERIC", KeyPlace},
    {"lq_big_bound", "(BIGNUMERIC, BIGNUMERIC, BOOL, BOOL) -> NUMERIC", BoundPlace},
};

}  // namespace

FunctionEntries BigNumericRanges() { return kEntries; }

}  // namespace logquery::functions
