// Aggregates. Over Nullable values ClickHouse's are NULL for nothing, as BigQuery's; over others they have defaults, which
// matters only without GROUP BY.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/build.h"
#include "lib/tools/rewrite_sql/to_clickhouse.h"

namespace logquery::tools {

using base::StrCat;

namespace {

std::optional<int64_t> IntegerLiteral(const sql::Expr* expr) {
  const auto* literal = sql::If<sql::Literal>(expr);
  if (literal == nullptr || literal->form != sql::Literal::Form::kInteger) return std::nullopt;
  return std::atoll(literal->text.c_str());
}

bool IsPlain(const sql::Call& call) {
  return call.having == nullptr && call.limit == nullptr && call.order_by.empty() &&
         call.nulls != sql::Call::Nulls::kRespect;
}

}  // namespace

absl::StatusOr<ChValue> ToClickHouse::Argument(const sql::Expr& expr, const Scope& scope, Use use) {
  const bool before = std::exchange(in_aggregate_, true);
  absl::StatusOr<ChValue> value = Expr(expr, scope, use);
  in_aggregate_ = before;
  return value;
}

absl::StatusOr<ChValue> ToClickHouse::Count(const sql::Call& call, const Scope& scope) {
  if (call.arguments.size() != 1) return Unsupported(call.span, "COUNT of several values");
  const sql::Expr* argument = call.arguments[0].value.get();
  if (argument == nullptr) return ChValue{ch::MakeCallOf("count"), Type::Int64(), false, false};
  // COUNT(field) counts the rows that have the key.
  const std::optional<NameSource> name = names_.SourceOf(*argument);
  const Source* source = name ? FindSource(name->item, scope) : nullptr;
  if (!call.distinct && source != nullptr && source->log != nullptr && !name->fields.empty() &&
      TypeOf(*argument).is(TypeKind::kString)) {
    LOGQUERY_ASSIGN_OR_RETURN(const std::string key, KeyOf(*source, *name, argument->span));
    return ChValue{ch::MakeCallOf("countIf", HasKey(*source, key, scope)), Type::Int64(), false, false};
  }
  LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Argument(*argument, scope));
  if (!call.distinct && !value.nullable) return ChValue{ch::MakeCallOf("count"), Type::Int64(), false, false};
  ch::ExprPtr made = ch::MakeCallOf("count", std::move(value.expr));
  made->distinct = call.distinct;
  return ChValue{std::move(made), Type::Int64(), false, false};
}

absl::StatusOr<ChValue> ToClickHouse::Simple(const sql::Call& call, const std::string& name, const Scope& scope) {
  const sql::Expr* argument = call.arguments.size() == 1 ? call.arguments[0].value.get() : nullptr;
  if (argument == nullptr || !IsPlain(call)) return Unsupported(call.span, StrCat(name, " with these arguments"));
  const Type& type = TypeOf(*argument);
  const bool is_sum = name == "SUM" || name == "AVG";
  const bool number = type.is(TypeKind::kInt64) || type.is(TypeKind::kFloat64);
  const bool ordered = number || type.is(TypeKind::kString) || type.is(TypeKind::kTimestamp) ||
                       type.is(TypeKind::kDate) || type.is(TypeKind::kDatetime);
  if (!(is_sum ? number : ordered)) return Unsupported(call.span, StrCat(name, " of ", type.ToString()));
  if (call.distinct && is_sum) return Unsupported(call.span, StrCat(name, "(DISTINCT …)"));
  LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Argument(*argument, scope));
  std::string function = name == "ANY_VALUE" ? "any" : base::ToLower(name);
  bool nullable = value.nullable;
  const bool over_empty = call.over != nullptr && CanBeEmpty(*call.over);
  if (over_empty && !nullable) {
    value.expr = ch::MakeCallOf("toNullable", std::move(value.expr));
    nullable = true;
  }
  if (!nullable && call.over == nullptr && !scope.grouped) {
    Note(call.span, "of no rows ClickHouse's aggregates give 0, '' or 1970; with OrNull they give NULL");
    function += "OrNull";
    nullable = true;
  }
  if (name == "SUM" && type.is(TypeKind::kInt64))
    Note(call.span, "integers beyond 64 bits are an error in BigQuery, and wrap around in ClickHouse");
  return ChValue{ch::MakeCallOf(function, std::move(value.expr)), TypeOf(call), nullable, value.is_datetime && !is_sum};
}

