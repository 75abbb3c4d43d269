// Implements the table of types in docs/http.md.
#include "lib/endpoint/definitions/json_schema.h"

#include <string>
#include <utility>
#include <vector>

#include "lib/base/json/value.h"
#include "logquery/parameter_text.h"
#include "logquery/value.h"

namespace logquery::endpoint {
namespace {

using base::Json;

// A bound value as JSON. Times keep the text that they were sent as.
Json ValueJson(const Value& value, const std::string& text) {
  switch (value.type().kind()) {
    case TypeKind::kInt64:
      return value.int64_value();
    case TypeKind::kFloat64:
      return value.float64_value();
    case TypeKind::kBool:
      return value.bool_value();
    default:
      return text;
  }
}

// A text that a caller may send, as a value of the parameter's type.
Json TextJson(const Parameter& parameter, const std::string& text) {
  if (parameter.type.is_array()) return text;
  const auto value = ParseParameter(parameter, text);
  return value.ok() ? ValueJson(*value, text) : Json(text);
}

Json ScalarSchema(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kInt64:
      return {{"type", "integer"}, {"format", "int64"}};
    case TypeKind::kFloat64:
      return {{"type", "number"}};
    case TypeKind::kBool:
      return {{"type", "boolean"}};
    case TypeKind::kDate:
      return {{"type", "string"}, {"format", "date"}};
    case TypeKind::kTimestamp:
      return {{"type", "string"}, {"description", "A time of ISO 8601, such as 2026-01-31T08:00:00Z"}};
    default:
      return {{"type", "string"}};
  }
}

Json OrNull(const char* type) { return {{"type", Json::array({type, "null"})}}; }

Json StructSchema(const Type& type) {
  Json properties = Json::object();
  for (const Field& field : type.fields()) properties[field.name] = ColumnSchema(field.type);
  return {{"type", Json::array({"object", "null"})}, {"properties", std::move(properties)}};
}

}  // namespace

Json BoundJson(const Parameter& parameter, const std::string& text) {
  Parameter number = parameter;
  if (number.type.is_array()) number.type = parameter.type.element();
  number.allowed.clear();
  return TextJson(number, text);
}

Json ParameterSchema(const Parameter& parameter) {
  const bool list = parameter.type.is_array();
  Json schema = ScalarSchema(list ? parameter.type.element() : parameter.type);
  if (!parameter.allowed.empty()) {
    Parameter element = parameter;
    if (list) element.type = parameter.type.element();
    Json allowed = Json::array();
    for (const std::string& text : parameter.allowed) {
      element.allowed.clear();
      allowed.push_back(TextJson(element, text));
    }
    schema["enum"] = std::move(allowed);
  } else if (parameter.is_pattern) {
    schema["format"] = "regex";
  }
  if (parameter.minimum) schema["minimum"] = BoundJson(parameter, *parameter.minimum);
  if (parameter.maximum) schema["maximum"] = BoundJson(parameter, *parameter.maximum);
  // A list is sent with commas, and may be sent as JSON: as one text.
  if (list) schema = {{"type", "array"}, {"items", std::move(schema)}};
  if (!list && parameter.type.is(TypeKind::kString)) schema["maxLength"] = parameter.max_length;
  if (parameter.default_text && !list) schema["default"] = TextJson(parameter, *parameter.default_text);
  if (!parameter.examples.empty() && !list) {
    Json examples = Json::array();
    for (const std::string& text : parameter.examples) examples.push_back(TextJson(parameter, text));
    schema["examples"] = std::move(examples);
  }
  return schema;
}

Json ColumnSchema(const Type& type) {
  // Records may have learned more fields by the time of a call than they have now.
  if (type.is_record()) return {{"type", "array"}, {"items", {{"type", "object"}}}};
  if (type.is_array()) return {{"type", Json::array({"array", "null"})}, {"items", ColumnSchema(type.element())}};
  if (type.is_struct()) return StructSchema(type);
  switch (type.kind()) {
    case TypeKind::kInt64:
      return {{"type", Json::array({"integer", "string", "null"})},
              {"format", "int64"},
              {"description", "A string only with int64=string, beyond 2^53"}};
    case TypeKind::kTimestamp:
      return {{"type", Json::array({"integer", "null"})}, {"description", "Microseconds since 1970"}};
    case TypeKind::kFloat64:
      return {{"type", Json::array({"number", "string", "null"})}, {"description", "A string for NaN and infinities"}};
    case TypeKind::kBool:
      return OrNull("boolean");
    case TypeKind::kJson:
      return Json::object();
    default:
      return OrNull("string");
  }
}

Json RowSchema(const Schema& columns) {
  Json properties = Json::object(), required = Json::array();
  for (const Field& column : columns) {
    properties[column.name] = ColumnSchema(column.type);
    required.push_back(column.name);
  }
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
}

}  // namespace logquery::endpoint
