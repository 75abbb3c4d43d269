// Matches the longest element at each position of the format.
#include "lib/functions/cast_format.h"

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::functions {
namespace {

using base::StrCat;

struct Known {
  std::string_view name;
  FormatPart part;
  int digits;
};

// The longer of two that begin alike comes first.
constexpr Known kElements[] = {
    {"YYYY", FormatPart::kYear, 4},         {"YYY", FormatPart::kYear, 3},
    {"YY", FormatPart::kYear, 2},           {"Y", FormatPart::kYear, 1},
    {"RRRR", FormatPart::kRoundYear, 4},    {"RR", FormatPart::kRoundYear, 2},
    {"MONTH", FormatPart::kMonthName, 0},   {"MON", FormatPart::kMonthName, 3},
    {"MM", FormatPart::kMonth, 2},          {"MI", FormatPart::kMinute, 2},
    {"DAY", FormatPart::kDayName, 0},       {"DY", FormatPart::kDayName, 3},
    {"DDD", FormatPart::kDayOfYear, 3},     {"DD", FormatPart::kDay, 2},
    {"D", FormatPart::kDayOfWeek, 1},       {"HH24", FormatPart::kHour24, 2},
    {"HH12", FormatPart::kHour12, 2},       {"HH", FormatPart::kHour12, 2},
    {"A.M.", FormatPart::kMeridian, 4},     {"P.M.", FormatPart::kMeridian, 4},
    {"AM", FormatPart::kMeridian, 2},       {"PM", FormatPart::kMeridian, 2},
    {"SSSSS", FormatPart::kSecondOfDay, 5}, {"SS", FormatPart::kSecond, 2},
    {"TZH", FormatPart::kZoneHour, 2},      {"TZM", FormatPart::kZoneMinute, 2},
};

int KindOf(FormatPart part) {
  switch (part) {
    case FormatPart::kLiteral:
    case FormatPart::kSpace:
      return 0;
    case FormatPart::kYear:
    case FormatPart::kRoundYear:
    case FormatPart::kMonth:
    case FormatPart::kMonthName:
    case FormatPart::kDay:
    case FormatPart::kDayOfWeek:
    case FormatPart::kDayOfYear:
    case FormatPart::kDayName:
      return kDateParts;
    case FormatPart::kHour12:
    case FormatPart::kHour24:
    case FormatPart::kMeridian:
    case FormatPart::kMinute:
    case FormatPart::kSecond:
    case FormatPart::kSecondOfDay:
    case FormatPart::kFraction:
      return kTimeParts;
    case FormatPart::kZoneHour:
    case FormatPart::kZoneMinute:
      return kZoneParts;
  }
  return 0;
}

bool StartsWith(std::string_view text, std::string_view upper) {
  return base::EqualsIgnoreCase(text.substr(0, upper.size()), upper);
}

// "…" within the format; `at` goes behind it.
absl::StatusOr<std::string> QuotedLiteral(std::string_view format, size_t& at) {
  std::string literal;
  for (++at; at < format.size() && format[at] != '"'; ++at) {
    if (format[at] == '\\' && at + 1 < format.size()) ++at;
    literal += format[at];
  }
  if (at == format.size()) return absl::InvalidArgumentError("CAST: the format has a \" that is not closed");
  ++at;
  return literal;
}

bool IsSpace(char c) { return absl::ascii_isspace(static_cast<unsigned char>(c)); }

// The element that begins at `at`, which goes behind it.
absl::StatusOr<FormatElement> NextElement(std::string_view format, size_t& at) {
  constexpr std::string_view kLiterals = "-./,';:";
  const char first = format[at];
  FormatElement element;
  if (IsSpace(first)) {
    element.part = FormatPart::kSpace;
    while (at < format.size() && IsSpace(format[at])) element.text += format[at++];
    return element;
  }
  if (first == '"') {
    LOGQUERY_ASSIGN_OR_RETURN(element.text, QuotedLiteral(format, at));
    return element;
  }
  if (kLiterals.find(first) != std::string_view::npos) {
    element.text = format.substr(at++, 1);
    return element;
  }
  const std::string_view rest = format.substr(at);
  if (StartsWith(rest, "FF") && rest.size() > 2 && rest[2] >= '1' && rest[2] <= '9') {
    at += 3;
    return FormatElement{FormatPart::kFraction, std::string(rest.substr(0, 3)), rest[2] - '0'};
  }
  for (const Known& known : kElements) {
    if (!StartsWith(rest, known.name)) continue;
    at += known.name.size();
    return FormatElement{known.part, std::string(rest.substr(0, known.name.size())), known.digits};
  }
  return absl::InvalidArgumentError(
      StrCat("CAST: the format \"", format, "\" has no element at ", at + 1, ": ", rest.substr(0, 10)));
}

}  // namespace

int FormatKindsOf(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kDate:
      return kDateParts;
    case TypeKind::kTime:
      return kTimeParts;
    case TypeKind::kDatetime:
      return kDateParts | kTimeParts;
    case TypeKind::kTimestamp:
      return kDateParts | kTimeParts | kZoneParts;
    default:
      return 0;
  }
}

absl::StatusOr<std::vector<FormatElement>> ParseCastFormat(std::string_view format, int kinds) {
  std::vector<FormatElement> elements;
  for (size_t at = 0; at < format.size();) {
    LOGQUERY_ASSIGN_OR_RETURN(FormatElement element, NextElement(format, at));
    if (const int kind = KindOf(element.part); kind != 0 && (kinds & kind) == 0) {
      return absl::InvalidArgumentError(StrCat("CAST: the type has no ", element.text));
    }
    elements.push_back(std::move(element));
  }
  return elements;
}

}  // namespace logquery::functions
