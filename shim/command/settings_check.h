// What the settings of a server have to be beyond their types: the same check for a start, for SIGHUP and for `config check`.
#ifndef LOGQUERY_SHIM_COMMAND_SETTINGS_CHECK_H_
#define LOGQUERY_SHIM_COMMAND_SETTINGS_CHECK_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "shim/command/commands.h"
#include "shim/http/listener.h"

namespace logquery::shim {

// The address of `option`, `--listen` or `--admin`, where it may be listened on.
// InvalidArgument: it is no address, or others reach it and `insecure_http` does not allow that.
absl::StatusOr<ListenAddress> AddressOf(std::string_view option, const std::string& text, bool insecure_http);

struct SettingProblem {
  std::string_view key;  // of the table
  absl::Status status;
};

// All that is wrong with the values. Reads the file of `backend`; whether data or a backend is named at all is not asked, and
// neither is whether `retain` names logs that there are: the data folder knows that.
std::vector<SettingProblem> CheckSettings(const ServeArguments& arguments);

// The first of them; OK: there is none.
absl::Status CheckedSettings(const ServeArguments& arguments);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_SETTINGS_CHECK_H_
