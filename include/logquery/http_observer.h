// Receives each request of an HttpServer, for logs, metrics and traces.
//
//     class Lines : public logquery::HttpObserver {
//       void OnResponse(const logquery::HttpRequestRecord& record) noexcept override {
//         std::cerr << record.method << " " << record.path << " " << record.status << "\n";
//       }
//     };
//
// ServiceObserver has the calls of a service, whoever makes them. The methods are called on the threads that handle requests,
// and must be quick and thread-safe.
#ifndef LOGQUERY_HTTP_OBSERVER_H_
#define LOGQUERY_HTTP_OBSERVER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/time/time.h"
#include "logquery/call_tags.h"
#include "logquery/call_trace.h"
#include "logquery/parameter_binder.h"

namespace logquery {

// The facts about one request. Texts are as they came: whoever writes them anywhere redacts them.
struct HttpRequestRecord {
  std::string request_id;
  std::string method;
  std::string path;
  std::string client;                // the token's label
  std::string token_id;              // as in `token list`; never the token itself
  std::string trace_id;              // W3C Trace Context; empty: the request belongs to no trace
  std::string span_id;               // of this request
  std::string traceparent;           // for requests that this request causes
  std::shared_ptr<CallTrace> trace;  // receives the call's steps; nullptr: it is not traced
  std::string_view route;            // the pattern of the path's route; empty: there is none
  std::string endpoint;              // the name of the endpoint that was called
  std::string cache;                 // what the cache did for the call; empty: the endpoint is not cached
  std::string sql_digest;            // of the caller's SQL: equal SQL has an equal digest; empty: the call has none
  // The call's parameters with its SQL, and whether it asked for redaction, so that it can be made again; nullptr: not
  // asked for (HttpServerOptions::log_parameters), or too long.
  std::shared_ptr<const ParameterTexts> parameters;
  bool redact_pii = false;
  Labels labels;        // of the call, as its endpoint defines them
  bool admin = false;   // it came to the admin listener
  bool denied = false;  // whatever the status: the token is for other endpoints
  int status = 0;
  int64_t rows = -1;  // -1: no result
  int64_t bytes = 0;
  absl::Duration began;  // as Clock::Monotonic, when the request was complete
  absl::Duration total;
  absl::Duration queued;
  absl::Duration parse;
  absl::Duration plan;
  absl::Duration execute;
  absl::Duration redact;
  absl::Duration encode;  // encoding and compressing rows
  std::string error;      // the error, including internal details
};

class HttpObserver {
 public:
  virtual ~HttpObserver() = default;
  // A request with the header `traceparent` was received. May set the record's trace_id, span_id and traceparent.
  virtual void OnRequest(std::string_view /*traceparent*/, HttpRequestRecord&) noexcept {}
  // A call with a valid token is about to run; `traceparent` is empty if its request has none. May set the record's trace, and
  // the three fields above.
  virtual void OnCall(std::string_view /*traceparent*/, HttpRequestRecord&) noexcept {}
  // The response to a request is complete and about to be sent; also that to one that was refused.
  virtual void OnResponse(const HttpRequestRecord&) noexcept {}
};

}  // namespace logquery

#endif  // LOGQUERY_HTTP_OBSERVER_H_
