// A folder that programs put files of logs into, and a store that takes them in while it serves: each file exactly once.
//
//     FOLDER/edge_logs/NAME.ndjson            put there by rename, or written there and closed
//     FOLDER/edge_logs/NAME.ndjson.options    before it, where it needs any: {"timestamp_unit":"ms"}
//     FOLDER/edge_logs/NAME.ndjson.outcome    what became of it, once the file is gone
//     FOLDER/FULL                             there while more waits than may: whoever writes should wait as well
//     FOLDER/.failed/edge_logs/NAME.ndjson    what is no text of rows, as it came
//
//     auto spool = Spool::Open({.folder = "data/spool", .logs = {"edge_logs"}}, &backend->store());
//     (*spool)->Start();
//
// Small files are put together, so that a commit is of a thousand rows or a second. docs/loading.md says more.
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
  std::string folder = {};             // made when it is absent
  std::vector<std::string> logs = {};  // folders for these are made
  int64_t max_bytes = 1LL << 30;       // of files that wait, before FULL appears
  // What a commit waits for, whichever comes first.
  int64_t batch_rows = 1'000;
  absl::Duration batch_time = absl::Seconds(1);
  absl::Duration keep_outcomes = absl::Hours(24);
  const Clock* clock = Clock::Real();  // borrowed
  // One line for each thing that an operator wants to know; from the spool's thread. May be empty.
  std::function<void(std::string_view level, std::string_view line)> log = {};
};

struct SpoolState {
  int64_t waiting_files = 0;
  int64_t waiting_bytes = 0;
  bool full = false;
  int64_t files_loaded = 0;
  int64_t files_failed = 0;
  int64_t rows = 0;
  absl::Status stopped = {};  // why nothing is taken in just now: a full disk; it is tried again
};

// Thread-safe, but for TakeReady.
class Spool {
 public:
  // `store` is borrowed. FailedPrecondition: another process takes files out of the folder; it is on a file system without
  // locks. PermissionDenied, ResourceExhausted, Internal.
  static absl::StatusOr<std::unique_ptr<Spool>> Open(const SpoolOptions& options, LogStore* store);
  // As Stop.
  virtual ~Spool() = default;

  // Takes files in, on a thread of its own, until Stop; that cancels a load, whose file stays for the next time.
  virtual void Start() = 0;
  virtual void Stop() = 0;
  // One look at the folder: takes in what is ready by the clock. For who has a thread already, in place of Start.
  // The status is SpoolState::stopped.
  virtual absl::Status TakeReady() = 0;

  virtual SpoolState state() const = 0;
};

// Whether a process takes files out of that spool now.
bool IsSpoolServed(const std::string& folder);

// What lies in a spool, whether or not a process takes files out of it. A folder that is absent or unreadable has nothing.
struct SpoolContents {
  int64_t waiting_files = 0;
  int64_t waiting_bytes = 0;
  int64_t failed_files = 0;  // in .failed
};
SpoolContents CountSpool(const std::string& folder);

// LogStore::Load by way of the spool of a process that holds the store: puts copies of the files into it one after
// another, and waits for what becomes of each. `report.rejected_folder` is empty.
// Unavailable: nobody takes files out of the spool any more; files that were put into it stay, for the next who does.
// InvalidArgument: a file that was refused, with the reason. Cancelled: what was not taken yet is withdrawn.
absl::StatusOr<LoadReport> LoadBySpool(const std::string& folder, const LoadRequest& request);

}  // namespace logquery

#endif  // LOGQUERY_STORE_SPOOL_H_
