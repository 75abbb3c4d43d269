// The list of functions that callers may use, and functions on conditions and NULL.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::clickhouse_sql {
namespace {

using base::StrCat;

const FunctionMap& AllFunctions() {
  static const auto& all = *[] {
    auto* functions = new FunctionMap;
    AddConditionFunctions(*functions);
    AddNumberFunctions(*functions);
    AddExtremeFunctions(*functions);
    AddConversionFunctions(*functions);
    AddTextFunctions(*functions);
    AddPatternFunctions(*functions);
    AddJsonFunctions(*functions);
    AddTimeFunctions(*functions);
    AddUnixTimeFunctions(*functions);
    AddArrayFunctions(*functions);
    AddLambdaFunctions(*functions);
    AddMapFunctions(*functions);
    return functions;
  }();
  return all;
}

// Names that ClickHouse takes in any case, and how the map has them.
constexpr std::string_view kInAnyCase[] = {"lower",
                                           "upper",
                                           "if",
                                           "coalesce",
                                           "ifNull",
                                           "nullIf",
                                           "substring",
                                           "substr",
                                           "mid",
                                           "concat",
                                           "round",
                                           "floor",
                                           "ceil",
                                           "ceiling",
                                           "abs",
                                           "length",
                                           "now",
                                           "today",
                                           "yesterday",
                                           "dateDiff",
                                           "date_diff",
                                           "date_trunc",
                                           "dateTrunc",
                                           "replace",
                                           "reverse",
                                           "left",
                                           "right",
                                           "position",
                                           "trim",
                                           "ltrim",
                                           "rtrim",
                                           "pow",
                                           "power",
                                           "sqrt",
                                           "exp",
                                           "greatest",
                                           "least",
                                           "sign",
                                           "mod",
                                           "char_length",
                                           "character_length",
                                           "repeat",
                                           "year",
                                           "month",
                                           "day",
                                           "hour",
                                           "minute",
                                           "second",
                                           "date_add",
                                           "date_sub",
                                           "trunc",
                                           "truncate",
                                           "ln",
                                           "log",
                                           "log10",
                                           "log2",
                                           "pi",
                                           "locate",
                                           "map",
                                           "toDate",
                                           "date",
                                           "starts_with",
                                           "isNull",
                                           "lcase",
                                           "ucase"};

template <bool kNegated>
absl::StatusOr<Ex> NullTest(CallArgs& call) {
  if (!call[0].type.nullable) return Ex{True(kNegated), UInt8(), true};
  ScalarPtr test = call[0].type.Is(ChKind::kNothing) ? True(true) : IsNull(std::move(call[0].scalar));
  return Ex{kNegated ? Not(std::move(test)) : std::move(test), UInt8(), true};
}

// AND, OR and NOT give a Bool where they are given one, and 0 or 1 otherwise.
Ex Condition(ScalarPtr scalar, bool is_bool, bool nullable) {
  if (is_bool) return Ex{std::move(scalar), BoolType().Nullable(nullable)};
  return Ex{std::move(scalar), UInt8().Nullable(nullable), true};
}

template <bool kAnd>
absl::StatusOr<Ex> Junction(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  bool is_bool = false;
  std::vector<ScalarPtr> parts;
  for (size_t i = 0; i < call.size(); ++i) {
    is_bool = is_bool || call[i].type.Is(ChKind::kBool);
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr part, call.resolver.ToBool(std::move(call[i]), call.SpanOf(i)));
    parts.push_back(std::move(part));
  }
  return Condition(kAnd ? And(std::move(parts)) : Or(std::move(parts)), is_bool, nullable);
}

absl::StatusOr<Ex> NotFunction(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  const bool is_bool = call[0].type.Is(ChKind::kBool);
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr operand, call.resolver.ToBool(std::move(call[0]), call.SpanOf(0)));
  return Condition(Not(std::move(operand)), is_bool, nullable);
}

absl::StatusOr<Ex> Comparison(CallArgs& call) {
  return call.resolver.Compare(call.call.text, std::move(call[0]), std::move(call[1]), call.call.span);
}

