// Structured details of an error beyond its code and message: the parameter at fault, and the place in the SQL.
//
// Every absl::Status that logquery creates for an invalid call carries these as a payload. The message alone is enough
// for a person; the details are for programs.
#ifndef LOGQUERY_ERROR_H_
#define LOGQUERY_ERROR_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace logquery {

// Tells errors with the same status code apart, where a program can do something about them. Its name is an answer's
// `details.reason`.
enum class ErrorReason {
  kNone,               // no name: the code and the message say it all, as for a wrong parameter or SQL
  kResourcesExceeded,  // "resourcesExceeded": the query needs more memory or time, or its answer is longer, than allowed
  kRateLimitExceeded,  // "rateLimitExceeded": the engine elsewhere accepts no more queries now; it is reachable
  kOutcomeUnknown,     // "outcomeUnknown": a commit of rows failed, and it is unknown whether they are stored
  kUnknownTable,       // "unknownTable": a definition reads a table that the catalog does not have
};

// Returns the name that answers have; empty for kNone.
std::string_view ErrorReasonName(ErrorReason reason);

// Returns the reason with exactly this name; nullopt if there is none. An empty name is kNone.
std::optional<ErrorReason> ParseErrorReason(std::string_view name);

struct ErrorDetails {
  std::string parameter;  // the parameter at fault
  int line = 0;           // in the SQL, from 1; 0: unknown
  int column = 0;         // in characters (code points), from 1
  std::string snippet;    // the line of the SQL, and a caret line below it
  std::vector<std::string>
      nearest;  // similar names that the caller may have meant; empty: none, or the error is about no name
  ErrorReason reason = ErrorReason::kNone;
  std::string source;          // the file or endpoint that contains the SQL; empty: the caller's SQL
  absl::Duration retry_after;  // when to retry; zero: unknown

  bool empty() const;
};

// Returns the details that `status` carries; empty details if it carries none.
ErrorDetails GetErrorDetails(const absl::Status& status);

// Returns `status` with `details` in place of its own.
absl::Status WithErrorDetails(absl::Status status, const ErrorDetails& details);

}  // namespace logquery

#endif  // LOGQUERY_ERROR_H_
