// Copies plans and scalars.
#include <utility>

#include "lib/rewrite/plan_walk.h"

namespace logquery::rewrite {
namespace {

// nullptr's copy is nullptr.
ScalarPtr Copy(const ScalarPtr& scalar) { return scalar == nullptr ? nullptr : Clone(*scalar); }
PlanPtr Copy(const PlanPtr& plan) { return plan == nullptr ? nullptr : Clone(*plan); }

Computed Copy(const Computed& computed) { return {computed.column, Copy(computed.value)}; }
OrderKey Copy(const OrderKey& key) { return {Copy(key.value), key.descending, key.nulls_first}; }
Case::When Copy(const Case::When& when) { return {Copy(when.condition), Copy(when.result)}; }
AggregateCall Copy(const AggregateCall& call) { return CloneCall(call); }
Aggregate::Call Copy(const Aggregate::Call& call) { return {call.column, Copy(call.call)}; }

WithEntry Copy(const WithEntry& entry) {
  return {entry.id, entry.name, Copy(entry.plan), entry.recursive, entry.endpoint};
}

WindowFramePlan Copy(const WindowFramePlan& frame) {
  return {frame.unit, frame.start, frame.end, Copy(frame.start_offset), Copy(frame.end_offset)};
}

template <typename T>
std::vector<T> Copy(const std::vector<T>& original) {
  std::vector<T> copy;
  copy.reserve(original.size());
  for (const T& each : original) copy.push_back(Copy(each));
  return copy;
}

Window::Call Copy(const Window::Call& call) {
  Window::Call copy;
  copy.column = call.column;
  copy.call = Copy(call.call);
  for (const ScalarPtr& key : call.partition_by) copy.partition_by.push_back(Copy(key));
  for (const OrderKey& key : call.order_by) copy.order_by.push_back(Copy(key));
  if (call.frame.has_value()) copy.frame = Copy(*call.frame);
  return copy;
}

ScalarPtr CopyOf(const ColumnRef& ref) { return std::make_unique<ColumnRef>(PlanColumn{ref.id, ref.name, ref.type}); }

ScalarPtr CopyOf(const FunctionCall& call) {
  auto copy = std::make_unique<FunctionCall>(call.overload, call.type, Copy(call.arguments));
  copy->safe = call.safe;
  return copy;
}

ScalarPtr CopyOf(const Cast& cast) {
  auto copy = std::make_unique<Cast>(Copy(cast.operand), cast.type);
  copy->safe = cast.safe;
  copy->format = Copy(cast.format);
  copy->time_zone = Copy(cast.time_zone);
  return copy;
}

ScalarPtr CopyOf(const Case& branches) {
  auto copy = std::make_unique<Case>(branches.type);
  copy->operand = Copy(branches.operand);
  copy->whens = Copy(branches.whens);
  copy->otherwise = Copy(branches.otherwise);
  return copy;
}

ScalarPtr CopyOf(const SubqueryScalar& subquery) {
  auto copy = std::make_unique<SubqueryScalar>(subquery.form, subquery.type, Copy(subquery.plan));
  copy->value = Copy(subquery.value);
  return copy;
}

ScalarPtr CopyOf(const Scalar& scalar) {
  switch (scalar.kind) {
    case ScalarKind::kConstant:
      return std::make_unique<Constant>(As<Constant>(scalar).value);
    case ScalarKind::kColumn:
      return CopyOf(As<ColumnRef>(scalar));
    case ScalarKind::kParameter:
      return std::make_unique<ParameterRef>(As<ParameterRef>(scalar).name, scalar.type);
    case ScalarKind::kField:
      return std::make_unique<FieldRef>(Copy(As<FieldRef>(scalar).base), As<FieldRef>(scalar).index);
    case ScalarKind::kCall:
      return CopyOf(As<FunctionCall>(scalar));
    case ScalarKind::kCast:
      return CopyOf(As<Cast>(scalar));
    case ScalarKind::kCase:
      return CopyOf(As<Case>(scalar));
    case ScalarKind::kStruct:
      return std::make_unique<StructMake>(scalar.type, Copy(As<StructMake>(scalar).fields));
    case ScalarKind::kArray:
      return std::make_unique<ArrayMake>(scalar.type, Copy(As<ArrayMake>(scalar).elements));
    case ScalarKind::kSubquery:
      return CopyOf(As<SubqueryScalar>(scalar));
    case ScalarKind::kLambda:
      return std::make_unique<LambdaScalar>(As<LambdaScalar>(scalar).parameters, Copy(As<LambdaScalar>(scalar).body));
  }
  return nullptr;
}

// Creates a node whose constructor copies its inputs' columns over inputs without columns, because the copy gets the
// original's columns.
template <typename T, typename... Args>
std::unique_ptr<T> Over(const PlanPtr& input, Args... args) {
  auto copy = std::make_unique<T>(std::make_unique<SingleRow>(), std::move(args)...);
  copy->input = Copy(input);
  return copy;
}

PlanPtr CopyOf(const TableScan& scan) {
  auto copy = std::make_unique<TableScan>(scan.table);
  copy->storage = scan.storage;
  return copy;
}

PlanPtr CopyOf(const CteScan& scan) {
  auto copy = std::make_unique<CteScan>(scan.cte);
  copy->ordinals = scan.ordinals;
  return copy;
}

PlanPtr CopyOf(const With& with) {
  auto copy = std::make_unique<With>();
  copy->entries = Copy(with.entries);
  copy->body = Copy(with.body);
  return copy;
}

PlanPtr CopyOf(const Project& project) {
  auto copy = std::make_unique<Project>(Copy(project.input));
  copy->computed = Copy(project.computed);
  return copy;
}

PlanPtr CopyOf(const Join& join) {
  auto copy = std::make_unique<Join>(join.type, std::make_unique<SingleRow>(), std::make_unique<SingleRow>(),
                                     Copy(join.condition));
  copy->left = Copy(join.left);
  copy->right = Copy(join.right);
  return copy;
}

PlanPtr CopyOf(const Unnest& unnest) {
  auto copy = std::make_unique<Unnest>(Copy(unnest.input));
  copy->arrays = Copy(unnest.arrays);
  copy->elements = unnest.elements;
  copy->offset = unnest.offset;
  copy->outer = unnest.outer;
  copy->condition = Copy(unnest.condition);
  return copy;
}

PlanPtr CopyOf(const Aggregate& aggregate) {
  auto copy = std::make_unique<Aggregate>(Copy(aggregate.input));
  copy->keys = Copy(aggregate.keys);
  copy->grouping_sets = aggregate.grouping_sets;
  copy->calls = Copy(aggregate.calls);
  copy->groupings = aggregate.groupings;
  return copy;
}

PlanPtr CopyOf(const Window& window) {
  auto copy = std::make_unique<Window>(Copy(window.input));
  for (const Window::Call& call : window.calls) copy->calls.push_back(Copy(call));
  return copy;
}

PlanPtr CopyOf(const SetOperationPlan& operation) {
  auto copy = std::make_unique<SetOperationPlan>(operation.op, operation.distinct);
  copy->inputs = Copy(operation.inputs);
  return copy;
}

PlanPtr CopyOf(const Plan& plan) {
  switch (plan.kind) {
    case PlanKind::kSingleRow:
      return std::make_unique<SingleRow>();
    case PlanKind::kTableScan:
      return CopyOf(As<TableScan>(plan));
    case PlanKind::kCteScan:
      return CopyOf(As<CteScan>(plan));
    case PlanKind::kWith:
      return CopyOf(As<With>(plan));
    case PlanKind::kProject:
      return CopyOf(As<Project>(plan));
    case PlanKind::kFilter:
      return Over<Filter>(As<Filter>(plan).input, Copy(As<Filter>(plan).condition));
    case PlanKind::kJoin:
      return CopyOf(As<Join>(plan));
    case PlanKind::kUnnest:
      return CopyOf(As<Unnest>(plan));
    case PlanKind::kAggregate:
      return CopyOf(As<Aggregate>(plan));
    case PlanKind::kWindow:
      return CopyOf(As<Window>(plan));
    case PlanKind::kSetOperation:
      return CopyOf(As<SetOperationPlan>(plan));
    case PlanKind::kSort:
      return Over<Sort>(As<Sort>(plan).input, Copy(As<Sort>(plan).keys));
    case PlanKind::kLimit:
      return Over<Limit>(As<Limit>(plan).input, Copy(As<Limit>(plan).limit), Copy(As<Limit>(plan).offset));
  }
  return nullptr;
}

}  // namespace

QueryPlan CopyPlan(const QueryPlan& plan) {
  QueryPlan copy;
  copy.root = Clone(*plan.root);
  copy.schema = plan.schema;
  for (const DerivedParameter& derived : plan.derived) copy.derived.push_back({derived.name, Clone(*derived.value)});
  for (const FinishedText& text : plan.finished) copy.finished.push_back({text.column, text.type, Clone(*text.call)});
  copy.next_column = plan.next_column;
  copy.next_cte = plan.next_cte;
  return copy;
}

PlanPtr Clone(const Plan& plan) {
  PlanPtr copy = CopyOf(plan);
  copy->columns = plan.columns;
  copy->may_hold_subqueries = plan.may_hold_subqueries;
  return copy;
}

ScalarPtr Clone(const Scalar& scalar) {
  ScalarPtr copy = CopyOf(scalar);
  copy->type = scalar.type;
  copy->span = scalar.span;
  return copy;
}

AggregateCall CloneCall(const AggregateCall& call) {
  AggregateCall copy;
  copy.overload = call.overload;
  copy.arguments = Copy(call.arguments);
  copy.distinct = call.distinct;
  copy.ignore_nulls = call.ignore_nulls;
  copy.respect_nulls = call.respect_nulls;
  copy.having = Copy(call.having);
  copy.having_max = call.having_max;
  copy.order_by = Copy(call.order_by);
  copy.limit = Copy(call.limit);
  copy.filter = Copy(call.filter);
  copy.safe = call.safe;
  return copy;
}

}  // namespace logquery::rewrite
