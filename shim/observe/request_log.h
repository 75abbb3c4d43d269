// The server's log: one line for each request and for each event of the server itself, as JSON for programs or as text
// for people.
//
// A denied call (401, 403, 429, and a 404 of a token that is for some endpoints) is marked with `"audit":"denied"`, and
// with the token's id if the token was valid.
//
// Texts are redacted: the log contains no tokens and no IP addresses, and only the path of URLs. Thread-safe.
#ifndef LOGQUERY_SHIM_OBSERVE_REQUEST_LOG_H_
#define LOGQUERY_SHIM_OBSERVE_REQUEST_LOG_H_

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/time/time.h"
#include "logquery/clock.h"
#include "logquery/http_observer.h"

namespace logquery::shim {

using RequestRecord = HttpRequestRecord;

// Returns the log line of an event that is not a request; `level` is "info", "warning" or "error".
std::string LogLine(std::string_view level, std::string_view message, bool json, absl::Time now);

class RequestLog : public HttpObserver {
 public:
  // `write` receives complete lines, from several threads at a time, and must not wait. The clock is borrowed.
  RequestLog(std::function<void(std::string)> write, bool json, const Clock* clock)
      : write_(std::move(write)), json_(json), clock_(clock) {}

  // Continues the caller's trace: the line has its ids, and the request has a span id of its own.
  void OnRequest(std::string_view traceparent, RequestRecord& record) noexcept override;
  // Writes the request's line.
  void OnResponse(const RequestRecord& record) noexcept override;
  // Logs an event that is not a request; see LogLine.
  void Note(std::string_view level, std::string_view message);

 private:
  const std::function<void(std::string)> write_;
  const bool json_;
  const Clock* clock_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_OBSERVE_REQUEST_LOG_H_
