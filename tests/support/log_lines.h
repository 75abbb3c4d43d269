// Collects lines of a log, on any thread.
#ifndef LOGQUERY_TESTS_SUPPORT_LOG_LINES_H_
#define LOGQUERY_TESTS_SUPPORT_LOG_LINES_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/base/strings.h"

namespace logquery::testing {

class LogLines {
 public:
  std::function<void(std::string_view)> writer() {
    return [this](std::string_view line) {
      absl::MutexLock lock(&mutex_);
      lines_.emplace_back(line);
    };
  }
  // Collects "LEVEL: LINE".
  std::function<void(std::string_view, std::string_view)> log() {
    return
        [write = writer()](std::string_view level, std::string_view line) { write(base::StrCat(level, ": ", line)); };
  }
  std::vector<std::string> lines() {
    absl::MutexLock lock(&mutex_);
    return lines_;
  }
  // Waits for a line that contains `text`, and returns it; empty when it does not come within 10 seconds.
  std::string Await(std::string_view text) {
    absl::MutexLock lock(&mutex_);
    std::string found;
    const auto there = [&]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
      for (const std::string& line : lines_) {
        if (line.find(text) != std::string::npos) found = line;
      }
      return !found.empty();
    };
    mutex_.AwaitWithTimeout(absl::Condition(&there), absl::Seconds(10));
    return found;
  }

 private:
  absl::Mutex mutex_;
  std::vector<std::string> lines_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_LOG_LINES_H_
