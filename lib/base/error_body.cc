// Creates error responses in the form that clients of Logflare's endpoints expect.
#include "lib/base/error_body.h"

#include <algorithm>
#include <utility>

#include "lib/base/error_statuses.h"
#include "lib/base/json/value.h"
#include "lib/base/strings.h"
#include "logquery/error.h"
#include "logquery/redactor.h"

namespace logquery::base {
namespace {

// Returns the status for the names in the table of errors; an error that is not there is internal.
int HttpStatus(absl::StatusCode code, const ErrorDetails& details) {
  if (code == absl::StatusCode::kResourceExhausted)
    return details.reason == ErrorReason::kResourcesExceeded ? 400 : 429;
  const std::string name = absl::StatusCodeToString(code);
  for (const ErrorStatus& status : kErrorStatuses) {
    if (status.name == name) return status.code;
  }
  return 500;
}

std::string_view NameOf(int http_status) {
  if (const ErrorStatus* status = FindErrorStatus(http_status)) return status->name;
  return http_status < 500 ? "INVALID_ARGUMENT" : "INTERNAL";
}

Json DetailsJson(const ErrorDetails& details, std::string_view request_id) {
  Json json = Json::object();
  const auto put = [&json](const char* key, std::string_view text) {
    if (!text.empty()) json[key] = std::string(text);
  };
  put("parameter", details.parameter);
  if (details.line > 0) json["line"] = details.line;
  if (details.column > 0) json["column"] = details.column;
  put("snippet", details.snippet);
  if (!details.nearest.empty()) json["nearest"] = details.nearest;
  put("source", details.source);
  put("reason", ErrorReasonName(details.reason));
  put("request_id", request_id);
  return json;
}

std::string Body(int http_status, std::string_view name, std::string_view message, Json details, bool exceeded) {
  Json error = {{"code", http_status},
                {"status", std::string(name)},
                {"message", std::string(message)},
                {"details", std::move(details)}};
  // Dashboards look for this reason where a query needed more memory or time than there was.
  if (exceeded)
    error["errors"] = Json::array({{{"reason", std::string(ErrorReasonName(ErrorReason::kResourcesExceeded))}}});
  return Json{{"error", std::move(error)}}.ToString();
}

void Redact(std::string& message, ErrorDetails& details) {
  const Redactor redactor;
  message = redactor.Redact(message);
  details.parameter = redactor.Redact(details.parameter);
  details.snippet = redactor.Redact(details.snippet);
  for (std::string& name : details.nearest) name = redactor.Redact(name);
}

}  // namespace

ErrorAnswer MakeErrorAnswer(const absl::Status& status, std::string_view request_id, bool redact) {
  ErrorDetails details = GetErrorDetails(status);
  std::string message(Message(status));
  ErrorAnswer answer;
  answer.http_status = HttpStatus(status.code(), details);
  std::string name = absl::StatusCodeToString(status.code());
  if (answer.http_status == 500) {
    details = ErrorDetails();
    name = "INTERNAL";
    message = request_id.empty() ? "an internal error"
                                 : StrCat("an internal error; the server's log has more under ", request_id);
  }
  if (answer.http_status == 429 || answer.http_status == 503) {
    const absl::Duration wait = std::max(details.retry_after, absl::Seconds(1));
    answer.retry_after_seconds = static_cast<int>(absl::ToInt64Seconds(absl::Ceil(wait, absl::Seconds(1))));
  }
  if (redact) Redact(message, details);
  for (const ErrorStatus& known : kErrorStatuses) {
    if (known.code == answer.http_status && (answer.help.empty() || known.name == name)) answer.help = known.help;
  }
  const bool exceeded = answer.http_status == 504 || details.reason == ErrorReason::kResourcesExceeded;
  answer.body = Body(answer.http_status, name, message, DetailsJson(details, request_id), exceeded);
  return answer;
}

std::string HttpErrorBody(int http_status, std::string_view message, std::string_view request_id) {
  return Body(http_status, NameOf(http_status), message, DetailsJson({}, request_id), false);
}

}  // namespace logquery::base
