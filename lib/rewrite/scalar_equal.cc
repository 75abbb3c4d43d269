// Compares scalars and plans structurally, and maps the columns that one defines to those of the other.
#include "lib/rewrite/scalar_equal.h"

#include "absl/container/flat_hash_map.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::rewrite {
namespace {

// Compares two expressions, and the plans inside them. They are equal up to the ids of the columns they define: a
// column of one stands for the column that the other defines at the same place.
class Comparison {
 public:
  bool Same(const Scalar& a, const Scalar& b);
  bool Same(const ScalarPtr& a, const ScalarPtr& b) { return a == nullptr || b == nullptr ? a == b : Same(*a, *b); }
  bool Same(const AggregateCall& a, const AggregateCall& b);

 private:
  bool Same(const std::vector<ScalarPtr>& a, const std::vector<ScalarPtr>& b);
  bool Same(const std::vector<OrderKey>& a, const std::vector<OrderKey>& b);
  bool Same(const Case& a, const Case& b);
  bool Same(const FunctionCall& a, const FunctionCall& b);
  bool Same(const SubqueryScalar& a, const SubqueryScalar& b);
  bool Same(const LambdaScalar& a, const LambdaScalar& b);
  bool Same(const Plan& a, const Plan& b);
  bool SameSelf(const Plan& a, const Plan& b);
  bool SameScan(const CteScan& a, const CteScan& b);
  bool SameCalls(const Aggregate& a, const Aggregate& b);
  bool SameCalls(const Window& a, const Window& b);
  bool SameComputed(const std::vector<Computed>& a, const std::vector<Computed>& b);

  bool Pair(const PlanColumn& a, const PlanColumn& b) {
    columns_[a.id] = b.id;
    return Type::SameLayout(a.type, b.type);
  }
  bool Pair(const std::vector<PlanColumn>& a, const std::vector<PlanColumn>& b);
  ColumnId Of(ColumnId id) const {
    const auto found = columns_.find(id);
    return found == columns_.end() ? id : found->second;
  }

  ColumnMap columns_;                           // of a's own to b's
  absl::flat_hash_map<int, int> with_entries_;  // by their ids, the same
};

bool Comparison::Same(const std::vector<ScalarPtr>& a, const std::vector<ScalarPtr>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!Same(a[i], b[i])) return false;
  }
  return true;
}

bool Comparison::Same(const std::vector<OrderKey>& a, const std::vector<OrderKey>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].descending != b[i].descending || a[i].nulls_first != b[i].nulls_first || !Same(a[i].value, b[i].value)) {
      return false;
    }
  }
  return true;
}

bool Comparison::Same(const Case& a, const Case& b) {
  if (!Same(a.operand, b.operand) || !Same(a.otherwise, b.otherwise) || a.whens.size() != b.whens.size()) return false;
  for (size_t i = 0; i < a.whens.size(); ++i) {
    if (!Same(a.whens[i].condition, b.whens[i].condition) || !Same(a.whens[i].result, b.whens[i].result)) return false;
  }
  return true;
}

bool Comparison::Same(const FunctionCall& a, const FunctionCall& b) {
  if (a.overload->function->Has(kVolatile)) return false;
  return a.overload == b.overload && a.safe == b.safe && Same(a.arguments, b.arguments);
}

bool Comparison::Same(const SubqueryScalar& a, const SubqueryScalar& b) {
  return a.form == b.form && Same(a.value, b.value) && Same(*a.plan, *b.plan);
}

bool Comparison::Same(const LambdaScalar& a, const LambdaScalar& b) {
  return Pair(a.parameters, b.parameters) && Same(a.body, b.body);
}

