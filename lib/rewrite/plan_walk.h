// The one traversal engine over plans and scalars: passes visit, rewrite and copy through it, so that a new node kind is
// taught here and nowhere else.
//
//     VisitScalars(*plan.root, [&](const Scalar& s) { if (auto* p = If<ParameterRef>(&s)) names.insert(p->name); });
//     absl::Status done = RewriteScalars(plan.root, [](ScalarPtr& s) { return FoldConstants(s); });
//     PlanPtr copy = CloneWithFreshColumns(plan, *entry.plan);
//
// Walks call themselves for what is below. The passes and the emitter begin with CheckDepth, which bounds how deep; before
// them, while a query is resolved, the parser's bounds do.
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

// The place of one child: a scalar or a plan, whichever is not nullptr.
struct ChildSlot {
  ScalarPtr* scalar = nullptr;
  PlanPtr* plan = nullptr;
};

// The direct children in the order of the text that they would be written in. A subquery's plan is a child of its
// SubqueryScalar.
std::vector<ChildSlot> Children(Scalar& scalar);
// The same one after another, without a list of them.
void ForEachChild(Scalar& scalar, absl::FunctionRef<void(const ChildSlot&)> visit);

// ---- visiting: each before its children, subqueries included. The callback may take children from what it visits, or
// give it others.

void VisitPlans(const Plan& root, absl::FunctionRef<void(const Plan&)> visit);
void VisitPlans(Plan& root, absl::FunctionRef<void(Plan&)> visit);
void VisitScalars(const Plan& root, absl::FunctionRef<void(const Scalar&)> visit);
void VisitScalars(const Scalar& root, absl::FunctionRef<void(const Scalar&)> visit);
// The node's own scalars and all below them, subqueries included, but not those of its inputs.
void VisitOwnScalars(const Plan& plan, absl::FunctionRef<void(const Scalar&)> visit);
// The node's own scalars alone, without what is below them.
void ForEachOwnScalar(Plan& plan, absl::FunctionRef<void(ScalarPtr&)> visit);
// The plans that the node reads: inputs, WITH entries and body, not subqueries.
void ForEachInput(Plan& plan, absl::FunctionRef<void(PlanPtr&)> visit);
void ForEachInput(const Plan& plan, absl::FunctionRef<void(const Plan&)> visit);

// ---- rewriting: each after its children, subqueries included. The callback may put anything in place of what it gets;
// what it puts there is not visited again. The first error ends the walk, and is returned.

using RewriteScalarFn = absl::FunctionRef<absl::Status(ScalarPtr&)>;
using RewritePlanFn = absl::FunctionRef<absl::Status(PlanPtr&)>;

absl::Status RewriteScalar(ScalarPtr& root, RewriteScalarFn rewrite);
absl::Status RewriteScalars(PlanPtr& root, RewriteScalarFn rewrite);
// The node's own scalars and all below them.
absl::Status RewriteOwnScalars(Plan& plan, RewriteScalarFn rewrite);
// The columns of nodes above are not brought up to date: see RefreshColumns.
absl::Status RewritePlans(PlanPtr& root, RewritePlanFn rewrite);

// Sets `columns` of every Filter, Sort, Limit, Join, Unnest, Window, Aggregate and With in the plan from its inputs.
void RefreshColumns(Plan& root);

// ---- copying

// Deep copies that keep every ColumnId and WITH entry id.
PlanPtr Clone(const Plan& plan);
ScalarPtr Clone(const Scalar& scalar);
AggregateCall CloneCall(const AggregateCall& call);

// A deep copy that may stand beside the original in one query: every column that the plan defines, and every WITH entry
// in it, has a new id. Columns that it only refers to keep theirs. `renamed`, when given, gets old id → new id.
PlanPtr CloneWithFreshColumns(QueryPlan& query, const Plan& plan, ColumnMap* renamed = nullptr);

// Has every reference to a column that is a key of `renames` refer to its value instead, and every node that passes such
// a column on pass on the other; definitions stay.
void RenameReferences(Plan& root, const ColumnMap& renames);
void RenameReferences(ScalarPtr& root, const ColumnMap& renames);

// ---- asking

// Ids of all columns that scalars in it refer to, subqueries included.
ColumnSet ReferencedColumns(const Plan& root);
ColumnSet ReferencedColumns(const Scalar& root);
// Ids of all columns that nodes in it make: scans, computed and unnested columns, calls, lambdas' parameters …
ColumnSet DefinedColumns(const Plan& root);
// What it refers to and does not make: of a subquery, the columns of queries around it.
ColumnSet OuterColumns(const Plan& root);
ColumnSet OuterColumns(const Scalar& root);

// Deepest way from the root, plans and scalars counted alike.
inline constexpr int kMaxPlanDepth = 2'000;
// InvalidArgument: deeper than kMaxPlanDepth.
absl::Status CheckDepth(const Plan& root);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PLAN_WALK_H_
