// Rewrites closed days so that their rows are ordered by project, and by time within a project. A query for one project
// then reads little else, and rows that arrived in small batches fill whole row groups.
//
//     ClusterRequest request = {.now = absl::Now()};
//     ClusterReport report = *backend->store().Cluster(request);
//
// The rows of today and yesterday stay in order of time, as they arrive.
#ifndef LOGQUERY_STORE_CLUSTERING_H_
#define LOGQUERY_STORE_CLUSTERING_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "logquery/cancellation.h"

namespace logquery {

// A UTC day of a table.
struct ClusteredDay {
  std::string table;
  absl::Time day;
  int64_t rows = 0;     // rewritten
  absl::Duration time;  // spent on work, without pauses
};

struct ClusterRequest {
  absl::Time now = {};  // days before yesterday are closed
  // The maximum share of time spent working: after each step there is a pause in which loads can run. In (0, 1].
  double share = 1;
  int64_t rows_at_a_time = 245'760;  // rows per step (approximate); a step is one transaction and blocks loads
  CancellationToken cancellation = {};
  std::function<void(const ClusteredDay&)> on_day = {};  // called after each day, on the calling thread; may be empty
};

struct ClusterReport {
  std::vector<ClusteredDay> days;  // only the days that were rewritten
  int64_t rows = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_STORE_CLUSTERING_H_
