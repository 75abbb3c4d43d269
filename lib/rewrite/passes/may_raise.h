// Determines whether evaluating a scalar may raise an error: an overflow, a cast, a division by zero, an exceeded
// limit.
//
// A scalar is assumed to raise unless the function table says otherwise (kTotal, kTotalInFirst), so that a new function
// is safe by default.
#ifndef LOGQUERY_LIB_REWRITE_PASSES_MAY_RAISE_H_
#define LOGQUERY_LIB_REWRITE_PASSES_MAY_RAISE_H_

#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// Considers the scalar with all its operands and subqueries. A scalar subquery raises if it returns more than one row.
// An operand with the same value for all rows is ignored where it is evaluated for every row anyway.
bool MayRaise(const Scalar& scalar);

// Considers only the scalar itself, not its operands, including errors that do not depend on the row.
bool MayRaiseAlone(const Scalar& scalar);

// Returns whether the scalar has one value for the whole query: it reads no column and has no subquery.
bool IsRowIndependent(const Scalar& scalar);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_MAY_RAISE_H_
