// The server's log: one line for each request and for what the server does itself, JSON for programs or text for people.
//
// A call that was denied (401, 403, 429) is marked: `"audit":"denied"`, with the token's id where there was a good one.
//
// Texts are redacted: neither tokens nor IP addresses stand in it, and of a URL only the path. Thread-safe.
#ifndef LOGQUERY_SHIM_HTTP_REQUEST_LOG_H_
#define LOGQUERY_SHIM_HTTP_REQUEST_LOG_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "logquery/call_tags.h"
#include "logquery/clock.h"

namespace logquery::shim {

struct RequestRecord {
  std::string request_id;
  std::string method;
  std::string path;
  std::string client;       // the token's label
  std::string token_id;     // as `token list` shows it; never the token
  std::string trace_id;     // W3C Trace Context; empty: the request is of no trace
  std::string span_id;      // this request's in it
  std::string traceparent;  // for requests that are made for this one
  Labels labels;            // of the call, as its endpoint has them
  int status = 0;
  int64_t rows = -1;  // -1: no result
  int64_t bytes = 0;
  absl::Duration total;
  absl::Duration queued;
  absl::Duration parse;
  absl::Duration plan;
  absl::Duration execute;
  absl::Duration redact;
  absl::Duration encode;  // rows to bytes, and their packing
  std::string error;      // what went wrong, internals too
};

// The header Server-Timing: where a query's time went, in milliseconds.
std::string ServerTiming(const RequestRecord& record);

class RequestLog {
 public:
  // `write` gets whole lines, one at a time. The clock is borrowed.
  RequestLog(std::function<void(std::string_view)> write, bool json, const Clock* clock)
      : write_(std::move(write)), json_(json), clock_(clock) {}

  void Add(const RequestRecord& record);
  // Something that is no request: `level` is "info" or "error".
  void Note(std::string_view level, std::string_view message);

 private:
  void Write(const std::string& line);

  const std::function<void(std::string_view)> write_;
  const bool json_;
  const Clock* clock_;
  absl::Mutex mutex_;  // keeps lines apart
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_REQUEST_LOG_H_
