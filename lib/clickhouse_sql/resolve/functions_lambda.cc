// Functions on arrays that take lambdas, or look at all elements.
#include <algorithm>

#include "lib/base/limits.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/aggregate_maker.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::clickhouse_sql {
namespace {

using base::StrCat;
using rewrite::ColumnRef;

// The elements of arrays as tuples of a lambda with several parameters: one array is enough for one parameter.
struct Lambda {
  ScalarPtr list;
  ScalarPtr lambda;
  ChType element;  // of the first array
  ChType body;
  bool condition = false;
};

absl::StatusOr<Lambda> ReadLambda(CallArgs& call) {
  const Expr& written = *call.call.args[0];
  std::vector<ChType> parameters;
  for (size_t i = 1; i < call.size(); ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(call[i], ArrayAt(call, i));
    parameters.push_back(call[i].type.parts[0]);
  }
  LOGQUERY_ASSIGN_OR_RETURN(Ex made, call.resolver.ResolveLambda(written, parameters, call.scope));
  Lambda result{std::move(call[1].scalar), std::move(made.scalar), parameters[0], made.type, made.condition};
  if (parameters.size() == 1) return result;
  if (parameters.size() > 2)
    return call.resolver.Error(call.call.span, "lambdas of more than two arrays are not supported");
  // ARRAY_TRANSFORM gives the position of an element to its second parameter.
  rewrite::LambdaScalar& lambda = rewrite::As<rewrite::LambdaScalar>(*result.lambda);
  const PlanColumn position = call.resolver.NewColumn("i", Type::Int64());
  const ColumnId second = lambda.parameters[1].id;
  const ScalarPtr other = std::move(call[2].scalar);
  result.list = OfSameLength(std::move(result.list), other, call.call.text);
  const Type other_type = lambda.parameters[1].type;
  const absl::Status done = rewrite::RewriteScalar(lambda.body, [&](ScalarPtr& part) {
    const ColumnRef* column = rewrite::If<ColumnRef>(part.get());
    if (column != nullptr && column->id == second) {
      part = Call("$safe_at_offset", other_type, Same(other), std::make_unique<ColumnRef>(position));
    }
    return absl::OkStatus();
  });
  done.IgnoreError();  // the callback never fails
  lambda.parameters[1] = position;
  return result;
}

// A lambda's condition.
absl::StatusOr<ScalarPtr> ConditionOf(CallArgs& call, Lambda& lambda) {
  auto& made = rewrite::As<rewrite::LambdaScalar>(*lambda.lambda);
  LOGQUERY_ASSIGN_OR_RETURN(
      ScalarPtr condition, call.resolver.ToBool({std::move(made.body), lambda.body, lambda.condition}, call.SpanOf(0)));
  std::vector<PlanColumn> parameters = made.parameters;
  return ScalarPtr(std::make_unique<rewrite::LambdaScalar>(std::move(parameters), std::move(condition)));
}

absl::StatusOr<Ex> ArrayMap(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(Lambda lambda, ReadLambda(call));
  auto& made = rewrite::As<rewrite::LambdaScalar>(*lambda.lambda);
  Ex body = call.resolver.Plain({std::move(made.body), lambda.body, lambda.condition});
  if (body.type.Is(ChKind::kArray)) return call.resolver.Error(call.SpanOf(0), "arrays of arrays are not supported");
  const ChType type = ArrayOf(body.type);
  ScalarPtr mapped = std::make_unique<rewrite::LambdaScalar>(made.parameters, std::move(body.scalar));
  return Ex{Call("ARRAY_TRANSFORM", type.PlanType(), std::move(lambda.list), std::move(mapped)), type};
}

// arrayFilter, -Exists, -All, -Count, -First: the elements for which the condition holds, and what is asked of them.
absl::StatusOr<Ex> Filtered(CallArgs& call) {
  const std::string& name = call.call.text;
  const bool has_lambda = call.call.args[0]->kind == ExprKind::kLambda;
  ScalarPtr list, kept;
  ChType element;
  if (has_lambda) {
    if (call.size() < 2) return call.resolver.Error(call.call.span, StrCat(name, " wants a lambda and an array"));
    LOGQUERY_ASSIGN_OR_RETURN(Lambda lambda, ReadLambda(call));
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition, ConditionOf(call, lambda));
    element = lambda.element;
    list = Same(lambda.list);
    kept = Call("ARRAY_FILTER", ArrayOf(element).PlanType(), std::move(lambda.list), std::move(condition));
  } else {
    LOGQUERY_ASSIGN_OR_RETURN(Ex array, ArrayAt(call, 0));
    element = array.type.parts[0];
    const PlanColumn x = call.resolver.NewColumn("x", element.PlanType());
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition,
                              call.resolver.ToBool({std::make_unique<ColumnRef>(x), element}, call.call.span));
    list = Same(array.scalar);
    ScalarPtr lambda = std::make_unique<rewrite::LambdaScalar>(std::vector<PlanColumn>{x}, std::move(condition));
    kept = Call("ARRAY_FILTER", array.type.PlanType(), std::move(array.scalar), std::move(lambda));
  }
  if (name == "arrayFilter") return Ex{std::move(kept), ArrayOf(element)};
  if (name == "arrayFirst") {
    ScalarPtr first = Call("$safe_at_offset", element.PlanType(), std::move(kept), Number(0));
    return Ex{IfNull(std::move(first), DefaultOf(element)), element};
  }
  ScalarPtr count = Call("ARRAY_LENGTH", Type::Int64(), std::move(kept));
  if (name == "arrayCount") return Ex{std::move(count), Int(32, false)};
  if (name == "arrayExists") return Ex{Call("$greater", Type::Bool(), std::move(count), Number(0)), UInt8(), true};
  ScalarPtr all = Call("ARRAY_LENGTH", Type::Int64(), std::move(list));
  return Ex{Call("$equal", Type::Bool(), std::move(count), std::move(all)), UInt8(), true};
}

