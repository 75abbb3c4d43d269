// PERCENTILE_CONT and PERCENTILE_DISC as parts: the places of the rows that a fraction falls on, and the value between two
// rows. The places are exact for any fraction of 38 digits.
#include <limits>

#include "lib/base/status_macros.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/functions/numeric_units.h"
#include "lib/model/big_numeric.h"

namespace logquery::functions {
namespace {

using base::BigInteger;
using model::BigNumericOne;

// The values of $percentile_row's last argument.
enum class Place : int64_t { kBelow = 0, kAbove = 1, kDiscrete = 2 };

absl::Status CheckFraction(const BigInteger& fraction) {
  if (fraction.Sign() >= 0 && fraction <= BigNumericOne()) return absl::OkStatus();
  return absl::InvalidArgumentError("PERCENTILE_CONT and PERCENTILE_DISC take a fraction between 0 and 1");
}

// The place of a fraction between the first row, 0, and the last one, times 10^38.
BigInteger IndexOf(const Row& in, size_t rows, size_t fraction) { return in.Big(fraction) * (in.Int(rows) - 1); }

int64_t ToInt(const BigInteger& small) {
  char bytes[sizeof(uint64_t)];
  small.WriteBytes(bytes, sizeof(bytes));
  uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return static_cast<int64_t>(number);
}

// The place of a row from 1, of so many rows; NULL of none.
absl::Status RowOf(const Row& in, Output& out) {
  const int64_t rows = in.Int(0);
  LOGQUERY_RETURN_IF_ERROR(CheckFraction(in.Big(1)));
  if (rows < 1) return absl::OkStatus();
  const auto place = static_cast<Place>(in.Int(2));
  const BigInteger exact = place == Place::kDiscrete ? in.Big(1) * rows : IndexOf(in, 0, 1);
  const BigInteger below = exact / BigNumericOne();
  const bool is_between = (exact % BigNumericOne()).Sign() != 0;
  const int64_t row = ToInt(below) + (is_between && place != Place::kBelow ? 1 : 0);
  return out.Int(place == Place::kDiscrete ? (row < 1 ? 1 : row) : row + 1);
}

// Returns the weight of the upper row, which is how near the fraction is to it, times 10^38.
BigInteger UpperWeight(const Row& in) { return IndexOf(in, 2, 3) % BigNumericOne(); }

BigInteger Between(const BigInteger& lower, const BigInteger& upper, const BigInteger& weight) {
  return RoundedQuotient(lower * (BigNumericOne() - weight) + upper * weight, BigNumericOne());
}

// A row that is NULL, which is one of the first with RESPECT NULLS, leaves the other's value.
template <typename Pass, typename Interpolate>
absl::Status Give(const Row& in, Pass pass, Interpolate interpolate) {
  if (in.IsNull(2) || in.IsNull(3) || (in.IsNull(0) && in.IsNull(1))) return absl::OkStatus();
  if (in.IsNull(0)) return pass(1);
  const BigInteger weight = UpperWeight(in);
  if (in.IsNull(1) || weight.Sign() == 0) return pass(0);
  return interpolate(weight);
}

absl::Status OfNumeric(const Row& in, Output& out) {
  return Give(
      in, [&](size_t i) { return out.Numeric(in.Numeric(i)); },
      [&](const BigInteger& weight) {
        return out.Numeric(Between(BigUnits(NumericUnits(in, 0)), BigUnits(NumericUnits(in, 1)), weight));
      });
}

absl::Status OfBigNumeric(const Row& in, Output& out) {
  return Give(
      in, [&](size_t i) { return out.Big(in.Big(i)); },
      [&](const BigInteger& weight) { return out.Big(Between(in.Big(0), in.Big(1), weight)); });
}

absl::Status OfFloat(const Row& in, Output& out) {
  return Give(
      in, [&](size_t i) { return out.Float(in.Float(i)); },
      [&](const BigInteger& weight) {
        // 15 digits of the weight are as many as its FLOAT64 has.
        const BigInteger digits = weight / BigInteger::PowerOfTen(model::kBigNumericScale - 15);
        const double upper = static_cast<double>(ToInt(digits)) / 1e15;
        return out.Float(in.Float(0) * (1 - upper) + in.Float(1) * upper);
      });
}

constexpr FunctionEntry kEntries[] = {
    {"lq_percentile_row", "(INT64, BIGNUMERIC, INT64) -> INT64", RowOf, "$percentile_row"},
    {"lq_numeric_percentile", "(NUMERIC, NUMERIC, INT64, BIGNUMERIC) -> NUMERIC", OfNumeric, "$percentile",
     Nulls::kAreTaken},
    {"lq_big_percentile", "(BIGNUMERIC, BIGNUMERIC, INT64, BIGNUMERIC) -> BIGNUMERIC", OfBigNumeric, "$percentile",
     Nulls::kAreTaken},
    {"lq_float_percentile", "(FLOAT64, FLOAT64, INT64, BIGNUMERIC) -> FLOAT64", OfFloat, "$percentile",
     Nulls::kAreTaken},
};

}  // namespace

FunctionEntries PercentileFunctions() { return kEntries; }

}  // namespace logquery::functions
