// Parses a text from left to right; each field has a minimum and a maximum number of digits.
#include "lib/model/time_text.h"

#include <cctype>
#include <limits>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/time/civil_time.h"
#include "lib/base/big_integer.h"
#include "lib/base/strings.h"
#include "lib/model/big_numeric.h"
#include "lib/model/calendar_range.h"
#include "lib/model/decimal_text.h"
#include "lib/model/time_zone.h"

namespace logquery::model {
namespace {

constexpr int64_t kMicrosPerSecond = 1'000'000;

// Reads a text from left to right.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}
  bool done() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }
  bool Take(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Reads between `least` and `most` digits; -1: there are fewer.
  int64_t Digits(size_t least, size_t most) {
    int64_t value = 0;
    size_t n = 0;
    while (n < most && n < rest_.size() && std::isdigit(static_cast<unsigned char>(rest_[n]))) {
      value = value * 10 + (rest_[n++] - '0');
    }
    if (n < least) return -1;
    rest_.remove_prefix(n);
    return value;
  }
  // `.` and up to nine digits, as microseconds; 0 without.
  std::optional<int64_t> Fraction() {
    if (!Take('.')) return 0;
    int64_t micros = 0;
    size_t n = 0;
    for (; n < rest_.size() && std::isdigit(static_cast<unsigned char>(rest_[n])); ++n) {
      if (n < 6) micros = micros * 10 + (rest_[n] - '0');
    }
    if (n > 9) return std::nullopt;
    for (size_t i = n; i < 6; ++i) micros *= 10;
    rest_.remove_prefix(n);
    return micros;
  }

 private:
  std::string_view rest_;
};

std::optional<absl::CivilDay> ReadDate(Reader& reader) {
  int64_t year = reader.Digits(4, 5);
  if (year < 1 || year > 9999 || !reader.Take('-')) return std::nullopt;
  int64_t month = reader.Digits(1, 2);
  if (month < 1 || !reader.Take('-')) return std::nullopt;
  int64_t day = reader.Digits(1, 2);
  absl::CivilDay civil(year, month, day);
  if (day < 1 || civil.month() != month || civil.day() != day) return std::nullopt;
  return civil;
}

std::optional<int64_t> ReadTime(Reader& reader) {
  int64_t hour = reader.Digits(1, 2);
  if (hour < 0 || hour > 23 || !reader.Take(':')) return std::nullopt;
  int64_t minute = reader.Digits(1, 2);
  if (minute < 0 || minute > 59) return std::nullopt;
  int64_t second = 0;
  if (reader.Take(':')) {
    second = reader.Digits(1, 2);
    if (second < 0 || second > 60) return std::nullopt;
  }
  std::optional<int64_t> micros = reader.Fraction();
  if (!micros) return std::nullopt;
  if (second == 60) micros = 0;  // a leap second, with all of it, is the beginning of the one after
  return ((hour * 60 + minute) * 60 + second) * kMicrosPerSecond + *micros;
}

bool TakeSeparator(Reader& reader) { return reader.Take('T') || reader.Take('t') || reader.Take(' '); }

int64_t DaysSinceEpoch(absl::CivilDay day) { return day - absl::CivilDay(1970, 1, 1); }

// Date with or without a time, in microseconds of no zone.
std::optional<int64_t> ReadDatetime(Reader& reader) {
  std::optional<absl::CivilDay> day = ReadDate(reader);
  if (!day) return std::nullopt;
  int64_t micros = DaysSinceEpoch(*day) * kDayMicros;
  Reader ahead = reader;
  if (TakeSeparator(ahead) && !ahead.done() && std::isdigit(static_cast<unsigned char>(ahead.rest()[0]))) {
    std::optional<int64_t> time = ReadTime(ahead);
    if (!time) return std::nullopt;
    micros += *time;
    reader = ahead;
  }
  return micros;
}

absl::Status NotA(const char* what, std::string_view text, const char* example) {
  return absl::InvalidArgumentError(
      absl::StrCat("\"", base::ToAbsl(text), "\" is not a ", what, "; write it as ", example));
}

absl::StatusOr<Value> OutOfRange(const Type& type, std::string_view text) {
  return absl::InvalidArgumentError(
      absl::StrCat(base::ToAbsl(text), " is out of the range of ", base::ToAbsl(TypeKindName(type.kind()))));
}

}  // namespace

