// Transfers single fields instead of whole records, where the rest of the query reads nothing else of the records.
#ifndef LOGQUERY_LIB_SPLIT_NARROW_H_
#define LOGQUERY_LIB_SPLIT_NARROW_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "lib/rewrite/plan.h"
#include "lib/split/reasons.h"
#include "lib/split/split.h"

namespace logquery::split {

// `scans` are the scans of `rest`, one per fragment, each on the fragment's table. A fragment computes the fields, and
// whether records are present, as far as the source supports it. Columns that become unread stay, to be pruned.
absl::Status NarrowRecords(const Reasons& reasons, const std::vector<rewrite::TableScan*>& scans,
                           const std::vector<std::unique_ptr<Table>>& tables, rewrite::QueryPlan& rest,
                           std::vector<Fragment>& fragments);

}  // namespace logquery::split

#endif  // LOGQUERY_LIB_SPLIT_NARROW_H_
