// NUMERIC operations that DuckDB's decimals lack, computed with 128-bit integers: integer digits and fractional digits
// apart. An intermediate result that exceeds 128 bits is an error, never a wrong number. BIGNUMERIC uses our own
// functions.
#include "lib/emit/duckdb/function_texts.h"
#include "lib/emit/duckdb/types.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

constexpr int kScale = 9;
constexpr std::string_view kDecimal = "DECIMAL(38, 9)";

std::string Ulp(int scale) { return "0." + std::string(static_cast<size_t>(scale) - 1, '0') + "1"; }

// The integer that the decimal is stored as.
Sql Unscaled(const Sql& text) { return Cat("CAST(replace(CAST(", text, " AS VARCHAR), '.', '') AS HUGEINT)"); }
// And the decimal that is stored as it.
Sql Scaled(const Sql& integer) {
  return Cat("CAST(CAST(", integer, " AS DECIMAL(38, 0)) * ", Ulp(kScale), " AS ", kDecimal, ")");
}

Sql SignOf(const Texts& a) { return Cat("CASE WHEN (", a[0], " < 0) = (", a[1], " < 0) THEN 1 ELSE -1 END"); }

// numerator / divisor of integers with nine digits behind the point, as an integer rounded half up.
Sql LongDivision(const Sql& numerator, const Sql& divisor) {
  const Texts parts = {Cat("(", numerator, " // ", divisor, ")"), Cat("(", numerator, " % ", divisor, " * 1000000000)"),
                       divisor};
  return Once(parts, [](const Texts& p) {
    return Cat("(", p[0], " * 1000000000 + ", p[1], " // ", p[2], " + CASE WHEN ", p[1], " % ", p[2], " >= ", p[2],
               " - ", p[1], " % ", p[2], " THEN 1 ELSE 0 END)");
  });
}

}  // namespace

Sql NumericQuotient(const Sql& x, const Sql& y) {
  return Once({x, y}, [&](const Texts& a) {
    const Sql quotient = Once({Cat("abs(", Unscaled(a[0]), ")"), Cat("abs(", Unscaled(a[1]), ")")},
                              [](const Texts& p) { return LongDivision(p[0], p[1]); });
    return Scaled(Cat(quotient, " * ", SignOf(a)));
  });
}

namespace {

StatusOr<Sql> NumericDivide(const FunctionCall&, const Texts& args) {
  return Once(args, [&](const Texts& a) { return UnlessZero(a, NumericQuotient(a[0], a[1])); });
}

StatusOr<Sql> SafeNumericDivide(const FunctionCall&, const Texts& args) {
  return Once(args, [&](const Texts& a) {
    return Cat("(CASE WHEN ", a[1], " <> 0 THEN ", NumericQuotient(a[0], a[1]), " END)");
  });
}

// x - x % y is y as often as it goes into x.
StatusOr<Sql> NumericDiv(const FunctionCall&, const Texts& args) {
  return Once(args, [&](const Texts& a) {
    return UnlessZero(a, NumericQuotient(Cat("(", a[0], " - ", a[0], " % ", a[1], ")"), a[1]));
  });
}

// ROUND and TRUNC to a literal number of places.
StatusOr<Sql> NumericRound(const FunctionCall& call, const Texts& args) {
  const std::string function = base::ToLower(NameOf(call));
  for (size_t i = 1; i < args.size(); ++i) {
    if (IsNullConstant(call, i)) return Cat("CAST(NULL AS ", kDecimal, ")");
  }
  const std::optional<int64_t> places = args.size() > 1 ? ConstantInt64(call, 1) : 0;
  if (!places.has_value()) {
    return absl::UnimplementedError(StrCat(NameOf(call), " of NUMERIC to a number of places that is not a literal"));
  }
  const std::optional<std::string> mode = args.size() > 2 ? ConstantString(call, 2) : "ROUND_HALF_AWAY_FROM_ZERO";
  if (*places >= kScale) return args[0];
  const auto rounded = [&](const Sql& text) {
    return Cat("CAST(", function, "(", text, ", ", *places < -38 ? -38 : *places, ") AS ", kDecimal, ")");
  };
  if (mode == "ROUND_HALF_AWAY_FROM_ZERO") return rounded(args[0]);
  if (mode != "ROUND_HALF_EVEN" || *places < 0) return absl::UnimplementedError("ROUND with this rounding mode");
  const std::string unit = *places == 0 ? "1" : Ulp(static_cast<int>(*places));
  return Once({args[0]}, [&](const Texts& a) {
    // Back by one unit where the tie went to an odd last digit.
    const Sql r = rounded(a[0]);
    return Cat("CAST(CASE WHEN 2 * abs(", a[0], " - ", r, ") = ", unit, " AND ", r, " % (2 * ", unit, ") <> 0 THEN ", r,
               " - sign(", a[0], ") * ", unit, " ELSE ", r, " END AS ", kDecimal, ")");
  });
}

// Spaces and commas among the digits go; the sign may stand behind them.
StatusOr<Sql> ParseNumeric(const FunctionCall& call, const Texts& args) {
  const Sql cleaned =
      Cat("regexp_replace(regexp_replace(regexp_replace(regexp_replace(", args[0],
          ", '^\\s*([+-]?)\\s*', '\\1'), '\\s+$', ''), ',', '', 'g'), '^([0-9.eE+-]*[0-9.])\\s*([+-])$', '\\2\\1')");
  return Once({cleaned}, [&](const Texts& a) {
    return Cat("(CASE WHEN regexp_matches(", a[0],
               ", '^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?$') THEN CAST(", a[0], " AS ", kDecimal,
               ") WHEN ", a[0], " IS NOT NULL THEN ",
               ErrorText(Cat("'Invalid input to ", NameOf(call), ": ' || ", a[0])), " END)");
  });
}

// A number that is rounded to its scale already, unless it has too many digits before the point.
StatusOr<Sql> LimitPrecision(const FunctionCall& call, const Texts& args) {
  const int64_t precision = ConstantInt64(call, 1).value_or(0), scale = ConstantInt64(call, 2).value_or(0);
  const int64_t whole = precision - scale;
  if (whole >= 29) return args[0];
  return Once({args[0]}, [&](const Texts& a) {
    const Sql limit = Cat("CAST('1", std::string(static_cast<size_t>(whole), '0'), "' AS ", DuckDbType(call.type), ")");
    return Cat("(CASE WHEN abs(", a[0], ") >= ", limit, " THEN ",
               ErrorText(Cat("'", call.type.ToString(), "(", precision, ", ", scale, ") has no room for ' || CAST(",
                             a[0], " AS VARCHAR)")),
               " ELSE ", a[0], " END)");
  });
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"numeric_divide", NumericDivide}, {"safe_numeric_divide", SafeNumericDivide},
    {"numeric_div", NumericDiv},       {"limit_precision", LimitPrecision},
    {"numeric_round", NumericRound},   {"parse_numeric", ParseNumeric},
};

}  // namespace

DuckDbFunctionList DuckDbNumericFunctions() { return kEntries; }

}  // namespace logquery::emit
