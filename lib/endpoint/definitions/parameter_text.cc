// Converts a parameter's text by its type, and checks its length, pattern and allowed values.
#include "lib/endpoint/definitions/parameter_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/civil_time.h"
#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/limits.h"
#include "lib/base/nearest_names.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "logquery/error.h"
#include "logquery/parameter_binder.h"
#include "logquery/parameter_text.h"
#include "re2/re2.h"

namespace logquery::endpoint {
namespace {

constexpr size_t kMaxListElements = 1'000;

absl::Status WrongType(const Parameter& parameter, std::string_view text, std::string_view wanted) {
  return ParameterError(parameter.name, base::StrCat("must be ", wanted, "; is ", base::QuotedText(text)));
}

absl::Status CheckLength(const Parameter& parameter, std::string_view text) {
  const int64_t limit =
      parameter.is_pattern ? std::min(parameter.max_length, base::kMaxPatternCharacters) : parameter.max_length;
  const int64_t length = base::CountCodePoints(text);
  if (length <= limit) return absl::OkStatus();
  return ParameterError(parameter.name, base::StrCat("has ", length, " characters; at most ", limit, " are allowed"));
}

absl::Status CheckPattern(const Parameter& parameter, std::string_view text) {
  const re2::RE2 pattern(re2::StringPiece(text.data(), text.size()), re2::RE2::Quiet);
  if (pattern.ok()) return absl::OkStatus();
  return ParameterError(parameter.name, base::StrCat("is not a regular expression (RE2): ", pattern.error(), "; is ",
                                                     base::QuotedText(text)));
}

template <typename Number>
bool ParseNumber(std::string_view text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  return result.ec == std::errc() && result.ptr == end;
}

absl::StatusOr<Value> ParseDate(const Parameter& parameter, std::string_view text) {
  // ParseTimestamp knows which dates there are; ten characters of it are a date alone.
  const absl::StatusOr<absl::Time> time = ParseTimestamp(text);
  if (text.size() != 10 || !time.ok()) return WrongType(parameter, text, "a date such as 2026-01-31");
  return Value::Date(absl::ToCivilDay(*time, absl::UTCTimeZone()) - absl::CivilDay(1970));
}

absl::StatusOr<Value> ParseByType(const Parameter& parameter, const Type& type, std::string_view text) {
  switch (type.kind()) {
    case TypeKind::kString:
      return Value::String(std::string(text));
    case TypeKind::kInt64: {
      int64_t number = 0;
      if (!ParseNumber(text, number)) return WrongType(parameter, text, "a whole number of 64 bits, such as 42");
      return Value::Int64(number);
    }
    case TypeKind::kFloat64: {
      double number = 0;
      if (!ParseNumber(text, number)) return WrongType(parameter, text, "a number such as 1.5");
      return Value::Float64(number);
    }
    case TypeKind::kBool:
      if (base::EqualsIgnoreCase(text, "true")) return Value::Bool(true);
      if (base::EqualsIgnoreCase(text, "false")) return Value::Bool(false);
      return WrongType(parameter, text, "true or false");
    case TypeKind::kDate:
      return ParseDate(parameter, text);
    case TypeKind::kTimestamp: {
      const absl::StatusOr<absl::Time> time = ParseTimestamp(text);
      if (!time.ok()) return ParameterError(parameter.name, base::StrCat("is wrong: ", time.status().message()));
      return Value::Timestamp(*time);
    }
    default:
      return absl::InternalError(base::StrCat("a parameter can't be of type ", type.ToString()));
  }
}

absl::Status CheckAllowed(const Parameter& parameter, std::string_view text) {
  const std::vector<std::string>& allowed = parameter.allowed;
  if (allowed.empty() || std::find(allowed.begin(), allowed.end(), text) != allowed.end()) return absl::OkStatus();
  return ParameterError(parameter.name, base::StrCat("must be ", OneOf(allowed), "; is ", base::QuotedText(text),
                                                     base::DidYouMean(base::NearestNames(text, allowed))));
}

// NaN is below nothing, and nothing is below it.
bool IsBelow(const Value& a, const Value& b) {
  return a.type().is(TypeKind::kInt64) ? a.int64_value() < b.int64_value() : a.float64_value() < b.float64_value();
}

bool IsNan(const Value& value) { return value.type().is(TypeKind::kFloat64) && std::isnan(value.float64_value()); }

// `value` is of a type of numbers where the parameter has a bound.
absl::Status CheckRange(const Parameter& parameter, const Value& value, std::string_view text) {
  if (!parameter.minimum && !parameter.maximum) return absl::OkStatus();
  bool fits = !IsNan(value);
  if (parameter.minimum) {
    LOGQUERY_ASSIGN_OR_RETURN(const Value least, ParseByType(parameter, value.type(), *parameter.minimum));
    fits = fits && !IsBelow(value, least);
  }
  if (parameter.maximum) {
    LOGQUERY_ASSIGN_OR_RETURN(const Value most, ParseByType(parameter, value.type(), *parameter.maximum));
    fits = fits && !IsBelow(most, value);
  }
  return fits ? absl::OkStatus() : WrongType(parameter, text, RangeText(parameter));
}

absl::StatusOr<Value> ParseInRange(const Parameter& parameter, const Type& type, std::string_view text) {
  LOGQUERY_ASSIGN_OR_RETURN(Value value, ParseByType(parameter, type, text));
  LOGQUERY_RETURN_IF_ERROR(CheckRange(parameter, value, text));
  return value;
}

constexpr std::string_view kListForms = "a list such as a,b or, where an element holds a comma, [\"a\",\"b\"]";

absl::StatusOr<std::vector<std::string>> ElementsOfJson(const Parameter& parameter, std::string_view text) {
  const auto json = base::ParseJson("the list", text);
  if (!json.ok()) return WrongType(parameter, text, base::StrCat(kListForms, "; ", base::Message(json.status())));
  std::vector<std::string> elements;
  for (const auto& element : *json) {
    if (element.is_structured() || element.is_null()) {
      return WrongType(parameter, text, base::StrCat(kListForms, " of strings, numbers or flags"));
    }
    elements.push_back(element.is_string() ? element.get<std::string>() : element.ToString());
  }
  return elements;
}

std::vector<std::string> ElementsOfText(std::string_view text) {
  std::vector<std::string> elements;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    elements.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return elements;
}

absl::StatusOr<Value> ParseArray(const Parameter& parameter, std::string_view text) {
  std::vector<std::string> elements;
  if (text.starts_with('[')) {
    LOGQUERY_ASSIGN_OR_RETURN(elements, ElementsOfJson(parameter, text));
  } else {
    elements = ElementsOfText(text);
  }
  if (elements.size() > kMaxListElements) {
    return ParameterError(
        parameter.name, base::StrCat("has ", elements.size(), " elements; at most ", kMaxListElements, " are allowed"));
  }
  const Type& type = parameter.type.element();
  std::vector<Value> values;
  for (const std::string& element : elements) {
    LOGQUERY_RETURN_IF_ERROR(CheckAllowed(parameter, element));
    LOGQUERY_ASSIGN_OR_RETURN(Value value, ParseInRange(parameter, type, element));
    values.push_back(std::move(value));
  }
  return Value::Array(type, std::move(values));
}

}  // namespace

bool IsParameterType(const Type& type) {
  if (type.is_array()) return !type.element().is_array() && IsParameterType(type.element());
  return type.is(TypeKind::kString) || type.is(TypeKind::kInt64) || type.is(TypeKind::kFloat64) ||
         type.is(TypeKind::kBool) || type.is(TypeKind::kDate) || type.is(TypeKind::kTimestamp);
}

std::string RangeText(const Parameter& parameter) {
  if (!parameter.maximum) return base::StrCat("at least ", *parameter.minimum);
  if (!parameter.minimum) return base::StrCat("at most ", *parameter.maximum);
  return base::StrCat("from ", *parameter.minimum, " to ", *parameter.maximum);
}

absl::Status ParameterError(std::string_view name, std::string_view problem) {
  ErrorDetails details;
  details.parameter = name;
  return WithErrorDetails(absl::InvalidArgumentError(base::StrCat("parameter ", name, " ", problem)), details);
}

std::string OneOf(const std::vector<std::string>& allowed) {
  return base::StrCat("one of ", base::Join(allowed, ", "));
}

}  // namespace logquery::endpoint

namespace logquery {

absl::StatusOr<Value> ParseParameter(const Parameter& parameter, std::string_view text) {
  if (!base::IsValidUtf8(text)) return endpoint::ParameterError(parameter.name, "is not valid UTF-8");
  LOGQUERY_RETURN_IF_ERROR(endpoint::CheckLength(parameter, text));
  if (parameter.type.is_array()) return endpoint::ParseArray(parameter, text);
  LOGQUERY_RETURN_IF_ERROR(endpoint::CheckAllowed(parameter, text));
  if (parameter.is_pattern) LOGQUERY_RETURN_IF_ERROR(endpoint::CheckPattern(parameter, text));
  return endpoint::ParseInRange(parameter, parameter.type, text);
}

}  // namespace logquery
