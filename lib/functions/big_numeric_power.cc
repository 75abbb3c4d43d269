// POW and SQRT on BIGNUMERIC.
#include <utility>

#include "lib/base/strings.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/model/big_numeric.h"

namespace logquery::functions {
namespace {

using base::BigInteger;
using base::StrCat;
using model::BigNumericOne;

// The greatest integer whose square is not above the number.
BigInteger SquareRoot(const BigInteger& number) {
  if (number.Sign() == 0) return 0;
  // Newton's steps from above; they fall until they have it.
  BigInteger root = BigInteger::PowerOfTwo((number.Bits() + 1) / 2);
  while (true) {
    BigInteger next = (root + number / root) / 2;
    if (next >= root) return root;
    root = std::move(next);
  }
}

// A positive number as mantissa × 2^exponent, of as many bits as a power of 256 bits needs and some for what it loses.
class Approximate {
 public:
  static constexpr int kBits = 448;

  Approximate(BigInteger mantissa, int64_t exponent) : mantissa_(std::move(mantissa)), exponent_(exponent) {
    const int extra = mantissa_.Bits() - kBits;
    if (extra > 0) {
      mantissa_ = mantissa_ / BigInteger::PowerOfTwo(extra);
    } else if (extra < 0) {
      mantissa_ *= BigInteger::PowerOfTwo(-extra);
    }
    exponent_ += extra;
  }

  Approximate Times(const Approximate& other) const {
    return {mantissa_ * other.mantissa_, exponent_ + other.exponent_};
  }
  Approximate Over(const Approximate& other) const {
    return {mantissa_ * BigInteger::PowerOfTwo(kBits) / other.mantissa_, exponent_ - other.exponent_ - kBits};
  }
  Approximate Root() const {
    const int shift = kBits + (exponent_ % 2 == 0 ? 0 : 1);
    return {SquareRoot(mantissa_ * BigInteger::PowerOfTwo(shift)), (exponent_ - shift) / 2};
  }

  // About log2 of it.
  int64_t Log2() const { return exponent_ + kBits; }
  // Returns the number times 10^38, as an integer. It is far smaller than the limit of BIGNUMERIC.
  BigInteger Scaled() const {
    const BigInteger scaled = mantissa_ * BigNumericOne();
    return exponent_ >= 0 ? scaled * BigInteger::PowerOfTwo(static_cast<int>(exponent_))
                          : RoundedQuotient(scaled, BigInteger::PowerOfTwo(static_cast<int>(-exponent_)));
  }

 private:
  BigInteger mantissa_;
  int64_t exponent_;
};

// Beyond this exponent a number is too large for BIGNUMERIC, or 0, and its exact value no longer matters.
constexpr int64_t kFarAway = 1024;
bool IsFarAway(const Approximate& number) { return number.Log2() > kFarAway || number.Log2() < -kFarAway; }

// base^exponent of a whole exponent, by squares.
Approximate WholePower(Approximate square, BigInteger exponent) {
  Approximate power(1, 0);
  while (exponent.Sign() > 0 && !IsFarAway(power)) {
    if (exponent.IsOdd()) power = power.Times(square);
    exponent = exponent / 2;
    // The square of what is far away goes into the power in the end, as there is a bit left.
    if (!IsFarAway(square)) square = square.Times(square);
  }
  return power;
}

// base^(fraction × 10^-38) of a fraction below 1: the product of the roots that its bits stand for.
Approximate FractionPower(Approximate root, BigInteger fraction) {
  Approximate power(1, 0);
  for (int bit = 0; bit < Approximate::kBits && fraction.Sign() > 0; ++bit) {
    root = root.Root();
    fraction *= 2;
    if (fraction < BigNumericOne()) continue;
    power = power.Times(root);
    fraction -= BigNumericOne();
  }
  return power;
}

absl::Status PowerError(const Row& in, std::string_view what) {
  return absl::OutOfRangeError(
      StrCat(what, ": POW(", model::BigNumericText(in.Text(0)), ", ", model::BigNumericText(in.Text(1)), ")"));
}

absl::Status Pow(const Row& in, Output& out) {
  const BigInteger number = in.Big(0), exponent = in.Big(1);
  const BigInteger whole = exponent.Abs() / BigNumericOne(), fraction = exponent.Abs() % BigNumericOne();
  if (exponent.Sign() == 0) return out.Big(BigNumericOne());
  if (number.Sign() == 0) return exponent.Sign() > 0 ? out.Big(0) : PowerError(in, "division by zero");
  if (number.Sign() < 0 && fraction.Sign() != 0) {
    return PowerError(in, "a negative number has no power of a fraction");
  }
  const bool negative = number.Sign() < 0 && whole.IsOdd();
  if (number.Abs() == BigNumericOne()) return out.Big(negative ? -BigNumericOne() : BigNumericOne());
  const Approximate base = Approximate(number.Abs(), 0).Over(Approximate(BigNumericOne(), 0));
  Approximate power = WholePower(base, whole).Times(FractionPower(base, fraction));
  if (exponent.Sign() < 0) power = Approximate(1, 0).Over(power);
  if (power.Log2() < -kFarAway) return out.Big(0);
  if (power.Log2() > kFarAway) return PowerError(in, "BIGNUMERIC overflow");
  const BigInteger scaled = power.Scaled();
  return out.Big(negative ? -scaled : scaled).ok() ? absl::OkStatus() : PowerError(in, "BIGNUMERIC overflow");
}

absl::Status Sqrt(const Row& in, Output& out) {
  const BigInteger number = in.Big(0);
  if (number.Sign() < 0) {
    return absl::OutOfRangeError(StrCat("SQRT takes no negative number: ", model::BigNumericText(in.Text(0))));
  }
  // The root has one additional bit, from which it is rounded.
  return out.Big((SquareRoot(number * BigNumericOne() * 4) + 1) / 2);
}

constexpr FunctionEntry kEntries[] = {
    {"lq_big_pow", "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", Pow, "POW POWER"},
    {"lq_big_sqrt", "(BIGNUMERIC) -> BIGNUMERIC", Sqrt, "SQRT"},
};

}  // namespace

FunctionEntries BigNumericPowers() { return kEntries; }

}  // namespace logquery::functions
