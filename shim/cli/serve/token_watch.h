// Logs when the file of tokens becomes invalid, and when it is valid again.
#ifndef LOGQUERY_SHIM_CLI_SERVE_TOKEN_WATCH_H_
#define LOGQUERY_SHIM_CLI_SERVE_TOKEN_WATCH_H_

#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "shim/cli/folder/loading.h"

namespace logquery::shim {

// Used by one thread.
class TokenWatch {
 public:
  // `state`: see RoutesOptions::tokens.
  TokenWatch(std::function<absl::Status()> state, IntakeLog log) : state_(std::move(state)), log_(std::move(log)) {}
  // Logs what has changed since the last call.
  void Look();

 private:
  const std::function<absl::Status()> state_;
  const IntakeLog log_;
  absl::Status last_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_TOKEN_WATCH_H_
