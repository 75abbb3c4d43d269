// PostgreSQL's names for types, and its spelling of names, text and values.
#ifndef LOGQUERY_LIB_EMIT_POSTGRES_TEXTS_H_
#define LOGQUERY_LIB_EMIT_POSTGRES_TEXTS_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "logquery/type.h"
#include "logquery/value.h"

namespace logquery::emit {

// "name": nothing in it ends the quotes. A name has no NUL.
std::string PostgresIdentifier(std::string_view name);
// 'text', which has no NUL.
std::string PostgresQuoted(std::string_view text);

// What a value of the type is bound, written and cast as: int8, text, timestamptz, jsonb.
std::string PostgresType(const Type& type);

// `sql`, of that type, such that it compares and sorts as in GoogleSQL: text by its bytes.
std::string PostgresOrdered(const Type& type, const std::string& sql);

// A value of BOOL, INT64, STRING, DATE or TIMESTAMP as a literal, fit to stand as an operand. InvalidArgument: text that is not
// UTF-8 or has a NUL; another type.
absl::StatusOr<std::string> PostgresLiteral(const Value& value);

// Whether PostgreSQL's text can hold it: UTF-8 without NUL.
bool IsPostgresText(std::string_view value);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_POSTGRES_TEXTS_H_
