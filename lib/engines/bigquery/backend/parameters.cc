// Writes values as text in the forms of BigQuery's page on parameterized queries.
#include "lib/engines/bigquery/backend/parameters.h"

#include <charconv>
#include <cmath>
#include <string>

#include "absl/strings/escaping.h"
#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/model/civil_text.h"

namespace logquery::bigquery {
namespace {

using base::Json;
using base::StrCat;

// A request of BigQuery's has at most 10 MB.
constexpr size_t kMaxBytes = 8 << 20;

std::string FloatText(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  char digits[40];
  return {digits, std::to_chars(digits, digits + sizeof(digits), number).ptr};
}

std::string TimeText(const Value& value) {
  std::string text;
  switch (value.type().kind()) {
    case TypeKind::kDate:
      model::AppendDate(value.int64_value(), text);
      break;
    case TypeKind::kTime:
      model::AppendTime(value.int64_value(), text);
      break;
    case TypeKind::kDatetime:
      model::AppendDatetime(value.int64_value(), 'T', text);
      break;
    default:
      model::AppendDatetime(value.int64_value(), ' ', text);
      text += "+00:00";
      break;
  }
  return text;
}

absl::StatusOr<std::string> TextOf(const Value& value) {
  switch (value.type().kind()) {
    case TypeKind::kBool:
      return std::string(value.bool_value() ? "true" : "false");
    case TypeKind::kInt64:
      return StrCat(value.int64_value());
    case TypeKind::kFloat64:
      return FloatText(value.float64_value());
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return TimeText(value);
    case TypeKind::kBytes: {
      std::string text;
      absl::Base64Escape(value.string_value(), &text);
      return text;
    }
    case TypeKind::kNumeric:
    case TypeKind::kBigNumeric:
    case TypeKind::kString:
    case TypeKind::kJson:
      if (!base::IsValidUtf8(value.string_value())) {
        return absl::InvalidArgumentError("a parameter of this query is not UTF-8, which BigQuery is not sent");
      }
      return value.string_value();
    default:
      return absl::InternalError(
          StrCat("a value of ", value.type().ToString(), " is bound in a fragment for BigQuery"));
  }
}

// Adds its size to `bytes`.
absl::StatusOr<Json> ScalarOf(const Value& value, size_t* bytes) {
  Json made = Json::object();
  if (value.is_null()) return made;
  LOGQUERY_ASSIGN_OR_RETURN(std::string text, TextOf(value));
  *bytes += text.size();
  made["value"] = std::move(text);
  return made;
}

}  // namespace

absl::StatusOr<Json> QueryParameters(const Bindings& bindings) {
  Json all = Json::array();
  size_t bytes = 0;
  for (size_t i = 0; i < bindings.size(); ++i) {
    const Type& type = bindings[i].type();
    Json parameter = {{"name", StrCat("p", i + 1)}};
    if (!type.is_array()) {
      parameter["parameterType"]["type"] = std::string(TypeKindName(type.kind()));
      LOGQUERY_ASSIGN_OR_RETURN(parameter["parameterValue"], ScalarOf(bindings[i], &bytes));
    } else {
      parameter["parameterType"] = {{"type", "ARRAY"},
                                    {"arrayType", {{"type", std::string(TypeKindName(type.element().kind()))}}}};
      parameter["parameterValue"] = Json::object();
      if (!bindings[i].is_null()) {
        Json& elements = parameter["parameterValue"]["arrayValues"] = Json::array();
        for (const Value& element : bindings[i].children()) {
          LOGQUERY_ASSIGN_OR_RETURN(Json each, ScalarOf(element, &bytes));
          elements.push_back(std::move(each));
        }
      }
    }
    if (bytes > kMaxBytes) {
      return absl::InvalidArgumentError("the parameters of this query are over 8 MiB, which BigQuery is not sent");
    }
    all.push_back(std::move(parameter));
  }
  return all;
}

}  // namespace logquery::bigquery
