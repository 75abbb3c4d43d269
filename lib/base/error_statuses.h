// Every status that an error can have, with the reason in words and what to do. Error bodies take their names from it, OpenAPI its
// descriptions, docs/errors.md its table, and the tool explain_error of MCP its explanations.
#ifndef LOGQUERY_LIB_BASE_ERROR_STATUSES_H_
#define LOGQUERY_LIB_BASE_ERROR_STATUSES_H_

#include <array>
#include <string_view>

namespace logquery::base {

struct ErrorStatus {
  int code;               // of HTTP
  std::string_view name;  // `status` in the body
  std::string_view when;  // in plain words, without a full stop
  std::string_view help;  // what the caller can do, without a full stop
};

// Ordered by code. A code may have several names; its usual one is first.
inline constexpr std::array kErrorStatuses = {
    ErrorStatus{400, "INVALID_ARGUMENT",
                "A parameter, the SQL or the body is wrong, or evaluating a row raised an error, such as a division by "
                "zero",
                "Read the message and correct what it names; for SQL, a dry run finds errors without running"},
    ErrorStatus{400, "OUT_OF_RANGE", "A value of a row or a parameter is outside of the range of its type",
                "Use a SAFE function, or leave out the rows with such values"},
    ErrorStatus{400, "RESOURCE_EXHAUSTED",
                "The query needs more memory, or the answer is longer, than allowed; `reason` is `resourcesExceeded`",
                "Ask for a shorter time range, fewer columns, or groups in place of rows"},
    ErrorStatus{401, "UNAUTHENTICATED", "There is no token, or one that is unknown, revoked or expired",
                "Send the token as `X-API-KEY`; its owner sees with `logquery token list` when it expires"},
    ErrorStatus{403, "PERMISSION_DENIED",
                "The token may not do this: call the endpoint with this parameter, explain queries, or write this log",
                "Leave the parameter to the token, or ask for a token with the right"},
    ErrorStatus{
        404, "NOT_FOUND",
        "There is no such endpoint, log or path, or the token may not call it; `nearest` has similar names",
        "Compare the name with `/api/endpoints`, which lists what the token may call; names are case-sensitive"},
    ErrorStatus{405, "METHOD_NOT_ALLOWED", "The path does not take this method; `Allow` lists those that it takes",
                "Use one of these methods"},
    ErrorStatus{406, "NOT_ACCEPTABLE", "Rows are not served in any form that the request accepts",
                "Accept application/json"},
    ErrorStatus{
        408, "REQUEST_TIMEOUT",
        "The request's head did not arrive within 20 seconds, or its body arrives more slowly than `--least-upload`",
        "Send the request again over a faster connection"},
    ErrorStatus{
        409, "ABORTED",
        "A saved query was changed since the caller read it, or there are as many as allowed; `present` has what is "
        "saved now",
        "Read the query again, and save the change with its revision"},
    ErrorStatus{413, "CONTENT_TOO_LARGE", "The body is longer than 1 MiB, or 12 MiB for logs", "Send less at once"},
    ErrorStatus{414, "URI_TOO_LONG", "The URL is longer than 64 KiB", "Send the SQL in the body of a POST"},
    ErrorStatus{415, "UNSUPPORTED_MEDIA_TYPE", "The body has a type or a compression that the path does not take",
                "Send JSON with Content-Type: application/json, uncompressed"},
    ErrorStatus{421, "MISDIRECTED_REQUEST", "The admin listener does not answer to the name in the header `Host`",
                "Use its IP address or localhost, or start the server with `--admin-host`"},
    ErrorStatus{422, "ALREADY_EXISTS", "The `Idempotency-Key` was used for other events", "Use a new key"},
    ErrorStatus{429, "RESOURCE_EXHAUSTED",
                "More calls, rows or wrong tokens than the limits allow; `Retry-After` says when to try again",
                "Wait as long as `Retry-After` says, then send the same request again"},
    ErrorStatus{431, "REQUEST_HEADER_FIELDS_TOO_LARGE", "A header is longer than 8 KiB, or there are more than 100",
                "Send fewer or shorter headers"},
    ErrorStatus{499, "CANCELLED", "The client disconnected before the answer; only the log shows it",
                "Send the request again if the answer is still needed"},
    ErrorStatus{500, "INTERNAL", "An error in logquery; the server's log has the details under the request's id",
                "Give the request id to the operator"},
    ErrorStatus{501, "UNIMPLEMENTED",
                "The SQL is valid, and cannot be run with BigQuery's meaning, or not by this version",
                "Write the query with other functions; the message names what is not supported"},
    ErrorStatus{503, "UNAVAILABLE",
                "Too many queries wait, the server stops, its disk is full, or an engine elsewhere cannot be reached; "
                "`Retry-After` says when to try again",
                "Wait as long as `Retry-After` says, then send the same request again"},
    ErrorStatus{504, "DEADLINE_EXCEEDED", "The query took longer than its time limit",
                "Ask for a shorter time range or fewer columns"},
    ErrorStatus{505, "HTTP_VERSION_NOT_SUPPORTED", "The request is neither HTTP/1.0 nor HTTP/1.1", "Use HTTP/1.1"},
};

// The usual status of this code; null: no error has it.
constexpr const ErrorStatus* FindErrorStatus(int code) {
  for (const ErrorStatus& status : kErrorStatuses) {
    if (status.code == code) return &status;
  }
  return nullptr;
}

// The meaning of ErrorReason's names, as the second table of docs/errors.md has it.
struct ErrorReasonText {
  std::string_view name;
  std::string_view when;
  std::string_view help;
};
inline constexpr std::array kErrorReasonTexts = {
    ErrorReasonText{"resourcesExceeded", "the query needs more memory or time, or its answer is longer, than allowed",
                    "do not try again; ask for less"},
    ErrorReasonText{"rateLimitExceeded", "the engine elsewhere accepts no more queries now",
                    "try again after `Retry-After`"},
    ErrorReasonText{"outcomeUnknown", "a commit of logs failed, and it is unknown whether they are stored",
                    "send them again with an `Idempotency-Key`"},
    ErrorReasonText{"unknownTable", "a definition reads a table that is not declared",
                    "name another table in the definition, or declare the log in a `schema.json`"},
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_ERROR_STATUSES_H_