// STRING_AGG([DISTINCT] x, by [ORDER BY x]).
absl::StatusOr<ChValue> ToClickHouse::Joined(const sql::Call& call, const Scope& scope) {
  const sql::Expr* argument = call.arguments.empty() ? nullptr : call.arguments[0].value.get();
  if (argument == nullptr || !TypeOf(*argument).is(TypeKind::kString) || call.arguments.size() > 2 ||
      call.limit != nullptr || call.having != nullptr || call.order_by.size() > 1) {
    return Unsupported(call.span, "STRING_AGG with these arguments");
  }
  LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Argument(*argument, scope));
  ch::ExprPtr by = ch::MakeString(",");
  if (call.arguments.size() == 2) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue given, Expr(*call.arguments[1].value, scope));
    if (given.expr->kind != ch::ExprKind::kString) return Unsupported(call.span, "STRING_AGG by no literal");
    by = std::move(given.expr);
  }
  ch::ExprPtr list = ch::MakeCallOf(call.distinct ? "groupUniqArray" : "groupArray", ch::CloneExpr(*value.expr));
  if (!call.order_by.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue key, Argument(*call.order_by[0].expr, scope));
    const bool same = names_.SourceOf(*call.order_by[0].expr) && names_.SourceOf(*argument) &&
                      names_.SourceOf(*argument)->fields == names_.SourceOf(*call.order_by[0].expr)->fields &&
                      names_.SourceOf(*argument)->column == names_.SourceOf(*call.order_by[0].expr)->column &&
                      names_.SourceOf(*argument)->item == names_.SourceOf(*call.order_by[0].expr)->item;
    if (!same) return Unsupported(call.order_by[0].expr->span, "STRING_AGG ordered by another value than its own");
    list = ch::MakeCallOf(call.order_by[0].descending ? "arrayReverseSort" : "arraySort", std::move(list));
  } else {
    Note(call.span, "the order of STRING_AGG without ORDER BY is not defined");
  }
  ch::ExprPtr made = ch::MakeCallOf("arrayStringConcat", std::move(list), std::move(by));
  const bool may_be_none = value.nullable || !scope.grouped;
  if (may_be_none) {
    Note(call.span, "STRING_AGG of nothing is NULL; arrayStringConcat gives ''");
    ch::ExprPtr none = ch::MakeCallOf("equals", ch::MakeCallOf("count", std::move(value.expr)), ch::MakeNumber(0));
    made = ch::MakeCallOf("if", std::move(none), ch::MakeNull(), std::move(made));
  }
  return ChValue{std::move(made), Type::String(), may_be_none, false};
}

// ARRAY_AGG([DISTINCT] x [ORDER BY y] [LIMIT n]). Tuples of y and x are ordered by the first part.
absl::StatusOr<ChValue> ToClickHouse::Listed(const sql::Call& call, const Scope& scope) {
  const sql::Expr* argument = call.arguments.size() == 1 ? call.arguments[0].value.get() : nullptr;
  if (argument == nullptr || call.having != nullptr || call.order_by.size() > 1 || !scope.grouped)
    return Unsupported(call.span, "ARRAY_AGG with HAVING or several ORDER BYs, or without GROUP BY");
  const std::optional<int64_t> limit = IntegerLiteral(call.limit.get());
  if (call.limit != nullptr && !limit) return Unsupported(call.limit->span, "LIMIT other than an integer literal");
  const bool before = std::exchange(in_aggregate_, true);
  absl::StatusOr<ChValue> shown = Shown(*argument, scope);
  in_aggregate_ = before;
  LOGQUERY_RETURN_IF_ERROR(shown.status());
  ChValue value = *std::move(shown);
  if (value.nullable && call.nulls != sql::Call::Nulls::kIgnore)
    return Unsupported(call.span, "ARRAY_AGG of values that may be NULL, which groupArray leaves out");
  const Type type = TypeOf(call);
  ch::ExprPtr list;
  if (call.order_by.empty()) {
    if (limit) Note(call.span, "which elements ARRAY_AGG with LIMIT keeps is not defined without ORDER BY");
    list = ch::MakeCallOf(call.distinct ? "groupUniqArray" : "groupArray", std::move(value.expr));
  } else {
    const sql::OrderItem& order = call.order_by[0];
    const bool itself = names_.SourceOf(*order.expr) && names_.SourceOf(*order.expr) == names_.SourceOf(*argument);
    LOGQUERY_ASSIGN_OR_RETURN(ChValue key, Argument(*order.expr, scope));
    const bool nulls_last =
        order.nulls == sql::NullsOrder::kLast || (order.nulls == sql::NullsOrder::kDefault && order.descending);
    const bool may_show_null = key.nullable && !(itself && call.nulls == sql::Call::Nulls::kIgnore);
    if (may_show_null && !nulls_last)
      return Unsupported(order.expr->span, "ARRAY_AGG in the order of a value that may be NULL, which comes last");
    if ((call.distinct || value.nullable) && !itself)
      return Unsupported(order.expr->span, "ARRAY_AGG with DISTINCT or IGNORE NULLS in the order of another value");
    const char* function = order.descending ? "arrayReverseSort" : "arraySort";
    if (itself) {
      list = ch::MakeCallOf(call.distinct ? "groupUniqArray" : "groupArray", std::move(value.expr));
      list = ch::MakeCallOf(function, std::move(list));
    } else {
      Note(call.span, "elements that are equal in ORDER BY may stand in any order in both");
      std::vector<ch::ExprPtr> args;
      args.push_back(std::move(key.expr));
      args.push_back(std::move(value.expr));
      const std::string text = StrCat("arrayMap(x -> x.2, ", function, "(x -> x.1, groupArray((_1, _2))))");
      LOGQUERY_ASSIGN_OR_RETURN(list, ch::FillTemplate(text, args));
    }
  }
  if (limit) list = ch::MakeCallOf("arraySlice", std::move(list), ch::MakeNumber(1), ch::MakeNumber(*limit));
  return ChValue{std::move(list), type, false, false};
}