template <bool kNegated>
absl::StatusOr<Ex> Between(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(
      Ex low, call.resolver.Compare("greaterOrEquals", Copy(call[0]), std::move(call[1]), call.call.span));
  LOGQUERY_ASSIGN_OR_RETURN(
      Ex high, call.resolver.Compare("lessOrEquals", std::move(call[0]), std::move(call[2]), call.call.span));
  std::vector<ScalarPtr> both;
  for (Ex* part : {&low, &high}) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition, call.resolver.ToBool(std::move(*part), call.call.span));
    both.push_back(std::move(condition));
  }
  ScalarPtr within = And(std::move(both));
  return Ex{kNegated ? Not(std::move(within)) : std::move(within), UInt8().Nullable(nullable), true};
}

// Results of a choice, converted to their common type.
absl::StatusOr<ChType> Unify(CallArgs& call, const std::vector<size_t>& results) {
  std::vector<const ChType*> types;
  for (const size_t i : results) {
    call[i] = call.resolver.Plain(std::move(call[i]));
    types.push_back(&call[i].type);
  }
  LOGQUERY_ASSIGN_OR_RETURN(const ChType type, call.resolver.Common(types, call.call.span));
  for (const size_t i : results) {
    LOGQUERY_ASSIGN_OR_RETURN(call[i], call.resolver.Convert(std::move(call[i]), type, call.SpanOf(i)));
  }
  return type;
}

// if(c, a, b), and multiIf(c1, a1, c2, a2, …, b). NULL is no condition that holds.
absl::StatusOr<Ex> Choice(CallArgs& call) {
  if (call.size() % 2 == 0)
    return call.resolver.Error(call.call.span,
                               StrCat(call.call.text, " wants conditions with results, and a last result"));
  std::vector<size_t> results;
  for (size_t i = 1; i < call.size(); i += 2) results.push_back(i);
  results.push_back(call.size() - 1);
  LOGQUERY_ASSIGN_OR_RETURN(const ChType type, Unify(call, results));
  auto choice = std::make_unique<rewrite::Case>(type.PlanType());
  for (size_t i = 0; i + 1 < call.size(); i += 2) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition, call.resolver.ToBool(std::move(call[i]), call.SpanOf(i)));
    choice->whens.push_back({std::move(condition), std::move(call[i + 1].scalar)});
  }
  choice->otherwise = std::move(call[call.size() - 1].scalar);
  return Ex{std::move(choice), type};
}

// CASE x WHEN v THEN r … ELSE e END
absl::StatusOr<Ex> CaseOfValue(CallArgs& call) {
  std::vector<size_t> results;
  for (size_t i = 2; i + 1 < call.size(); i += 2) results.push_back(i);
  results.push_back(call.size() - 1);
  LOGQUERY_ASSIGN_OR_RETURN(const ChType type, Unify(call, results));
  auto choice = std::make_unique<rewrite::Case>(type.PlanType());
  for (size_t i = 1; i + 1 < call.size(); i += 2) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex equal,
                              call.resolver.Compare("equals", Copy(call[0]), std::move(call[i]), call.SpanOf(i)));
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition, call.resolver.ToBool(std::move(equal), call.SpanOf(i)));
    choice->whens.push_back({std::move(condition), std::move(call[i + 1].scalar)});
  }
  choice->otherwise = std::move(call[call.size() - 1].scalar);
  return Ex{std::move(choice), type};
}

absl::StatusOr<Ex> Coalesce(CallArgs& call) {
  std::vector<size_t> all;
  bool nullable = true;
  for (size_t i = 0; i < call.size(); ++i) {
    if (call[i].type.Is(ChKind::kNothing)) continue;
    all.push_back(i);
    nullable = nullable && call[i].type.nullable;
    if (!nullable) break;  // what follows counts for nothing, not even for the type
  }
  if (all.empty()) return Ex{NullOf(Type::Int64()), NothingType()};
  LOGQUERY_ASSIGN_OR_RETURN(ChType type, Unify(call, all));
  type = type.NotNull().Nullable(nullable);
  if (all.size() == 1) return Ex{std::move(call[all[0]].scalar), type};
  std::vector<ScalarPtr> values;
  for (const size_t i : all) values.push_back(std::move(call[i].scalar));
  return Ex{Call("COALESCE", type.PlanType(), std::move(values)), type};
}

