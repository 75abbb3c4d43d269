// Writes values as GoogleSQL literals.
#ifndef LOGQUERY_LIB_EMIT_EXPLAIN_GOOGLESQL_LITERALS_H_
#define LOGQUERY_LIB_EMIT_EXPLAIN_GOOGLESQL_LITERALS_H_

#include <string>

#include "absl/status/statusor.h"
#include "logquery/value.h"

namespace logquery::emit {

// Returns a literal of the value's type that can be used as an operand: -5 is (-5), NULL is CAST(NULL AS INT64).
// InvalidArgument: text that is not UTF-8.
absl::StatusOr<std::string> GoogleSqlLiteral(const Value& value);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_EXPLAIN_GOOGLESQL_LITERALS_H_
