// Parses a text from left to right; every field has a fixed number of digits and a range.
#include "lib/store/rows/timestamp_text.h"

#include "absl/time/civil_time.h"

namespace logquery::store {
namespace {

constexpr int64_t kSecond = 1'000'000;
constexpr int64_t kDay = 86'400 * kSecond;

// Takes pieces off the front of a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool AtEnd() const { return text_.empty(); }
  bool Take(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  // Exactly `count` digits, with a value within [low, high].
  bool Digits(int count, int low, int high, int* out) {
    if (text_.size() < static_cast<size_t>(count)) return false;
    int value = 0;
    for (int i = 0; i < count; ++i) {
      if (text_[i] < '0' || text_[i] > '9') return false;
      value = value * 10 + (text_[i] - '0');
    }
    text_.remove_prefix(count);
    *out = value;
    return value >= low && value <= high;
  }
  bool Date(int64_t* days) {
    int year, month, day;
    if (!Digits(4, 1, 9999, &year) || !Take('-') || !Digits(2, 1, 12, &month) || !Take('-') ||
        !Digits(2, 1, 31, &day)) {
      return false;
    }
    const absl::CivilDay civil(year, month, day);
    *days = civil - absl::CivilDay();
    return civil.day() == day;
  }
  // `last_second`: 60, where a leap second may be.
  bool Time(int last_second, int64_t* micros) {
    int hour, minute, second = 0;
    int64_t fraction = 0;
    if (!Digits(2, 0, 23, &hour) || !Take(':') || !Digits(2, 0, 59, &minute)) return false;
    if (Take(':')) {
      if (!Digits(2, 0, last_second, &second)) return false;
      if ((Take('.') || Take(',')) && !Fraction(&fraction)) return false;
    }
    *micros = ((hour * 60 + minute) * int64_t{60} + second) * kSecond + fraction;
    return true;
  }
  // Reads a zone, which may come after a space, and sets the offset to subtract to get UTC.
  bool Offset(int64_t* micros) {
    *micros = 0;
    if (Take('Z') || Take('z')) return true;
    Take(' ');
    if (TakeUtc()) return true;
    const bool east = Take('+');
    if (!east && !Take('-')) return false;
    int hours, minutes = 0;
    if (!Digits(2, 0, 23, &hours)) return false;
    if (Take(':') || (!AtEnd() && text_.front() != ' ')) {
      if (!Digits(2, 0, 59, &minutes)) return false;
    }
    *micros = (east ? 1 : -1) * (hours * 60 + minutes) * int64_t{60} * kSecond;
    // Go writes "+0000 UTC".
    return AtEnd() || (*micros == 0 && Take(' ') && TakeUtc());
  }

 private:
  bool TakeUtc() {
    if (text_ != "UTC" && text_ != "GMT") return false;
    text_.remove_prefix(text_.size());
    return true;
  }
  bool Fraction(int64_t* micros) {
    int digits = 0;
    for (; !text_.empty() && text_.front() >= '0' && text_.front() <= '9'; text_.remove_prefix(1)) {
      if (++digits <= 6) *micros = *micros * 10 + (text_.front() - '0');
    }
    for (int i = digits; i < 6; ++i) *micros *= 10;
    return digits >= 1 && digits <= 9;
  }

  std::string_view text_;
};

std::optional<int64_t> ParseInstant(std::string_view text, bool offset_allowed) {
  Scanner scanner(text);
  int64_t days;
  if (!scanner.Date(&days)) return std::nullopt;
  if (scanner.AtEnd()) return days * kDay;
  int64_t time;
  int64_t offset = 0;
  if (!scanner.Take('T') && !scanner.Take(' ') && !scanner.Take('t')) return std::nullopt;
  if (!scanner.Time(60, &time)) return std::nullopt;
  if (!scanner.AtEnd() && !(offset_allowed && scanner.Offset(&offset))) return std::nullopt;
  if (!scanner.AtEnd()) return std::nullopt;
  return days * kDay + time - offset;
}

}  // namespace

std::optional<int64_t> ParseTimestamp(std::string_view text) { return ParseInstant(text, true); }

std::optional<int64_t> ParseDatetime(std::string_view text) { return ParseInstant(text, false); }

std::optional<int64_t> ParseDate(std::string_view text) {
  Scanner scanner(text);
  int64_t days;
  if (!scanner.Date(&days) || !scanner.AtEnd()) return std::nullopt;
  return days;
}

std::optional<int64_t> ParseTime(std::string_view text) {
  Scanner scanner(text);
  int64_t micros;
  if (!scanner.Time(59, &micros) || !scanner.AtEnd()) return std::nullopt;
  return micros;
}

}  // namespace logquery::store
