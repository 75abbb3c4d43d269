// Aggregates with their combinators (-If, -OrNull, -OrDefault, -Array, -Distinct) over rows and groups.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/aggregate_maker.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::clickhouse_sql {

using base::StrCat;
using rewrite::AggregateCall;
using rewrite::ColumnRef;

absl::StatusOr<std::optional<Ex>> Resolver::ResolveAggregate(const Expr& call, SelectScope& scope) {
  const AggregateName name = ParseAggregateName(call.text);
  if (name.base.empty()) return std::optional<Ex>();
  if (name.base == "any" && FindFunction(call.text) != nullptr) return std::optional<Ex>();
  if (scope.clause == SelectScope::Clause::kRows)
    return Error(call.span, StrCat("the aggregate ", call.text, " is not allowed here; write HAVING, or a subquery"));
  if (scope.in_aggregate) return Error(call.span, StrCat("the aggregate ", call.text, " stands inside of another one"));
  if (!scope.lambda_names.empty())
    return Error(call.span, StrCat("the aggregate ", call.text, " stands inside of a lambda"));
  scope.in_aggregate = true;
  std::vector<Ex> args, params;
  absl::Status status;
  for (const ExprPtr& arg : call.args) {
    if (arg->kind == ExprKind::kStar && name.base == "count") continue;
    absl::StatusOr<Ex> value = ResolveExpr(*arg, scope);
    if (!value.ok()) {
      status = value.status();
      break;
    }
    args.push_back(*std::move(value));
  }
  scope.in_aggregate = false;
  LOGQUERY_RETURN_IF_ERROR(status);
  for (const ExprPtr& param : call.params) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*param, scope));
    params.push_back(std::move(value));
  }
  ScalarPtr filter;
  if (name.filtered) {
    if (args.empty()) return Error(call.span, StrCat(call.text, " wants a condition"));
    LOGQUERY_ASSIGN_OR_RETURN(filter, ToBool(std::move(args.back()), call.args.back()->span));
    args.pop_back();
  }
  if (name.of_array) {
    // Only aggregates that can be put together of each row's result go over the elements of the arrays of all rows.
    const bool simple = name.base == "sum" || name.base == "min" || name.base == "max" || name.base == "count";
    if (args.size() != 1 || !args[0].type.Is(ChKind::kArray))
      return Error(call.span, StrCat(call.text, " wants one array"));
    const ChType element = args[0].type.parts[0];
    if (simple && (element.Is(ChKind::kInt) || element.Is(ChKind::kFloat))) {
      const PlanColumn column = NewColumn("x", element.PlanType());
      auto unnest = std::make_unique<rewrite::Unnest>(std::make_unique<rewrite::SingleRow>());
      unnest->columns.push_back(column);
      unnest->elements.push_back(column);
      unnest->arrays.push_back(std::move(args[0].scalar));
      auto sum = std::make_unique<rewrite::Aggregate>(std::move(unnest));
      AggregateCall made;
      std::vector<ScalarPtr> arguments;
      arguments.push_back(std::make_unique<ColumnRef>(column));
      made.overload = AggregateOverload(name.base == "sum"   ? "SUM"
                                        : name.base == "min" ? "MIN"
                                        : name.base == "max" ? "MAX"
                                                             : "COUNT",
                                        arguments);
      made.arguments = std::move(arguments);
      const Type type = name.base == "count" ? Type::Int64() : element.PlanType();
      const PlanColumn result = NewColumn("part", type);
      sum->calls.push_back({result, std::move(made)});
      sum->columns.push_back(result);
      args[0] =
          Ex{std::make_unique<rewrite::SubqueryScalar>(rewrite::SubqueryScalar::Form::kScalar, type, std::move(sum)),
             name.base == "count" ? UInt64().Nullable() : element.Nullable()};
      AggregateName outer = name;
      if (name.base == "count") outer.base = "sum";
      outer.of_array = false;
      outer.distinct = false;
      const ChType made_type = name.base == "count" ? UInt64()
                               : name.base == "sum" && element.Is(ChKind::kInt)
                                   ? Int(std::max(element.bits, 64), element.is_signed)
                                   : element;
      const AddAggregate add_part = [&](AggregateCall part, const Type& part_type) -> ScalarPtr {
        const PlanColumn part_column = NewColumn(call.text, part_type);
        scope.calls.push_back({part_column, std::move(part)});
        scope.made.insert(part_column.id);
        return std::make_unique<ColumnRef>(part_column);
      };
      LOGQUERY_ASSIGN_OR_RETURN(
          Ex value,
          MakeAggregate(*this, call, outer, {std::move(args), std::move(params), std::move(filter)}, add_part));
      if (!name.or_null && (name.base == "count" || !element.nullable))
        value = Ex{IfNull(std::move(value.scalar), DefaultOf(made_type.NotNull())), made_type.NotNull()};
      return std::optional<Ex>(std::move(value));
    }
    const bool unique =
        name.base == "uniq" || name.base == "uniqExact" || name.base == "groupUniqArray" || name.base == "groupArray";
    if (!unique) return Error(call.span, StrCat("the aggregate ", call.text, " is not supported"));
    // All elements as one list; then what is asked of it.
    AggregateCall all;
    std::vector<ScalarPtr> arguments;
    arguments.push_back(std::move(args[0].scalar));
    all.overload = AggregateOverload("ARRAY_CONCAT_AGG", arguments);
    all.arguments = std::move(arguments);
    all.filter = std::move(filter);
    const ChType list = ArrayOf(element);
    const PlanColumn column = NewColumn(call.text, list.PlanType());
    scope.calls.push_back({column, std::move(all)});
    scope.made.insert(column.id);
    ScalarPtr elements = IfNull(std::make_unique<ColumnRef>(column), DefaultOf(list));
    if (name.base == "groupArray") return std::optional<Ex>(Ex{std::move(elements), list});
    const PlanColumn x = NewColumn("x", element.PlanType());
    auto unnest = std::make_unique<rewrite::Unnest>(std::make_unique<rewrite::SingleRow>());
    unnest->columns.push_back(x);
    unnest->elements.push_back(x);
    unnest->arrays.push_back(std::move(elements));
    const bool to_list = name.base == "groupUniqArray";
    auto aggregate = std::make_unique<rewrite::Aggregate>(std::move(unnest));
    AggregateCall made;
    made.arguments.push_back(std::make_unique<ColumnRef>(x));
    made.overload = AggregateOverload(to_list ? "ARRAY_AGG" : "COUNT", made.arguments);
    made.distinct = true;
    const Type type = to_list ? list.PlanType() : Type::Int64();
    const PlanColumn result = NewColumn("part", type);
    aggregate->calls.push_back({result, std::move(made)});
    aggregate->columns.push_back(result);
    ScalarPtr value =
        std::make_unique<rewrite::SubqueryScalar>(rewrite::SubqueryScalar::Form::kScalar, type, std::move(aggregate));
    if (to_list) return std::optional<Ex>(Ex{IfNull(std::move(value), DefaultOf(list)), list});
    return std::optional<Ex>(Ex{std::move(value), UInt64()});
  }
  const AddAggregate add = [&](AggregateCall made, const Type& type) -> ScalarPtr {
    const PlanColumn column = NewColumn(call.text, type);
    scope.calls.push_back({column, std::move(made)});
    scope.made.insert(column.id);
    return std::make_unique<ColumnRef>(column);
  };
  LOGQUERY_ASSIGN_OR_RETURN(
      Ex value, MakeAggregate(*this, call, name, {std::move(args), std::move(params), std::move(filter)}, add));
  return std::optional<Ex>(std::move(value));
}

}  // namespace logquery::clickhouse_sql
