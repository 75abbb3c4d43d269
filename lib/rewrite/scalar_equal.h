// Whether two scalars always have the same value because they are the same expression over the same columns.
#ifndef LOGQUERY_LIB_REWRITE_SCALAR_EQUAL_H_
#define LOGQUERY_LIB_REWRITE_SCALAR_EQUAL_H_

#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// Subqueries and lambdas are compared by what they do. Volatile functions equal nothing. Places in the text do not count.
bool Equal(const Scalar& a, const Scalar& b);
// Both absent, or both there and equal.
bool Equal(const ScalarPtr& a, const ScalarPtr& b);
bool Equal(const AggregateCall& a, const AggregateCall& b);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_SCALAR_EQUAL_H_
