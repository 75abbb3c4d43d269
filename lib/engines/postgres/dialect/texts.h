// PostgreSQL's type names, and how it writes identifiers, text and values.
#ifndef LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_TEXTS_H_
#define LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_TEXTS_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "logquery/type.h"
#include "logquery/value.h"

namespace logquery::emit {

// Returns "name", quoted and escaped. The name must have no NUL.
std::string PostgresIdentifier(std::string_view name);
// Returns 'text'; the text must have no NUL.
std::string PostgresQuoted(std::string_view text);

// Returns the type in which values are bound, written and cast: int8, text, timestamptz, jsonb.
std::string PostgresType(const Type& type);

// Returns `sql`, of this type, in a form that compares and sorts as in GoogleSQL: text bytewise.
std::string PostgresOrdered(const Type& type, const std::string& sql);

// Returns a DATE, DATETIME or TIMESTAMP as a timestamp without a zone, in UTC. A column that holds a TIMESTAMP may be one
// already.
std::string PostgresLocal(const Type& type, const std::string& sql);

// Returns a BOOL, INT64, STRING, DATE, DATETIME or TIMESTAMP value as a literal that can be used as an operand. InvalidArgument:
// text that is not UTF-8 or has a NUL; another type.
absl::StatusOr<std::string> PostgresLiteral(const Value& value);

// Returns whether PostgreSQL's text type can hold the value: UTF-8 without NUL.
bool IsPostgresText(std::string_view value);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_TEXTS_H_
