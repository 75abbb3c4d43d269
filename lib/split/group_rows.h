// Has rows that are alike travel once, with their number, where what is done to them here is a GROUP BY.
//
//     SELECT REGEXP_EXTRACT(path, '^/([a-z]+)'), AVG(status_code) FROM edge_logs GROUP BY 1
//     there: SELECT path, status_code, COUNT(*) FROM edge_logs GROUP BY 1, 2
//
// The finisher reads each row as often as it is counted, so that the rest of the plan stays what it was, and means the same, whatever
// it does to the rows.
#ifndef LOGQUERY_LIB_SPLIT_GROUP_ROWS_H_
#define LOGQUERY_LIB_SPLIT_GROUP_ROWS_H_

#include <string_view>
#include <vector>

#include "lib/rewrite/plan.h"
#include "lib/split/reasons.h"
#include "lib/split/split.h"

namespace logquery::split {

// The name of the column, the last one of a fragment's schema, that counts how often each row is there: INT64, 0 or more. The
// others of a schema are called c1, c2 and so on, whatever the query calls them. The table that the rest reads does not have it.
inline constexpr std::string_view kRowCount = "$rows";

// Whether the rows of a fragment with this schema come grouped.
bool HasRowCount(const Schema& schema);

// For each fragment that is read by an Aggregate of `rest`, with nothing but projections and filters between: the largest
// expressions that the source can compute become columns of it, and it groups by all that are read. Not done where a column can't be
// grouped by there, or is the time or the id of a row, of which few are alike. `scans` are those of `rest`, one for each fragment; columns
// that nothing reads any more stay there, to be pruned. A fragment that is grouped has its count as the last of its columns.
void GroupRows(const Reasons& reasons, const std::vector<rewrite::TableScan*>& scans, rewrite::QueryPlan& rest,
               std::vector<Fragment>& fragments);

}  // namespace logquery::split

#endif  // LOGQUERY_LIB_SPLIT_GROUP_ROWS_H_
