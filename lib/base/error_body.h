// Errors as callers see them: an HTTP status and a JSON body, the same from HTTP, MCP and `logquery run`.
//
//     {"error":{"code":400,"status":"INVALID_ARGUMENT","message":"…","details":{"parameter":"project"}}}
//
// error_statuses.h has the table of codes. Everything here is thread-safe.
#ifndef LOGQUERY_LIB_BASE_ERROR_BODY_H_
#define LOGQUERY_LIB_BASE_ERROR_BODY_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace logquery::base {

struct ErrorAnswer {
  int http_status = 500;
  std::string body;
  int retry_after_seconds = 0;  // 0: no such header
  std::string_view help;        // what the caller can do; of error_statuses.h
};

// Converts an error `status` for a caller. An internal error only has `request_id`, with which the log has the details;
// `request_id` may be empty. `redact` removes IP addresses from the text.
ErrorAnswer MakeErrorAnswer(const absl::Status& status, std::string_view request_id, bool redact);

// The JSON Schema of these bodies.
inline constexpr std::string_view kErrorSchema = R"({"type":"object","properties":{"error":{"type":"object",
      "properties":{"code":{"type":"integer"},"status":{"type":"string"},"message":{"type":"string"},
        "details":{"type":"object","properties":{"parameter":{"type":"string"},"line":{"type":"integer"},
          "column":{"type":"integer"},"snippet":{"type":"string"},"nearest":{"type":"array","items":{"type":"string"}},
          "request_id":{"type":"string"}}},
        "errors":{"type":"array","items":{"type":"object","properties":{"reason":{"type":"string"}},"required":["reason"]}}},
      "required":["code","status","message"]}},
    "required":["error"],
    "examples":[{"error":{"code":400,"status":"INVALID_ARGUMENT",
      "message":"parameter project is missing or empty; it needs a value","details":{"parameter":"project"}}}]})";

// Returns the body for an HTTP protocol error, such as 405 "METHOD_NOT_ALLOWED".
std::string HttpErrorBody(int http_status, std::string_view message, std::string_view request_id);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_ERROR_BODY_H_
