// Starts threads where the system may have none left: a user's, a container's or the machine's limit is reached.
//
//     LOGQUERY_ASSIGN_OR_RETURN(std::thread thread, StartThread([this] { Work(); }));
#ifndef LOGQUERY_LIB_BASE_START_THREAD_H_
#define LOGQUERY_LIB_BASE_START_THREAD_H_

#include <functional>
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

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_START_THREAD_H_
