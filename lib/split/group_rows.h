// Transfers equal rows only once, with their count, if a GROUP BY runs on them locally.
//
//     SELECT REGEXP_EXTRACT(path, '^/([a-z]+)'), AVG(status_code) FROM edge_logs GROUP BY 1
//     remote: SELECT path, status_code, COUNT(*) FROM edge_logs GROUP BY 1, 2
//
// The local engine repeats each row as often as its count says, so the rest of the plan and its meaning do not change.
#ifndef LOGQUERY_LIB_SPLIT_GROUP_ROWS_H_
#define LOGQUERY_LIB_SPLIT_GROUP_ROWS_H_

#include <string_view>
#include <vector>

#include "lib/rewrite/plan.h"
#include "lib/split/reasons.h"
#include "lib/split/split.h"

namespace logquery::split {

// The name of the last column of a grouped fragment's schema, which has each row's count: INT64, 0 or more. The other
// columns are called c1, c2 and so on. The table that the rest reads does not have the count.
inline constexpr std::string_view kRowCount = "$rows";

// Returns whether the rows of a fragment with this schema are grouped.
bool HasRowCount(const Schema& schema);

// Groups each fragment that an Aggregate of `rest` reads through projections and filters only. The largest expressions
// that the source can compute become the fragment's columns, and it groups by all columns that are read. Skips a
// fragment if the source can't group by one of these columns, or if one is a row's time or id, which seldom repeat.
// `scans` are the scans of `rest`, one per fragment; columns that become unread stay, to be pruned. A grouped
// fragment's last column is the count.
void GroupRows(const Reasons& reasons, const std::vector<rewrite::TableScan*>& scans, rewrite::QueryPlan& rest,
               std::vector<Fragment>& fragments);

}  // namespace logquery::split

#endif  // LOGQUERY_LIB_SPLIT_GROUP_ROWS_H_
