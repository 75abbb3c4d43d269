// ClickHouse's names for types, and its spelling of names, text and values.
#ifndef LOGQUERY_LIB_EMIT_CLICKHOUSE_TEXTS_H_
#define LOGQUERY_LIB_EMIT_CLICKHOUSE_TEXTS_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "logquery/type.h"
#include "logquery/value.h"

namespace logquery::emit {

// `name`: nothing in it ends the quotes.
std::string ClickHouseIdentifier(std::string_view name);
// 'text', of any bytes.
std::string ClickHouseQuoted(std::string_view text);

// What a value of the type is cast to, without Nullable: Int64, String, DateTime64(6, 'UTC').
std::string ClickHouseType(const Type& type);

// A value of BOOL, INT64, FLOAT64, STRING, DATE or TIMESTAMP as a literal, fit to stand as an operand. InvalidArgument: another type.
absl::StatusOr<std::string> ClickHouseLiteral(const Value& value);
// The bind variable p`slot`, of such a type.
std::string ClickHouseParameter(int slot, const Type& type);

// A pattern of LIKE as ClickHouse reads it: there a backslash escapes % _ and \ alone. nullopt: it ends in a backslash that escapes
// nothing, which is an error here.
std::optional<std::string> ClickHouseLikePattern(std::string_view pattern);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_CLICKHOUSE_TEXTS_H_
