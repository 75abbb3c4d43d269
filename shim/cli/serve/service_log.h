// Logs a service's events: definitions that changed or were rejected, failures of a remote engine. Remembers the reason for a rejection until a
// later set is accepted.
#ifndef LOGQUERY_SHIM_CLI_SERVE_SERVICE_LOG_H_
#define LOGQUERY_SHIM_CLI_SERVE_SERVICE_LOG_H_

#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "logquery/service_observer.h"
#include "shim/cli/folder/loading.h"
#include "shim/cli/serve/definition_report.h"

namespace logquery::shim {

// Thread-safe.
class ServiceLog : public ServiceObserver {
 public:
  explicit ServiceLog(IntakeLog log) : log_(std::move(log)) {}
  void OnDefinitions(const DefinitionsEvent& event) noexcept override;
  void OnEngineFailure(const EngineFailureEvent& event) noexcept override;
  // Asks `report`, which is borrowed, for all errors whenever definitions are rejected.
  void ReportTo(DefinitionReport* report) {
    absl::MutexLock lock(&mutex_);
    report_ = report;
  }
  // Returns why the definitions in use are not the newest; OK: they are.
  absl::Status definitions() const {
    absl::MutexLock lock(&mutex_);
    return definitions_;
  }

 private:
  const IntakeLog log_;
  mutable absl::Mutex mutex_;
  absl::Status definitions_ ABSL_GUARDED_BY(mutex_);
  DefinitionReport* report_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_SERVICE_LOG_H_
