// Every status that an error of the HTTP interface can have, with the reason in words. Error bodies take their names from it,
// OpenAPI its descriptions, and docs/errors.md its table.
#ifndef LOGQUERY_SHIM_HTTP_CALLS_ERROR_STATUSES_H_
#define LOGQUERY_SHIM_HTTP_CALLS_ERROR_STATUSES_H_

#include <array>
#include <string_view>

namespace logquery::shim {

struct ErrorStatus {
  int code;               // of HTTP
  std::string_view name;  // `status` in the body
  std::string_view when;  // in plain words, without a full stop
};

// Ordered by code. A code may have several names; its usual one is first.
inline constexpr std::array kErrorStatuses = {
    ErrorStatus{400, "INVALID_ARGUMENT",
                "A parameter, the SQL or the body is wrong, or evaluating a row raised an error, such as a division by "
                "zero"},
    ErrorStatus{400, "OUT_OF_RANGE", "A value of a row or a parameter is outside of the range of its type"},
    ErrorStatus{400, "RESOURCE_EXHAUSTED",
                "The query needs more memory, or the answer is longer, than allowed; `reason` is `resourcesExceeded`"},
    ErrorStatus{401, "UNAUTHENTICATED", "There is no token, or one that is unknown, revoked or expired"},
    ErrorStatus{403, "PERMISSION_DENIED",
                "The token may not do this: call the endpoint with this parameter, explain queries, or write this log"},
    ErrorStatus{404, "NOT_FOUND",
                "There is no such endpoint, log or path, or the token may not call it; `nearest` has similar names"},
    ErrorStatus{405, "METHOD_NOT_ALLOWED", "The path does not take this method; `Allow` lists those that it takes"},
    ErrorStatus{406, "NOT_ACCEPTABLE", "Rows are not served in any form that the request accepts"},
    ErrorStatus{
        408, "REQUEST_TIMEOUT",
        "The request's head did not arrive within 20 seconds, or its body arrives more slowly than `--least-upload`"},
    ErrorStatus{413, "CONTENT_TOO_LARGE", "The body is longer than 1 MiB, or 12 MiB for logs"},
    ErrorStatus{414, "URI_TOO_LONG", "The URL is longer than 64 KiB"},
    ErrorStatus{415, "UNSUPPORTED_MEDIA_TYPE", "The body has a type or a compression that the path does not take"},
    ErrorStatus{421, "MISDIRECTED_REQUEST", "The admin listener does not answer to the name in the header `Host`"},
    ErrorStatus{422, "ALREADY_EXISTS", "The `Idempotency-Key` was used for other events"},
    ErrorStatus{429, "RESOURCE_EXHAUSTED",
                "More calls, rows or wrong tokens than the limits allow; `Retry-After` says when to try again"},
    ErrorStatus{431, "REQUEST_HEADER_FIELDS_TOO_LARGE", "A header is longer than 8 KiB, or there are more than 100"},
    ErrorStatus{499, "CANCELLED", "The client disconnected before the answer; only the log shows it"},
    ErrorStatus{500, "INTERNAL", "An error in logquery; the server's log has the details under the request's id"},
    ErrorStatus{501, "UNIMPLEMENTED",
                "The SQL is valid, and cannot be run with BigQuery's meaning, or not by this version"},
    ErrorStatus{503, "UNAVAILABLE",
                "Too many queries wait, the server stops, its disk is full, or an engine elsewhere cannot be reached; "
                "`Retry-After` says when to try again"},
    ErrorStatus{504, "DEADLINE_EXCEEDED", "The query took longer than its time limit"},
    ErrorStatus{505, "HTTP_VERSION_NOT_SUPPORTED", "The request is neither HTTP/1.0 nor HTTP/1.1"},
};

// The usual status of this code; null: no error has it.
constexpr const ErrorStatus* FindErrorStatus(int code) {
  for (const ErrorStatus& status : kErrorStatuses) {
    if (status.code == code) return &status;
  }
  return nullptr;
}

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CALLS_ERROR_STATUSES_H_
