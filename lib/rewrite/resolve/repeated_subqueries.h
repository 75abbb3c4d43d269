// Gives each copy of a subquery its own columns, where a query has the subquery once but the plan holds several copies.
//
//     (SELECT MAX(x) FROM t) AS m … HAVING m > 1          the alias is replaced by its value in both places
//     ((SELECT …), a) IN ((1, 2), (3, 4))                 compared with each row, field by field
#ifndef LOGQUERY_LIB_REWRITE_RESOLVE_REPEATED_SUBQUERIES_H_
#define LOGQUERY_LIB_REWRITE_RESOLVE_REPEATED_SUBQUERIES_H_

#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// The first copy keeps its columns. If the query has no subquery at all, clears Plan::may_hold_subqueries in all of its
// nodes.
void SeparateRepeatedSubqueries(QueryPlan& query);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_REPEATED_SUBQUERIES_H_
