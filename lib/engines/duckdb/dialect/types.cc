// DuckDB's type names, and how it writes identifiers, text and values.
#include "lib/engines/duckdb/dialect/types.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/model/big_numeric.h"
#include "lib/model/civil_text.h"

namespace logquery::emit {
namespace {

std::string Doubled(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) {
    if (c == quote) quoted += quote;
    quoted += c;
  }
  return quoted + quote;
}

const char* PlainType(TypeKind kind) {
  switch (kind) {
    case TypeKind::kBool:
      return "BOOLEAN";
    case TypeKind::kInt64:
      return "BIGINT";
    case TypeKind::kFloat64:
      return "DOUBLE";
    case TypeKind::kNumeric:
      return "DECIMAL(38,9)";
    case TypeKind::kString:
      return "VARCHAR";
    case TypeKind::kBigNumeric:
    case TypeKind::kBytes:
      return "BLOB";
    case TypeKind::kDate:
      return "DATE";
    case TypeKind::kTime:
      return "TIME";
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return "TIMESTAMP";
    case TypeKind::kInterval:
      return "INTERVAL";
    case TypeKind::kJson:
      return "JSON";
    case TypeKind::kArray:
    case TypeKind::kStruct:
      break;
  }
  return "";
}

// Writes a number with an exponent, because DuckDB takes digits without one for an exact decimal.
std::string FloatLiteral(double number) {
  if (std::isnan(number)) return "'nan'::DOUBLE";
  if (std::isinf(number)) return number < 0 ? "'-inf'::DOUBLE" : "'inf'::DOUBLE";
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof(digits), number, std::chars_format::scientific).ptr;
  const std::string text(digits, end);
  return std::signbit(number) ? base::StrCat("(", text, ")") : text;
}

std::string IntegerLiteral(int64_t number) {
  // The least has no literal: its digits alone are one too large.
  return number < 0 ? base::StrCat("'", number, "'::BIGINT") : base::StrCat(number, "::BIGINT");
}

std::string BytesLiteral(std::string_view bytes) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string text = "'";
  for (const unsigned char c : bytes) {
    text += "\\x";
    text += kHex[c >> 4];
    text += kHex[c & 15];
  }
  return text + "'::BLOB";
}

absl::StatusOr<std::string> BigNumericLiteral(std::string_view digits) {
  const std::optional<std::string> bytes = model::ParseBigNumeric(digits, model::ExtraDigits::kRefused);
  if (!bytes.has_value()) return absl::InvalidArgumentError(base::StrCat(digits, " is no BIGNUMERIC"));
  return BytesLiteral(*bytes);
}

std::string IntervalLiteral(const Interval& interval) {
  return base::StrCat("(to_months(", interval.months, ") + to_days(", interval.days, ") + to_microseconds(",
                      interval.micros, "))");
}

std::string TimeLiteral(const Value& value) {
  std::string text;
  switch (value.type().kind()) {
    case TypeKind::kDate:
      model::AppendDate(value.int64_value(), text);
      break;
    case TypeKind::kTime:
      model::AppendTime(value.int64_value(), text);
      break;
    default:
      model::AppendDatetime(value.int64_value(), ' ', text);
      break;
  }
  return base::StrCat("'", text, "'::", PlainType(value.type().kind()));
}

absl::StatusOr<Texts> Literals(const std::vector<Value>& values) {
  Texts texts;
  for (const Value& value : values) {
    LOGQUERY_ASSIGN_OR_RETURN(std::string text, DuckDbLiteral(value));
    texts.emplace_back(std::move(text));
  }
  return texts;
}

}  // namespace

std::string DuckDbIdentifier(std::string_view name) { return Doubled(name, '"'); }

std::string DuckDbQuoted(std::string_view text) { return Doubled(text, '\''); }

absl::StatusOr<std::string> DuckDbString(std::string_view value) {
  if (!base::IsValidUtf8(value)) return absl::InvalidArgumentError("a STRING that is not UTF-8");
  if (value.find('\0') == std::string_view::npos) return DuckDbQuoted(value);
  // The engine takes a query's value to end at the first NUL.
  std::string expression = "(";
  while (true) {
    const size_t end = value.find('\0');
    expression += DuckDbQuoted(value.substr(0, end));
    if (end == std::string_view::npos) return expression + ")";
    expression += " || chr(0) || ";
    value.remove_prefix(end + 1);
  }
}

