// Digests and cuts what callers send, so that a line of the log stays short and quotes nobody.
#include "shim/http/calls/call_record.h"

#include <memory>

#include "lib/base/error_body.h"
#include "lib/base/query_string.h"
#include "lib/base/sha256.h"
#include "lib/base/strings.h"
#include "logquery/error.h"

namespace logquery::shim {
namespace {

// A line of the log with more than that is of little use, and a caller could fill the disk.
constexpr size_t kMaxLoggedParameters = 16 << 10;

// The log's message about a call that was refused for what it sent, or for what its SQL does with rows. The message quotes
// both; it is the caller's, who finds it by the request's id. Only a call whose parameters the log has is logged whole.
std::string LoggedRefusal(const absl::Status& status, const Endpoint& endpoint) {
  const ErrorDetails details = GetErrorDetails(status);
  const std::string name = absl::StatusCodeToString(status.code());
  if (details.line > 0)
    return base::StrCat(name, " at line ", details.line, ", column ", details.column, " of the SQL");
  const bool is_known = details.parameter == "sql" || endpoint.FindParameter(details.parameter) != nullptr;
  if (!details.parameter.empty()) return base::StrCat(name, " for ", is_known ? details.parameter : "a parameter");
  return base::StrCat(name, "; the answer says why");
}

}  // namespace

void RecordQuery(const QueryRequest& query, bool log_parameters, HttpRequestRecord& record) {
  size_t bytes = 0;
  for (const auto& [name, text] : query.parameters) {
    bytes += name.size() + text.size();
    if (name == "sql" && !text.empty()) record.sql_digest = base::Sha256Hex(text).substr(0, 16);
  }
  if (!log_parameters || bytes > kMaxLoggedParameters) return;
  record.parameters = std::make_shared<const ParameterTexts>(base::HideApiKey(query.parameters));
  record.redact_pii = query.redact_pii;
}

std::string LoggedError(const absl::Status& status, const Endpoint& endpoint, const HttpRequestRecord& record) {
  const bool is_plain = record.parameters == nullptr && GetErrorDetails(status).reason == ErrorReason::kNone;
  if (!is_plain) return std::string(base::Message(status));
  const int code = base::MakeErrorAnswer(status, "", false).http_status;
  return code == 400 || code == 501 ? LoggedRefusal(status, endpoint) : std::string(base::Message(status));
}

}  // namespace logquery::shim