absl::StatusOr<ChValue> ToClickHouse::Aggregate(const sql::Call& call, const std::string& name, const Scope& scope,
                                                bool& handled) {
  if (call.over == nullptr && name == "ARRAY_LENGTH" && call.arguments.size() == 1) {
    const auto* inner = sql::If<sql::Call>(call.arguments[0].value.get());
    const bool quantiles = inner != nullptr && base::EqualsIgnoreCase(inner->name.back().text, "approx_quantiles");
    const std::optional<int64_t> parts =
        quantiles && inner->arguments.size() == 2 ? IntegerLiteral(inner->arguments[1].value.get()) : std::nullopt;
    if (parts) {
      LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Argument(*inner->arguments[0].value, scope));
      ch::ExprPtr none = ch::MakeCallOf("equals", ch::MakeCallOf("count", std::move(value.expr)), ch::MakeNumber(0));
      return ChValue{ch::MakeCallOf("if", std::move(none), ch::MakeNull(), ch::MakeNumber(*parts + 1)), Type::Int64(),
                     true, false};
    }
  }
  if (name == "COUNT") return Count(call, scope);
  if (name == "SUM" || name == "MIN" || name == "MAX" || name == "AVG" || name == "ANY_VALUE")
    return Simple(call, name, scope);
  if (name == "STRING_AGG") return Joined(call, scope);
  if (name == "ARRAY_AGG") return Listed(call, scope);
  const bool known =
      name == "COUNTIF" || name == "LOGICAL_OR" || name == "LOGICAL_AND" || name == "APPROX_COUNT_DISTINCT";
  if (!known) {
    handled = false;
    return ChValue();
  }
  if (call.arguments.size() != 1 || call.arguments[0].value == nullptr || !IsPlain(call) || call.distinct)
    return Unsupported(call.span, StrCat(name, " with these arguments"));
  if (name == "COUNTIF") {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue condition, Argument(*call.arguments[0].value, scope, Use::kCondition));
    return ChValue{ch::MakeCallOf("countIf", std::move(condition.expr)), Type::Int64(), false, false};
  }
  LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Argument(*call.arguments[0].value, scope));
  if (name == "APPROX_COUNT_DISTINCT") {
    Note(call.span, "APPROX_COUNT_DISTINCT and uniq are both estimates, of different kinds");
    return ChValue{ch::MakeCallOf("uniq", std::move(value.expr)), Type::Int64(), false, false};
  }
  const bool or_null = !value.nullable && !scope.grouped;
  const std::string function = StrCat(name == "LOGICAL_OR" ? "max" : "min", or_null ? "OrNull" : "");
  return ChValue{ch::MakeCallOf(function, std::move(value.expr)), Type::Bool(), value.nullable || or_null, false};
}

