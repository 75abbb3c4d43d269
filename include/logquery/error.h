// What an error says beyond its code and message: which parameter, and where in the SQL.
//
// Every absl::Status that logquery makes for a caller's mistake carries these as a payload. Its message alone is enough
// for a person; the details are for programs.
#ifndef LOGQUERY_ERROR_H_
#define LOGQUERY_ERROR_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace logquery {

struct ErrorDetails {
  std::string parameter;             // the parameter that was wrong
  int line = 0;                      // in the SQL, from 1; 0: no place
  int column = 0;                    // in characters (code points), from 1
  std::string snippet;               // the SQL's line, and under it a caret
  std::vector<std::string> nearest;  // names that may have been meant
  std::string reason;                // "resourcesExceeded": memory or time
  std::string source;                // file or endpoint the SQL is from; empty: the caller's
  absl::Duration retry_after;        // when trying again has a prospect; zero: nothing is known of that

  bool empty() const;
};

// The details that `status` carries; empty ones when it carries none.
ErrorDetails GetErrorDetails(const absl::Status& status);

// `status` with these details in place of those that it carries.
absl::Status WithErrorDetails(absl::Status status, const ErrorDetails& details);

}  // namespace logquery

#endif  // LOGQUERY_ERROR_H_
