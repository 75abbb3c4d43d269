// Helpers of BIGNUMERIC aggregates, whose sums DuckDB computes: split numbers into parts that fit INT64, and combine
// sums of such parts.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/model/big_numeric.h"

namespace logquery::functions {
namespace {

using base::BigInteger;
using base::StrCat;

// Bits in a part. Five of them hold a number and ten its square; the last has the sign.
constexpr int kPartBits = 52;

// A part of an integer in two's complement of 512 bits.
int64_t PartOf(const BigInteger& number, int64_t part) {
  constexpr int kBytes = 64;
  static const BigInteger& modulus = *new BigInteger(BigInteger::PowerOfTwo(8 * kBytes));
  std::array<char, kBytes> bytes;
  (number.Sign() < 0 ? modulus + number : number).WriteBytes(bytes.data(), kBytes);
  uint64_t value = 0;
  for (int bit = kPartBits - 1; bit >= 0; --bit) {
    const auto at = static_cast<size_t>(part * kPartBits + bit);
    // The sign lies above the bytes.
    const auto byte =
        static_cast<unsigned char>(at / 8 < kBytes ? bytes[kBytes - 1 - at / 8] : (number.Sign() < 0 ? '\xff' : '\0'));
    value = value << 1 | (byte >> at % 8 & 1);
  }
  return static_cast<int64_t>(value);
}

// The part as it is in all but the last of a number, which is negative where the number is.
int64_t SignedPart(const BigInteger& number, int64_t part, int64_t last) {
  const int64_t value = PartOf(number, part);
  const bool negative = part == last && number.Sign() < 0;
  return negative ? value - (int64_t{1} << kPartBits) : value;
}

absl::Status Part(const Row& in, Output& out) { return out.Int(SignedPart(in.Big(0), in.Int(1), 4)); }

absl::Status SquarePart(const Row& in, Output& out) {
  const BigInteger number = in.Big(0);
  return out.Int(SignedPart(number * number, in.Int(1), 9));
}

BigInteger OfSignedDigits(std::string_view digits) {
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  const BigInteger number = BigInteger::OfDigits(digits);
  return negative ? -number : number;
}

// The sum of numbers from the sums of their parts; nullopt: there are none.
absl::StatusOr<std::optional<BigInteger>> TotalOf(const Row& in, const TextList& sums) {
  BigInteger total;
  for (size_t i = sums.size(); i-- > 0;) {
    if (!sums[i].has_value()) return std::nullopt;
    // The total grows by a part each time.
    LOGQUERY_RETURN_IF_ERROR(in.Spend(sums.size() - i));
    total = total * BigInteger::PowerOfTwo(kPartBits) + OfSignedDigits(*sums[i]);
  }
  return total;
}

absl::Status Sum(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::optional<BigInteger> total, TotalOf(in, in.Texts(0)));
  if (!total.has_value()) return absl::OkStatus();
  return out.Big(*total).ok() ? absl::OkStatus() : absl::OutOfRangeError("BIGNUMERIC overflow: SUM");
}

absl::Status Average(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::optional<BigInteger> total, TotalOf(in, in.Texts(0)));
  if (!total.has_value()) return absl::OkStatus();
  return out.Big(RoundedQuotient(*total, in.Int(1)));
}

// numerator / divisor as a double; both are positive, or the first 0.
absl::StatusOr<double> Ratio(const BigInteger& numerator, const BigInteger& divisor) {
  // The quotient gets more digits than a double has.
  const int places = 25 + std::max(0, (divisor.Bits() - numerator.Bits()) * 3 / 10);
  const BigInteger quotient = RoundedQuotient(numerator * BigInteger::PowerOfTen(places), divisor);
  double ratio = 0;
  if (!absl::SimpleAtod(StrCat(quotient.Digits(), "e-", places), &ratio)) {
    return absl::InternalError("a quotient's digits are no number");
  }
  return ratio;
}

// Computes a variance from the sums of the numbers' parts and of their squares' parts, and the count of numbers.
absl::Status Variance(const Row& in, Output& out) {
  const std::string_view name = in.Text(0);
  const bool of_sample = !name.ends_with("_POP");
  const BigInteger count = in.Int(3);
  LOGQUERY_ASSIGN_OR_RETURN(const std::optional<BigInteger> total, TotalOf(in, in.Texts(1)));
  LOGQUERY_ASSIGN_OR_RETURN(const std::optional<BigInteger> squares, TotalOf(in, in.Texts(2)));
  if (!total.has_value() || !squares.has_value() || (of_sample && in.Int(3) < 2)) return absl::OkStatus();
  static const BigInteger& scale = *new BigInteger(BigInteger::PowerOfTen(2 * model::kBigNumericScale));
  LOGQUERY_ASSIGN_OR_RETURN(const double variance,
                            Ratio(count * *squares - *total * *total, count * (of_sample ? count - 1 : count) * scale));
  return out.Float(name.starts_with("STDDEV") ? std::sqrt(variance) : variance);
}

constexpr FunctionEntry kEntries[] = {
    {"lq_big_part", "(BIGNUMERIC, INT64) -> INT64", Part},
    {"lq_big_square_part", "(BIGNUMERIC, INT64) -> INT64", SquarePart},
    {"lq_big_sum", "(ARRAY<STRING>) -> BIGNUMERIC", Sum},
    {"lq_big_average", "(ARRAY<STRING>, INT64) -> BIGNUMERIC", Average},
    {"lq_big_variance", "(STRING, ARRAY<STRING>, ARRAY<STRING>, INT64) -> FLOAT64", Variance},
};

}  // namespace

FunctionEntries BigNumericAggregates() { return kEntries; }

}  // namespace logquery::functions