bool Comparison::Same(const AggregateCall& a, const AggregateCall& b) {
  return a.overload == b.overload && a.distinct == b.distinct && a.ignore_nulls == b.ignore_nulls &&
         a.respect_nulls == b.respect_nulls && a.having_max == b.having_max && a.safe == b.safe &&
         Same(a.arguments, b.arguments) && Same(a.having, b.having) && Same(a.limit, b.limit) &&
         Same(a.filter, b.filter) && Same(a.order_by, b.order_by);
}

bool Comparison::Same(const Scalar& a, const Scalar& b) {
  if (a.kind != b.kind || !Type::SameLayout(a.type, b.type)) return false;
  switch (a.kind) {
    case ScalarKind::kConstant:
      return As<Constant>(a).value == As<Constant>(b).value;
    case ScalarKind::kColumn:
      return Of(As<ColumnRef>(a).id) == As<ColumnRef>(b).id;
    case ScalarKind::kParameter:
      return As<ParameterRef>(a).name == As<ParameterRef>(b).name;
    case ScalarKind::kField:
      return As<FieldRef>(a).index == As<FieldRef>(b).index && Same(*As<FieldRef>(a).base, *As<FieldRef>(b).base);
    case ScalarKind::kCall:
      return Same(As<FunctionCall>(a), As<FunctionCall>(b));
    case ScalarKind::kCast: {
      const auto &x = As<Cast>(a), &y = As<Cast>(b);
      return x.safe == y.safe && Same(*x.operand, *y.operand) && Same(x.format, y.format) &&
             Same(x.time_zone, y.time_zone);
    }
    case ScalarKind::kCase:
      return Same(As<Case>(a), As<Case>(b));
    case ScalarKind::kStruct:
      return Same(As<StructMake>(a).fields, As<StructMake>(b).fields);
    case ScalarKind::kArray:
      return Same(As<ArrayMake>(a).elements, As<ArrayMake>(b).elements);
    case ScalarKind::kSubquery:
      return Same(As<SubqueryScalar>(a), As<SubqueryScalar>(b));
    case ScalarKind::kLambda:
      return Same(As<LambdaScalar>(a), As<LambdaScalar>(b));
  }
  return false;
}

bool Comparison::Pair(const std::vector<PlanColumn>& a, const std::vector<PlanColumn>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!Pair(a[i], b[i])) return false;
  }
  return true;
}

bool Comparison::SameComputed(const std::vector<Computed>& a, const std::vector<Computed>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!Pair(a[i].column, b[i].column) || !Same(a[i].value, b[i].value)) return false;
  }
  return true;
}

bool Comparison::SameScan(const CteScan& a, const CteScan& b) {
  const auto found = with_entries_.find(a.cte);
  const int entry = found == with_entries_.end() ? a.cte : found->second;
  return entry == b.cte && a.ordinals == b.ordinals && Pair(a.columns, b.columns);
}

bool Comparison::SameCalls(const Aggregate& a, const Aggregate& b) {
  if (a.calls.size() != b.calls.size() || a.groupings.size() != b.groupings.size()) return false;
  for (size_t i = 0; i < a.groupings.size(); ++i) {
    if (a.groupings[i].key != b.groupings[i].key || !Pair(a.groupings[i].column, b.groupings[i].column)) return false;
  }
  for (size_t i = 0; i < a.calls.size(); ++i) {
    if (!Pair(a.calls[i].column, b.calls[i].column) || !Same(a.calls[i].call, b.calls[i].call)) return false;
  }
  return SameComputed(a.keys, b.keys) && a.grouping_sets == b.grouping_sets;
}

bool Comparison::SameCalls(const Window& a, const Window& b) {
  if (a.calls.size() != b.calls.size()) return false;
  for (size_t i = 0; i < a.calls.size(); ++i) {
    const Window::Call &x = a.calls[i], &y = b.calls[i];
    if (!Pair(x.column, y.column) || !Same(x.call, y.call) || !Same(x.partition_by, y.partition_by) ||
        !Same(x.order_by, y.order_by) || x.frame.has_value() != y.frame.has_value()) {
      return false;
    }
    if (x.frame.has_value() &&
        (x.frame->unit != y.frame->unit || x.frame->start != y.frame->start || x.frame->end != y.frame->end ||
         !Same(x.frame->start_offset, y.frame->start_offset) || !Same(x.frame->end_offset, y.frame->end_offset))) {
      return false;
    }
  }
  return true;
}