absl::StatusOr<Ex> NullIf(CallArgs& call) {
  call[0] = call.resolver.Plain(std::move(call[0]));
  const ChType type = call[0].type.Nullable();
  LOGQUERY_ASSIGN_OR_RETURN(Ex equal,
                            call.resolver.Compare("equals", Copy(call[0]), std::move(call[1]), call.call.span));
  if (equal.type.Is(ChKind::kNothing)) return Ex{std::move(call[0].scalar), type};
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition, call.resolver.ToBool(std::move(equal), call.call.span));
  return Ex{If(std::move(condition), NullOf(type.PlanType()), std::move(call[0].scalar)), type};
}

absl::StatusOr<Ex> AssumeNotNull(CallArgs& call) {
  const ChType type = call[0].type.NotNull();
  if (!call[0].type.nullable) return std::move(call[0]);
  return Ex{IfNull(std::move(call[0].scalar), DefaultOf(type)), type};
}

absl::StatusOr<Ex> ToNullable(CallArgs& call) {
  Ex value = call.resolver.Plain(std::move(call[0]));
  value.type = value.type.Nullable();
  return value;
}

absl::StatusOr<Ex> TypeName(CallArgs& call) { return Ex{Text(call[0].type.ToString(0)), String()}; }

absl::StatusOr<Ex> Distinctness(CallArgs& call) {
  const bool both_null = call[0].type.Is(ChKind::kNothing) && call[1].type.Is(ChKind::kNothing);
  if (both_null) return Ex{True(true), UInt8(), true};
  for (size_t i = 0; i < 2; ++i) {
    if (call[i].type.Is(ChKind::kNothing)) return Ex{IsNull(std::move(call[1 - i].scalar)), UInt8(), true};
  }
  LOGQUERY_ASSIGN_OR_RETURN(const ChType type, Unify(call, {0, 1}));
  return Ex{Call("$is_not_distinct", Type::Bool(), std::move(call[0].scalar), std::move(call[1].scalar)), UInt8(),
            true};
}

}  // namespace

const FunctionInfo* FindFunction(std::string_view name) {
  const FunctionMap& all = AllFunctions();
  if (const auto found = all.find(name); found != all.end()) return &found->second;
  for (const std::string_view known : kInAnyCase) {
    if (!base::EqualsIgnoreCase(known, name)) continue;
    if (const auto found = all.find(known); found != all.end()) return &found->second;
  }
  return nullptr;
}

std::string_view SpellingOf(std::string_view function) {
  const FunctionMap& all = AllFunctions();
  if (all.find(function) != all.end()) return function;
  const auto* const known = std::find_if(std::begin(kInAnyCase), std::end(kInAnyCase),
                                         [&](std::string_view name) { return base::EqualsIgnoreCase(name, function); });
  return known == std::end(kInAnyCase) ? function : *known;
}

const std::vector<std::string>& FunctionNames() {
  static const auto& names = *[] {
    auto* made = new std::vector<std::string>;
    for (const auto& [name, info] : AllFunctions()) made->push_back(name);
    return made;
  }();
  return names;
}

void AddConditionFunctions(FunctionMap& functions) {
  constexpr size_t kAny = 1000;
  functions["and"] = {2, kAny, Junction<true>};
  functions["or"] = {2, kAny, Junction<false>};
  functions["not"] = {1, 1, NotFunction};
  for (const char* name : {"equals", "notEquals", "less", "lessOrEquals", "greater", "greaterOrEquals"})
    functions[name] = {2, 2, Comparison};
  functions["between"] = {3, 3, Between<false>};
  functions["notBetween"] = {3, 3, Between<true>};
  functions["isNull"] = {1, 1, NullTest<false>};
  functions["isNotNull"] = {1, 1, NullTest<true>};
  functions["if"] = {3, 3, Choice};
  functions["multiIf"] = {3, kAny, Choice};
  functions["caseWithExpression"] = {4, kAny, CaseOfValue};
  functions["coalesce"] = {1, kAny, Coalesce};
  functions["ifNull"] = {2, 2, Coalesce};
  functions["nullIf"] = {2, 2, NullIf};
  functions["assumeNotNull"] = {1, 1, AssumeNotNull};
  functions["toNullable"] = {1, 1, ToNullable};
  functions["toTypeName"] = {1, 1, TypeName};
  functions["isNotDistinctFrom"] = {2, 2, Distinctness};
}

}  // namespace logquery::clickhouse_sql
