// Values that an expression needs several times. A small one is written as often as it is needed. A large one is
// evaluated once: written out twice at each level, nested expressions would double with every level.
//
//     CASE x WHEN a THEN … WHEN b THEN …          x is compared with a and with b
//     v -> CASE WHEN v = a THEN … WHEN v = b THEN …      applied to the one element of [x]
#ifndef LOGQUERY_LIB_REWRITE_EVALUATE_ONCE_H_
#define LOGQUERY_LIB_REWRITE_EVALUATE_ONCE_H_

#include <cstdint>

#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// Returns whether an expression may be written several times: it has few nodes and no subquery.
bool IsSmall(const Scalar& scalar);

// Returns the number of its parts, with those of subqueries.
int64_t CountNodes(const Scalar& scalar);

bool HoldsSubquery(const Scalar& scalar);

// Returns `body`, in which `name` stands for `value`, evaluated once. `result` is a new column of the type of `body`.
ScalarPtr EvaluateOnce(PlanColumn name, ScalarPtr value, ScalarPtr body, const PlanColumn& result);

// Computes the value in a projection above `input`, and replaces it by the new column `name`.
void ComputeInProjection(PlanPtr& input, ScalarPtr& value, const PlanColumn& name);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_EVALUATE_ONCE_H_
