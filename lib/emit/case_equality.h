// Compares the operand of CASE by GoogleSQL's equality, for engines whose own CASE compares by another one.
//
//     CASE x WHEN y THEN a ELSE b END   becomes   CASE WHEN $equal(x, y) THEN a ELSE b END
#ifndef LOGQUERY_LIB_EMIT_CASE_EQUALITY_H_
#define LOGQUERY_LIB_EMIT_CASE_EQUALITY_H_

#include "absl/status/status.h"
#include "lib/rewrite/plan.h"

namespace logquery::emit {

// Rewrites each CASE whose operand has a type that the engine compares otherwise.
absl::Status CompareCases(rewrite::QueryPlan& query, bool (*differs)(const Type& operand));

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_CASE_EQUALITY_H_
