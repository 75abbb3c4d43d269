// The maintenance that a server does on its folder, apart from loading and answering.
#ifndef LOGQUERY_SHIM_CLI_SERVE_UPKEEP_H_
#define LOGQUERY_SHIM_CLI_SERVE_UPKEEP_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shim/cli/folder/loading.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/serve/background.h"
#include "shim/cli/serve/retain_option.h"

namespace logquery {
struct ClusteredDay;
class LogStore;
struct RetentionRule;
}  // namespace logquery

namespace logquery::shim {

// Returns the names of the current logs.
using LogNames = std::function<std::vector<std::string>()>;

// The settings of maintenance, which may change while it runs. Thread-safe.
class UpkeepSettings {
 public:
  // `logs` are those that `arguments.retain` may name. InvalidArgument: `arguments.retain` is invalid.
  static absl::StatusOr<std::shared_ptr<UpkeepSettings>> Create(const ServeArguments& arguments, LogNames logs);
  // Applies to later runs of a task. InvalidArgument: a setting is invalid; nothing changes then.
  absl::Status Change(const ServeArguments& arguments);

  // Returns the limits of all current logs, including those declared since.
  absl::StatusOr<std::vector<Retention>> limits() const;
  int cluster_percent() const;
  // Whether the operator has confirmed that `now` is right.
  bool confirms_clock(absl::Time now) const;

 private:
  explicit UpkeepSettings(LogNames logs) : logs_(std::move(logs)) {}

  const LogNames logs_;
  mutable absl::Mutex mutex_;
  std::vector<std::string> retain_ ABSL_GUARDED_BY(mutex_);
  std::string confirm_clock_ ABSL_GUARDED_BY(mutex_);
  int cluster_percent_ ABSL_GUARDED_BY(mutex_) = 0;
};

// Returns the current declared retention of the operator's own logs.
using DeclaredRetention = std::function<std::vector<RetentionRule>()>;

// What the tasks have done since the start.
struct UpkeepCounters {
  std::atomic<int64_t> retained_rows{0};   // removed by age or size
  std::atomic<int64_t> clustered_rows{0};  // rewritten in the order of projects
  std::atomic<int64_t> failures{0};        // of either task
};

// Returns the tasks, not yet started. They delete rows by the settings or, for logs that these do not name, by
// `declared`, and rewrite closed days. `store` is borrowed; `log` receives what was done, and `counters` count it.
std::vector<std::unique_ptr<BackgroundTask>> MakeUpkeep(const std::shared_ptr<const UpkeepSettings>& settings,
                                                        LogStore* store, const IntakeLog& log,
                                                        const DeclaredRetention& declared,
                                                        const std::shared_ptr<UpkeepCounters>& counters);

// Returns "2,000 rows of edge_logs on 2026-03-04 in 1.2 s".
std::string ClusteredText(const ClusteredDay& day);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_UPKEEP_H_
