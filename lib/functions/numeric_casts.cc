// Casts of NUMERIC that are exact before they are rounded, where DuckDB multiplies and divides by 10^9 as DOUBLE, and of
// the texts that GoogleSQL takes for INT64.
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "absl/numeric/int128.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "lib/base/strings.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/functions/number_text.h"
#include "lib/functions/numeric_units.h"
#include "lib/model/big_numeric.h"
#include "lib/model/decimal_text.h"

namespace logquery::functions {
namespace {

using absl::int128;
using base::BigInteger;
using base::StrCat;

// The length of the excerpt of a text in an error.
constexpr size_t kShown = 100;

absl::Status OfFloat(const Row& in, Output& out) {
  const double number = in.Float(0);
  if (!std::isfinite(number)) {
    return absl::OutOfRangeError(StrCat("Illegal conversion of non-finite floating point number to NUMERIC: ", number));
  }
  const BigInteger scaled = ScaledFloat(number, BigUnits(kNumericOne));
  if (scaled.Abs() >= BigUnits(kNumericLimit)) {
    return absl::OutOfRangeError(StrCat("the value ", number, " is out of range of NUMERIC"));
  }
  return out.Numeric(scaled);
}

absl::Status ToFloat(const Row& in, Output& out) {
  // Up to this number both operands are exact, and the division rounds once.
  constexpr int64_t kExact = int64_t{1} << std::numeric_limits<double>::digits;
  const int128 units = NumericUnits(in, 0);
  if (units >= -kExact && units <= kExact) {
    return out.Float(static_cast<double>(static_cast<int64_t>(units)) / static_cast<double>(kNumericOne));
  }
  std::string digits;
  model::AppendDecimal(in.Numeric(0), model::kNumericScale, digits);
  double number = 0;
  if (!absl::SimpleAtod(digits, &number)) return absl::InternalError("the digits of a NUMERIC are no number");
  return out.Float(number);
}

absl::Status GiveText(std::string_view number, std::string_view given, std::string_view wrong, Output& out) {
  const std::optional<BigInteger> scaled =
      model::ParseScaled(number, model::kNumericScale, model::ExtraDigits::kRounded);
  if (!scaled.has_value() || scaled->Abs() >= BigUnits(kNumericLimit)) {
    return absl::InvalidArgumentError(StrCat(wrong, "\"", given.substr(0, kShown), "\""));
  }
  return out.Numeric(*scaled);
}

absl::Status OfText(const Row& in, Output& out) {
  return GiveText(Stripped(in.Text(0)), in.Text(0), "Bad NUMERIC value: ", out);
}

absl::Status Parse(const Row& in, Output& out) {
  return GiveText(ParsedNumber(in.Text(0)), in.Text(0), "Invalid input to PARSE_NUMERIC: ", out);
}

std::optional<int64_t> ParseInt(std::string_view text) {
  const bool has_sign = text.starts_with('-') || text.starts_with('+');
  const std::string_view digits = text.substr(has_sign ? 1 : 0);
  if (digits.empty() || !absl::ascii_isdigit(static_cast<unsigned char>(digits[0]))) return std::nullopt;
  const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
  const char* const begin = digits.data() + (hex ? 2 : 0);
  const char* const end = digits.data() + digits.size();
  uint64_t magnitude = 0;
  const auto parsed = std::from_chars(begin, end, magnitude, hex ? 16 : 10);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  const bool negative = text.starts_with('-');
  constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
  if (magnitude > kMost + (negative ? 1 : 0)) return std::nullopt;
  return static_cast<int64_t>(negative ? ~magnitude + 1 : magnitude);
}

absl::Status IntOfText(const Row& in, Output& out) {
  const std::optional<int64_t> number = ParseInt(Stripped(in.Text(0)));
  if (number.has_value()) return out.Int(*number);
  return absl::InvalidArgumentError(StrCat("Bad INT64 value: \"", in.Text(0).substr(0, kShown),
                                           "\"; an INT64 is digits, or 0x and hexadecimal digits, with or without a "
                                           "sign, and has 64 bits"));
}

constexpr FunctionEntry kEntries[] = {
    {"lq_int_of_text", "(STRING) -> INT64", IntOfText},
    {"lq_numeric_of_float", "(FLOAT64) -> NUMERIC", OfFloat},
    {"lq_numeric_to_float", "(NUMERIC) -> FLOAT64", ToFloat},
    {"lq_numeric_of_text", "(STRING) -> NUMERIC", OfText},
    {"lq_numeric_parse", "(STRING) -> NUMERIC", Parse, "PARSE_NUMERIC"},
};

}  // namespace

FunctionEntries NumericCasts() { return kEntries; }

}  // namespace logquery::functions
