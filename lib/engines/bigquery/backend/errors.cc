// Uses the reason first, because HTTP status 403 means both a missing privilege and too many requests.
#include "lib/engines/bigquery/backend/errors.h"

#include <utility>

#include "lib/backend/circuit_breaker.h"
#include "lib/base/engine_failure.h"
#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "logquery/error.h"

namespace logquery::bigquery {
namespace {

using base::StrCat;

constexpr size_t kMaxWords = 500;

bool IsOf(std::string_view reason, std::initializer_list<std::string_view> reasons) {
  for (const std::string_view each : reasons) {
    if (reason == each) return true;
  }
  return false;
}

bool IsTooMany(const ServiceError& error) {
  return error.http == 429 ||
         IsOf(error.reason, {"rateLimitExceeded", "jobRateLimitExceeded", "userRateLimitExceeded", "quotaExceeded"});
}

bool IsItsOwn(const ServiceError& error) {
  return error.http >= 500 || IsOf(error.reason, {"backendError", "internalError", "jobBackendError",
                                                  "jobInternalError", "tableUnavailable"});
}

absl::Status Exhausted(std::string_view what) {
  ErrorDetails details;
  details.reason = ErrorReason::kResourcesExceeded;
  return WithErrorDetails(absl::ResourceExhaustedError(StrCat("BigQuery ", what)), details);
}

const base::Json* Find(const base::Json& json, const char* name) {
  if (!json.is_object()) return nullptr;
  const auto found = json.find(name);
  return found == json.end() ? nullptr : &*found;
}

}  // namespace

std::string ShortWords(std::string_view text) {
  std::string valid;
  base::AppendValidUtf8(text.substr(0, kMaxWords), valid);
  for (char& c : valid) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  }
  return valid;
}

ServiceError ReadError(int http, std::string_view body) {
  ServiceError error;
  error.http = http;
  const absl::StatusOr<base::Json> json = base::ParseJson("the answer", body);
  const base::Json* const told = json.ok() ? Find(*json, "error") : nullptr;
  if (told == nullptr) {
    error.words = StrCat("an answer that is not BigQuery's, with HTTP status ", http);
    return error;
  }
  if (const auto* const message = Find(*told, "message"); message != nullptr && message->is_string()) {
    error.words = ShortWords(message->text());
  }
  const auto* const all = Find(*told, "errors");
  if (all != nullptr && all->is_array() && !all->empty()) {
    const auto* const reason = Find(all->front(), "reason");
    if (reason != nullptr && reason->is_string()) error.reason = ShortWords(reason->text());
  }
  return error;
}

bool IsTransient(const ServiceError& error) {
  return (IsTooMany(error) && error.reason != "quotaExceeded") || IsItsOwn(error);
}

absl::Status StatusOf(const ServiceError& error) {
  if (IsTooMany(error)) return backend::Busy("BigQuery takes no more queries; try again later");
  if (error.reason == "timeout")
    return absl::DeadlineExceededError("BigQuery has reached its time limit for a statement");
  if (error.reason == "bytesBilledLimitExceeded") {
    return Exhausted("would read more for this query than one may; ask for a shorter time");
  }
  if (error.reason == "resourcesExceeded") return Exhausted("has no more memory for this query");
  if (error.reason == "responseTooLarge") return Exhausted("has more rows for this query than it can answer");
  if (error.reason == "stopped") return backend::Busy("the query was stopped at BigQuery; try again");
  if (IsItsOwn(error)) return absl::UnavailableError("BigQuery has failed for a moment; try again");
  // GoogleSQL's words for truncation and zones that lead out of its years; no other call that may raise is sent.
  if (error.reason == "invalidQuery" && (error.words.find("causes overflow") != std::string::npos ||
                                         error.words.find("out of range") != std::string::npos)) {
    return absl::InvalidArgumentError("a time is out of range: it has to be in the years from 0001 to 9999");
  }
  absl::Status other = absl::InternalError(
      StrCat("BigQuery: ", error.words, " (HTTP ", error.http, error.reason.empty() ? "" : ", ", error.reason, ")"));
  // The reasons of a query that BigQuery can't parse or compute.
  const bool is_of_query = IsOf(error.reason, {"invalidQuery", "invalid", "notImplemented"});
  return is_of_query ? base::MarkEngineFailure(std::move(other)) : other;
}

absl::Status LostConnection() {
  return absl::UnavailableError("BigQuery can't be reached, or has ended the connection; try again");
}

}  // namespace logquery::bigquery
