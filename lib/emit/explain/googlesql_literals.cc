// Writes values as typed and escaped GoogleSQL literals that parse to the same value.
#include "lib/emit/explain/googlesql_literals.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/model/civil_text.h"
#include "lib/sql/printer.h"

namespace logquery::emit {
namespace {

using base::StrCat;

std::string Integer(int64_t number) {
  if (number == std::numeric_limits<int64_t>::min()) return StrCat("CAST(\"", number, "\" AS INT64)");
  return number < 0 ? StrCat("(", number, ")") : StrCat(number);
}

std::string Float(double number) {
  if (std::isnan(number)) return "CAST(\"nan\" AS FLOAT64)";
  if (std::isinf(number)) return number < 0 ? "CAST(\"-inf\" AS FLOAT64)" : "CAST(\"inf\" AS FLOAT64)";
  char buffer[40];
  std::string digits(buffer, std::to_chars(buffer, buffer + sizeof(buffer), number).ptr);
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return std::signbit(number) ? StrCat("(", digits, ")") : digits;
}

// A type's name and text in quotes.
std::string Typed(const Value& value) {
  const TypeKind kind = value.type().kind();
  std::string text;
  switch (kind) {
    case TypeKind::kDate:
      model::AppendDate(value.int64_value(), text);
      break;
    case TypeKind::kTime:
      model::AppendTime(value.int64_value(), text);
      break;
    case TypeKind::kDatetime:
      model::AppendDatetime(value.int64_value(), ' ', text);
      break;
    case TypeKind::kTimestamp:
      model::AppendDatetime(value.int64_value(), ' ', text);
      text += "+00";
      break;
    case TypeKind::kInterval:
      model::AppendInterval(value.interval_value(), text);
      return StrCat("INTERVAL ", sql::QuoteString(text), " YEAR TO SECOND");
    default:
      text = value.string_value();
      break;
  }
  return StrCat(TypeKindName(kind), " ", sql::QuoteString(text));
}

absl::StatusOr<std::string> Elements(const std::vector<Value>& values) {
  std::vector<std::string> texts;
  for (const Value& value : values) {
    LOGQUERY_ASSIGN_OR_RETURN(std::string text, GoogleSqlLiteral(value));
    texts.push_back(std::move(text));
  }
  return base::Join(texts, ", ");
}

}  // namespace

absl::StatusOr<std::string> GoogleSqlLiteral(const Value& value) {
  const Type& type = value.type();
  // A record that is not there is an array of nothing.
  if (value.is_null())
    return type.is_record() ? StrCat(type.ToString(), "[]") : StrCat("CAST(NULL AS ", type.ToString(), ")");
  switch (type.kind()) {
    case TypeKind::kBool:
      return std::string(value.bool_value() ? "TRUE" : "FALSE");
    case TypeKind::kInt64:
      return Integer(value.int64_value());
    case TypeKind::kFloat64:
      return Float(value.float64_value());
    case TypeKind::kString:
      if (!base::IsValidUtf8(value.string_value())) return absl::InvalidArgumentError("a STRING that is not UTF-8");
      return sql::QuoteString(value.string_value());
    case TypeKind::kBytes:
      return sql::QuoteBytes(value.string_value());
    case TypeKind::kArray:
    case TypeKind::kStruct:
      break;
    default:
      return Typed(value);
  }
  LOGQUERY_ASSIGN_OR_RETURN(std::string elements, Elements(value.children()));
  if (type.is_record()) return StrCat(type.ToString(), "[", type.element().ToString(), "(", elements, ")]");
  return type.is_array() ? StrCat(type.ToString(), "[", elements, "]") : StrCat(type.ToString(), "(", elements, ")");
}

}  // namespace logquery::emit
