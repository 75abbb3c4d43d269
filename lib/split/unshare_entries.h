// Lets each reader of a shared WITH entry compute the entry itself, so that a source can compute readers as a whole.
//
//     WITH e AS (SELECT … FROM edge_logs WHERE project = @project)
//     SELECT (SELECT COUNT(*) FROM e) AS n, (SELECT MAX(timestamp) FROM e) AS t
//
// As long as `e` is shared, all of its rows are transferred, once for both readers. Otherwise a count and a time are
// transferred, and the source reads the table twice, possibly at different moments, as it does for a table that a query
// names twice.
#ifndef LOGQUERY_LIB_SPLIT_UNSHARE_ENTRIES_H_
#define LOGQUERY_LIB_SPLIT_UNSHARE_ENTRIES_H_

#include <optional>

#include "absl/status/statusor.h"
#include "lib/rewrite/plan.h"

namespace logquery::split {

// Returns a copy of the plan without entries that are read more than once. nullopt: there are none, or another reading
// could give other rows, as of an entry with a LIMIT.
absl::StatusOr<std::optional<rewrite::QueryPlan>> UnshareEntries(const rewrite::QueryPlan& plan);

}  // namespace logquery::split

#endif  // LOGQUERY_LIB_SPLIT_UNSHARE_ENTRIES_H_