std::string DuckDbType(const Type& type) {
  if (type.is_array() && !type.is_record()) return DuckDbType(type.element()) + "[]";
  if (!type.is_record() && !type.is_struct()) return PlainType(type.kind());
  const std::vector<std::string> names = DuckDbFieldNames(type.fields());
  std::string text = "STRUCT(";
  for (size_t i = 0; i < names.size(); ++i) {
    base::StrAppend(&text, i == 0 ? "" : ", ", DuckDbIdentifier(names[i]), " ", DuckDbType(type.fields()[i].type));
  }
  return text + ")";
}

std::vector<std::string> DuckDbFieldNames(const std::vector<Field>& fields) {
  base::NameSet own;
  for (const Field& field : fields) own.insert(field.name);
  base::NameSet taken;
  std::vector<std::string> names;
  for (size_t i = 0; i < fields.size(); ++i) {
    std::string name = fields[i].name;
    if (name.empty() || taken.contains(name)) {
      name = base::StrCat("_", i + 1);
      while (own.contains(name) || taken.contains(name)) name += '_';
    }
    taken.insert(name);
    names.push_back(std::move(name));
  }
  return names;
}

std::string DuckDbFieldName(const Type& type, int index) {
  const std::string& name = type.fields()[static_cast<size_t>(index)].name;
  if (!name.empty() && type.FindField(name) == index) return name;
  return DuckDbFieldNames(type.fields())[static_cast<size_t>(index)];
}

absl::StatusOr<std::string> DuckDbLiteral(const Value& value) {
  const Type& type = value.type();
  if (value.is_null()) return base::StrCat("NULL::", DuckDbType(type));
  switch (type.kind()) {
    case TypeKind::kBool:
      return std::string(value.bool_value() ? "TRUE" : "FALSE");
    case TypeKind::kInt64:
      return IntegerLiteral(value.int64_value());
    case TypeKind::kFloat64:
      return FloatLiteral(value.float64_value());
    case TypeKind::kString:
      return DuckDbString(value.string_value());
    case TypeKind::kBytes:
      return BytesLiteral(value.string_value());
    case TypeKind::kBigNumeric:
      return BigNumericLiteral(value.string_value());
    case TypeKind::kNumeric:
    case TypeKind::kJson: {
      LOGQUERY_ASSIGN_OR_RETURN(std::string text, DuckDbString(value.string_value()));
      return base::StrCat(text, "::", PlainType(type.kind()));
    }
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return TimeLiteral(value);
    case TypeKind::kInterval:
      return IntervalLiteral(value.interval_value());
    case TypeKind::kArray:
    case TypeKind::kStruct:
      break;
  }
  LOGQUERY_ASSIGN_OR_RETURN(const Texts texts, Literals(value.children()));
  if (type.is_array() && !type.is_record()) return DuckDbArray(type, texts).text();
  LOGQUERY_ASSIGN_OR_RETURN(const Sql made, DuckDbStruct(type, texts));
  return made.text();
}

absl::StatusOr<Sql> DuckDbStruct(const Type& type, const Texts& values) {
  if (values.empty()) return absl::UnimplementedError("a STRUCT without fields");
  // In a correlated subquery DuckDB may bind them twice, and then it has forgotten the names of struct_pack's arguments.
  if (std::any_of(values.begin(), values.end(), [](const Sql& value) { return value.facts().reads_column; })) {
    return Cat("CAST(row(", JoinTexts(values, ", "), ") AS ", DuckDbType(type), ")");
  }
  return DuckDbStructPack(type, values);
}

absl::StatusOr<Sql> DuckDbStructPack(const Type& type, const Texts& values) {
  if (values.empty()) return absl::UnimplementedError("a STRUCT without fields");
  const std::vector<std::string> names = DuckDbFieldNames(type.fields());
  Sql text = "struct_pack(";
  for (size_t i = 0; i < values.size(); ++i) {
    text.Append(Cat(i == 0 ? "" : ", ", DuckDbIdentifier(names[i]), " := ", values[i]));
  }
  text.Append(")");
  return text;
}

Sql DuckDbArray(const Type& type, const Texts& elements) {
  if (elements.empty()) return Cat("[]::", DuckDbType(type));
  return Cat("[", JoinTexts(elements, ", "), "]");
}

}  // namespace logquery::emit
