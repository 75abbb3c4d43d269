// Searches for a parameter's text instead of matching it as a regular expression, in calls whose pattern is plain text.
#ifndef LOGQUERY_LIB_REWRITE_PASSES_PLAIN_PATTERNS_H_
#define LOGQUERY_LIB_REWRITE_PASSES_PLAIN_PATTERNS_H_

#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// Replaces REGEXP_CONTAINS(x, @p) by CASE WHEN NOT REGEXP_CONTAINS(@p, '[^…]') THEN STRPOS(x, @p) > 0 ELSE
// REGEXP_CONTAINS(x, @p) END, whose condition steers the plan (SteeringPredicates). All engines have STRPOS; regular expressions
// differ, and an engine that compiles them for each call is slower.
void SteerByPlainPatterns(QueryPlan& query);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_PLAIN_PATTERNS_H_
