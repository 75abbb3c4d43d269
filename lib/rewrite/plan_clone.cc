// Copies of plans, and the columns they define and refer to.
#include <utility>

#include "lib/rewrite/plan_walk.h"

namespace logquery::rewrite {
namespace {

// As many places for children as the original has, all of them empty.
std::vector<ScalarPtr> Places(const std::vector<ScalarPtr>& original) {
  return std::vector<ScalarPtr>(original.size());
}

std::vector<Computed> Places(const std::vector<Computed>& original) {
  std::vector<Computed> copy;
  for (const Computed& each : original) copy.push_back({each.column, nullptr});
  return copy;
}

std::vector<OrderKey> Places(const std::vector<OrderKey>& original) {
  std::vector<OrderKey> copy;
  for (const OrderKey& each : original) copy.push_back({nullptr, each.descending, each.nulls_first});
  return copy;
}

AggregateCall Shell(const AggregateCall& call) {
  AggregateCall copy;
  copy.overload = call.overload;
  copy.arguments = Places(call.arguments);
  copy.distinct = call.distinct;
  copy.ignore_nulls = call.ignore_nulls;
  copy.respect_nulls = call.respect_nulls;
  copy.having_max = call.having_max;
  copy.order_by = Places(call.order_by);
  copy.safe = call.safe;
  return copy;
}

ScalarPtr ShellOfCase(const Case& original) {
  auto copy = std::make_unique<Case>(original.type);
  copy->whens.resize(original.whens.size());
  return copy;
}

ScalarPtr ShellOfCall(const FunctionCall& original) {
  auto copy = std::make_unique<FunctionCall>(original.overload, original.type, Places(original.arguments));
  copy->safe = original.safe;
  return copy;
}

// Constructors that look at a child can't make a shell of their node: it is made with a stand-in, taken out again.
ScalarPtr StandIn() { return std::make_unique<Constant>(Value()); }

ScalarPtr ShellOfField(const FieldRef& original) {
  ScalarPtr base = StandIn();
  base->type = original.base->type;
  auto copy = std::make_unique<FieldRef>(std::move(base), original.index);
  copy->base = nullptr;
  return copy;
}

ScalarPtr ShellOfCast(const Cast& original) {
  auto copy = std::make_unique<Cast>(nullptr, original.type);
  copy->safe = original.safe;
  return copy;
}

ScalarPtr ShellOfLambda(const LambdaScalar& original) {
  auto copy = std::make_unique<LambdaScalar>(original.parameters, StandIn());
  copy->body = nullptr;
  return copy;
}

ScalarPtr NewShell(const Scalar& scalar) {
  switch (scalar.kind) {
    case ScalarKind::kConstant:
      return std::make_unique<Constant>(As<Constant>(scalar).value);
    case ScalarKind::kColumn: {
      const auto& ref = As<ColumnRef>(scalar);
      return std::make_unique<ColumnRef>(PlanColumn{ref.id, ref.name, ref.type});
    }
    case ScalarKind::kParameter:
      return std::make_unique<ParameterRef>(As<ParameterRef>(scalar).name, scalar.type);
    case ScalarKind::kField:
      return ShellOfField(As<FieldRef>(scalar));
    case ScalarKind::kCall:
      return ShellOfCall(As<FunctionCall>(scalar));
    case ScalarKind::kCast:
      return ShellOfCast(As<Cast>(scalar));
    case ScalarKind::kCase:
      return ShellOfCase(As<Case>(scalar));
    case ScalarKind::kStruct:
      return std::make_unique<StructMake>(scalar.type, Places(As<StructMake>(scalar).fields));
    case ScalarKind::kArray:
      return std::make_unique<ArrayMake>(scalar.type, Places(As<ArrayMake>(scalar).elements));
    case ScalarKind::kSubquery:
      return std::make_unique<SubqueryScalar>(As<SubqueryScalar>(scalar).form, scalar.type, nullptr);
    case ScalarKind::kLambda:
      return ShellOfLambda(As<LambdaScalar>(scalar));
  }
  return nullptr;
}

PlanPtr ShellOfWith(const With& original) {
  auto copy = std::make_unique<With>();
  for (const WithEntry& entry : original.entries) {
    copy->entries.push_back({entry.id, entry.name, nullptr, entry.recursive, entry.endpoint});
  }
  return copy;
}

PlanPtr ShellOfUnnest(const Unnest& original) {
  auto copy = std::make_unique<Unnest>(nullptr);
  copy->arrays = Places(original.arrays);
  copy->elements = original.elements;
  copy->offset = original.offset;
  copy->outer = original.outer;
  return copy;
}

PlanPtr ShellOfAggregate(const Aggregate& original) {
  auto copy = std::make_unique<Aggregate>(nullptr);
  copy->keys = Places(original.keys);
  copy->grouping_sets = original.grouping_sets;
  for (const Aggregate::Call& call : original.calls) copy->calls.push_back({call.column, Shell(call.call)});
  copy->groupings = original.groupings;
  return copy;
}

PlanPtr ShellOfWindow(const Window& original) {
  auto copy = std::make_unique<Window>(nullptr);
  for (const Window::Call& call : original.calls) {
    Window::Call& made = copy->calls.emplace_back();
    made.column = call.column;
    made.call = Shell(call.call);
    made.partition_by = Places(call.partition_by);
    made.order_by = Places(call.order_by);
    if (call.frame.has_value()) {
      made.frame.emplace();
      made.frame->unit = call.frame->unit;
      made.frame->start = call.frame->start;
      made.frame->end = call.frame->end;
    }
  }
  return copy;
}

// A node whose constructor takes its columns from its inputs: made over nodes without columns.
template <typename T, typename... Args>
PlanPtr ShellOver(const Args&... args) {
  auto copy = std::make_unique<T>(std::make_unique<SingleRow>(), args...);
  copy->input = nullptr;
  return copy;
}

PlanPtr ShellOfJoin(const Join& original) {
  auto copy =
      std::make_unique<Join>(original.type, std::make_unique<SingleRow>(), std::make_unique<SingleRow>(), nullptr);
  copy->left = nullptr;
  copy->right = nullptr;
  return copy;
}

PlanPtr ShellOfSort(const Sort& original) {
  auto copy = std::make_unique<Sort>(std::make_unique<SingleRow>(), Places(original.keys));
  copy->input = nullptr;
  return copy;
}

PlanPtr ShellOfTable(const TableScan& original) {
  auto copy = std::make_unique<TableScan>(original.table);
  copy->storage = original.storage;
  return copy;
}

PlanPtr ShellOfCteScan(const CteScan& original) {
  auto copy = std::make_unique<CteScan>(original.cte);
  copy->ordinals = original.ordinals;
  return copy;
}

PlanPtr ShellOfProject(const Project& original) {
  auto copy = std::make_unique<Project>(nullptr);
  copy->computed = Places(original.computed);
  return copy;
}

PlanPtr ShellOfSetOperation(const SetOperationPlan& original) {
  auto copy = std::make_unique<SetOperationPlan>(original.op, original.distinct);
  copy->inputs.resize(original.inputs.size());
  return copy;
}

PlanPtr NewShell(const Plan& plan) {
  switch (plan.kind) {
    case PlanKind::kSingleRow:
      return std::make_unique<SingleRow>();
    case PlanKind::kTableScan:
      return ShellOfTable(As<TableScan>(plan));
    case PlanKind::kCteScan:
      return ShellOfCteScan(As<CteScan>(plan));
    case PlanKind::kWith:
      return ShellOfWith(As<With>(plan));
    case PlanKind::kProject:
      return ShellOfProject(As<Project>(plan));
    case PlanKind::kFilter:
      return ShellOver<Filter>(nullptr);
    case PlanKind::kJoin:
      return ShellOfJoin(As<Join>(plan));
    case PlanKind::kUnnest:
      return ShellOfUnnest(As<Unnest>(plan));
    case PlanKind::kAggregate:
      return ShellOfAggregate(As<Aggregate>(plan));
    case PlanKind::kWindow:
      return ShellOfWindow(As<Window>(plan));
    case PlanKind::kSetOperation:
      return ShellOfSetOperation(As<SetOperationPlan>(plan));
    case PlanKind::kSort:
      return ShellOfSort(As<Sort>(plan));
    case PlanKind::kLimit:
      return ShellOver<Limit>(nullptr, nullptr);
  }
  return nullptr;
}

ScalarPtr Shell(const Scalar& scalar) {
  ScalarPtr copy = NewShell(scalar);
  copy->type = scalar.type;
  copy->span = scalar.span;
  return copy;
}

PlanPtr Shell(const Plan& plan) {
  PlanPtr copy = NewShell(plan);
  copy->columns = plan.columns;
  return copy;
}

struct Pair {
  ChildSlot from;
  ChildSlot to;
};

// Both lists have the same places in the same order.
void AddPairs(const std::vector<ChildSlot>& from, const std::vector<ChildSlot>& to, std::vector<Pair>& pairs) {
  for (size_t i = 0; i < from.size(); ++i) pairs.push_back({from[i], to[i]});
}

// Fills the empty places of a copy.
template <typename T>
void FillFrom(const T& original, T& copy) {
  std::vector<Pair> to_do;
  AddPairs(Children(const_cast<T&>(original), true), Children(copy, true), to_do);
  while (!to_do.empty()) {
    Pair pair = to_do.back();
    to_do.pop_back();
    if (pair.from.scalar != nullptr && *pair.from.scalar != nullptr) {
      *pair.to.scalar = Shell(**pair.from.scalar);
      AddPairs(Children(**pair.from.scalar, true), Children(**pair.to.scalar, true), to_do);
    } else if (pair.from.plan != nullptr && *pair.from.plan != nullptr) {
      *pair.to.plan = Shell(**pair.from.plan);
      AddPairs(Children(**pair.from.plan, true), Children(**pair.to.plan, true), to_do);
    }
  }
}

}  // namespace

PlanPtr Clone(const Plan& plan) {
  PlanPtr copy = Shell(plan);
  FillFrom(plan, *copy);
  return copy;
}

ScalarPtr Clone(const Scalar& scalar) {
  ScalarPtr copy = Shell(scalar);
  FillFrom(scalar, *copy);
  return copy;
}

AggregateCall CloneCall(const AggregateCall& call) {
  AggregateCall copy = Shell(call);
  for (size_t i = 0; i < call.arguments.size(); ++i) copy.arguments[i] = Clone(*call.arguments[i]);
  for (size_t i = 0; i < call.order_by.size(); ++i) copy.order_by[i].value = Clone(*call.order_by[i].value);
  if (call.having != nullptr) copy.having = Clone(*call.having);
  if (call.limit != nullptr) copy.limit = Clone(*call.limit);
  if (call.filter != nullptr) copy.filter = Clone(*call.filter);
  return copy;
}

}  // namespace logquery::rewrite
