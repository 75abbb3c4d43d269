// Parses `serve --retain`: how long a log's rows are kept, and on how much disk; and `--confirm-clock`.
//
//     edge_logs=90d      rows of up to 90 days; also h for hours
//     edge_logs=20GB     at most this much on disk, shared by its projects; also MB, TB, in powers of 1000
//     '*=30d'            each log without an age of its own
#ifndef LOGQUERY_SHIM_CLI_SERVE_RETAIN_OPTION_H_
#define LOGQUERY_SHIM_CLI_SERVE_RETAIN_OPTION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace logquery::shim {

struct Retention {
  std::string log;
  absl::Duration max_age = absl::InfiniteDuration();
  int64_t max_bytes = 0;  // 0: no limit
  bool named = false;     // an option names the log; otherwise the limit is that of all logs
};

// Returns the limits of those of `logs` that have any, in order. Each of `options` is a comma-separated list.
// InvalidArgument: an entry is malformed, names no log, or sets a limit twice.
absl::StatusOr<std::vector<Retention>> ParseRetain(const std::vector<std::string>& options,
                                                   const std::vector<std::string>& logs);

// Returns whether `option`, a date such as 2026-11-27 or nothing, confirms that `now` is right: it is at most a day from
// the date, in UTC. InvalidArgument: it is no date.
absl::StatusOr<bool> ConfirmsClock(const std::string& option, absl::Time now);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_RETAIN_OPTION_H_