bool Comparison::Same(const Plan& a, const Plan& b) {
  if (a.kind != b.kind || a.columns.size() != b.columns.size()) return false;
  std::vector<const Plan*> left, right;
  ForEachInput(a, [&](const Plan& input) { left.push_back(&input); });
  ForEachInput(b, [&](const Plan& input) { right.push_back(&input); });
  if (left.size() != right.size()) return false;
  if (const With* with = If<With>(&a)) {
    const With& other = As<With>(b);
    for (size_t i = 0; i < with->entries.size(); ++i) {
      if (with->entries[i].recursive != other.entries[i].recursive) return false;
      with_entries_[with->entries[i].id] = other.entries[i].id;
    }
  }
  for (size_t i = 0; i < left.size(); ++i) {
    if (!Same(*left[i], *right[i])) return false;
  }
  if (!SameSelf(a, b)) return false;
  // Columns that a node passes on were defined below it, and have to correspond.
  for (size_t i = 0; i < a.columns.size(); ++i) {
    if (Of(a.columns[i].id) != b.columns[i].id) return false;
  }
  return true;
}

bool Comparison::SameSelf(const Plan& a, const Plan& b) {
  switch (a.kind) {
    case PlanKind::kSingleRow:
    case PlanKind::kWith:
      return true;
    case PlanKind::kTableScan:
      return As<TableScan>(a).table == As<TableScan>(b).table && As<TableScan>(a).storage == As<TableScan>(b).storage &&
             Pair(a.columns, b.columns);
    case PlanKind::kCteScan:
      return SameScan(As<CteScan>(a), As<CteScan>(b));
    case PlanKind::kProject:
      return SameComputed(As<Project>(a).computed, As<Project>(b).computed);
    case PlanKind::kFilter:
      return Same(As<Filter>(a).condition, As<Filter>(b).condition);
    case PlanKind::kJoin:
      return As<Join>(a).type == As<Join>(b).type && Same(As<Join>(a).condition, As<Join>(b).condition);
    case PlanKind::kUnnest: {
      const auto &x = As<Unnest>(a), &y = As<Unnest>(b);
      return x.outer == y.outer && x.offset.has_value() == y.offset.has_value() && Same(x.arrays, y.arrays) &&
             Pair(x.elements, y.elements) && (!x.offset.has_value() || Pair(*x.offset, *y.offset)) &&
             Same(x.condition, y.condition);
    }
    case PlanKind::kAggregate:
      return SameCalls(As<Aggregate>(a), As<Aggregate>(b));
    case PlanKind::kWindow:
      return SameCalls(As<Window>(a), As<Window>(b));
    case PlanKind::kSetOperation:
      return As<SetOperationPlan>(a).op == As<SetOperationPlan>(b).op &&
             As<SetOperationPlan>(a).distinct == As<SetOperationPlan>(b).distinct && Pair(a.columns, b.columns);
    case PlanKind::kSort:
      return Same(As<Sort>(a).keys, As<Sort>(b).keys);
    case PlanKind::kLimit:
      return Same(As<Limit>(a).limit, As<Limit>(b).limit) && Same(As<Limit>(a).offset, As<Limit>(b).offset);
  }
  return false;
}

}  // namespace

bool Equal(const ScalarPtr& a, const ScalarPtr& b) { return Comparison().Same(a, b); }
bool Equal(const Scalar& a, const Scalar& b) { return Comparison().Same(a, b); }
bool Equal(const AggregateCall& a, const AggregateCall& b) { return Comparison().Same(a, b); }

}  // namespace logquery::rewrite
