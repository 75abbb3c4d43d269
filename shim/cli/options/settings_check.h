// Checks a server's settings beyond their types: the same check at the start, on SIGHUP and for `config check`.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_SETTINGS_CHECK_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_SETTINGS_CHECK_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/base/listen_socket.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

// Parses the address of `option`, `--listen` or `--admin`, and checks that it is allowed. InvalidArgument: it is not an
// address, or other machines can reach it and `insecure_http` does not allow that.
absl::StatusOr<base::ListenAddress> AddressOf(std::string_view option, const std::string& text, bool insecure_http);

struct SettingProblem {
  std::string_view key;  // in the table of settings
  absl::Status status;
};

// Returns all problems with the values. Reads the file of `backend` into `arguments.service` (see ReadBackend). Does not check
// whether data or a backend is given at all, or whether the logs in `retain` exist, which only the data folder knows.
std::vector<SettingProblem> CheckSettings(ServeArguments& arguments);

// Returns the first problem; OK: there is none.
absl::Status CheckedSettings(ServeArguments& arguments);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_SETTINGS_CHECK_H_
