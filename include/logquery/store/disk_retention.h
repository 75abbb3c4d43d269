// How long, and on how much disk space, a folder keeps a log's rows. Rows beyond these limits are deleted.
//
//     RetainRequest request = {.rules = {{.table = "edge_logs", .max_age = absl::Hours(24 * 90)}}, .now = absl::Now()};
//     RetainReport report = *backend->store().Retain(request);
//
// The size is shared fairly by the projects in a log: only projects that take more than their share lose rows, each its
// own oldest days. A day later than tomorrow is no newest day, and goes before all others.
//
// Not to be confused with RetentionPolicy, which limits what a query may see.
#ifndef LOGQUERY_STORE_DISK_RETENTION_H_
#define LOGQUERY_STORE_DISK_RETENTION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "logquery/cancellation.h"

namespace logquery {

struct RetentionRule {
  std::string table = {};                             // as in LoadRequest
  absl::Duration max_age = absl::InfiniteDuration();  // measured by the rows' own time, in whole hours
  int64_t max_bytes = 0;  // on disk; whole days of a project are deleted, never its newest; 0: no limit
};

struct RetainRequest {
  std::vector<RetentionRule> rules = {};
  absl::Time now = {};
  // `now` is right although it is more than three days after the last time that the folder has recorded. Otherwise no
  // row is deleted by its age then, because the machine's clock may be wrong.
  bool clock_is_confirmed = false;
  CancellationToken cancellation = {};
};

struct RetainReport {
  struct Table {
    std::string table;
    int64_t rows = 0;      // deleted
    absl::Time before;     // all deleted rows were older than this
    bool by_size = false;  // true: deleted because of max_bytes; false: because of max_age
    int64_t projects = 0;  // that took more than their share, if by_size
  };
  std::vector<Table> tables;  // only tables that lost rows; a table may appear twice, by age and by size
  int64_t rows = 0;
  // The last recorded time, if max_age was not applied because of clock_is_confirmed.
  std::optional<absl::Time> held_back;
  int64_t rejected_events = 0;  // deleted from DIR/rejected when their retention ended (docs/ingest.md)
};

}  // namespace logquery

#endif  // LOGQUERY_STORE_DISK_RETENTION_H_