// APPROX_QUANTILES(x, n)[OFFSET(i)] is the element max(1, ceil(i * count / n)) of the sorted values.
absl::StatusOr<ChValue> ToClickHouse::Quantile(const sql::Subscript& subscript, const sql::Call& call,
                                               const Scope& scope) {
  using Mode = sql::Subscript::Mode;
  const int64_t parts = call.arguments.size() == 2 ? IntegerLiteral(call.arguments[1].value.get()).value_or(-1) : -1;
  const bool ordinal = subscript.mode == Mode::kOrdinal || subscript.mode == Mode::kSafeOrdinal;
  const int64_t place = IntegerLiteral(subscript.index.get()).value_or(-1) - (ordinal ? 1 : 0);
  if (parts < 1 || place < 0 || !IsPlain(call) || call.distinct)
    return Unsupported(subscript.span, "APPROX_QUANTILES with other numbers than literals, or with DISTINCT");
  const Type& type = TypeOf(*call.arguments[0].value);
  if (!type.is(TypeKind::kInt64) && !type.is(TypeKind::kFloat64))
    return Unsupported(subscript.span, StrCat("APPROX_QUANTILES of ", type.ToString()));
  LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Argument(*call.arguments[0].value, scope));
  const bool may_be_none = value.nullable || !scope.grouped;
  if (place > parts) {
    const bool safe = subscript.mode == Mode::kSafeOffset || subscript.mode == Mode::kSafeOrdinal;
    if (!safe) return Unsupported(subscript.span, "a place beyond the last quantile");
    return ChValue{ch::MakeCallOf("CAST", ch::MakeNull(),
                                  ch::MakeString(type.is(TypeKind::kInt64) ? "Nullable(Int64)" : "Nullable(Float64)")),
                   type, true, false};
  }
  Note(subscript.span,
       "APPROX_QUANTILES takes the element ceil(i * count / n) of the sorted values, one rank from quantileExact's "
       "where "
       "that is whole; the list of all values is sorted here");
  if (place == 0 || place == parts) {
    const std::string function = StrCat(place == 0 ? "min" : "max", value.nullable || scope.grouped ? "" : "OrNull");
    return ChValue{ch::MakeCallOf(function, std::move(value.expr)), type, may_be_none, false};
  }
  std::vector<ch::ExprPtr> args;
  args.push_back(std::move(value.expr));
  args.push_back(ch::MakeNumber(place));
  args.push_back(ch::MakeNumber(parts - 1));
  args.push_back(ch::MakeNumber(parts));
  const char* text = may_be_none ? "if(count(_1) = 0, NULL, arraySort(groupArray(_1))[intDiv(_2 * count(_1) + _3, _4)])"
                                 : "arraySort(groupArray(_1))[intDiv(_2 * count(_1) + _3, _4)]";
  LOGQUERY_ASSIGN_OR_RETURN(ch::ExprPtr made, ch::FillTemplate(text, args));
  return ChValue{std::move(made), type, may_be_none, false};
}

// ARRAY_AGG(STRUCT(a AS x, …) ORDER BY k)[OFFSET(0)].x is a of the row with the least k.
absl::StatusOr<ChValue> ToClickHouse::FirstOfList(const sql::FieldAccess& access, const Scope& scope) {
  const auto refused = [&] { return Unsupported(access.span, "a field of a computed record"); };
  const auto* subscript = sql::If<sql::Subscript>(access.base.get());
  const auto* call = subscript == nullptr ? nullptr : sql::If<sql::Call>(subscript->base.get());
  const std::optional<int64_t> place = subscript == nullptr ? std::nullopt : IntegerLiteral(subscript->index.get());
  const auto* made = call == nullptr || call->arguments.size() != 1
                         ? nullptr
                         : sql::If<sql::StructExpr>(call->arguments[0].value.get());
  using Mode = sql::Subscript::Mode;
  const bool first =
      place && *place == (subscript->mode == Mode::kOrdinal || subscript->mode == Mode::kSafeOrdinal ? 1 : 0);
  if (made == nullptr || !first || !base::EqualsIgnoreCase(call->name.back().text, "array_agg") ||
      call->order_by.size() != 1 || call->distinct || call->having != nullptr || call->over != nullptr ||
      !scope.grouped) {
    return refused();
  }
  for (const sql::StructExpr::Item& item : made->items) {
    std::string name = item.alias ? item.alias->text : "";
    if (const auto* path = sql::If<sql::PathExpr>(item.value.get()); name.empty() && path != nullptr)
      name = path->names.back().text;
    if (!base::EqualsIgnoreCase(name, access.field.text)) continue;
    LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Argument(*item.value, scope));
    LOGQUERY_ASSIGN_OR_RETURN(ChValue key, Argument(*call->order_by[0].expr, scope));
    if (value.nullable || key.nullable) return refused();
    Note(access.span,
         "the first row of ARRAY_AGG with ORDER BY is that of argMin or argMax; among equal ones it is any");
    return ChValue{
        ch::MakeCallOf(call->order_by[0].descending ? "argMax" : "argMin", std::move(value.expr), std::move(key.expr)),
        TypeOf(access), false, value.is_datetime};
  }
  return refused();
}

}  // namespace logquery::tools
