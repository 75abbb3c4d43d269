// ParseTimestamp: the forms of ISO 8601 that log consumers send.
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/time/civil_time.h"
#include "lib/base/quoted_text.h"
#include "lib/base/strings.h"
#include "logquery/parameter_binder.h"

namespace logquery {
namespace {

// Takes a text apart from its beginning.
class Scanner {
 public:
  explicit Scanner(std::string_view rest) : rest_(rest) {}

  bool AtEnd() const { return rest_.empty(); }

  // Exactly `count` digits.
  bool Digits(int count, int& number) {
    if (rest_.size() < static_cast<size_t>(count)) return false;
    number = 0;
    for (int i = 0; i < count; ++i) {
      if (!absl::ascii_isdigit(static_cast<unsigned char>(rest_[i]))) return false;
      number = number * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(count);
    return true;
  }

  // One of `characters`; 0 when there is none.
  char OneOf(std::string_view characters) {
    if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) return 0;
    const char found = rest_.front();
    rest_.remove_prefix(1);
    return found;
  }

  // 1 to 9 digits of a second's fraction, as microseconds; what is finer is cut off.
  bool Fraction(int& micros) {
    micros = 0;
    int digits = 0;
    for (int digit; Digits(1, digit); ++digits) {
      if (digits < 6) micros = micros * 10 + digit;
    }
    for (int i = digits; i < 6; ++i) micros *= 10;
    return digits >= 1 && digits <= 9;
  }

 private:
  std::string_view rest_;
};

struct Parts {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, micros = 0;
  int offset_minutes = 0;
};

bool ScanTime(Scanner& scanner, Parts& parts) {
  if (!scanner.Digits(2, parts.hour) || !scanner.OneOf(":") || !scanner.Digits(2, parts.minute)) return false;
  if (!scanner.OneOf(":")) return true;
  if (!scanner.Digits(2, parts.second)) return false;
  return !scanner.OneOf(".") || scanner.Fraction(parts.micros);
}

// Z, +HH:MM, +HHMM or +HH. A space stands for the + that a query string's decoding made of it.
bool ScanOffset(Scanner& scanner, Parts& parts) {
  if (scanner.OneOf("Zz")) return true;
  const char sign = scanner.OneOf("+- ");
  int hours = 0;
  int minutes = 0;
  if (sign == 0 || !scanner.Digits(2, hours)) return false;
  const bool colon = scanner.OneOf(":") != 0;
  if ((colon || !scanner.AtEnd()) && !scanner.Digits(2, minutes)) return false;
  if (hours > 23 || minutes > 59) return false;
  parts.offset_minutes = (sign == '-' ? -1 : 1) * (hours * 60 + minutes);
  return true;
}

std::optional<Parts> Scan(std::string_view text) {
  Scanner scanner(text);
  Parts parts;
  if (!scanner.Digits(4, parts.year) || !scanner.OneOf("-") || !scanner.Digits(2, parts.month) || !scanner.OneOf("-") ||
      !scanner.Digits(2, parts.day)) {
    return std::nullopt;
  }
  if (scanner.AtEnd()) return parts;
  if (!scanner.OneOf("Tt ") || !ScanTime(scanner, parts)) return std::nullopt;
  if (!scanner.AtEnd() && !ScanOffset(scanner, parts)) return std::nullopt;
  return scanner.AtEnd() ? std::optional(parts) : std::nullopt;
}

// Whether all parts are in range. A leap second is: RFC 3339 has it, and it counts as the second after.
bool Exists(const Parts& p) {
  const absl::CivilDay day(p.year, p.month, p.day);
  return p.year >= 1 && day.month() == p.month && day.day() == p.day && p.hour <= 23 && p.minute <= 59 &&
         p.second <= 60;
}

}  // namespace

absl::StatusOr<absl::Time> ParseTimestamp(std::string_view text) {
  const std::optional<Parts> parts = Scan(text);
  if (!parts.has_value()) {
    return absl::InvalidArgumentError(
        base::StrCat(base::QuotedText(text),
                     " is not a timestamp; wanted ISO 8601, such as 2026-01-31T08:00:00Z, "
                     "2026-01-31T08:00:00.123+02:00 or 2026-01-31"));
  }
  const Parts& p = *parts;
  if (!Exists(p)) {
    return absl::InvalidArgumentError(
        base::StrCat(base::QuotedText(text), " is not a timestamp: there is no such date or time"));
  }
  const absl::CivilSecond civil(p.year, p.month, p.day, p.hour, p.minute, p.second);
  const absl::Time time =
      absl::FromCivil(civil, absl::UTCTimeZone()) + absl::Microseconds(p.micros) - absl::Minutes(p.offset_minutes);
  const absl::CivilYear year = absl::ToCivilYear(time, absl::UTCTimeZone());
  if (year < absl::CivilYear(1) || year > absl::CivilYear(9999)) {
    return absl::InvalidArgumentError(
        base::StrCat(base::QuotedText(text), " is not a timestamp: in UTC it is outside the years 1 to 9999"));
  }
  return time;
}

}  // namespace logquery
