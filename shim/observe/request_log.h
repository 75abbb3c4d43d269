// The server's log: one line for each request and for each event of the server itself, as JSON for programs or as text
// for people.
//
// A denied call (401, 403, 429, and a 404 of a token that is for some endpoints) is marked with `"audit":"denied"`, and
// with the token's id if the token was valid.
//
// Texts are redacted: the log contains no tokens and no IP addresses, and only the path of URLs. Thread-safe.
#ifndef LOGQUERY_SHIM_OBSERVE_REQUEST_LOG_H_
#define LOGQUERY_SHIM_OBSERVE_REQUEST_LOG_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "logquery/call_tags.h"
#include "logquery/clock.h"
#include "logquery/parameter_binder.h"

namespace logquery::shim {

class RequestTrace;  // request_trace.h

struct RequestRecord {
  std::string request_id;
  std::string method;
  std::string path;
  std::string client;                   // the token's label
  std::string token_id;                 // as in `token list`; never the token itself
  std::string trace_id;                 // W3C Trace Context; empty: the request belongs to no trace
  std::string span_id;                  // of this request
  std::string traceparent;              // for requests that this request causes
  std::shared_ptr<RequestTrace> trace;  // receives the request's spans; nullptr: it is not traced
  std::string_view route;               // the pattern of the path's route; empty: there is none
  std::string endpoint;                 // the name of the endpoint that was called
  std::string cache;                    // what the cache did for the call; empty: the endpoint is not cached
  std::string sql_digest;               // of the caller's SQL: equal SQL has an equal digest; empty: the call has none
  // The call's parameters with its SQL, and whether it asked for redaction, so that it can be made again; nullptr: not
  // asked for, or too long.
  std::shared_ptr<const ParameterTexts> parameters;
  bool redact_pii = false;
  Labels labels;        // of the call, as its endpoint defines them
  bool denied = false;  // whatever the status: the token is for other endpoints
  int status = 0;
  int64_t rows = -1;  // -1: no result
  int64_t bytes = 0;
  absl::Duration total;
  absl::Duration queued;
  absl::Duration parse;
  absl::Duration plan;
  absl::Duration execute;
  absl::Duration redact;
  absl::Duration encode;  // encoding and compressing rows
  std::string error;      // the error, including internal details
};

// Returns the Server-Timing header: the query's times in milliseconds.
std::string ServerTiming(const RequestRecord& record);

// Returns the log line of an event that is not a request; `level` is "info", "warning" or "error".
std::string LogLine(std::string_view level, std::string_view message, bool json, absl::Time now);

class RequestLog {
 public:
  // `write` receives complete lines, one at a time, and must not wait. The clock is borrowed.
  RequestLog(std::function<void(std::string_view)> write, bool json, const Clock* clock)
      : write_(std::move(write)), json_(json), clock_(clock) {}

  void Add(const RequestRecord& record);
  // Logs an event that is not a request; see LogLine.
  void Note(std::string_view level, std::string_view message);

 private:
  void Write(const std::string& line);

  const std::function<void(std::string_view)> write_;
  const bool json_;
  const Clock* clock_;
  absl::Mutex mutex_;  // keeps lines intact
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_OBSERVE_REQUEST_LOG_H_
