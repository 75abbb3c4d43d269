// What ClickHouse says went wrong, as the statuses that query_backend.h promises.
#ifndef LOGQUERY_LIB_BACKEND_CLICKHOUSE_ERRORS_H_
#define LOGQUERY_LIB_BACKEND_CLICKHOUSE_ERRORS_H_

#include <optional>
#include <string_view>

#include "absl/status/status.h"

namespace logquery::clickhouse {

// Its numbers of errors (src/Common/ErrorCodes.cpp) that are told apart.
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

// `words` is the server's text, which goes into Internal alone: that is for the log.
//   DeadlineExceeded    max_execution_time
//   ResourceExhausted   the server's memory or disk, the bound of rows read
//   Unavailable         it takes no more queries, can't reach its shards, or somebody there has stopped the query
//   Internal            anything else
absl::Status ErrorFromClickHouse(int code, std::string_view words);

// No host can be reached, or the connection is gone.
absl::Status LostConnection();

bool IsRefusal(int code);

// The number in "Code: 60. DB::Exception: …".
std::optional<int> CodeInWords(std::string_view words);

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_BACKEND_CLICKHOUSE_ERRORS_H_
