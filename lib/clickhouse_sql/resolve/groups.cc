// GROUP BY: keys, what equals one, and ROLLUP and CUBE.
#include <algorithm>

#include "lib/base/limits.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/aggregate_maker.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalar_equal.h"
#include "lib/rewrite/scalars.h"

namespace logquery::clickhouse_sql {

using base::StrCat;
using rewrite::ColumnRef;

absl::Status Resolver::ResolveKeys(const Select& select, SelectScope& scope) {
  const auto add = [&](Ex value, const std::string& name, Span span) -> absl::Status {
    value = Plain(std::move(value));
    if (value.type.Is(ChKind::kMap) || value.type.Is(ChKind::kArray) || value.type.Is(ChKind::kTuple)) {
      if (!value.type.Is(ChKind::kMap))
        return Error(span, StrCat("GROUP BY a value of type ", value.type.ToString(), " is not supported"));
    }
    const bool sets = select.grouping == Grouping::kRollup || select.grouping == Grouping::kCube;
    if (!sets && rewrite::If<rewrite::Constant>(value.scalar.get()) != nullptr) return absl::OkStatus();
    for (const rewrite::Computed& key : scope.keys) {
      if (rewrite::Equal(*key.value, *value.scalar)) return absl::OkStatus();
    }
    scope.key_types.push_back(value.type);
    scope.keys.push_back({NewColumn(name, value.scalar->type), std::move(value.scalar)});
    return absl::OkStatus();
  };
  if (select.grouping == Grouping::kAll) {
    for (const ExprPtr& item : select.items) {
      scope.clause = SelectScope::Clause::kGroups;
      const size_t calls = scope.calls.size();
      LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*item, scope));
      bool aggregated = scope.calls.size() > calls;
      rewrite::VisitScalars(*value.scalar, [&](const rewrite::Scalar& part) {
        const ColumnRef* column = rewrite::If<ColumnRef>(&part);
        aggregated = aggregated || (column != nullptr && scope.made.contains(column->id));
      });
      if (!aggregated) LOGQUERY_RETURN_IF_ERROR(add(std::move(value), "key", item->span));
    }
    return absl::OkStatus();
  }
  for (const ExprPtr& expr : select.group_by) {
    const Expr* source = expr.get();
    const bool is_ordinal =
        expr->kind == ExprKind::kNumber && expr->text.find_first_not_of("0123456789") == std::string::npos;
    if (is_ordinal) {
      const size_t ordinal = expr->text.size() > 4 ? 0 : static_cast<size_t>(std::stoi(expr->text));
      if (ordinal < 1 || ordinal > select.items.size())
        return Error(expr->span, StrCat("there is no column ", expr->text, " in SELECT"));
      source = select.items[ordinal - 1].get();
    }
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*source, scope));
    LOGQUERY_RETURN_IF_ERROR(add(std::move(value), "key", expr->span));
  }
  AddArrayJoins(scope);
  return absl::OkStatus();
}

// Replaces what equals a key of GROUP BY by the key's column.
absl::Status Resolver::ReplaceKeys(ScalarPtr& scalar, SelectScope& scope, Span span) {
  for (const rewrite::Computed& key : scope.keys) {
    // A condition that is a key is its number, see Plain.
    const auto* number = rewrite::If<rewrite::Cast>(key.value.get());
    const bool is_condition =
        number != nullptr && number->operand->type.is(TypeKind::kBool) && rewrite::Equal(*number->operand, *scalar);
    if (!is_condition && !rewrite::Equal(*key.value, *scalar)) continue;
    scalar = std::make_unique<ColumnRef>(key.column);
    if (is_condition) scalar = Call("$not_equal", Type::Bool(), std::move(scalar), Number(0));
    return absl::OkStatus();
  }
  if (const ColumnRef* column = rewrite::If<ColumnRef>(scalar.get())) {
    const auto is_input = [&](const PlanColumn& c) { return c.id == column->id; };
    const auto& columns = scope.rows.plan->columns;
    if (std::any_of(columns.begin(), columns.end(), is_input)) {
      return Error(span, StrCat("the column ", column->name, " is neither in GROUP BY nor inside of an aggregate"));
    }
    return absl::OkStatus();
  }
  absl::Status status;
  rewrite::ForEachChild(*scalar, [&](const rewrite::ChildSlot& child) {
    if (child.scalar != nullptr && *child.scalar != nullptr && status.ok())
      status = ReplaceKeys(*child.scalar, scope, span);
  });
  return status;
}

absl::Status Resolver::BuildGroups(SelectScope& scope, const Select& select) {
  auto aggregate = std::make_unique<rewrite::Aggregate>(std::move(scope.rows.plan));
  for (rewrite::Computed& key : scope.keys) {
    aggregate->keys.push_back({key.column, Same(key.value)});
    aggregate->columns.push_back(key.column);
  }
  for (rewrite::Aggregate::Call& call : scope.calls) {
    aggregate->columns.push_back(call.column);
    aggregate->calls.push_back(std::move(call));
  }
  const size_t size = scope.keys.size();
  if (select.grouping == Grouping::kRollup) {
    for (size_t n = size + 1; n-- > 0;) {
      std::vector<int> set;
      for (size_t i = 0; i < n; ++i) set.push_back(static_cast<int>(i));
      aggregate->grouping_sets.push_back(std::move(set));
    }
  }
  if (select.grouping == Grouping::kCube) {
    constexpr size_t kMostCubed = 6;
    if (size > kMostCubed) return Error(select.group_by[0]->span, "CUBE has more than 6 keys");
    for (size_t bits = size_t{1} << size; bits-- > 0;) {
      std::vector<int> set;
      for (size_t i = 0; i < size; ++i) {
        if ((bits >> i & 1) != 0) set.push_back(static_cast<int>(i));
      }
      aggregate->grouping_sets.push_back(std::move(set));
    }
  }
  // GROUP BY makes no group of no rows, although a grouping without keys would.
  const bool makes_one = select.grouping != Grouping::kNone && (size == 0 || !aggregate->grouping_sets.empty());
  if (!makes_one) {
    scope.rows.plan = std::move(aggregate);
    return absl::OkStatus();
  }
  rewrite::AggregateCall count;
  count.overload = AggregateOverload("COUNT", count.arguments);
  const PlanColumn rows = NewColumn("rows", Type::Int64());
  aggregate->calls.push_back({rows, std::move(count)});
  aggregate->columns.push_back(rows);
  ScalarPtr some = Call("$greater", Type::Bool(), std::make_unique<ColumnRef>(rows), Number(0));
  scope.rows.plan = std::make_unique<rewrite::Filter>(std::move(aggregate), std::move(some));
  return absl::OkStatus();
}

}  // namespace logquery::clickhouse_sql
