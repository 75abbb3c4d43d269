// Evaluates scalars and subqueries for the rows that are bound.
#include <algorithm>

#include "lib/base/strings.h"
#include "tests/oracle/evaluator_impl.h"
#include "tests/oracle/functions.h"

namespace logquery::oracle {

using rewrite::As;
using rewrite::ScalarKind;
using rewrite::SubqueryScalar;

Value Evaluator::Scalar(const rewrite::Scalar& scalar) {
  const auto taken = [&](absl::StatusOr<Value> value) { return value.ok() ? *std::move(value) : Fail(value.status()); };
  switch (scalar.kind) {
    case ScalarKind::kConstant:
      return As<rewrite::Constant>(scalar).value;
    case ScalarKind::kColumn:
      return *at_[static_cast<size_t>(As<rewrite::ColumnRef>(scalar).id)];
    case ScalarKind::kParameter: {
      const auto found = parameters_.find(As<rewrite::ParameterRef>(scalar).name);
      return found == parameters_.end() ? Fail(absl::NotFoundError("a parameter without a value")) : found->second;
    }
    case ScalarKind::kField: {
      const auto& field = As<rewrite::FieldRef>(scalar);
      const Value base = Scalar(*field.base);
      return base.is_null() ? Value::Null(scalar.type) : base.children()[static_cast<size_t>(field.index)];
    }
    case ScalarKind::kCall: {
      const auto& call = As<rewrite::FunctionCall>(scalar);
      return taken(CallFunction(call.overload->row->name, call.type, Scalars(call.arguments)));
    }
    case ScalarKind::kCast:
      return taken(CastValue(Scalar(*As<rewrite::Cast>(scalar).operand), scalar.type));
    case ScalarKind::kCase: {
      const auto& branches = As<rewrite::Case>(scalar);
      for (const rewrite::Case::When& when : branches.whens) {
        if (branches.operand != nullptr) return Fail(absl::UnimplementedError("CASE with an operand"));
        if (IsTrue(*when.condition)) return Scalar(*when.result);
      }
      return Scalar(*branches.otherwise);
    }
    case ScalarKind::kStruct:
      return Value::Struct(scalar.type, Scalars(As<rewrite::StructMake>(scalar).fields));
    case ScalarKind::kArray:
      return Value::Array(scalar.type.element(), Scalars(As<rewrite::ArrayMake>(scalar).elements));
    case ScalarKind::kSubquery:
      return Subquery(As<SubqueryScalar>(scalar));
    case ScalarKind::kLambda:
      break;
  }
  return Fail(absl::UnimplementedError("a lambda"));
}

// Rows depend on the rows around them if the plan reads their columns, or an entry of a subquery around it.
bool Evaluator::IsCorrelated(const rewrite::Plan& plan) {
  const auto [found, is_new] = correlated_.try_emplace(&plan, false);
  if (!is_new) return found->second;
  std::set<int> own;
  bool reads_others = false;
  rewrite::VisitPlans(plan, [&](const rewrite::Plan& node) {
    if (const auto* const with = rewrite::If<rewrite::With>(&node)) {
      for (const rewrite::WithEntry& entry : with->entries) own.insert(entry.id);
    }
  });
  rewrite::VisitPlans(plan, [&](const rewrite::Plan& node) {
    const auto* const scan = rewrite::If<rewrite::CteScan>(&node);
    if (scan != nullptr) reads_others |= own.count(scan->cte) == 0 && fixed_entries_.count(scan->cte) == 0;
  });
  return found->second = reads_others || !rewrite::OuterColumns(plan).empty();
}

Value Evaluator::Subquery(const SubqueryScalar& subquery) {
  const Value value = subquery.value == nullptr ? Value() : Scalar(*subquery.value);
  const rewrite::Plan& plan = *subquery.plan;
  Rows rows;
  const bool is_fixed = !IsCorrelated(plan);
  const auto known = fixed_rows_.find(&plan);
  if (is_fixed && known != fixed_rows_.end()) {
    rows = known->second;
  } else {
    ++depth_;
    rows = RowsOf(plan);
    --depth_;
    if (is_fixed) fixed_rows_[&plan] = rows;
  }
  std::vector<Value> values;
  for (const Row& row : rows) {
    if (!row.empty()) values.push_back(row[0]);
  }
  switch (subquery.form) {
    case SubqueryScalar::Form::kExists:
      return Value::Bool(!rows.empty());
    case SubqueryScalar::Form::kIn:
      return IsIn(value, values);
    case SubqueryScalar::Form::kArray:
      return Value::Array(subquery.type.element(), std::move(values));
    case SubqueryScalar::Form::kScalar:
      break;
  }
  if (rows.size() > 1) return Fail(absl::OutOfRangeError("a scalar subquery has more than one row"));
  return rows.empty() ? Value::Null(subquery.type) : values[0];
}

bool Evaluator::IsTrue(const rewrite::Scalar& condition) {
  const Value value = Scalar(condition);
  return !value.is_null() && value.type().is(TypeKind::kBool) && value.bool_value();
}

int64_t Evaluator::Count(const rewrite::Scalar& scalar) {
  const Value value = Scalar(scalar);
  if (!value.is_null() && value.int64_value() >= 0) return value.int64_value();
  Fail(absl::OutOfRangeError("a count that is NULL or negative"));
  return 0;
}

std::vector<Value> Evaluator::Scalars(const std::vector<rewrite::ScalarPtr>& scalars) {
  std::vector<Value> values;
  values.reserve(scalars.size());
  for (const rewrite::ScalarPtr& scalar : scalars) values.push_back(Scalar(*scalar));
  return values;
}

std::vector<Value> Evaluator::Keys(const std::vector<rewrite::OrderKey>& keys) {
  std::vector<Value> values;
  for (const rewrite::OrderKey& key : keys) values.push_back(Scalar(*key.value));
  return values;
}

int Evaluator::OrderOf(const std::vector<rewrite::OrderKey>& keys, const std::vector<Value>& a,
                       const std::vector<Value>& b) {
  for (size_t i = 0; i < keys.size(); ++i) {
    if (const int order = Order(a[i], b[i], keys[i].descending, keys[i].nulls_first); order != 0) return order;
  }
  return 0;
}

}  // namespace logquery::oracle
