// ClickHouse's type names, and how it writes identifiers, text and values.
#ifndef LOGQUERY_LIB_ENGINES_CLICKHOUSE_DIALECT_TEXTS_H_
#define LOGQUERY_LIB_ENGINES_CLICKHOUSE_DIALECT_TEXTS_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "logquery/type.h"
#include "logquery/value.h"

namespace logquery::emit {

// Quotes and escapes `name`.
std::string ClickHouseIdentifier(std::string_view name);
// Returns 'text' with escapes; `text` may have any bytes.
std::string ClickHouseQuoted(std::string_view text);

// Returns the type for casts, without Nullable: Int64, String, DateTime64(6, 'UTC').
std::string ClickHouseType(const Type& type);

// Returns a BOOL, INT64, FLOAT64, STRING, DATE or TIMESTAMP value as a literal that can be used as an operand.
// InvalidArgument: another type.
absl::StatusOr<std::string> ClickHouseLiteral(const Value& value);
// Returns the bind variable p`slot` with one of these types.
std::string ClickHouseParameter(int slot, const Type& type);

// Returns a LIKE pattern in ClickHouse's form, in which a backslash escapes only % _ and \. nullopt: the pattern ends
// in a backslash that escapes nothing, which is an error in GoogleSQL.
std::optional<std::string> ClickHouseLikePattern(std::string_view pattern);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_CLICKHOUSE_DIALECT_TEXTS_H_
