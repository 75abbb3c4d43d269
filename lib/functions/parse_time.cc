// PARSE_DATE, PARSE_TIME, PARSE_DATETIME and PARSE_TIMESTAMP: parse text by a format of `%` elements, which may be any
// expression.
//
// Source: GoogleSQL's format elements for parsing. Whitespace in the format matches any amount in the text, including
// none; the text may begin and end with whitespace.
#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/functions/cast_format.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/functions/percent_format.h"
#include "lib/functions/time_fields.h"

namespace logquery::functions {
namespace {

using base::StrCat;

constexpr size_t kLongestShown = 60;

// An element that is a number of at most so many digits.
struct NumberElement {
  char letter;
  int digits;
  int64_t least, most;
  void (TimeFields::*set)(int64_t);
  bool may_begin_with_space = false;
};

constexpr NumberElement kNumbers[] = {
    {'y', 2, 0, 99, &TimeFields::SetYearOfCentury},
    {'Q', 1, 1, 4, &TimeFields::SetQuarter},
    {'m', 2, 1, 12, &TimeFields::SetMonth},
    {'d', 2, 1, 31, &TimeFields::SetDay},
    {'e', 2, 1, 31, &TimeFields::SetDay, true},
    {'j', 3, 1, 366, &TimeFields::SetDayOfYear},
    {'U', 2, 0, 53, &TimeFields::SetSundayWeek},
    {'W', 2, 0, 53, &TimeFields::SetMondayWeek},
    {'u', 1, 1, 7, &TimeFields::SetWeekday, true},
    {'w', 1, 0, 6, &TimeFields::SetWeekday, true},
    {'G', 5, 0, 99'999, &TimeFields::SetIsoYear},
    {'g', 2, 0, 99, &TimeFields::SetIsoYearOfCentury},
    {'V', 2, 1, 53, &TimeFields::SetIsoWeek},
    {'J', 3, 1, 371, &TimeFields::SetIsoDayOfYear},
    {'H', 2, 0, 23, &TimeFields::SetHour},
    {'k', 2, 0, 23, &TimeFields::SetHour, true},
    {'I', 2, 1, 12, &TimeFields::SetHour12, true},
    {'l', 2, 1, 12, &TimeFields::SetHour12, true},
    {'M', 2, 0, 59, &TimeFields::SetMinute},
    {'S', 2, 0, 60, &TimeFields::SetSecond},
    {'s', 12, -62'135'596'800, 253'402'300'799, &TimeFields::SetSinceEpoch},
};

// An element that is short for several.
struct CompositeElement {
  char letter;
  std::string_view format;
};

constexpr CompositeElement kComposites[] = {
    {'D', "%m/%d/%y"}, {'x', "%m/%d/%y"}, {'F', "%Y-%m-%d"},    {'T', "%H:%M:%S"},
    {'X', "%H:%M:%S"}, {'R', "%H:%M"},    {'r', "%I:%M:%S %p"}, {'c', "%a %b %e %H:%M:%S %Y"},
};

// The parsing function, and the format elements that it refuses because its result has no use for them.
struct Target {
  int parts;
  std::string_view function;
  std::string_view type;
  std::string_view refused;
};

constexpr Target kTargets[] = {
    {kDateParts, "PARSE_DATE", "DATE", "cHIklMPpRrSsTXZz"},
    {kTimeParts, "PARSE_TIME", "TIME", "AaBbhCcDdeFGgJjmQsUuVWwxYyZz"},
    {kDateParts | kTimeParts, "PARSE_DATETIME", "DATETIME", "Zz"},
    {kDateParts | kTimeParts | kZoneParts, "PARSE_TIMESTAMP", "TIMESTAMP", ""},
};

const Target& TargetOf(int64_t parts) {
  for (const Target& target : kTargets) {
    if (target.parts == parts) return target;
  }
  return kTargets[3];
}

constexpr std::string_view kWeekdays[] = {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};

bool IsSpace(char c) { return absl::ascii_isspace(static_cast<unsigned char>(c)); }
bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }

// One text, read by one format.
class TimeParser {
 public:
  TimeParser(const Target& target, std::string_view format, std::string_view text)
      : target_(target), format_(format), text_(text), rest_(text) {}

