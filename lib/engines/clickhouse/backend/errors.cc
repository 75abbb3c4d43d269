// Maps error codes with one switch.
#include "lib/engines/clickhouse/backend/errors.h"

#include <charconv>

#include "lib/backend/circuit_breaker.h"
#include "lib/base/engine_failure.h"
#include "lib/base/strings.h"
#include "logquery/error.h"

namespace logquery::clickhouse {
namespace {

using base::StrCat;

absl::Status Exhausted(std::string_view what) {
  ErrorDetails details;
  details.reason = ErrorReason::kResourcesExceeded;
  return WithErrorDetails(absl::ResourceExhaustedError(StrCat("ClickHouse ", what)), details);
}

}  // namespace

absl::Status LostConnection() {
  return absl::UnavailableError("ClickHouse can't be reached, or has ended the connection; try again");
}

absl::Status ErrorFromClickHouse(int code, std::string_view words) {
  const auto other = [&] { return absl::InternalError(StrCat("ClickHouse: ", words, " (code ", code, ")")); };
  if (IsRefusal(code)) return other();
  switch (code) {
    case kTimeoutExceeded:
    case kTooSlow:
      return absl::DeadlineExceededError("ClickHouse has reached its time limit for a statement");
    case kMemoryLimitExceeded:
      return Exhausted("has no more memory for this query");
    case kNotEnoughSpace:
      return Exhausted("has no more disk for this query");
    case kTooManyRows:
    case kTooManyBytes:
    case kTooManyRowsOrBytes:
      return Exhausted("would read more rows for this query than one may; ask for a shorter time or fewer projects");
    case kTooManyQueries:
    case kServerOverloaded:
    case kCannotScheduleTask:
      return backend::Busy("ClickHouse takes no more queries; try again");
    case kQueryWasCancelled:
      return backend::Busy("the query was stopped at ClickHouse; try again");
    case kNoFreeConnection:
    case kSocketTimeout:
    case kNetworkError:
    case kAllConnectionTriesFailed:
      return LostConnection();
    case kUnknownTable:
    case kUnknownDatabase:
    case kUnknownSetting:
    case kReadonly:
    case kSettingConstraintViolation:
    case kAccessDenied:
      return other();
    default:
      return base::MarkEngineFailure(other());
  }
}

bool IsRefusal(int code) {
  return code == kUnknownUser || code == kWrongPassword || code == kRequiredPassword || code == kAuthenticationFailed;
}

std::optional<int> CodeInWords(std::string_view words) {
  constexpr std::string_view kBegin = "Code: ";
  const size_t at = words.find(kBegin);
  if (at == std::string_view::npos) return std::nullopt;
  int code = 0;
  const char* const begin = words.data() + at + kBegin.size();
  const auto [end, error] = std::from_chars(begin, words.data() + words.size(), code);
  return error == std::errc() && code > 0 ? std::optional<int>(code) : std::nullopt;
}

}  // namespace logquery::clickhouse
