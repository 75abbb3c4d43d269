// How DuckDB spells AND, OR, || and shifts.
#include <algorithm>

#include "lib/engines/duckdb/dialect/function_texts.h"
#include "lib/engines/duckdb/dialect/types.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

StatusOr<Sql> And(const FunctionCall&, const Texts& args) { return Balanced(args, "AND"); }
StatusOr<Sql> Or(const FunctionCall&, const Texts& args) { return Balanced(args, "OR"); }

StatusOr<Sql> Concat(const FunctionCall& call, const Texts& args) {
  // DuckDB gives no type to what it joins with a NULL that is written.
  for (size_t i = 0; i < args.size(); ++i) {
    if (IsNullConstant(call, i)) return Cat("CAST(NULL AS ", DuckDbType(call.type), ")");
  }
  // One value that is not written out grows by no more than the query's own text.
  const size_t unknown =
      static_cast<size_t>(std::count_if(call.arguments.begin(), call.arguments.end(),
                                        [](const auto& arg) { return arg->kind != rewrite::ScalarKind::kConstant; }));
  if (unknown < 2) return Balanced(args, "||");
  const std::string_view function = call.type.is(TypeKind::kBytes) ? "lq_bytes_concat(" : "lq_concat(";
  return Cat(function, JoinTexts(args, ", "), ")");
}

// Shifts the bits of an unsigned number: DuckDB's own << and >> on BIGINT keep the sign.
Sql Shift(const Texts& args, std::string_view op) {
  return Once(args, [&](const Texts& a) {
    return Cat("(CASE WHEN ", a[1], " < 0 THEN ", ErrorText("'Bitwise shift by a negative offset'"), " WHEN ", a[1],
               " > 63 THEN CASE WHEN ", a[0], " IS NOT NULL THEN 0 END ELSE CAST(CAST(", a[0], " AS BIT) ", op,
               " CAST(", a[1], " AS INTEGER) AS BIGINT) END)");
  });
}

StatusOr<Sql> ShiftLeft(const FunctionCall&, const Texts& args) { return Shift(args, "<<"); }
StatusOr<Sql> ShiftRight(const FunctionCall&, const Texts& args) { return Shift(args, ">>"); }

// x / y with an error for y = 0; `op` is DuckDB's /, // or %.
Sql Division(const FunctionCall& call, const Texts& args, std::string_view op) {
  const Value* divisor = rewrite::ConstantArgument(call, 1);
  if (divisor != nullptr) {
    const bool plain = divisor->type().is(TypeKind::kInt64)     ? divisor->int64_value() != 0
                       : divisor->type().is(TypeKind::kFloat64) ? divisor->float64_value() != 0
                                                                : false;
    if (plain) return Cat("(", args[0], " ", op, " ", args[1], ")");
  }
  return Once(args, [&](const Texts& a) { return UnlessZero(a, Cat(a[0], " ", op, " ", a[1])); });
}

StatusOr<Sql> Divide(const FunctionCall& call, const Texts& args) { return Division(call, args, "/"); }
StatusOr<Sql> Div(const FunctionCall& call, const Texts& args) { return Division(call, args, "//"); }
StatusOr<Sql> Mod(const FunctionCall& call, const Texts& args) { return Division(call, args, "%"); }

// Returns a call of error() with the type that the context expects.
StatusOr<Sql> Error(const FunctionCall& call, const Texts& args) {
  return Cat("CAST(", ErrorText(args[0]), " AS ", DuckDbType(call.type), ")");
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"error", Error},
    {"and", And},
    {"or", Or},
    {"concat", Concat},
    {"shift_left", ShiftLeft},
    {"shift_right", ShiftRight},
    {"divide", Divide},
    {"div", Div},
    {"mod", Mod},
};

}  // namespace

DuckDbFunctionList DuckDbOperators() { return kEntries; }

}  // namespace logquery::emit
