// Tells the log, the metrics and the traces of the program of each request. Requests to the admin listener are logged alone.
#ifndef LOGQUERY_SHIM_OBSERVE_REQUEST_OBSERVER_H_
#define LOGQUERY_SHIM_OBSERVE_REQUEST_OBSERVER_H_

#include <string_view>

#include "logquery/http_observer.h"
#include "shim/observe/metrics.h"
#include "shim/observe/request_log.h"
#include "shim/observe/tracer.h"

namespace logquery::shim {

class RequestObserver : public HttpObserver {
 public:
  // Everything is borrowed. `tracer` and `metrics` may be nullptr; the tracer's clock must be the server's.
  RequestObserver(RequestLog* log, const Tracer* tracer, Metrics* metrics)
      : log_(log), tracer_(tracer), metrics_(metrics) {}

  void OnRequest(std::string_view traceparent, HttpRequestRecord& record) noexcept override;
  void OnCall(std::string_view traceparent, HttpRequestRecord& record) noexcept override;
  void OnResponse(const HttpRequestRecord& record) noexcept override;

 private:
  RequestLog* const log_;
  const Tracer* const tracer_;
  Metrics* const metrics_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_OBSERVE_REQUEST_OBSERVER_H_