  absl::Status Parse() {
    SkipSpace();
    LOGQUERY_RETURN_IF_ERROR(ReadAll(format_));
    SkipSpace();
    return rest_.empty() ? absl::OkStatus() : Mismatch("the text goes on after the format's end");
  }

  absl::StatusOr<int64_t> ClockMicros() const {
    absl::StatusOr<int64_t> micros = fields_.ClockMicros();
    return micros.ok() ? micros : Wrong("", std::string(micros.status().message()));
  }

  // Returns the zone that the text names, "+05:30" or "Europe/Paris"; empty: none. The zone need not exist.
  std::string_view zone() const { return fields_.is_since_epoch() ? "UTC" : std::string_view(zone_); }

 private:
  static std::string Shown(std::string_view text) {
    std::string shown;
    base::AppendValidUtf8(text.substr(0, kLongestShown), shown);
    return StrCat("\"", shown, text.size() > kLongestShown ? "…\"" : "\"");
  }

  absl::Status Wrong(std::string_view what, std::string_view why) const {
    return absl::InvalidArgumentError(StrCat(target_.function, ": ", Shown(text_), what, ": ", why));
  }

  absl::Status Mismatch(std::string_view why) const {
    return Wrong(StrCat(" does not match the format ", Shown(format_)),
                 StrCat(why, ", at byte ", text_.size() - rest_.size() + 1));
  }

  absl::Status WrongFormat(std::string_view why) const {
    return absl::InvalidArgumentError(StrCat(target_.function, ": the format ", Shown(format_), " ", why));
  }

  void SkipSpace() {
    while (!rest_.empty() && IsSpace(rest_[0])) rest_.remove_prefix(1);
  }

  absl::Status ReadAll(std::string_view format) {
    while (!format.empty()) {
      if (IsSpace(format[0])) {
        SkipSpace();
        format.remove_prefix(1);
      } else if (format[0] != '%') {
        LOGQUERY_RETURN_IF_ERROR(Expect(format[0]));
        format.remove_prefix(1);
      } else {
        const size_t bytes = BytesOfPercentElement(format);
        if (bytes == 0) return WrongFormat("ends within an element; a percent sign is %%");
        const std::string_view element = format.substr(0, bytes);
        format.remove_prefix(bytes);
        LOGQUERY_RETURN_IF_ERROR(Read(element, !format.empty() && format[0] == '%'));
      }
    }
    return absl::OkStatus();
  }

  absl::Status Expect(char c) {
    if (rest_.empty() || rest_[0] != c) return Mismatch(StrCat("\"", std::string(1, c), "\" is missing"));
    rest_.remove_prefix(1);
    return absl::OkStatus();
  }

