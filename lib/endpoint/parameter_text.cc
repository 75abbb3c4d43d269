#include "lib/endpoint/parameter_text.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "absl/time/civil_time.h"
#include "lib/base/limits.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "logquery/error.h"
#include "logquery/parameter_binder.h"
#include "re2/re2.h"

namespace logquery::endpoint {
namespace {

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

absl::StatusOr<Value> ParseByType(const Parameter& parameter, std::string_view text) {
  switch (parameter.type.kind()) {
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
      return absl::InternalError(base::StrCat("a parameter can't be of type ", parameter.type.ToString()));
  }
}

}  // namespace

bool IsParameterType(const Type& type) {
  return type.is(TypeKind::kString) || type.is(TypeKind::kInt64) || type.is(TypeKind::kFloat64) ||
         type.is(TypeKind::kBool) || type.is(TypeKind::kDate) || type.is(TypeKind::kTimestamp);
}

absl::StatusOr<Value> ParseParameter(const Parameter& parameter, std::string_view text) {
  if (!base::IsValidUtf8(text)) return ParameterError(parameter.name, "is not valid UTF-8");
  LOGQUERY_RETURN_IF_ERROR(CheckLength(parameter, text));
  if (!parameter.allowed.empty() &&
      std::find(parameter.allowed.begin(), parameter.allowed.end(), text) == parameter.allowed.end()) {
    return WrongType(parameter, text, OneOf(parameter.allowed));
  }
  if (parameter.is_pattern) LOGQUERY_RETURN_IF_ERROR(CheckPattern(parameter, text));
  return ParseByType(parameter, text);
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
