// Hints of a prepared query for the backend about its rows, in terms of the query's slots.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_QUERY_HINTS_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_QUERY_HINTS_H_

#include <optional>
#include <vector>

#include "lib/rewrite/plan.h"
#include "logquery/prepared_query.h"

namespace logquery::endpoint {

// nullopt: the floor is not one slot.
std::optional<TopNByTime> NewestHint(const rewrite::NewestRows& newest, const std::vector<Slot>& slots);

// The conditions on each table. Leaves out conditions whose parameter is in no slot.
std::vector<TableHints> HintsOf(const rewrite::QueryPlan& plan, const std::vector<Slot>& slots);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_QUERY_HINTS_H_
