// Visits the subqueries of one node.
#ifndef LOGQUERY_LIB_REWRITE_PASSES_SUBPLANS_H_
#define LOGQUERY_LIB_REWRITE_PASSES_SUBPLANS_H_

#include "absl/functional/function_ref.h"
#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// Visits the plans of subqueries in the node's own scalars, but not those nested in these plans or in the node's
// inputs. A recursive walk over them therefore sees every plan once.
void ForEachSubplan(Plan& plan, absl::FunctionRef<void(PlanPtr&)> visit);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_SUBPLANS_H_
