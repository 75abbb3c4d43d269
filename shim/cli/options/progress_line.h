// One line that shows how far a command is, and is written over and over, on a terminal alone.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_PROGRESS_LINE_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_PROGRESS_LINE_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

class ProgressLine {
 public:
  // Shows nothing if it is not `wanted`.
  explicit ProgressLine(const Terminal& terminal, bool wanted = true)
      : terminal_(terminal), is_shown_(wanted && terminal.err_is_terminal) {}
  ~ProgressLine() { Clear(); }

  // `done` of `total` may be of any unit; 0: not known.
  void Show(const std::string& what, int64_t rows, int64_t done, int64_t total);
  void Clear();

 private:
  const Terminal& terminal_;
  const bool is_shown_;
  std::string what_;
  absl::Duration begin_;
  absl::Duration shown_;
  bool drawn_ = false;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_PROGRESS_LINE_H_
