// Macros that return errors of a Status or StatusOr to the caller.
//
//     LOGQUERY_RETURN_IF_ERROR(Check(endpoint));
//     LOGQUERY_ASSIGN_OR_RETURN(Value value, ParseValue(text));
#ifndef LOGQUERY_LIB_BASE_STATUS_MACROS_H_
#define LOGQUERY_LIB_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#define LOGQUERY_RETURN_IF_ERROR(expression)                                  \
  do {                                                                        \
    if (absl::Status logquery_status = (expression); !logquery_status.ok()) { \
      return logquery_status;                                                 \
    }                                                                         \
  } while (false)

#define LOGQUERY_MACRO_JOIN_INNER(a, b) a##b
#define LOGQUERY_MACRO_JOIN(a, b) LOGQUERY_MACRO_JOIN_INNER(a, b)

// `target` may declare a variable. If its type contains a comma, use an alias.
#define LOGQUERY_ASSIGN_OR_RETURN(target, expression) \
  LOGQUERY_ASSIGN_OR_RETURN_INNER(LOGQUERY_MACRO_JOIN(logquery_status_or_, __LINE__), target, expression)

#define LOGQUERY_ASSIGN_OR_RETURN_INNER(status_or, target, expression) \
  auto status_or = (expression);                                       \
  if (!status_or.ok()) return std::move(status_or).status();           \
  target = *std::move(status_or)

#endif  // LOGQUERY_LIB_BASE_STATUS_MACROS_H_
