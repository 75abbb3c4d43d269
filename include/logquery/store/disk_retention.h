// How long a folder keeps a log's rows, and on how much disk. What is beyond that goes for good, the oldest rows first.
//
//     RetainRequest request = {.rules = {{.table = "edge_logs", .max_age = absl::Hours(24 * 90)}}, .now = absl::Now()};
//     RetainReport report = *backend->store().Retain(request);
//
// Other than RetentionPolicy, which limits what a query may see.
#ifndef LOGQUERY_STORE_DISK_RETENTION_H_
#define LOGQUERY_STORE_DISK_RETENTION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "logquery/cancellation.h"

namespace logquery {

struct RetentionRule {
  std::string table = {};                             // as LoadRequest's
  absl::Duration max_age = absl::InfiniteDuration();  // rows go by their own time, in whole hours
  int64_t max_bytes = 0;  // on disk; whole days go, never the newest one. 0: as much as there is
};

struct RetainRequest {
  std::vector<RetentionRule> rules = {};
  absl::Time now = {};
  CancellationToken cancellation = {};
};

struct RetainReport {
  struct Table {
    std::string table;
    int64_t rows = 0;      // that went
    absl::Time before;     // their times were before this
    bool by_size = false;  // else by age
  };
  std::vector<Table> tables;  // only those that rows went from; one may be there twice, by age and by size
  int64_t rows = 0;
  int64_t rejected_events = 0;  // removed from DIR/rejected, because they were kept for long enough (docs/ingest.md)
};

}  // namespace logquery

#endif  // LOGQUERY_STORE_DISK_RETENTION_H_
