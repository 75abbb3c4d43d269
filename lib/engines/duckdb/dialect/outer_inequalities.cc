// Hides inequalities between a subquery's columns and those of enclosing queries from DuckDB's optimizer:
//
//     EXISTS (SELECT 1 FROM t AS i WHERE i.y != o.y AND i.z < o.x)
//
// becomes EXISTS (… WHERE (i.y != o.y) IS TRUE AND i.z < o.x). The engine's "deliminator" tries to replace the join with the
// distinct values of o.y and o.x by the subquery's own comparisons. It overwrites the conditions of the outer join one by one,
// and gives up at the first `<`: a `!=` or IS DISTINCT FROM that it has come to before stays, and the join takes the wrong rows
// (duckdb/duckdb#24540; DuckDB 1.5.6 has the defect). Only a comparison of two columns is overwritten, and IS TRUE makes none.
//
// Where every correlation is a comparison of two columns by = or !=, and each outer column has one, the replacement succeeds.
// A replaced join stays as it is, because it then is a hash join that stops at the first match. But where it computes the value of
// EXISTS, it turns != into IS DISTINCT FROM, and finds rows for an o.y of NULL (duckdb/duckdb#23979; DuckDB 1.5.6 has the defect).
// Therefore EXISTS (… WHERE i.x = o.x AND i.y != o.y) becomes o.y IS NOT NULL AND EXISTS (…), which means the same. An EXISTS that
// the emitter writes as a semi join stays.
#include <algorithm>
#include <utility>
#include <vector>

#include "lib/engines/duckdb/dialect/correlated_subqueries.h"
#include "lib/engines/duckdb/dialect/passes.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {

using rewrite::ColumnId;
using rewrite::ColumnRef;
using rewrite::ColumnSet;
using rewrite::Filter;
using rewrite::FunctionCall;
using rewrite::If;
using rewrite::IsCallOf;
using rewrite::Plan;
using rewrite::QueryPlan;
using rewrite::Scalar;
using rewrite::ScalarPtr;
using rewrite::SubqueryScalar;

namespace {

bool IsEquality(const Scalar& scalar) { return IsCallOf(scalar, "$equal") || IsCallOf(scalar, "$is_not_distinct"); }
bool IsInequality(const Scalar& scalar) { return IsCallOf(scalar, "$not_equal") || IsCallOf(scalar, "$is_distinct"); }

// The outer column that the conjunct compares with another column by = or !=; nullptr: it is something else.
const ColumnRef* ComparedColumn(const Scalar& conjunct, const ColumnSet& outer) {
  if (!IsEquality(conjunct) && !IsInequality(conjunct)) return nullptr;
  const auto& call = rewrite::As<FunctionCall>(conjunct);
  const auto* const left = If<ColumnRef>(call.arguments[0].get());
  const auto* const right = If<ColumnRef>(call.arguments[1].get());
  if (left == nullptr || right == nullptr || outer.contains(left->id) == outer.contains(right->id)) return nullptr;
  return outer.contains(left->id) ? left : right;
}

// The conjuncts of the single filter of the subquery, with only projections above it; none where it is something else.
std::vector<const Scalar*> ConjunctsOf(const Plan& subplan) {
  const Plan* node = &subplan;
  while (const auto* const project = If<rewrite::Project>(node)) node = project->input.get();
  const auto* const filter = If<Filter>(node);
  return filter == nullptr ? std::vector<const Scalar*>() : rewrite::ConjunctsOf(*filter->condition);
}

// Returns whether the engine replaces the whole join with the outer columns' values. That is so if the conjuncts have all of the
// correlation.
bool IsReplaced(const Plan& subplan, const ColumnSet& outer) {
  size_t reads = 0;
  rewrite::VisitScalars(subplan, [&](const Scalar& scalar) {
    const auto* const column = If<ColumnRef>(&scalar);
    if (column != nullptr && outer.contains(column->id)) ++reads;
  });
  ColumnSet compared;
  for (const Scalar* conjunct : ConjunctsOf(subplan)) {
    const ColumnRef* const column = ComparedColumn(*conjunct, outer);
    if (column != nullptr) compared.insert(column->id);
  }
  return compared.size() == reads;
}

// Writes `o.y IS NOT NULL AND` before the EXISTS for each outer column that it compares by !=.
void AskForValues(ScalarPtr& exists, const ColumnSet& outer) {
  std::vector<ScalarPtr> conjuncts;
  for (const Scalar* conjunct : ConjunctsOf(*rewrite::As<SubqueryScalar>(*exists).plan)) {
    const ColumnRef* const column = ComparedColumn(*conjunct, outer);
    if (column == nullptr || !IsCallOf(*conjunct, "$not_equal")) continue;
    ScalarPtr is_null = rewrite::MakeTypedCall("$is_null", Type::Bool(), rewrite::Clone(*column));
    conjuncts.push_back(rewrite::MakeTypedCall("$not", Type::Bool(), std::move(is_null)));
  }
  if (conjuncts.empty()) return;
  const sql::Span span = exists->span;
  conjuncts.push_back(std::move(exists));
  exists = rewrite::MakeAnd(std::move(conjuncts));
  exists->span = span;
}

// Returns whether the optimizer may turn the scalar, or a part of it, into an inequality.
bool MayBeInequality(const Scalar& scalar) {
  bool found = false, has_subquery = false;
  rewrite::VisitScalars(scalar, [&](const Scalar& part) {
    found = found || IsInequality(part) || IsCallOf(part, "$not");
    has_subquery = has_subquery || part.kind == rewrite::ScalarKind::kSubquery;
  });
  return found && !has_subquery;
}

void HideInequalities(ScalarPtr& condition, const ColumnSet& outer) {
  std::vector<ScalarPtr> conjuncts = rewrite::TakeConjuncts(std::move(condition));
  for (ScalarPtr& conjunct : conjuncts) {
    const ColumnSet read = rewrite::ReferencedColumns(*conjunct);
    const bool is_correlated = std::any_of(read.begin(), read.end(), [&](ColumnId id) { return outer.contains(id); });
    if (!is_correlated || !MayBeInequality(*conjunct)) continue;
    const sql::Span span = conjunct->span;
    std::vector<ScalarPtr> operands;
    operands.push_back(std::move(conjunct));
    conjunct = rewrite::MakeTypedCall("$is_true", Type::Bool(), std::move(operands));
    conjunct->span = span;
  }
  condition = rewrite::MakeAnd(std::move(conjuncts));
}

}  // namespace

absl::Status HideOuterInequalities(const rewrite::PassContext& /*context*/, QueryPlan& query) {
  return RewriteCorrelatedSubqueries(query, [](ScalarPtr& scalar, const ColumnSet& outer) {
    auto& subquery = rewrite::As<SubqueryScalar>(*scalar);
    if (IsReplaced(*subquery.plan, outer)) {
      if (subquery.form == SubqueryScalar::Form::kExists) AskForValues(scalar, outer);
      return absl::OkStatus();
    }
    return RewriteConditions(*subquery.plan, [&](ScalarPtr& condition) {
      HideInequalities(condition, outer);
      return absl::OkStatus();
    });
  });
}

}  // namespace logquery::emit
