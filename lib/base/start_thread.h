// Starts threads where the system may have none left: a user's, a container's or the machine's limit is reached.
//
//     LOGQUERY_ASSIGN_OR_RETURN(std::thread thread, StartThread("the spool", [this] { Work(); }));
#ifndef LOGQUERY_LIB_BASE_START_THREAD_H_
#define LOGQUERY_LIB_BASE_START_THREAD_H_

#include <functional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace logquery::base {

// ResourceExhausted: the system allows no further thread.
inline absl::StatusOr<std::thread> StartThread(std::function<void()> run) {
  try {
    return std::thread(std::move(run));
  } catch (const std::system_error&) {
    return absl::ResourceExhaustedError("the system allows no further thread");
  }
}

// The same for a thread that a process needs for all of its life: the error says what it is for, and what to do.
inline absl::StatusOr<std::thread> StartThread(std::string_view purpose, std::function<void()> run) {
  absl::StatusOr<std::thread> thread = StartThread(std::move(run));
  if (thread.ok()) return thread;
  std::string message = "the system allows no further thread for ";
  message.append(purpose).append("; raise the limit (ulimit -u, TasksMax= of systemd, --pids-limit of a container)");
  return absl::ResourceExhaustedError(message);
}

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_START_THREAD_H_
