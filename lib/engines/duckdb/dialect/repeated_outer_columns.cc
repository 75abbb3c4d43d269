// Hides the second comparison with a column of an enclosing query from DuckDB's optimizer:
//
//     (SELECT … WHERE i.x IS NOT DISTINCT FROM o.k AND i.y = o.k)
//
// becomes (… WHERE i.x IS NOT DISTINCT FROM o.k AND i.y = COALESCE(o.k, NULL)). The engine's "deliminator" replaces the distinct
// values of o.k by those of i.x. With a second comparison, of which one holds for NULLs too, it looks for o.k where it has gone,
// and the query fails with "unordered_map::at" (DuckDB 1.5.6 has the defect, which the oracle found). It writes `a = b OR (a IS
// NULL AND b IS NULL)` as IS NOT DISTINCT FROM before that.
#include <memory>
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
using rewrite::If;
using rewrite::IsCallOf;
using rewrite::Plan;
using rewrite::QueryPlan;
using rewrite::Scalar;
using rewrite::ScalarPtr;

namespace {

bool MayHoldForNulls(const Scalar& conjunct) {
  bool found = false;
  rewrite::VisitScalars(conjunct, [&](const Scalar& part) {
    found = found || IsCallOf(part, "$is_not_distinct") || IsCallOf(part, "$or");
  });
  return found;
}

// The outer columns that several conjuncts read, one of which may hold for NULLs.
ColumnSet RepeatedColumns(const std::vector<ScalarPtr>& conjuncts, const ColumnSet& outer) {
  ColumnSet once, repeated, for_nulls;
  for (const ScalarPtr& conjunct : conjuncts) {
    const bool holds = MayHoldForNulls(*conjunct);
    for (const ColumnId id : rewrite::ReferencedColumns(*conjunct)) {
      if (!outer.contains(id)) continue;
      if (!once.insert(id)) repeated.insert(id);
      if (holds) for_nulls.insert(id);
    }
  }
  ColumnSet both;
  for (const ColumnId id : repeated) {
    if (for_nulls.contains(id)) both.insert(id);
  }
  return both;
}

absl::Status HideColumns(const ColumnSet& hidden, ScalarPtr& scalar) {
  return rewrite::RewriteScalar(scalar, [&](ScalarPtr& part) {
    const auto* const column = If<ColumnRef>(part.get());
    if (column == nullptr || !hidden.contains(column->id)) return absl::OkStatus();
    const Type type = part->type;
    const sql::Span span = part->span;
    std::vector<ScalarPtr> operands;
    operands.push_back(std::move(part));
    operands.push_back(std::make_unique<rewrite::Constant>(Value::Null(type)));
    part = rewrite::MakeTypedCall("COALESCE", type, std::move(operands));
    part->span = span;
    return absl::OkStatus();
  });
}

absl::Status HideRepeated(ScalarPtr& condition, const ColumnSet& outer) {
  std::vector<ScalarPtr> conjuncts = rewrite::TakeConjuncts(std::move(condition));
  const ColumnSet repeated = RepeatedColumns(conjuncts, outer);
  ColumnSet hidden;  // those that a conjunct has read
  absl::Status status;
  for (ScalarPtr& conjunct : conjuncts) {
    const ColumnSet read = rewrite::ReferencedColumns(*conjunct);
    if (status.ok() && !hidden.empty()) status = HideColumns(hidden, conjunct);
    for (const ColumnId id : read) {
      if (repeated.contains(id)) hidden.insert(id);
    }
  }
  condition = rewrite::MakeAnd(std::move(conjuncts));
  return status;
}

}  // namespace

absl::Status HideRepeatedOuterColumns(const rewrite::PassContext& /*context*/, QueryPlan& query) {
  return RewriteCorrelatedSubqueries(query, [](ScalarPtr& subquery, const ColumnSet& outer) {
    Plan& subplan = *rewrite::As<rewrite::SubqueryScalar>(*subquery).plan;
    return RewriteConditions(subplan, [&](ScalarPtr& condition) { return HideRepeated(condition, outer); });
  });
}

}  // namespace logquery::emit
