// BIGNUMERIC arithmetic on integers times 10^-38, of at most 256 bits.
#include "lib/model/big_numeric.h"

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"

namespace logquery::functions {
namespace {

using base::BigInteger;
using base::StrCat;
using model::BigNumericOne;
using model::kBigNumericScale;

std::string TextOf(const BigInteger& scaled) {
  std::string text;
  model::AppendBigNumeric(scaled, text);
  return text;
}

absl::Status Overflow(std::string_view of) { return absl::OutOfRangeError(StrCat("BIGNUMERIC overflow: ", of)); }

// The result of `a op b`.
absl::Status Give(const BigInteger& result, const Row& in, std::string_view op, Output& out) {
  const absl::Status status = out.Big(result);
  return status.ok() ? status : Overflow(StrCat(TextOf(in.Big(0)), " ", op, " ", TextOf(in.Big(1))));
}

// The result of a function of one number.
absl::Status Give(const BigInteger& result, std::string_view function, const Row& in, Output& out) {
  const absl::Status status = out.Big(result);
  return status.ok() ? status : Overflow(StrCat(function, "(", TextOf(in.Big(0)), ")"));
}

absl::Status DivisionByZero(const Row& in) {
  return absl::OutOfRangeError(StrCat("division by zero: ", TextOf(in.Big(0)), " / 0"));
}

absl::Status Add(const Row& in, Output& out) { return Give(in.Big(0) + in.Big(1), in, "+", out); }
absl::Status Subtract(const Row& in, Output& out) { return Give(in.Big(0) - in.Big(1), in, "-", out); }
absl::Status Negate(const Row& in, Output& out) { return Give(-in.Big(0), "-", in, out); }
absl::Status Abs(const Row& in, Output& out) { return Give(in.Big(0).Abs(), "ABS", in, out); }
absl::Status Sign(const Row& in, Output& out) { return out.Big(BigNumericOne() * in.Big(0).Sign()); }

absl::Status Multiply(const Row& in, Output& out) {
  return Give(RoundedQuotient(in.Big(0) * in.Big(1), BigNumericOne()), in, "*", out);
}

absl::Status Divide(const Row& in, Output& out) {
  const BigInteger divisor = in.Big(1);
  if (divisor.Sign() == 0) return DivisionByZero(in);
  return Give(RoundedQuotient(in.Big(0) * BigNumericOne(), divisor), in, "/", out);
}

absl::Status Div(const Row& in, Output& out) {
  const BigInteger divisor = in.Big(1);
  if (divisor.Sign() == 0) return DivisionByZero(in);
  return Give(in.Big(0) / divisor * BigNumericOne(), in, "/", out);
}

absl::Status Mod(const Row& in, Output& out) {
  const BigInteger divisor = in.Big(1);
  if (divisor.Sign() == 0) return DivisionByZero(in);
  return out.Big(in.Big(0) % divisor);
}

// The unit of so many places behind the point, or before it; beyond all digits nullopt.
std::optional<BigInteger> UnitOf(int64_t places) {
  if (places >= kBigNumericScale) return BigInteger(1);
  if (places < -kBigNumericScale - 1) return std::nullopt;
  return BigInteger::PowerOfTen(kBigNumericScale - static_cast<int>(places));
}

// Rounds to decimal places, with the mode that ROUND takes.
absl::Status Round(const Row& in, Output& out) {
  const BigInteger number = in.Big(0);
  const std::optional<BigInteger> unit = UnitOf(in.Int(1));
  const std::string_view mode = in.Text(2);
  if (!unit.has_value()) return out.Big(0);
  BigInteger units = RoundedQuotient(number, *unit);
  if (mode == "ROUND_HALF_EVEN") {
    const bool tie = (number % *unit).Abs() * 2 == *unit;
    if (tie && units.IsOdd()) units -= number.Sign();
  } else if (mode != "ROUND_HALF_AWAY_FROM_ZERO") {
    return absl::InvalidArgumentError(
        StrCat("ROUND takes the mode ROUND_HALF_EVEN or ROUND_HALF_AWAY_FROM_ZERO, not ", mode.substr(0, 40)));
  }
  return Give(units * *unit, "ROUND", in, out);
}

absl::Status Trunc(const Row& in, Output& out) {
  const std::optional<BigInteger> unit = UnitOf(in.Int(1));
  return out.Big(unit.has_value() ? in.Big(0) / *unit * *unit : BigInteger(0));
}

absl::Status Ceil(const Row& in, Output& out) {
  const BigInteger number = in.Big(0);
  const bool up = (number % BigNumericOne()).Sign() > 0;
  return Give((number / BigNumericOne() + (up ? 1 : 0)) * BigNumericOne(), "CEIL", in, out);
}

absl::Status Floor(const Row& in, Output& out) {
  const BigInteger number = in.Big(0);
  const bool down = (number % BigNumericOne()).Sign() < 0;
  return Give((number / BigNumericOne() - (down ? 1 : 0)) * BigNumericOne(), "FLOOR", in, out);
}

// A BIGNUMERIC(P, S) is rounded to S already; it may have P - S digits before the point.
absl::Status LimitPrecision(const Row& in, Output& out) {
  const BigInteger number = in.Big(0);
  if (number.Abs() >= BigInteger::PowerOfTen(static_cast<int>(in.Int(1) - in.Int(2)) + kBigNumericScale)) {
    return absl::OutOfRangeError(
        StrCat("BIGNUMERIC(", in.Int(1), ", ", in.Int(2), ") has no room for ", TextOf(number)));
  }
  return out.Big(number);
}

// The numbers from the first to the last by a step.
absl::Status Generate(const Row& in, Output& out) {
  const BigInteger first = in.Big(0), last = in.Big(1), step = in.Big(2);
  if (step.Sign() == 0) return absl::OutOfRangeError("GENERATE_ARRAY: the step must not be 0");
  std::vector<std::optional<std::string>> numbers;
  for (BigInteger next = first; step.Sign() > 0 ? next <= last : next >= last; next += step) {
    numbers.push_back(model::PackBigNumeric(next));
    LOGQUERY_RETURN_IF_ERROR(out.CheckBytes(numbers.size() * (model::kBigNumericBytes + sizeof(StringRef))));
  }
  return out.Texts(numbers);
}

constexpr FunctionEntry kEntries[] = {
    {"lq_big_add", "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", Add, "$add"},
    {"lq_big_subtract", "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", Subtract, "$subtract"},
    {"lq_big_multiply", "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", Multiply, "$multiply"},
    {"lq_big_divide", "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", Divide, "$divide"},
    {"lq_big_div", "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", Div, "DIV"},
    {"lq_big_mod", "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", Mod, "MOD"},
    {"lq_big_negate", "(BIGNUMERIC) -> BIGNUMERIC", Negate, "$negate"},
    {"lq_big_abs", "(BIGNUMERIC) -> BIGNUMERIC", Abs, "ABS"},
    {"lq_big_sign", "(BIGNUMERIC) -> BIGNUMERIC", Sign, "SIGN"},
    {"lq_big_round", "(BIGNUMERIC, INT64, STRING) -> BIGNUMERIC", Round},
    {"lq_big_trunc", "(BIGNUMERIC, INT64) -> BIGNUMERIC", Trunc},
    {"lq_big_ceil", "(BIGNUMERIC) -> BIGNUMERIC", Ceil, "CEIL CEILING"},
    {"lq_big_floor", "(BIGNUMERIC) -> BIGNUMERIC", Floor, "FLOOR"},
    {"lq_big_limit", "(BIGNUMERIC, INT64, INT64) -> BIGNUMERIC", LimitPrecision, "$limit_precision"},
    {"lq_big_generate", "(BIGNUMERIC, BIGNUMERIC, BIGNUMERIC) -> ARRAY<BIGNUMERIC>", Generate},
};

}  // namespace

FunctionEntries BigNumericFunctions() { return kEntries; }

}  // namespace logquery::functions
