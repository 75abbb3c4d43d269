// The lines that maintenance writes to an operator's log.
#ifndef LOGQUERY_LIB_SERVING_STORE_MAINTENANCE_LINES_H_
#define LOGQUERY_LIB_SERVING_STORE_MAINTENANCE_LINES_H_

#include <string>

#include "absl/time/time.h"
#include "logquery/store/clustering.h"
#include "logquery/store/disk_retention.h"

namespace logquery::serving {

// Returns "2,000 rows of edge_logs on 2026-03-04 are in the order of projects, after 1.2 s".
std::string ClusteredText(const ClusteredDay& day);

// Returns "2000 rows of edge_logs from before 2026-03-04T00:00:00Z are gone, by their age".
std::string RetainedText(const RetainReport::Table& table);

// Explains why no rows are deleted by age. `recorded` is RetainReport::held_back.
std::string HeldBackText(absl::Time now, absl::Time recorded);

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_STORE_MAINTENANCE_LINES_H_
