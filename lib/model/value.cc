// Builds nested values, and prints values for people and tests.
#include "logquery/value.h"

#include <charconv>
#include <cmath>
#include <utility>

#include "absl/strings/escaping.h"
#include "lib/base/strings.h"
#include "lib/model/civil_text.h"

namespace logquery {
namespace {

std::string Quoted(std::string_view prefix, std::string_view text) {
  return base::StrCat(prefix, "\"", absl::Utf8SafeCEscape(base::ToAbsl(text)), "\"");
}

std::string FloatText(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  char digits[32];
  std::string text(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

template <typename Append>
std::string Written(std::string_view prefix, const Append& append, std::string_view suffix = "") {
  std::string text = base::StrCat(prefix, "\"");
  append(text);
  return base::StrCat(text, suffix, "\"");
}

std::string ArrayText(const std::vector<Value>& elements) {
  std::string text = "[";
  for (const Value& element : elements) {
    if (&element != &elements.front()) text += ", ";
    text += element.DebugString();
  }
  return text + "]";
}

std::string StructText(const Type& type, const std::vector<Value>& values) {
  std::string text = "{";
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ", ";
    const std::string& name = type.fields()[i].name;
    base::StrAppend(&text, name, name.empty() ? "" : ": ", values[i].DebugString());
  }
  return text + "}";
}

bool SameFloat(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

Value Value::Timestamp(absl::Time t) { return TimestampMicros(absl::ToUnixMicros(t)); }

Value Value::Array(Type element, std::vector<Value> elements) {
  return Value(Type::Array(std::move(element)), std::move(elements));
}

Value Value::Struct(Type type, std::vector<Value> fields) { return Value(std::move(type), std::move(fields)); }

std::string Value::DebugString() const {
  if (is_null()) return "NULL";
  switch (type_.kind()) {
    case TypeKind::kBool:
      return bool_value() ? "true" : "false";
    case TypeKind::kInt64:
      return std::to_string(int64_value());
    case TypeKind::kFloat64:
      return FloatText(float64_value());
    case TypeKind::kNumeric:
      return Quoted("NUMERIC ", string_value());
    case TypeKind::kBigNumeric:
      return Quoted("BIGNUMERIC ", string_value());
    case TypeKind::kString:
      return Quoted("", string_value());
    case TypeKind::kBytes:
      return base::StrCat("b\"", absl::CHexEscape(string_value()), "\"");
    case TypeKind::kJson:
      return Quoted("JSON ", string_value());
    case TypeKind::kDate:
      return Written("DATE ", [&](std::string& out) { model::AppendDate(int64_value(), out); });
    case TypeKind::kTime:
      return Written("TIME ", [&](std::string& out) { model::AppendTime(int64_value(), out); });
    case TypeKind::kDatetime:
      return Written("DATETIME ", [&](std::string& out) { model::AppendDatetime(int64_value(), ' ', out); });
    case TypeKind::kTimestamp:
      return Written(
          "TIMESTAMP ", [&](std::string& out) { model::AppendDatetime(int64_value(), ' ', out); }, "+00");
    case TypeKind::kInterval:
      return Written("INTERVAL ", [&](std::string& out) { model::AppendInterval(interval_value(), out); });
    case TypeKind::kArray:
      return type_.is_record() ? base::StrCat("[", StructText(type_, children()), "]") : ArrayText(children());
    case TypeKind::kStruct:
      return StructText(type_, children());
  }
  return "?";
}

bool operator==(const Value& a, const Value& b) {
  if (a.type_ != b.type_) return false;
  if (a.is_null() || b.is_null()) return a.is_null() && b.is_null();
  if (a.type_.is(TypeKind::kFloat64)) return SameFloat(a.float64_value(), b.float64_value());
  return a.data_ == b.data_;
}

}  // namespace logquery
