// Quotes are doubled, and nothing else is escaped, because sessions have standard_conforming_strings on.
#include "lib/engines/postgres/dialect/texts.h"

#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/model/civil_text.h"

namespace logquery::emit {
namespace {

using base::StrCat;

std::string Doubled(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote) out += quote;
    out += c;
  }
  return out + quote;
}

}  // namespace

std::string PostgresIdentifier(std::string_view name) { return Doubled(name, '"'); }

std::string PostgresQuoted(std::string_view text) { return Doubled(text, '\''); }

bool IsPostgresText(std::string_view value) {
  return value.find('\0') == std::string_view::npos && base::IsValidUtf8(value);
}

std::string PostgresType(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kBool:
      return "bool";
    case TypeKind::kInt64:
      return "int8";
    case TypeKind::kFloat64:
      return "float8";
    case TypeKind::kString:
      return "text";
    case TypeKind::kBytes:
      return "bytea";
    case TypeKind::kDate:
      return "date";
    case TypeKind::kTimestamp:
      return "timestamptz";
    case TypeKind::kNumeric:
    case TypeKind::kBigNumeric:
      return "numeric";
    case TypeKind::kTime:
      return "time";
    case TypeKind::kDatetime:
      return "timestamp";
    case TypeKind::kInterval:
      return "interval";
    case TypeKind::kJson:
    case TypeKind::kArray:
    case TypeKind::kStruct:
      return "jsonb";
  }
  return "jsonb";
}

std::string PostgresOrdered(const Type& type, const std::string& sql) {
  return type.is(TypeKind::kString) ? StrCat("(", sql, " COLLATE \"C\")") : sql;
}

std::string PostgresLocal(const Type& type, const std::string& sql) {
  if (type.is(TypeKind::kTimestamp)) return StrCat("(", sql, "::timestamptz AT TIME ZONE 'UTC')");
  return type.is(TypeKind::kDate) ? StrCat("(", sql, "::timestamp)") : sql;
}

absl::StatusOr<std::string> PostgresLiteral(const Value& value) {
  const Type& type = value.type();
  if (value.is_null()) return PostgresOrdered(type, StrCat("NULL::", PostgresType(type)));
  std::string text;
  switch (type.kind()) {
    case TypeKind::kBool:
      return std::string(value.bool_value() ? "TRUE" : "FALSE");
    case TypeKind::kInt64:
      // The least one is no operand of a minus sign.
      return StrCat("('", value.int64_value(), "'::int8)");
    case TypeKind::kString:
      if (!IsPostgresText(value.string_value())) {
        return absl::InvalidArgumentError("a STRING that is not UTF-8, or has a NUL, which PostgreSQL can't hold");
      }
      return PostgresOrdered(type, StrCat(PostgresQuoted(value.string_value()), "::text"));
    case TypeKind::kDate:
      model::AppendDate(value.int64_value(), text);
      return StrCat("('", text, "'::date)");
    case TypeKind::kDatetime:
      model::AppendDatetime(value.int64_value(), ' ', text);
      return StrCat("('", text, "'::timestamp)");
    case TypeKind::kTimestamp:
      model::AppendDatetime(value.int64_value(), ' ', text);
      return StrCat("('", text, "+00'::timestamptz)");
    default:
      return absl::InvalidArgumentError(StrCat("PostgreSQL is given no literal of ", type.ToString()));
  }
}

}  // namespace logquery::emit
