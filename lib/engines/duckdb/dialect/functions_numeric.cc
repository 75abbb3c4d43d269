// ROUND, TRUNC, quotients and declared precisions of NUMERIC, for which our own functions do the arithmetic.
#include "lib/engines/duckdb/dialect/function_texts.h"
#include "lib/engines/duckdb/dialect/types.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

// ROUND and TRUNC, whose last arguments may be missing.
StatusOr<Sql> NumericRound(const FunctionCall& call, const Texts& args) {
  const Sql places = args.size() > 1 ? args[1] : "0";
  if (NameOf(call) == "TRUNC") return Cat("lq_numeric_trunc(", args[0], ", ", places, ")");
  const Sql mode = args.size() > 2 ? args[2] : "'ROUND_HALF_AWAY_FROM_ZERO'";
  return Cat("lq_numeric_round(", args[0], ", ", places, ", ", mode, ")");
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
    {"limit_precision", LimitPrecision},
    {"numeric_round", NumericRound},
};

}  // namespace

DuckDbFunctionList DuckDbNumericFunctions() { return kEntries; }

}  // namespace logquery::emit
