// Casts to and from BIGNUMERIC.
#include <cmath>
#include <limits>

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

using base::BigInteger;
using base::StrCat;
using model::BigNumericOne;
using model::kBigNumericScale;

// The length of the excerpt of a text in an error.
constexpr size_t kShown = 100;

absl::Status GiveText(std::string_view number, std::string_view given, std::string_view wrong, Output& out) {
  const std::optional<std::string> bytes = model::ParseBigNumeric(number, model::ExtraDigits::kRounded);
  if (!bytes.has_value()) return absl::InvalidArgumentError(StrCat(wrong, given.substr(0, kShown)));
  return out.TextAsItIs(*bytes);
}

absl::Status OfText(const Row& in, Output& out) {
  return GiveText(Stripped(in.Text(0)), in.Text(0), "Invalid BIGNUMERIC value: ", out);
}

absl::Status Parse(const Row& in, Output& out) {
  return GiveText(ParsedNumber(in.Text(0)), in.Text(0), "Invalid input to PARSE_BIGNUMERIC: ", out);
}

absl::Status OfInt(const Row& in, Output& out) { return out.Big(BigNumericOne() * in.Int(0)); }

absl::Status OfFloat(const Row& in, Output& out) {
  const double number = in.Float(0);
  if (!std::isfinite(number)) {
    return absl::OutOfRangeError(
        StrCat("Illegal conversion of non-finite floating point number to BIGNUMERIC: ", number));
  }
  const absl::Status status = out.Big(ScaledFloat(number, BigNumericOne()));
  return status.ok() ? status : absl::OutOfRangeError(StrCat("BIGNUMERIC out of range: ", number));
}

absl::Status ToText(const Row& in, Output& out) { return out.TextAsItIs(model::BigNumericText(in.Text(0))); }

absl::Status ToInt(const Row& in, Output& out) {
  const BigInteger whole = RoundedQuotient(in.Big(0), BigNumericOne());
  if (whole > std::numeric_limits<int64_t>::max() || whole < std::numeric_limits<int64_t>::min()) {
    return absl::OutOfRangeError(StrCat("int64 out of range: ", model::BigNumericText(in.Text(0))));
  }
  const auto magnitude = [&] {
    uint64_t number = 0;
    char bytes[sizeof(number)];
    whole.WriteBytes(bytes, sizeof(bytes));
    for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
    return number;
  }();
  return out.Int(static_cast<int64_t>(whole.Sign() < 0 ? ~magnitude + 1 : magnitude));
}

absl::Status ToFloat(const Row& in, Output& out) {
  double number = 0;
  if (!absl::SimpleAtod(model::BigNumericText(in.Text(0)), &number)) {
    return absl::InternalError("the digits of a BIGNUMERIC are no number");
  }
  return out.Float(number);
}

absl::Status ToNumeric(const Row& in, Output& out) {
  const BigInteger scaled = RoundedQuotient(in.Big(0), BigInteger::PowerOfTen(kBigNumericScale - model::kNumericScale));
  if (scaled.Abs() >= BigInteger::PowerOfTen(kNumericDigits)) {
    return absl::OutOfRangeError(StrCat("numeric out of range: ", model::BigNumericText(in.Text(0))));
  }
  return out.Numeric(scaled);
}

constexpr FunctionEntry kEntries[] = {
    {"lq_big_of_text", "(STRING) -> BIGNUMERIC", OfText},
    {"lq_big_parse", "(STRING) -> BIGNUMERIC", Parse, "PARSE_BIGNUMERIC"},
    {"lq_big_of_int", "(INT64) -> BIGNUMERIC", OfInt},
    {"lq_big_of_float", "(FLOAT64) -> BIGNUMERIC", OfFloat},
    {"lq_big_to_text", "(BIGNUMERIC) -> STRING", ToText},
    {"lq_big_to_int", "(BIGNUMERIC) -> INT64", ToInt},
    {"lq_big_to_float", "(BIGNUMERIC) -> FLOAT64", ToFloat},
    {"lq_big_to_numeric", "(BIGNUMERIC) -> NUMERIC", ToNumeric},
};

}  // namespace

FunctionEntries BigNumericCasts() { return kEntries; }

}  // namespace logquery::functions
