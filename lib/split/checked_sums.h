// Makes SUM and AVG of INT64 computable in a source: the source adds exactly, and the result's range is checked locally.
//
//     SELECT path, SUM(size) FROM edge_logs GROUP BY path
//     remote: SELECT path, $exact_sum(size) FROM edge_logs GROUP BY path
//     local:  SELECT path, $checked_sum(…)
//
// The exact sum travels as decimal text, which has no range, so that an overflow is raised here for each group, and
// nowhere for others. AVG also needs the count, and divides here.
#ifndef LOGQUERY_LIB_SPLIT_CHECKED_SUMS_H_
#define LOGQUERY_LIB_SPLIT_CHECKED_SUMS_H_

#include "lib/rewrite/plan.h"

namespace logquery::split {

// If `aggregate` has such calls, returns an equal plan: a Project on an Aggregate that computes them in parts.
// Otherwise returns nullptr. `aggregate` stays unchanged and keeps its input: the returned Aggregate has none yet.
rewrite::PlanPtr WithCheckedSums(const rewrite::Aggregate& aggregate, rewrite::QueryPlan& plan);

}  // namespace logquery::split

#endif  // LOGQUERY_LIB_SPLIT_CHECKED_SUMS_H_
