// Sums and averages of NUMERIC, from the sums of integer and fractional parts that DuckDB computes.
#include <algorithm>
#include <string>

#include "lib/base/big_integer.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/model/decimal_text.h"

namespace logquery::functions {
namespace {

using base::BigInteger;

// A decimal's digits without its point.
BigInteger UnitsOf(std::string_view decimal) {
  std::string digits(decimal);
  digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
  const bool negative = digits.starts_with('-');
  const BigInteger number = BigInteger::OfDigits(std::string_view(digits).substr(negative ? 1 : 0));
  return negative ? -number : number;
}

// Argument 0 is a sum of whole numbers, argument 1 one of fractions with nine digits after the point. Times 10^9.
BigInteger TotalOf(const Row& in) {
  return UnitsOf(in.Text(0)) * BigInteger::PowerOfTen(model::kNumericScale) + UnitsOf(in.Text(1));
}

absl::Status Sum(const Row& in, Output& out) {
  const BigInteger total = TotalOf(in);
  if (total.Abs() >= BigInteger::PowerOfTen(38)) return absl::OutOfRangeError("NUMERIC overflow: SUM");
  return out.Numeric(total);
}

// Of no numbers NULL, as their sums are.
absl::Status Average(const Row& in, Output& out) { return out.Numeric(RoundedQuotient(TotalOf(in), in.Int(2))); }

constexpr FunctionEntry kEntries[] = {
    {"lq_numeric_sum", "(STRING, STRING) -> NUMERIC", Sum},
    {"lq_numeric_average", "(STRING, STRING, INT64) -> NUMERIC", Average},
};

}  // namespace

FunctionEntries NumericAggregates() { return kEntries; }

}  // namespace logquery::functions
