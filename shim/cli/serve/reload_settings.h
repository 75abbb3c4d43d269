// Reloads the settings of a running server.
#ifndef LOGQUERY_SHIM_CLI_SERVE_RELOAD_SETTINGS_H_
#define LOGQUERY_SHIM_CLI_SERVE_RELOAD_SETTINGS_H_

#include <functional>

#include "absl/status/status.h"
#include "shim/cli/options/commands.h"
#include "shim/observe/request_log.h"

namespace logquery::shim {

// Reads the settings with `arguments.read_again`, applies those that may change at run time with `change`, which may be
// empty, and stores them in `arguments`. Logs each changed setting, and whether it applies now or after a restart. If a
// value is wrong, logs which one, and changes nothing.
void ReloadSettings(ServeArguments& arguments, const std::function<absl::Status(const ServeArguments& now)>& change,
                    RequestLog& log);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_RELOAD_SETTINGS_H_
