// The settings of a server that runs, read again.
#ifndef LOGQUERY_SHIM_COMMAND_RELOAD_SETTINGS_H_
#define LOGQUERY_SHIM_COMMAND_RELOAD_SETTINGS_H_

#include <functional>

#include "absl/status/status.h"
#include "shim/command/commands.h"
#include "shim/http/request_log.h"

namespace logquery::shim {

// Reads the settings by `arguments.read_again`, has `change`, which may be empty, take over those that may change, puts these into
// `arguments`, and logs each that is another one: at once, or from the next start on. When a value is wrong, the log says which, and
// all stay as they were.
void ReloadSettings(ServeArguments& arguments, const std::function<absl::Status(const ServeArguments& now)>& change,
                    RequestLog& log);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_RELOAD_SETTINGS_H_
