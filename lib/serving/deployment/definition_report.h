// Logs every error of a folder of definitions that can't be served, with its file and place, on a thread of its own: to check
// thousands of definitions takes seconds, in which no call may wait.
//
//     DefinitionReport report([&] { return Check(folder); }, log);
//     report.Ask();                                             // the errors are logged soon
#ifndef LOGQUERY_LIB_SERVING_DEPLOYMENT_DEFINITION_REPORT_H_
#define LOGQUERY_LIB_SERVING_DEPLOYMENT_DEFINITION_REPORT_H_

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "lib/serving/deployment/event_log.h"

namespace logquery::serving {

// The errors listed for one log: more of them have one cause or are found by `logquery check`.
inline constexpr size_t kMaxReported = 20;

// Thread-safe.
class DefinitionReport {
 public:
  // `find` returns the errors, one a line.
  DefinitionReport(std::function<std::vector<std::string>()> find, EventLog log);
  // Waits for a report that has begun.
  ~DefinitionReport();
  DefinitionReport(const DefinitionReport&) = delete;
  DefinitionReport& operator=(const DefinitionReport&) = delete;

  // Does not wait. Asked again before a report has begun, there is one report. If the system allows no thread for it, the log
  // says so, and the next call tries again.
  void Ask();

 private:
  void Work();

  const std::function<std::vector<std::string>()> find_;
  const EventLog log_;
  absl::Mutex mutex_;
  bool asked_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_ ABSL_GUARDED_BY(mutex_);  // started when it is first needed
};

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_DEPLOYMENT_DEFINITION_REPORT_H_