// arraySum, arrayAvg, arrayMin, arrayMax, with an optional lambda.
absl::StatusOr<Ex> Aggregated(CallArgs& call) {
  const std::string& name = call.call.text;
  Ex list;
  if (call.call.args[0]->kind == ExprKind::kLambda) {
    if (call.size() < 2) return call.resolver.Error(call.call.span, StrCat(name, " wants a lambda and an array"));
    LOGQUERY_ASSIGN_OR_RETURN(list, ArrayMap(call));
  } else {
    LOGQUERY_ASSIGN_OR_RETURN(list, ArrayAt(call, 0));
  }
  const ChType element = list.type.parts[0];
  if ((!element.Is(ChKind::kInt) && !element.Is(ChKind::kFloat)) || element.nullable)
    return call.resolver.Error(call.call.span, StrCat(name, " of ", list.type.ToString(), " is not supported"));
  const PlanColumn x = call.resolver.NewColumn("x", element.PlanType());
  auto aggregate = std::make_unique<rewrite::Aggregate>(ElementRows(std::move(list.scalar), x));
  const auto add = [&](std::string_view function, const Type& type) {
    rewrite::AggregateCall made;
    made.arguments.push_back(std::make_unique<ColumnRef>(x));
    made.overload = AggregateOverload(function, made.arguments);
    const PlanColumn result = call.resolver.NewColumn("result", type);
    aggregate->calls.push_back({result, std::move(made)});
    aggregate->columns.push_back(result);
    return result;
  };
  ChType type = element.NotNull();
  rewrite::PlanPtr rows;
  if (name == "arrayAvg" && element.Is(ChKind::kInt)) {
    // The average of integers is their sum by their number, as that of avg.
    ScalarPtr sum = std::make_unique<ColumnRef>(add("SUM", x.type));
    ScalarPtr count = std::make_unique<ColumnRef>(add("COUNT", Type::Int64()));
    type = Float64();
    const PlanColumn average = call.resolver.NewColumn("result", Type::Float64());
    auto project = std::make_unique<rewrite::Project>(std::move(aggregate));
    project->computed.push_back({average, AverageOf(std::move(sum), std::move(count))});
    project->columns = {average};
    rows = std::move(project);
  } else {
    if (name == "arraySum" && element.Is(ChKind::kInt)) type = Int(std::max(element.bits, 64), element.is_signed);
    add(name == "arraySum" ? "SUM" : name == "arrayAvg" ? "AVG" : name == "arrayMin" ? "MIN" : "MAX", x.type);
    rows = std::move(aggregate);
  }
  const Type plan_type = type.PlanType();
  ScalarPtr value =
      std::make_unique<rewrite::SubqueryScalar>(rewrite::SubqueryScalar::Form::kScalar, plan_type, std::move(rows));
  return Ex{IfNull(std::move(value), DefaultOf(type)), type};
}

