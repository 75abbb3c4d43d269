// What a server does with its folder by itself, beside taking logs in and answering.
#ifndef LOGQUERY_SHIM_SERVE_UPKEEP_H_
#define LOGQUERY_SHIM_SERVE_UPKEEP_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "shim/command/commands.h"
#include "shim/command/loading.h"
#include "shim/command/retain_option.h"
#include "shim/serve/background.h"

namespace logquery {
struct ClusteredDay;
class LogStore;
struct RetentionRule;
}  // namespace logquery

namespace logquery::shim {

// The names of the logs that there are now.
using LogNames = std::function<std::vector<std::string>()>;

// How upkeep is done, which may change while it is. Thread-safe.
class UpkeepSettings {
 public:
  // `logs` are those that `arguments.retain` may name. InvalidArgument: it can't be followed.
  static absl::StatusOr<std::shared_ptr<UpkeepSettings>> Create(const ServeArguments& arguments, LogNames logs);
  // Counts from the next time on that a task runs. InvalidArgument: `arguments.retain`; nothing changes then.
  absl::Status Change(const ServeArguments& arguments);

  // Of the logs that there are now: also of those that were declared since.
  absl::StatusOr<std::vector<Retention>> limits() const;
  int cluster_percent() const;

 private:
  explicit UpkeepSettings(LogNames logs) : logs_(std::move(logs)) {}

  const LogNames logs_;
  mutable absl::Mutex mutex_;
  std::vector<std::string> retain_ ABSL_GUARDED_BY(mutex_);
  int cluster_percent_ ABSL_GUARDED_BY(mutex_) = 0;
};

// What logs of one's own are declared to be kept for, as it is now.
using DeclaredRetention = std::function<std::vector<RetentionRule>()>;

// Not started yet. Rows go when the settings say so or, for logs that they do not name, when `declared` does, and closed days are
// put in order. `store` is borrowed; `log` gets what was done.
std::vector<std::unique_ptr<BackgroundTask>> MakeUpkeep(const std::shared_ptr<const UpkeepSettings>& settings,
                                                        LogStore* store, const IntakeLog& log,
                                                        const DeclaredRetention& declared);

// "2,000 rows of edge_logs on 2026-03-04 in 1.2 s"
std::string ClusteredText(const ClusteredDay& day);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_SERVE_UPKEEP_H_
