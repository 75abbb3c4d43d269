// The subqueries of one node.
#ifndef LOGQUERY_LIB_REWRITE_PASSES_SUBPLANS_H_
#define LOGQUERY_LIB_REWRITE_PASSES_SUBPLANS_H_

#include "absl/functional/function_ref.h"
#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// The plans of the subqueries that stand in the node's own scalars; not those that stand in these plans, nor in its inputs:
// a walk that goes on into each of them sees every plan once.
void ForEachSubplan(Plan& plan, absl::FunctionRef<void(PlanPtr&)> visit);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_SUBPLANS_H_
