// Putting closed days in order: their rows are written anew by project and, of each project, by time. Who asks for one
// project's rows then reads little else, and what came in small batches stands in whole row groups.
//
//     ClusterRequest request = {.now = absl::Now()};
//     ClusterReport report = *backend->store().Cluster(request);
//
// Today and yesterday stay in the order of time, as rows come.
#ifndef LOGQUERY_STORE_CLUSTERING_H_
#define LOGQUERY_STORE_CLUSTERING_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "logquery/cancellation.h"

namespace logquery {

// A day of a table, in UTC.
struct ClusteredDay {
  std::string table;
  absl::Time day;
  int64_t rows = 0;     // that were written anew
  absl::Duration time;  // that it took, without rests
};

struct ClusterRequest {
  absl::Time now = {};  // the days before yesterday are closed
  // Of the time, at most this part is work: after each step there is a rest, in which loads go on. In (0, 1].
  double share = 1;
  int64_t rows_at_a_time = 245'760;  // about so many rows a step, in one transaction, while loads wait
  CancellationToken cancellation = {};
  std::function<void(const ClusteredDay&)> on_day = {};  // called after each day, from this thread; may be empty
};

struct ClusterReport {
  std::vector<ClusteredDay> days;  // only those that wanted it
  int64_t rows = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_STORE_CLUSTERING_H_
