// Sums and averages of NUMERIC, from the sums of integer and fractional parts that DuckDB computes, and averages of
// INT64 from an exact sum.
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

// Returns NULL for no numbers, as SUM does.
absl::Status Average(const Row& in, Output& out) { return out.Numeric(RoundedQuotient(TotalOf(in), in.Int(2))); }

// Sums of INT64 have fewer, for as many rows as there can be.
constexpr size_t kMaxSumDigits = 38;

// Computes an average from the sum's decimal text and the count. The quotient is rounded once more than necessary, in
// the way of DuckDB's avg, so that both return the same number.
absl::Status IntegerAverage(const Row& in, Output& out) {
  if (in.Int(1) == 0) return absl::OkStatus();
  const std::string_view digits = in.Text(0).substr(in.Text(0).starts_with('-') ? 1 : 0);
  const bool is_number = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (!is_number || digits.size() > kMaxSumDigits) return absl::InternalError("AVG: the sum is no whole number");
  const BigInteger sum = UnitsOf(in.Text(0));
  unsigned char bytes[16];
  sum.WriteBytes(reinterpret_cast<char*>(bytes), sizeof(bytes));
  long double wide = 0;
  for (const unsigned char byte : bytes) wide = wide * 256 + byte;
  const long double quotient = wide / static_cast<long double>(in.Int(1));
  return out.Float(static_cast<double>(sum.Sign() < 0 ? -quotient : quotient));
}

constexpr FunctionEntry kEntries[] = {
    {"lq_numeric_sum", "(STRING, STRING) -> NUMERIC", Sum},
    {"lq_numeric_average", "(STRING, STRING, INT64) -> NUMERIC", Average},
    {"lq_integer_average", "(STRING, INT64) -> FLOAT64", IntegerAverage},
};

}  // namespace

FunctionEntries NumericAggregates() { return kEntries; }

}  // namespace logquery::functions
