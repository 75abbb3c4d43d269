// What follows from constants: branches that are never taken, conditions that always hold, fields of STRUCTs just made.
#ifndef LOGQUERY_LIB_REWRITE_PASSES_SIMPLIFY_H_
#define LOGQUERY_LIB_REWRITE_PASSES_SIMPLIFY_H_

#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// The same value, in fewer nodes. `scalar`'s children are simplified already.
void SimplifyNode(ScalarPtr& scalar);
// All of a plan: scalars, and Filters whose condition is TRUE.
void Simplify(PlanPtr& root);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_SIMPLIFY_H_