// arrayDistinct: each value where it stands first, without NULLs. A grouping of the elements by value keeps the first
// position of each.
absl::StatusOr<Ex> DistinctElements(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(Ex list, ArrayAt(call, 0));
  const ChType type = ArrayOf(list.type.parts[0].NotNull());
  const PlanColumn x = call.resolver.NewColumn("x", type.parts[0].PlanType());
  const PlanColumn position = call.resolver.NewColumn("i", Type::Int64());
  std::unique_ptr<rewrite::Unnest> rows = ElementRows(std::move(list.scalar), x);
  rows->columns.push_back(position);
  rows->offset = position;
  auto groups = std::make_unique<rewrite::Aggregate>(std::move(rows));
  const PlanColumn value = call.resolver.NewColumn("value", x.type);
  const PlanColumn first = call.resolver.NewColumn("first", Type::Int64());
  groups->keys.push_back({value, std::make_unique<ColumnRef>(x)});
  groups->columns = {value, first};
  rewrite::AggregateCall lowest;
  lowest.arguments.push_back(std::make_unique<ColumnRef>(position));
  lowest.overload = AggregateOverload("MIN", lowest.arguments);
  groups->calls.push_back({first, std::move(lowest)});
  rewrite::AggregateCall all;
  all.arguments.push_back(std::make_unique<ColumnRef>(value));
  all.overload = AggregateOverload("ARRAY_AGG", all.arguments);
  all.ignore_nulls = true;
  all.order_by.push_back({std::make_unique<ColumnRef>(first), false, false});
  auto aggregate = std::make_unique<rewrite::Aggregate>(std::move(groups));
  const PlanColumn result = call.resolver.NewColumn("result", type.PlanType());
  aggregate->calls.push_back({result, std::move(all)});
  aggregate->columns.push_back(result);
  ScalarPtr distinct = std::make_unique<rewrite::SubqueryScalar>(rewrite::SubqueryScalar::Form::kScalar,
                                                                 type.PlanType(), std::move(aggregate));
  return Ex{IfNull(std::move(distinct), DefaultOf(type)), type};
}

// arraySort([lambda,] array), arrayReverseSort: a subquery over the elements.
absl::StatusOr<Ex> Sorted(CallArgs& call) {
  const std::string& name = call.call.text;
  const bool descending = name == "arrayReverseSort";
  const bool has_lambda = call.call.args[0]->kind == ExprKind::kLambda;
  LOGQUERY_ASSIGN_OR_RETURN(Ex list, ArrayAt(call, has_lambda ? 1 : 0));
  const ChType element = list.type.parts[0];
  const PlanColumn x = call.resolver.NewColumn("x", element.PlanType());
  ScalarPtr key = std::make_unique<ColumnRef>(x);
  if (has_lambda) {
    if (call.size() != 2) return call.resolver.Error(call.call.span, StrCat(name, " with a lambda wants one array"));
    LOGQUERY_ASSIGN_OR_RETURN(Ex lambda, call.resolver.ResolveLambda(*call.call.args[0], {element}, call.scope));
    auto& made = rewrite::As<rewrite::LambdaScalar>(*lambda.scalar);
    const rewrite::ColumnMap renamed = {{made.parameters[0].id, x.id}};
    key = std::move(made.body);
    rewrite::RenameReferences(key, renamed);
  }
  rewrite::AggregateCall made;
  made.arguments.push_back(std::make_unique<ColumnRef>(x));
  made.overload = AggregateOverload("ARRAY_AGG", made.arguments);
  made.order_by.push_back({std::move(key), descending, false});
  auto aggregate = std::make_unique<rewrite::Aggregate>(ElementRows(std::move(list.scalar), x));
  const Type type = list.type.PlanType();
  const PlanColumn result = call.resolver.NewColumn("result", type);
  aggregate->calls.push_back({result, std::move(made)});
  aggregate->columns.push_back(result);
  ScalarPtr value =
      std::make_unique<rewrite::SubqueryScalar>(rewrite::SubqueryScalar::Form::kScalar, type, std::move(aggregate));
  return Ex{IfNull(std::move(value), DefaultOf(list.type)), list.type};
}

}  // namespace

void AddLambdaFunctions(FunctionMap& functions) {
  functions["arrayMap"] = {2, 3, ArrayMap, true};
  for (const char* name : {"arrayFilter", "arrayExists", "arrayAll", "arrayCount", "arrayFirst"})
    functions[name] = {1, 3, Filtered, true};
  for (const char* name : {"arraySum", "arrayAvg", "arrayMin", "arrayMax"}) functions[name] = {1, 3, Aggregated, true};
  for (const char* name : {"arraySort", "arrayReverseSort"}) functions[name] = {1, 2, Sorted, true};
  functions["arrayDistinct"] = {1, 1, DistinctElements};
}

}  // namespace logquery::clickhouse_sql
