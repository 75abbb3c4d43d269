// FLOAT64 functions that raise an error if the result is not finite.
#include "lib/engines/duckdb/dialect/function_texts.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

struct FloatFunction {
  std::string_view name;
  std::string_view text;
  bool periodic;  // NaN for infinity, which DuckDB refuses
};

// Functions whose result is an error where numbers give no number.
constexpr FloatFunction kFloatFunctions[] = {
    {"POW", "pow($1, $2)", false},     {"POWER", "pow($1, $2)", false},
    {"EXP", "exp($1)", false},         {"LOG", "(ln($1) / ln($2))", false},
    {"SIN", "sin($1)", true},          {"COS", "cos($1)", true},
    {"TAN", "tan($1)", true},          {"COT", "(cos($1) / sin($1))", true},
    {"SEC", "(1 / cos($1))", true},    {"CSC", "(1 / sin($1))", true},
    {"SINH", "sinh($1)", false},       {"COSH", "cosh($1)", false},
    {"COTH", "(1 / tanh($1))", false}, {"CSCH", "(1 / sinh($1))", false},
    {"ACOSH", "acosh($1)", false},     {"ATANH", "atanh($1)", false},
};

StatusOr<Sql> Finite(const FunctionCall& call, const Texts& args) {
  for (const FloatFunction& function : kFloatFunctions) {
    if (function.name != NameOf(call)) continue;
    return Once(args, [&](const Texts& a) {
      const Sql text = FillTemplate(function.text, a);
      Texts finite;
      for (const Sql& arg : a) finite.push_back(Cat("isfinite(", arg, ")"));
      return Cat("(CASE ", function.periodic ? Cat("WHEN isinf(", a[0], ") THEN CAST('nan' AS DOUBLE) ") : "", "WHEN ",
                 Balanced(finite, "AND"), " AND NOT isfinite(", text, ") THEN ",
                 ErrorText(Cat("'Floating point error in function: ", NameOf(call), "'")), " ELSE ", text, " END)");
    });
  }
  return absl::InternalError(StrCat("no formula for ", NameOf(call)));
}

// Returns whether the argument is a whole number, so that dividing by it does not increase a value.
bool IsWhole(const FunctionCall& call, size_t index) {
  const auto* cast = rewrite::If<rewrite::Cast>(call.arguments[index].get());
  if (cast != nullptr && cast->operand->type.is(TypeKind::kInt64)) return true;
  const Value* value = rewrite::ConstantArgument(call, index);
  return value != nullptr && (value->float64_value() >= 1 || value->float64_value() <= -1);
}

// NULL in place of an error: for 0 below, and for a quotient beyond the range.
StatusOr<Sql> SafeDivide(const FunctionCall& call, const Texts& args) {
  if (IsWhole(call, 1)) return OnceIfLarge(call, 1, args, "($1 / NULLIF($2, 0))");
  return Once(args, [](const Texts& a) {
    return Cat("(CASE WHEN ", a[1], " <> 0 AND NOT (isinf(", a[0], " / ", a[1], ") AND isfinite(", a[0], ")) THEN ",
               a[0], " / ", a[1], " END)");
  });
}

StatusOr<Sql> SafeFloat(const FunctionCall& call, const Texts& args) {
  const std::string_view op = NameOf(call) == "SAFE_ADD" ? "+" : NameOf(call) == "SAFE_SUBTRACT" ? "-" : "*";
  return Once(args, [&](const Texts& a) {
    const Sql text = Cat(a[0], " ", op, " ", a[1]);
    return Cat("(CASE WHEN isinf(", text, ") AND isfinite(", a[0], ") AND isfinite(", a[1], ") THEN NULL ELSE ", text,
               " END)");
  });
}

StatusOr<Sql> FloatSign(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) {
    return Cat("(CASE WHEN isnan(", a[0], ") THEN ", a[0], " ELSE CAST(sign(", a[0], ") AS DOUBLE) END)");
  });
}

StatusOr<Sql> FloatRound(const FunctionCall& call, const Texts& args) {
  const std::string function = base::ToLower(NameOf(call));
  // Beyond these places rounding leaves a FLOAT64 unchanged, or makes it 0.
  return Once(args, [&](const Texts& a) {
    return Cat(function, "(", a[0], ", CAST(CASE WHEN ", a[1], " > 400 THEN 400 WHEN ", a[1], " < -400 THEN -400 ELSE ",
               a[1], " END AS INTEGER))");
  });
}

// NULL when one argument is, where DuckDB leaves NULLs out.
StatusOr<Sql> Greatest(const FunctionCall& call, const Texts& args) {
  if (args.size() == 1) return args[0];
  return Once(args, [&](const Texts& a) {
    Texts present;
    for (const Sql& arg : a) present.push_back(Cat("(", arg, " IS NOT NULL)"));
    return Cat("(CASE WHEN ", Balanced(present, "AND"), " THEN ", base::ToLower(NameOf(call)), "(", JoinTexts(a, ", "),
               ") END)");
  });
}

// NaN when one argument is: NaN is the greatest to DuckDB.
StatusOr<Sql> FloatLeast(const FunctionCall&, const Texts& args) {
  if (args.size() == 1) return args[0];
  return Once(args, [](const Texts& a) {
    Texts present, negated;
    for (const Sql& arg : a) {
      present.push_back(Cat("(", arg, " IS NOT NULL)"));
      negated.push_back(Cat("- ", arg));
    }
    return Cat("(CASE WHEN ", Balanced(present, "AND"), " THEN - greatest(", JoinTexts(negated, ", "), ") END)");
  });
}

// Returns the number of elements that are not above the value. The array is sorted.
StatusOr<Sql> RangeBucket(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) {
    const Sql element = FreshName(a);
    return Cat("(CASE WHEN list_position(", a[1], ", NULL) IS NOT NULL THEN ",
               ErrorText("'RANGE_BUCKET: an element is NULL'"), " WHEN ", a[0], " IS NOT NULL THEN len(list_filter(",
               a[1], ", lambda ", element, ": ", element, " <= ", a[0], ")) END)");
  });
}

// The engine may look at an array before the condition that guards it.
Sql Numbers(const Sql& list) {
  const Sql element = FreshName({list});
  return Cat("list_filter(", list, ", lambda ", element, ": ", element, " IS NOT NULL)");
}

StatusOr<Sql> EuclideanDistance(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) {
    return Cat("(CASE WHEN len(", a[0], ") <> len(", a[1], ") THEN ",
               ErrorText("'EUCLIDEAN_DISTANCE: the vectors differ in length'"), " WHEN list_position(", a[0],
               ", NULL) IS NOT NULL OR list_position(", a[1], ", NULL) IS NOT NULL THEN ",
               ErrorText("'EUCLIDEAN_DISTANCE: an element is NULL'"), " ELSE list_distance(", Numbers(a[0]), ", ",
               Numbers(a[1]), ") END)");
  });
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"finite", Finite},          {"safe_divide", SafeDivide},   {"safe_float", SafeFloat},
    {"float_sign", FloatSign},   {"float_round", FloatRound},   {"greatest", Greatest},
    {"float_least", FloatLeast}, {"range_bucket", RangeBucket}, {"euclidean_distance", EuclideanDistance},
};

}  // namespace

DuckDbFunctionList DuckDbMathFunctions() { return kEntries; }

}  // namespace logquery::emit
