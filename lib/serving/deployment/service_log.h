// Logs a service's events: definitions that changed or were rejected, failures of a remote engine. Remembers the reason for a
// rejection until a later set is accepted. Passes all events on to another observer.
#ifndef LOGQUERY_LIB_SERVING_DEPLOYMENT_SERVICE_LOG_H_
#define LOGQUERY_LIB_SERVING_DEPLOYMENT_SERVICE_LOG_H_

#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "lib/serving/deployment/definition_report.h"
#include "lib/serving/deployment/event_log.h"
#include "logquery/service_observer.h"

namespace logquery::serving {

// Thread-safe.
class ServiceLog : public ServiceObserver {
 public:
  // `next` is borrowed; nullptr: there is none.
  explicit ServiceLog(EventLog log, ServiceObserver* next = nullptr) : log_(std::move(log)), next_(next) {}
  void OnDefinitions(const DefinitionsEvent& event) noexcept override;
  void OnEngineFailure(const EngineFailureEvent& event) noexcept override;
  void OnCall(const CallEvent& event) noexcept override {
    if (next_ != nullptr) next_->OnCall(event);
  }
  void OnQueryStart(const QueryEvent& event) noexcept override {
    if (next_ != nullptr) next_->OnQueryStart(event);
  }
  void OnQueryEnd(const QueryEvent& event) noexcept override {
    if (next_ != nullptr) next_->OnQueryEnd(event);
  }
  void OnCache(const CacheEvent& event) noexcept override {
    if (next_ != nullptr) next_->OnCache(event);
  }
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
  const EventLog log_;
  ServiceObserver* const next_;
  mutable absl::Mutex mutex_;
  absl::Status definitions_ ABSL_GUARDED_BY(mutex_);
  DefinitionReport* report_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_DEPLOYMENT_SERVICE_LOG_H_
