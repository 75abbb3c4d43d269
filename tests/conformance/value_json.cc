#include "tests/conformance/value_json.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/model/civil_text.h"
#include "lib/model/interval_text.h"
#include "lib/model/time_text.h"
#include "lib/sql/ast.h"
#include "lib/sql/parser.h"
#include "nlohmann/json.hpp"

namespace logquery::conformance {
namespace {

using Json = nlohmann::ordered_json;

absl::Status NotOfType(const Json& json, const Type& type) {
  return absl::InvalidArgumentError(
      base::StrCat(json.dump(-1, ' ', false, Json::error_handler_t::replace), " is no ", type.ToString()));
}

absl::StatusOr<Value> FloatFromJson(const Json& json) {
  if (json.is_number()) return Value::Float64(json.get<double>());
  double number = 0;
  // The kit writes "nan", "inf" and "-inf".
  if (!json.is_string() || !absl::SimpleAtod(json.get_ref<const std::string&>(), &number)) {
    return NotOfType(json, Type::Float64());
  }
  return Value::Float64(number);
}

absl::StatusOr<Value> IntFromJson(const Json& json) {
  int64_t number = 0;
  if (json.is_number_integer()) return Value::Int64(json.get<int64_t>());
  if (!json.is_string() || !absl::SimpleAtoi(json.get_ref<const std::string&>(), &number)) {
    return NotOfType(json, Type::Int64());
  }
  return Value::Int64(number);
}

absl::StatusOr<Value> ValueFromText(const Json& json, const Type& type) {
  if (!json.is_string()) return NotOfType(json, type);
  const std::string& text = json.get_ref<const std::string&>();
  switch (type.kind()) {
    case TypeKind::kString:
      return Value::String(text);
    case TypeKind::kJson:
      return Value::Json(text);
    case TypeKind::kNumeric:
      return Value::Numeric(text);
    case TypeKind::kBigNumeric:
      return Value::BigNumeric(text);
    case TypeKind::kDate:
      return model::ParseDateText(text);
    case TypeKind::kTime:
      return model::ParseTimeText(text);
    case TypeKind::kDatetime:
      return model::ParseDatetimeText(text);
    case TypeKind::kTimestamp:
      return model::ParseTimestampText(text, "UTC");
    case TypeKind::kInterval: {
      LOGQUERY_ASSIGN_OR_RETURN(const Interval interval, model::ParseIntervalText(text, "YEAR", "SECOND"));
      return Value::IntervalOf(interval);
    }
    case TypeKind::kBytes: {
      std::string bytes;
      if (!absl::Base64Unescape(text, &bytes)) return NotOfType(json, type);
      return Value::Bytes(std::move(bytes));
    }
    default:
      return NotOfType(json, type);
  }
}

absl::StatusOr<Value> ArrayFromJson(const Json& json, const Type& type) {
  if (!json.is_array()) return NotOfType(json, type);
  std::vector<Value> elements;
  for (const Json& element : json) {
    LOGQUERY_ASSIGN_OR_RETURN(Value value, ValueFromJson(element, type.element()));
    elements.push_back(std::move(value));
  }
  return Value::Array(type.element(), std::move(elements));
}

absl::StatusOr<Value> StructFromJson(const Json& json, const Type& type) {
  if (!json.is_array() || json.size() != type.fields().size()) return NotOfType(json, type);
  std::vector<Value> fields;
  for (size_t i = 0; i < json.size(); ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(Value value, ValueFromJson(json[i], type.fields()[i].type));
    fields.push_back(std::move(value));
  }
  return Value::Struct(type, std::move(fields));
}

Json JsonFromFloat(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  return number;
}

Json JsonFromChildren(const Value& value) {
  Json list = Json::array();
  for (const Value& child : value.children()) list.push_back(JsonFromValue(child));
  return list;
}

// A timestamp goes as microseconds since 1970, which need no zone.
Json JsonFromTime(const Value& value) {
  std::string text;
  switch (value.type().kind()) {
    case TypeKind::kDate:
      model::AppendDate(value.int64_value(), text);
      return text;
    case TypeKind::kTime:
      model::AppendTime(value.int64_value(), text);
      return text;
    case TypeKind::kDatetime:
      model::AppendDatetime(value.int64_value(), ' ', text);
      return text;
    default:
      return value.int64_value();
  }
}

}  // namespace

absl::StatusOr<Type> ParseTypeText(const std::string& text) {
  LOGQUERY_ASSIGN_OR_RETURN(sql::ExprPtr cast, sql::ParseExpression(base::StrCat("CAST(NULL AS ", text, ")"), {}));
  const auto* parsed = sql::If<sql::CastExpr>(cast.get());
  if (parsed == nullptr) return absl::InvalidArgumentError(base::StrCat(text, " is no type"));
  return parsed->type.type;
}

absl::StatusOr<Value> ValueFromJson(const Json& json, const Type& type) {
  if (json.is_null()) return Value::Null(type);
  switch (type.kind()) {
    case TypeKind::kBool:
      return json.is_boolean() ? absl::StatusOr<Value>(Value::Bool(json.get<bool>())) : NotOfType(json, type);
    case TypeKind::kInt64:
      return IntFromJson(json);
    case TypeKind::kFloat64:
      return FloatFromJson(json);
    case TypeKind::kArray:
      return ArrayFromJson(json, type);
    case TypeKind::kStruct:
      return StructFromJson(json, type);
    case TypeKind::kNumeric:
    case TypeKind::kBigNumeric:
    case TypeKind::kString:
    case TypeKind::kBytes:
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
    case TypeKind::kInterval:
    case TypeKind::kJson:
      break;
  }
  return ValueFromText(json, type);
}

Json JsonFromValue(const Value& value) {
  if (value.is_null()) return nullptr;
  switch (value.type().kind()) {
    case TypeKind::kBool:
      return value.bool_value();
    case TypeKind::kInt64:
      return value.int64_value();
    case TypeKind::kFloat64:
      return JsonFromFloat(value.float64_value());
    case TypeKind::kNumeric:
    case TypeKind::kBigNumeric:
    case TypeKind::kString:
    case TypeKind::kJson:
      return value.string_value();
    case TypeKind::kBytes:
      return absl::Base64Escape(value.string_value());
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return JsonFromTime(value);
    case TypeKind::kInterval: {
      std::string text;
      model::AppendInterval(value.interval_value(), text);
      return text;
    }
    case TypeKind::kArray:
    case TypeKind::kStruct:
      break;
  }
  return JsonFromChildren(value);
}

}  // namespace logquery::conformance
