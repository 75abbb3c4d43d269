// Converts ClickHouse's errors to the statuses of query_backend.h.
#ifndef LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_ERRORS_H_
#define LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_ERRORS_H_

#include <optional>
#include <string_view>

#include "absl/status/status.h"

namespace logquery::clickhouse {

// The ClickHouse error codes (src/Common/ErrorCodes.cpp) that are handled specially.
enum ErrorCode : int {
  kUnknownIdentifier = 47,
  kUnknownTable = 60,
  kUnknownDatabase = 81,
  kUnknownSetting = 115,
  kTooManyRows = 158,
  kTimeoutExceeded = 159,
  kTooSlow = 160,
  kReadonly = 164,
  kUnknownUser = 192,
  kWrongPassword = 193,
  kRequiredPassword = 194,
  kTooManyQueries = 202,
  kNoFreeConnection = 203,
  kSocketTimeout = 209,
  kNetworkError = 210,
  kMemoryLimitExceeded = 241,
  kNotEnoughSpace = 243,
  kAllConnectionTriesFailed = 279,
  kTooManyBytes = 307,
  kQueryWasCancelled = 394,
  kTooManyRowsOrBytes = 396,
  kCannotScheduleTask = 439,
  kSettingConstraintViolation = 452,
  kAccessDenied = 497,
  kAuthenticationFailed = 516,
  kServerOverloaded = 745,
};

// `words` is the server's message. It is used only in Internal, whose message is for the log.
//   DeadlineExceeded    max_execution_time
//   ResourceExhausted   the server's memory or disk, or the limit on rows read
//   Unavailable         it accepts no more queries, can't reach its shards, or the query was stopped by someone else
//   Internal            anything else; marked as the engine's failure (lib/base/engine_failure.h), except for missing
//                       tables, rights and settings, with which no statement succeeds
absl::Status ErrorFromClickHouse(int code, std::string_view words);

// The status if no host can be reached, or the connection is lost.
absl::Status LostConnection();

bool IsRefusal(int code);

// Returns the number in "Code: 60. DB::Exception: …".
std::optional<int> CodeInWords(std::string_view words);

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_ERRORS_H_
