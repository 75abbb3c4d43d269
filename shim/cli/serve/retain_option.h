// Parses `serve --retain`: how long a log's rows are kept, and on how much disk; and `--confirm-clock`.
//
//     edge_logs=90d      rows of up to 90 days; also h for hours
//     edge_logs=20GB     at most this much on disk, shared by its projects; also MB, TB, in powers of 1000
//     '*=30d'            each log without an age of its own
#ifndef LOGQUERY_SHIM_CLI_SERVE_RETAIN_OPTION_H_
#define LOGQUERY_SHIM_CLI_SERVE_RETAIN_OPTION_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/serving/maintenance.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

// Returns one rule for each log, or for "*", in the order in which the options first name it. Each of `options` is a
// comma-separated list. InvalidArgument: an entry is malformed, or sets a limit twice.
absl::StatusOr<std::vector<RetentionRule>> ParseRetain(const std::vector<std::string>& options);

// Parses the date on which an operator confirms the clock, such as 2026-11-27, as midnight in UTC. nullopt: `option` is empty.
// InvalidArgument: it is no date.
absl::StatusOr<std::optional<absl::Time>> ParseConfirmedDay(const std::string& option);

// Returns the rules that `serve` maintains its folder by. InvalidArgument: as above.
absl::StatusOr<MaintenanceRules> MaintenanceRulesOf(const ServeArguments& arguments);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_RETAIN_OPTION_H_
