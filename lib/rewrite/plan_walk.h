// The only traversal engine for plans and scalars. Passes visit, rewrite and copy through it, so that a new node kind
// needs support in one place.
//
//     VisitScalars(*plan.root, [&](const Scalar& s) { if (auto* p = If<ParameterRef>(&s)) names.insert(p->name); });
//     absl::Status done = RewriteScalars(plan.root, [](ScalarPtr& s) { return FoldConstants(s); });
//     PlanPtr copy = CloneWithFreshColumns(plan, *entry.plan);
//
// Walks are recursive. The passes and the emitter call CheckDepth first, which limits the depth; during resolving, the
// parser's limits apply.
#ifndef LOGQUERY_LIB_REWRITE_PLAN_WALK_H_
#define LOGQUERY_LIB_REWRITE_PLAN_WALK_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "lib/rewrite/column_set.h"
#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

using ColumnMap = absl::flat_hash_map<ColumnId, ColumnId>;

// A reference to one child, which is a scalar or a plan; the other pointer is nullptr.
struct ChildSlot {
  ScalarPtr* scalar = nullptr;
  PlanPtr* plan = nullptr;
};

// Returns the direct children in source order. A subquery's plan is a child of its SubqueryScalar.
std::vector<ChildSlot> Children(Scalar& scalar);
// Visits the same children without building a list.
void ForEachChild(Scalar& scalar, absl::FunctionRef<void(const ChildSlot&)> visit);

// ---- visiting: each node before its children, including subqueries. The callback may remove or replace the children
// of the node it visits.

void VisitPlans(const Plan& root, absl::FunctionRef<void(const Plan&)> visit);
void VisitPlans(Plan& root, absl::FunctionRef<void(Plan&)> visit);
void VisitScalars(const Plan& root, absl::FunctionRef<void(const Scalar&)> visit);
void VisitScalars(const Scalar& root, absl::FunctionRef<void(const Scalar&)> visit);
// Visits the node's own scalars with all their descendants, including subqueries, but not the scalars of its inputs.
void VisitOwnScalars(const Plan& plan, absl::FunctionRef<void(const Scalar&)> visit);
// Visits only the node's own scalars, not their descendants.
void ForEachOwnScalar(Plan& plan, absl::FunctionRef<void(ScalarPtr&)> visit);
// Visits the plans that the node reads: inputs, WITH entries and the body, but not subqueries.
void ForEachInput(Plan& plan, absl::FunctionRef<void(PlanPtr&)> visit);
void ForEachInput(const Plan& plan, absl::FunctionRef<void(const Plan&)> visit);

// ---- rewriting: each node after its children, including subqueries. The callback may replace the node; the
// replacement is not visited. The first error ends the walk and is returned.

using RewriteScalarFn = absl::FunctionRef<absl::Status(ScalarPtr&)>;
using RewritePlanFn = absl::FunctionRef<absl::Status(PlanPtr&)>;

absl::Status RewriteScalar(ScalarPtr& root, RewriteScalarFn rewrite);
absl::Status RewriteScalars(PlanPtr& root, RewriteScalarFn rewrite);
// Rewrites the node's own scalars and all their descendants.
absl::Status RewriteOwnScalars(Plan& plan, RewriteScalarFn rewrite);
// Does not update the columns of nodes above; call RefreshColumns.
absl::Status RewritePlans(PlanPtr& root, RewritePlanFn rewrite);

// Recomputes `columns` of every Filter, Sort, Limit, Join, Unnest, Window, Aggregate and With in the plan from its
// inputs.
void RefreshColumns(Plan& root);

// ---- copying

// Deep copies that keep all ColumnIds and WITH entry ids.
PlanPtr Clone(const Plan& plan);
ScalarPtr Clone(const Scalar& scalar);
AggregateCall CloneCall(const AggregateCall& call);
// Returns a copy of the whole query, which passes can modify. The contents of `failed` are not copied.
QueryPlan CopyPlan(const QueryPlan& plan);

// Returns a deep copy that can be used beside the original in one query: every column and WITH entry that the plan
// defines gets a new id. Columns that it only refers to keep theirs. `renamed`, if given, receives old id → new id.
PlanPtr CloneWithFreshColumns(QueryPlan& query, const Plan& plan, ColumnMap* renamed = nullptr);

// Replaces references to columns that are keys of `renames` by their values, also where nodes pass these columns on.
// Definitions do not change.
void RenameReferences(Plan& root, const ColumnMap& renames);
void RenameReferences(ScalarPtr& root, const ColumnMap& renames);

// ---- queries

// Returns the ids of all columns that its scalars refer to, including subqueries.
ColumnSet ReferencedColumns(const Plan& root);
ColumnSet ReferencedColumns(const Scalar& root);
// Returns the ids of all columns that its nodes define: scans, computed and unnested columns, calls, lambda parameters.
ColumnSet DefinedColumns(const Plan& root);
// Returns the columns that it refers to but does not define: those of enclosing queries, if it is a subquery.
ColumnSet OuterColumns(const Plan& root);
ColumnSet OuterColumns(const Scalar& root);

// The maximum length of a path from the root, counting plans and scalars.
inline constexpr int kMaxPlanDepth = 2'000;
// InvalidArgument: the plan is deeper than kMaxPlanDepth.
absl::Status CheckDepth(const Plan& root);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PLAN_WALK_H_