  // `next_is_element`: an element follows directly, so that years have no more than four digits.
  absl::Status Read(std::string_view element, bool next_is_element) {
    const char letter = element.back();
    if (target_.refused.find(letter) != std::string_view::npos) {
      return WrongFormat(StrCat("has ", element, ", which is not for a ", target_.type));
    }
    if (element.size() > 2 && (element[1] == 'E') && (letter == 'S' || element == "%E4Y")) {
      return letter == 'S' ? ReadSeconds(element) : ReadFourDigitYear();
    }
    if (element.size() > 3) return NoElement(element);
    switch (letter) {
      case '%':
        return Expect('%');
      case 'n':
      case 't':
        SkipSpace();
        return absl::OkStatus();
      case 'Y':
        return ReadNumber({'Y', next_is_element ? 4 : 5, 0, 10'000, &TimeFields::SetYear});
      case 'C':
        return ReadNumber({'C', next_is_element ? 2 : 3, 0, 100, &TimeFields::SetCentury});
      case 'B':
      case 'b':
      case 'h':
        return ReadName(kMonthNames, "the name of a month", &TimeFields::SetMonth);
      case 'A':
      case 'a':
        return ReadName(kWeekdays, "the name of a weekday", &TimeFields::SetWeekday);
      case 'P':
      case 'p':
        return ReadMeridian();
      case 'z':
        return ReadOffset(element == "%Ez");
      case 'Z':
        return ReadZone();
      default:
        return ReadFromTables(element);
    }
  }

  absl::Status NoElement(std::string_view element) const { return WrongFormat(StrCat("has no element ", element)); }

  absl::Status ReadFromTables(std::string_view element) {
    for (const CompositeElement& composite : kComposites) {
      if (composite.letter == element.back()) return ReadAll(composite.format);
    }
    for (const NumberElement& number : kNumbers) {
      if (number.letter == element.back()) return ReadNumber(number);
    }
    return NoElement(element);
  }

  // Reads up to `most` digits; nullopt: there are none.
  std::optional<int64_t> TakeDigits(int most) {
    int64_t value = 0;
    int digits = 0;
    for (; digits < most && !rest_.empty() && IsDigit(rest_[0]); ++digits) {
      value = value * 10 + (rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    return digits > 0 ? std::optional(value) : std::nullopt;
  }

  absl::Status ReadNumber(const NumberElement& element) {
    if (element.may_begin_with_space) SkipSpace();
    const std::string_view before = rest_;
    const bool negative = element.least < 0 && !rest_.empty() && rest_[0] == '-';
    if (negative) rest_.remove_prefix(1);
    const std::optional<int64_t> digits = TakeDigits(element.digits);
    const int64_t value = negative ? -digits.value_or(0) : digits.value_or(0);
    if (!digits || value < element.least || value > element.most) {
      rest_ = before;
      return Mismatch(
          StrCat("%", std::string(1, element.letter), " is a number from ", element.least, " to ", element.most));
    }
    (fields_.*element.set)(value);
    return absl::OkStatus();
  }

  absl::Status ReadFourDigitYear() {
    const std::string_view before = rest_;
    const std::optional<int64_t> year = TakeDigits(4);
    if (before.size() - rest_.size() < 4) {
      rest_ = before;
      return Mismatch("%E4Y is a year of four digits");
    }
    fields_.SetYear(*year);
    return absl::OkStatus();
  }

  // Reads %E*S, and %E3S with at most three digits after the point. Fractions of a microsecond are cut off.
  absl::Status ReadSeconds(std::string_view element) {
    const std::string_view count = element.substr(2, element.size() - 3);
    if (count != "*" && (count.size() != 1 || !IsDigit(count[0]) || count[0] > '6')) return NoElement(element);
    LOGQUERY_RETURN_IF_ERROR(ReadNumber({'S', 2, 0, 60, &TimeFields::SetSecond}));
    if (rest_.empty() || rest_[0] != '.' || count == "0") return absl::OkStatus();
    rest_.remove_prefix(1);
    const size_t most = count == "*" ? rest_.size() : static_cast<size_t>(count[0] - '0');
    size_t digits = 0;
    int64_t micros = 0;
    for (; digits < most && digits < rest_.size() && IsDigit(rest_[digits]); ++digits) {
      if (digits < 6) micros = micros * 10 + (rest_[digits] - '0');
    }
    if (digits == 0) return Mismatch("digits are missing behind the point");
    for (size_t i = digits; i < 6; ++i) micros *= 10;
    rest_.remove_prefix(digits);
    fields_.SetMicros(micros);
    return absl::OkStatus();
  }

  // A name of the list in full, or its first three letters, in any case.
  template <typename Names>
  absl::Status ReadName(const Names& names, std::string_view what, void (TimeFields::*set)(int64_t)) {
    SkipSpace();
    int64_t number = 0;
    for (const std::string_view name : names) {
      ++number;
      for (const size_t bytes : {name.size(), size_t{3}}) {
        if (!base::EqualsIgnoreCase(rest_.substr(0, bytes), name.substr(0, bytes))) continue;
        rest_.remove_prefix(bytes);
        (fields_.*set)(number);
        return absl::OkStatus();
      }
    }
    return Mismatch(StrCat(what, " is missing"));
  }

  absl::Status ReadMeridian() {
    const std::string_view word = rest_.substr(0, 2);
    const bool afternoon = base::EqualsIgnoreCase(word, "PM");
    if (!afternoon && !base::EqualsIgnoreCase(word, "AM")) return Mismatch("AM or PM is missing");
    rest_.remove_prefix(2);
    fields_.SetAfternoon(afternoon);
    return absl::OkStatus();
  }

  // +HHMM and +HH, and of %Ez +HH:MM and Z too.
  absl::Status ReadOffset(bool extended) {
    if (extended && !rest_.empty() && rest_[0] == 'Z') {
      rest_.remove_prefix(1);
      zone_ = "UTC";
      return absl::OkStatus();
    }
    const std::string_view before = rest_;
    const auto two_digits = [&](size_t at) {
      return at + 1 < rest_.size() && IsDigit(rest_[at]) && IsDigit(rest_[at + 1])
                 ? std::optional((rest_[at] - '0') * 10 + rest_[at + 1] - '0')
                 : std::nullopt;
    };
    const bool has_sign = !rest_.empty() && (rest_[0] == '+' || rest_[0] == '-');
    const std::optional<int> hours = has_sign ? two_digits(1) : std::nullopt;
    if (!hours)
      return Mismatch(extended ? "an offset such as +05:30 is missing" : "an offset such as +0530 is missing");
    const char sign = rest_[0];
    rest_.remove_prefix(3);
    const size_t colon = extended && !rest_.empty() && rest_[0] == ':' ? 1 : 0;
    const std::optional<int> minutes = two_digits(colon);
    if (minutes) rest_.remove_prefix(colon + 2);
    const int all = *hours * 60 + minutes.value_or(0);
    if (minutes.value_or(0) > 59 || all > 14 * 60) {
      rest_ = before;
      return Mismatch("an offset is at most 14:00");
    }
    zone_ = absl::StrFormat("%c%02d:%02d", sign, *hours, minutes.value_or(0));
    return absl::OkStatus();
  }

  absl::Status ReadZone() {
    size_t bytes = 0;
    while (bytes < rest_.size() && !IsSpace(rest_[bytes])) ++bytes;
    if (bytes == 0) return Mismatch("the name of a time zone is missing");
    zone_ = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return absl::OkStatus();
  }

  const Target& target_;
  const std::string_view format_, text_;
  std::string_view rest_;
  TimeFields fields_;
  std::string zone_;
};

// (the format, the text, what the result has) as a clock of the text's own zone shows it
absl::Status ParseClock(const Row& in, Output& out) {
  TimeParser parser(TargetOf(in.Int(2)), in.Text(0), in.Text(1));
  LOGQUERY_RETURN_IF_ERROR(parser.Parse());
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t micros, parser.ClockMicros());
  return out.Int(micros);
}

// (the format, the text, the zone where the text names none)
absl::Status ParseZone(const Row& in, Output& out) {
  TimeParser parser(TargetOf(kDateParts | kTimeParts | kZoneParts), in.Text(0), in.Text(1));
  LOGQUERY_RETURN_IF_ERROR(parser.Parse());
  return out.TextAsItIs(parser.zone().empty() ? in.Text(2) : parser.zone());
}

constexpr FunctionEntry kEntries[] = {
    {"lq_parse_clock", "(STRING, STRING, INT64) -> DATETIME", ParseClock},
    {"lq_parse_zone", "(STRING, STRING, STRING) -> STRING", ParseZone},
};

}  // namespace

FunctionEntries ParseTimeFunctions() { return kEntries; }

}  // namespace logquery::functions
