// Determines whether two scalars always have the same value because they are the same expression on the same columns.
#ifndef LOGQUERY_LIB_REWRITE_SCALAR_EQUAL_H_
#define LOGQUERY_LIB_REWRITE_SCALAR_EQUAL_H_

#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// Subqueries and lambdas are compared by structure. Volatile functions are never equal. Source places are ignored.
bool Equal(const Scalar& a, const Scalar& b);
// True if both are absent, or both are present and equal.
bool Equal(const ScalarPtr& a, const ScalarPtr& b);
bool Equal(const AggregateCall& a, const AggregateCall& b);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_SCALAR_EQUAL_H_