absl::StatusOr<Value> ParseDateText(std::string_view text) {
  Reader reader(text);
  std::optional<absl::CivilDay> day = ReadDate(reader);
  if (!day || !reader.done()) return NotA("DATE", text, "2026-01-31");
  return Value::Date(DaysSinceEpoch(*day));
}

absl::StatusOr<Value> ParseTimeText(std::string_view text) {
  Reader reader(text);
  std::optional<int64_t> micros = ReadTime(reader);
  if (!micros || !reader.done()) return NotA("TIME", text, "08:30:00.5");
  return Value::Time(*micros % kDayMicros);
}

absl::StatusOr<Value> ParseDatetimeText(std::string_view text) {
  Reader reader(text);
  std::optional<int64_t> micros = ReadDatetime(reader);
  if (!micros || !reader.done()) return NotA("DATETIME", text, "2026-01-31 08:30:00");
  return Value::Datetime(*micros);
}

absl::StatusOr<Value> ParseTimestampText(std::string_view text, std::string_view zone) {
  Reader reader(text);
  std::optional<int64_t> micros = ReadDatetime(reader);
  if (!micros) return NotA("TIMESTAMP", text, "2026-01-31 08:30:00+00");
  std::string_view zone_text = base::ToStd(absl::StripLeadingAsciiWhitespace(base::ToAbsl(reader.rest())));
  if (zone_text.empty()) zone_text = zone;
  absl::StatusOr<absl::TimeZone> found = FindTimeZone(zone_text);
  if (!found.ok()) return found.status();
  const int64_t moment = MomentOfLocal(*micros, *found);
  // A zone may lead out of the years 0001 to 9999.
  if (!IsTimeInRange(moment)) return OutOfRange(Type::Timestamp(), text);
  return Value::TimestampMicros(moment);
}

namespace {

// [-+]digits, with a point among them or none, [e[-+]digits].
bool IsDecimalText(std::string_view text) {
  size_t i = 0, digits = 0, points = 0;
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
  for (; i < text.size() && (absl::ascii_isdigit(static_cast<unsigned char>(text[i])) || text[i] == '.'); ++i) {
    ++(text[i] == '.' ? points : digits);
  }
  if (digits == 0 || points > 1) return false;
  if (i == text.size()) return true;
  if (text[i] != 'e' && text[i] != 'E') return false;
  Reader reader(text.substr(i + 1));
  if (!reader.Take('-')) reader.Take('+');
  return reader.Digits(1, 4) >= 0 && reader.done();
}

}  // namespace

absl::StatusOr<Value> ParseDecimalText(const Type& type, std::string_view text) {
  const std::string trimmed(base::ToStd(absl::StripAsciiWhitespace(base::ToAbsl(text))));
  if (!IsDecimalText(trimmed)) return NotA(std::string(TypeKindName(type.kind())).c_str(), text, "-12.5");
  const auto bytes = model::ParseBigNumeric(trimmed, model::ExtraDigits::kRounded);
  if (!bytes.has_value()) return OutOfRange(type, text);
  if (type.is(TypeKind::kBigNumeric)) return Value::BigNumeric(model::BigNumericText(*bytes));
  // NUMERIC has 29 digits before the point and 9 after it.
  const base::BigInteger unit = base::BigInteger::PowerOfTen(model::kBigNumericScale - model::kNumericScale);
  const base::BigInteger units = RoundedQuotient(model::UnpackBigNumeric(*bytes), unit);
  if (units.Abs() >= base::BigInteger::PowerOfTen(38)) return OutOfRange(type, text);
  std::string digits;
  model::AppendBigNumeric(units * unit, digits);
  return Value::Numeric(digits);
}

}  // namespace logquery::model
