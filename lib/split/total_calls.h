// Calls whose constant arguments rule out every error that their function may raise, so that a source may compute them.
// Budgets of memory are no such errors: a source has its own.
#ifndef LOGQUERY_LIB_SPLIT_TOTAL_CALLS_H_
#define LOGQUERY_LIB_SPLIT_TOTAL_CALLS_H_

#include "lib/rewrite/plan.h"

namespace logquery::split {

// Considers only the call itself, not its operands. Calls of total functions are not necessarily recognized.
bool IsTotalForConstants(const rewrite::FunctionCall& call);
bool IsTotalForConstants(const rewrite::AggregateCall& call);

}  // namespace logquery::split

#endif  // LOGQUERY_LIB_SPLIT_TOTAL_CALLS_H_
