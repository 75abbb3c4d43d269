// Has fields travel in the place of the records that they are in, where what remains of the query reads nothing else of these.
#ifndef LOGQUERY_LIB_SPLIT_NARROW_H_
#define LOGQUERY_LIB_SPLIT_NARROW_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "lib/rewrite/plan.h"
#include "lib/split/reasons.h"
#include "lib/split/split.h"

namespace logquery::split {

// `scans` are those of `rest`, one for each fragment, each of its table. A fragment computes the fields, and whether records
// are there, as far as the source can. Columns that nothing reads any more stay, to be pruned.
absl::Status NarrowRecords(const Reasons& reasons, const std::vector<rewrite::TableScan*>& scans,
                           const std::vector<std::unique_ptr<Table>>& tables, rewrite::QueryPlan& rest,
                           std::vector<Fragment>& fragments);

}  // namespace logquery::split

#endif  // LOGQUERY_LIB_SPLIT_NARROW_H_
