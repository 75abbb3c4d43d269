// Maintains a folder of logs while a program serves it: deletes rows that are too old or too many (disk_retention.h), and
// orders the rows of closed days by project (clustering.h).
//
//     MaintenanceOptions options;
//     options.rules.retention = {{.table = "edge_logs", .max_age = absl::Hours(24 * 90)},
//                                {.table = "*", .max_bytes = 20'000'000'000}};
//     options.log = [](std::string_view level, std::string_view line) { std::cerr << level << ": " << line << "\n"; };
//     absl::StatusOr<std::unique_ptr<Maintenance>> maintenance = Maintenance::Create(backend.get(), options);
//     absl::Status started = (*maintenance)->Start();
//
// A log's rule is the one in `retention` that names the log; otherwise the retention that the log was declared with
// (DuckDbBackend::DeclaredRetention); otherwise the rule for "*", which also reaches logs that are declared later. A rule
// that names a log takes the limit that it doesn't set from the rule for "*".
//
// Thread-safe, except that Start and Stop must not overlap. The backend and the clock are borrowed; both must outlive the
// maintenance. Link logquery::store.
#ifndef LOGQUERY_SERVING_MAINTENANCE_H_
#define LOGQUERY_SERVING_MAINTENANCE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/clock.h"
#include "logquery/store/disk_retention.h"

namespace logquery {

class DuckDbBackend;

// The part of the options that may change while maintenance runs.
struct MaintenanceRules {
  std::vector<RetentionRule> retention = {};  // `table` is a log, a table, or "*" for all logs
  double cluster_share = 0.25;  // the maximum share of time spent on clustering, up to 1; 0: no clustering
  // A UTC day on which an operator found the clock to be right. On this day, the one before and the one after,
  // RetainRequest::clock_is_confirmed is set.
  std::optional<absl::Time> clock_confirmed_on = {};
};

struct MaintenanceOptions {
  MaintenanceRules rules = {};
  // From the end of one run to the start of the next; the first runs start at once.
  absl::Duration retain_every = absl::Hours(1);
  absl::Duration cluster_every = absl::Minutes(10);
  const Clock* clock = Clock::Real();  // ages of rows and closed days are measured by it
  // Receives one line for each event that operators should know: what was deleted or ordered, and failures. `level` is
  // "info" or "error". Called on two threads, one for each task, without locks. May be empty.
  std::function<void(std::string_view level, std::string_view line)> log = {};
};

class Maintenance {
 public:
  // Totals since Create.
  struct Counters {
    int64_t retained_rows = 0;   // deleted by age or size
    int64_t clustered_rows = 0;  // rewritten in the order of projects
    int64_t failures = 0;        // failed runs, and runs that deleted no rows by age because the clock had jumped
  };

  // InvalidArgument: there is no backend or clock, a rule names no log or the log of another rule, a limit is not positive, or
  // cluster_share is not from 0 to 1. Otherwise the statuses of QueryBackend::ReadCatalog.
  static absl::StatusOr<std::unique_ptr<Maintenance>> Create(DuckDbBackend* backend, MaintenanceOptions options);
  // Calls Stop.
  virtual ~Maintenance() = default;

  // Starts both tasks, each on a thread of its own. Call it once. ResourceExhausted: the system allows no further thread;
  // neither task runs.
  virtual absl::Status Start() = 0;
  // Cancels running tasks and waits for their end. Finished steps of a task stay. Idempotent.
  virtual void Stop() = 0;
  // Applies the rules to later runs. Statuses: those of Create; the previous rules stay then.
  virtual absl::Status Change(const MaintenanceRules& rules) = 0;

  virtual Counters counters() const = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_SERVING_MAINTENANCE_H_
