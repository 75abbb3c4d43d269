// Puts what a service tells its observer into the server's log: definitions that changed, or that were refused.
#ifndef LOGQUERY_SHIM_SERVE_SERVICE_LOG_H_
#define LOGQUERY_SHIM_SERVE_SERVICE_LOG_H_

#include <utility>

#include "logquery/service_observer.h"
#include "shim/command/loading.h"

namespace logquery::shim {

// Thread-safe.
class ServiceLog : public ServiceObserver {
 public:
  explicit ServiceLog(IntakeLog log) : log_(std::move(log)) {}
  void OnDefinitions(const DefinitionsEvent& event) noexcept override;

 private:
  const IntakeLog log_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_SERVE_SERVICE_LOG_H_
