// Whether evaluating a scalar may raise an error: overflow, a cast, a division by zero, a limit on what a value may take.
//
// A scalar is taken to raise unless the function table says otherwise (kTotal, kTotalInFirst), so that a new function is safe
// before anybody has thought about it.
#ifndef LOGQUERY_LIB_REWRITE_PASSES_MAY_RAISE_H_
#define LOGQUERY_LIB_REWRITE_PASSES_MAY_RAISE_H_

#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// Of the scalar, all operands in it, and the queries in it. A scalar subquery raises when it gives more than one row. An
// operand that is the same for every row does not count where every row evaluates it.
bool MayRaise(const Scalar& scalar);

// Of the scalar alone, whatever its operands do, and also where it fails for every row or for none.
bool MayRaiseAlone(const Scalar& scalar);

// Whether the scalar has one value for the whole query: it reads no column and holds no subquery.
bool IsRowIndependent(const Scalar& scalar);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_MAY_RAISE_H_
