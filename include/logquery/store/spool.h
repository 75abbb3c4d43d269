// A folder into which programs put log files. A running store loads each file exactly once.
//
//     FOLDER/edge_logs/NAME.ndjson            moved there by rename, or written there and closed
//     FOLDER/edge_logs/NAME.ndjson.options    written before it, if it needs options: {"timestamp_unit":"ms"}
//     FOLDER/edge_logs/NAME.ndjson.outcome    the result, written when the file has been removed
//     FOLDER/FULL                             exists while too many bytes wait: writers should pause
//     FOLDER/.failed/edge_logs/NAME.ndjson    a file that is not text in rows, unchanged
//
// NAME ends in .ndjson, .jsonl or .json, or these with .gz or .zst. A file of another name in a log's folder that nobody writes
// to goes to .failed after a minute, with its outcome. Folders within those of logs, and other files in FOLDER itself, are not
// touched; they are logged and counted.
//
//     auto spool = Spool::Open({.folder = "data/spool", .logs = {"edge_logs"}}, &backend->store());
//     absl::Status started = (*spool)->Start();
//
// Small files are combined, so that a commit covers a thousand rows or one second. docs/loading.md has the details.
#ifndef LOGQUERY_STORE_SPOOL_H_
#define LOGQUERY_STORE_SPOOL_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/clock.h"
#include "logquery/store/log_store.h"

namespace logquery {

struct SpoolOptions {
  std::string folder = {};             // created if absent
  std::vector<std::string> logs = {};  // a folder is created for each
  int64_t max_bytes = 1LL << 30;       // of waiting files, before FULL appears
  // A commit happens when either limit is reached.
  int64_t batch_rows = 1'000;
  absl::Duration batch_time = absl::Seconds(1);
  absl::Duration keep_outcomes = absl::Hours(24);
  const Clock* clock = Clock::Real();  // borrowed
  // Receives one line for each event that operators should know, on the spool's thread. May be empty.
  std::function<void(std::string_view level, std::string_view line)> log = {};
};

struct SpoolState {
  int64_t waiting_files = 0;
  int64_t waiting_bytes = 0;
  int64_t ignored_files = 0;                  // that are not taken, because of their names or places, for a minute
  absl::Duration lag = absl::ZeroDuration();  // since the oldest waiting file was seen complete
  bool full = false;
  int64_t files_loaded = 0;
  int64_t files_failed = 0;
  int64_t rows = 0;
  absl::Status stopped = {};  // why loading is suspended, for example a full disk; it is retried
};

// Thread-safe, except TakeReady.
class Spool {
 public:
  // Creates the folders if necessary. `store` is borrowed. FailedPrecondition: another process serves the folder, or
  // its file system does not support locks. PermissionDenied, ResourceExhausted, Internal.
  static absl::StatusOr<std::unique_ptr<Spool>> Open(const SpoolOptions& options, LogStore* store);
  // Calls Stop.
  virtual ~Spool() = default;

  // Start loads files on a thread of its own until Stop. ResourceExhausted: the system allows no further thread. Stop cancels a
  // running load, whose file is loaded the next time.
  virtual absl::Status Start() = 0;
  virtual void Stop() = 0;
  // Checks the folder once and loads the files that are due. Use it instead of Start to load on your own thread.
  // Returns SpoolState::stopped.
  virtual absl::Status TakeReady() = 0;

  virtual SpoolState state() const = 0;
};

// Returns whether a process serves the spool now.
bool IsSpoolServed(const std::string& folder);

// Counts the files in a spool, whether or not a process loads them. An absent or unreadable folder counts as empty.
struct SpoolContents {
  int64_t waiting_files = 0;
  int64_t waiting_bytes = 0;
  int64_t failed_files = 0;   // in .failed
  int64_t ignored_files = 0;  // with names of no rows, or in folders within those of logs
};
SpoolContents CountSpool(const std::string& folder);

// Loads files through the spool of the process that has the store open: puts copies of the files into the spool one
// after another, and waits for each result. `report.rejected_folder` is empty. Unavailable: no process serves the spool
// any more; files that were put into it stay there until one does. InvalidArgument: a file was rejected; the message
// says why. Cancelled: files that were not loaded yet are withdrawn.
absl::StatusOr<LoadReport> LoadBySpool(const std::string& folder, const LoadRequest& request);

}  // namespace logquery

#endif  // LOGQUERY_STORE_SPOOL_H_
