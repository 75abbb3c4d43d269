// Simplifies plans after constants are known: branches never taken, conditions that are always TRUE, fields of new
// STRUCTs.
#ifndef LOGQUERY_LIB_REWRITE_PASSES_SIMPLIFY_H_
#define LOGQUERY_LIB_REWRITE_PASSES_SIMPLIFY_H_

#include "lib/rewrite/evaluate.h"
#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// Replaces the scalar by an equal one with fewer nodes. Its children must already be simplified. Calls on constants that are beyond
// the budget stay.
void SimplifyNode(ScalarPtr& scalar, EvaluationBudget& budget);
// Simplifies all scalars of a plan, and removes Filters whose condition is TRUE.
void Simplify(PlanPtr& root);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_SIMPLIFY_H_
