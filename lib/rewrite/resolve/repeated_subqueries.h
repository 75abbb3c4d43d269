// Columns of their own for each copy of a subquery that a query means once and a plan holds several times.
//
//     (SELECT MAX(x) FROM t) AS m … HAVING m > 1          the name's value stands in both places
//     ((SELECT …), a) IN ((1, 2), (3, 4))                 compared with each, field by field
#ifndef LOGQUERY_LIB_REWRITE_RESOLVE_REPEATED_SUBQUERIES_H_
#define LOGQUERY_LIB_REWRITE_RESOLVE_REPEATED_SUBQUERIES_H_

#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// The first of them stays as it is. Where the query has no subquery at all, every node of its plan says so from now on
// (Plan::may_hold_subqueries).
void SeparateRepeatedSubqueries(QueryPlan& query);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_REPEATED_SUBQUERIES_H_
