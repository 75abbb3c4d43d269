// Times and texts: lenient parsing, the forms of answers, and formatDateTime.
#include <array>
#include <cstdio>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/time/civil_time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/functions/ch/ch_lists.h"
#include "lib/model/time_zone.h"

namespace logquery::functions {
namespace {

using base::StrCat;

// Reads digits from the front of a text.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  bool done() const { return at_ == text_.size(); }
  char Peek() const { return done() ? '\0' : text_[at_]; }
  bool Take(char c) {
    if (Peek() != c || done()) return false;
    ++at_;
    return true;
  }
  // Reads `least` to `most` digits; -1: there are fewer.
  int64_t Digits(int least, int most) {
    int64_t value = 0;
    int count = 0;
    while (count < most && absl::ascii_isdigit(static_cast<unsigned char>(Peek()))) {
      value = value * 10 + (text_[at_++] - '0');
      ++count;
    }
    return count < least ? -1 : value;
  }
  size_t at() const { return at_; }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

std::optional<int64_t> FractionMicros(Reader& reader) {
  if (!reader.Take('.')) return 0;
  int64_t micros = 0;
  int digits = 0;
  while (absl::ascii_isdigit(static_cast<unsigned char>(reader.Peek()))) {
    const int64_t digit = reader.Digits(1, 1);
    if (digits++ < 6) micros = micros * 10 + digit;
  }
  if (digits == 0) return std::nullopt;
  for (int i = digits; i < 6; ++i) micros *= 10;
  return micros;
}

// Z, +05:30, -0500, or nothing: then the time is one of `zone`. Returns seconds to subtract; nullopt: none is written.
bool ReadOffset(Reader& reader, std::optional<int64_t>& seconds) {
  reader.Take(' ');
  if (reader.done()) return true;
  if (reader.Take('Z') || reader.Take('z')) {
    seconds = 0;
    return reader.done();
  }
  if (reader.Take('U') && reader.Take('T') && reader.Take('C')) {
    seconds = 0;
    return reader.done();
  }
  const bool minus = reader.Peek() == '-';
  if (!reader.Take('-') && !reader.Take('+')) return false;
  const int64_t hours = reader.Digits(2, 2);
  reader.Take(':');
  const int64_t minutes = reader.done() ? 0 : reader.Digits(2, 2);
  if (hours < 0 || minutes < 0 || hours > 14 || minutes > 59) return false;
  seconds = (minus ? -1 : 1) * (hours * 3600 + minutes * 60);
  return reader.done();
}

std::string Shown(std::string_view text) {
  constexpr size_t kLongest = 60;
  std::string shown;
  base::AppendValidUtf8(text.substr(0, kLongest), shown);
  return shown;
}

absl::Status TimeOrNull(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const absl::TimeZone zone, model::FindTimeZone(in.Text(1)));
  const std::optional<int64_t> micros = ParseChTime(in.Text(0), zone);
  return micros ? out.Int(*micros) : absl::OkStatus();
}

absl::Status TimeOfText(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const absl::TimeZone zone, model::FindTimeZone(in.Text(1)));
  const std::optional<int64_t> micros = ParseChTime(in.Text(0), zone);
  if (micros) return out.Int(*micros);
  return absl::InvalidArgumentError(
      StrCat("can't read a time in the text '", Shown(in.Text(0)), "'; write 2026-03-04 05:06:07"));
}

std::string Padded(int64_t value, int digits) {
  char text[24];
  const int size = std::snprintf(text, sizeof text, "%0*lld", digits, static_cast<long long>(value));
  return {text, static_cast<size_t>(size)};
}

std::string OffsetText(int seconds) {
  const int magnitude = seconds < 0 ? -seconds : seconds;
  return StrCat(seconds < 0 ? "-" : "+", Padded(magnitude / 3600, 2), ":", Padded(magnitude / 60 % 60, 2));
}

int64_t FractionOf(int64_t micros) {
  const int64_t rest = micros % 1'000'000;
  return rest < 0 ? rest + 1'000'000 : rest;
}

// Appends the last `digits` decimal digits of a value that is not negative, after a character.
void AppendDigits(char before, int64_t value, int digits, std::string& text) {
  text += before;
  const size_t begin = text.size();
  text.resize(begin + static_cast<size_t>(digits));
  for (int i = digits; i > 0; --i, value /= 10) {
    text[begin + static_cast<size_t>(i) - 1] = static_cast<char>('0' + value % 10);
  }
}

// Runs for each time of an answer, and so without a call of printf.
void AppendClock(int64_t micros, const absl::TimeZone& zone, char separator, int64_t digits, std::string& text) {
  const absl::CivilSecond time = absl::ToCivilSecond(absl::FromUnixMicros(micros), zone);
  text += Padded(time.year(), 4);
  AppendDigits('-', time.month(), 2, text);
  AppendDigits('-', time.day(), 2, text);
  AppendDigits(separator, time.hour(), 2, text);
  AppendDigits(':', time.minute(), 2, text);
  AppendDigits(':', time.second(), 2, text);
  if (digits > 0) {
    AppendDigits('.', FractionOf(micros), 6, text);
    text.resize(text.size() - static_cast<size_t>(digits < 6 ? 6 - digits : 0));
  }
  for (int64_t i = 6; i < digits && i < 9; ++i) text += separator == ' ' ? "0" : "";
}

// The form of answers; the last argument says whether the type names the zone.
absl::Status AnswerText(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const absl::TimeZone zone, model::FindTimeZone(in.Text(2)));
  std::string text;
  AppendClock(in.Int(0), zone, 'T', in.Int(1), text);
  if (in.Bool(3)) {
    const int offset = zone.At(absl::FromUnixMicros(in.Int(0))).offset;
    text += in.Text(2) == "UTC" ? "Z" : OffsetText(offset);
  }
  return out.Text(text);
}

// The form of toString.
absl::Status PlainText(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const absl::TimeZone zone, model::FindTimeZone(in.Text(2)));
  std::string text;
  AppendClock(in.Int(0), zone, ' ', in.Int(1), text);
  return out.Text(text);
}

constexpr std::array<std::string_view, 12> kMonths = {"January",   "February", "March",    "April",
                                                      "May",       "June",     "July",     "August",
                                                      "September", "October",  "November", "December"};
constexpr std::array<std::string_view, 7> kDays = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                   "Friday", "Saturday", "Sunday"};

struct Moment {
  absl::CivilSecond time;
  absl::CivilDay day;
  int64_t micros = 0;
  int offset = 0;
};

absl::Status AppendElement(char element, const Moment& at, std::string& text) {
  const absl::CivilSecond& t = at.time;
  const auto weekday = static_cast<size_t>(absl::GetWeekday(at.day));
  const int hour12 = t.hour() % 12 == 0 ? 12 : t.hour() % 12;
  const std::string date = StrCat(Padded(t.year(), 4), "-", Padded(t.month(), 2), "-", Padded(t.day(), 2));
  switch (element) {
    case 'Y':
      text += Padded(t.year(), 4);
      break;
    case 'y':
      text += Padded(t.year() % 100, 2);
      break;
    case 'C':
      text += Padded(t.year() / 100, 2);
      break;
    case 'm':
      text += Padded(t.month(), 2);
      break;
    case 'c':
      text += StrCat(t.month());
      break;
    case 'd':
      text += Padded(t.day(), 2);
      break;
    case 'e':
      text += StrCat(t.day() < 10 ? " " : "", t.day());
      break;
    case 'j':
      text += Padded(absl::GetYearDay(at.day), 3);
      break;
    case 'H':
      text += Padded(t.hour(), 2);
      break;
    case 'k':
      text += StrCat(t.hour() < 10 ? " " : "", t.hour());
      break;
    case 'h':
    case 'I':
      text += Padded(hour12, 2);
      break;
    case 'l':
      text += StrCat(hour12 < 10 ? " " : "", hour12);
      break;
    case 'i':
      text += Padded(t.minute(), 2);
      break;
    case 'S':
    case 's':
      text += Padded(t.second(), 2);
      break;
    case 'f':
      text += Padded(at.micros, 6);
      break;
    case 'p':
      text += t.hour() < 12 ? "AM" : "PM";
      break;
    case 'M':
      text += kMonths[static_cast<size_t>(t.month() - 1)];
      break;
    case 'b':
      text += kMonths[static_cast<size_t>(t.month() - 1)].substr(0, 3);
      break;
    case 'a':
      text += kDays[weekday].substr(0, 3);
      break;
    case 'W':
      text += kDays[weekday];
      break;
    case 'u':
      text += StrCat(weekday + 1);
      break;
    case 'w':
      text += StrCat((weekday + 1) % 7);
      break;
    case 'V': {
      const absl::CivilDay thursday = at.day + (3 - static_cast<int>(weekday));
      text += Padded((absl::GetYearDay(thursday) - 1) / 7 + 1, 2);
      break;
    }
    case 'Q':
      text += StrCat((t.month() - 1) / 3 + 1);
      break;
    case 'F':
      text += date;
      break;
    case 'D':
      text += StrCat(Padded(t.month(), 2), "/", Padded(t.day(), 2), "/", Padded(t.year() % 100, 2));
      break;
    case 'T':
      text += StrCat(Padded(t.hour(), 2), ":", Padded(t.minute(), 2), ":", Padded(t.second(), 2));
      break;
    case 'R':
      text += StrCat(Padded(t.hour(), 2), ":", Padded(t.minute(), 2));
      break;
    case 'r':
      text += StrCat(Padded(hour12, 2), ":", Padded(t.minute(), 2), " ", t.hour() < 12 ? "AM" : "PM");
      break;
    case 'z': {
      const std::string offset = OffsetText(at.offset);
      text += StrCat(offset.substr(0, 3), offset.substr(4));
      break;
    }
    case 'n':
      text += '\n';
      break;
    case 't':
      text += '\t';
      break;
    case '%':
      text += '%';
      break;
    default:
      return absl::InvalidArgumentError(StrCat("formatDateTime knows no %", std::string(1, element)));
  }
  return absl::OkStatus();
}

absl::Status Format(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const absl::TimeZone zone, model::FindTimeZone(in.Text(2)));
  const absl::Time time = absl::FromUnixMicros(in.Int(0));
  const absl::CivilSecond second = absl::ToCivilSecond(time, zone);
  const Moment at{second, absl::CivilDay(second), FractionOf(in.Int(0)), zone.At(time).offset};
  const std::string_view format = in.Text(1);
  std::string text;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      text += format[i];
      continue;
    }
    if (++i == format.size()) return absl::InvalidArgumentError("formatDateTime: the format ends after %");
    LOGQUERY_RETURN_IF_ERROR(AppendElement(format[i], at, text));
    LOGQUERY_RETURN_IF_ERROR(out.CheckBytes(text.size()));
  }
  return out.Text(text);
}

constexpr FunctionEntry kEntries[] = {
    {"lq_ch_time_or_null", "(STRING, STRING) -> TIMESTAMP", TimeOrNull, "$ch.time_or_null"},
    {"lq_ch_time", "(STRING, STRING) -> TIMESTAMP", TimeOfText, "$ch.time"},
    {"lq_ch_answer_text", "(TIMESTAMP, INT64, STRING, BOOL) -> STRING", AnswerText, "$ch.answer_text"},
    {"lq_ch_time_text", "(TIMESTAMP, INT64, STRING) -> STRING", PlainText, "$ch.time_text"},
    {"lq_ch_format_time", "(TIMESTAMP, STRING, STRING) -> STRING", Format, "$ch.format_time"},
};

}  // namespace

std::optional<int64_t> ParseChTime(std::string_view text, const absl::TimeZone& zone) {
  Reader reader(text);
  const int64_t year = reader.Digits(4, 10);
  if (year < 0) return std::nullopt;
  if (reader.done() && reader.at() >= 9) return year * 1'000'000;  // seconds since 1970
  if (reader.at() != 4 || !reader.Take('-')) return std::nullopt;
  const int64_t month = reader.Digits(1, 2);
  if (month < 1 || month > 12 || !reader.Take('-')) return std::nullopt;
  const int64_t day = reader.Digits(1, 2);
  const absl::CivilDay civil(year, static_cast<int>(month), static_cast<int>(day));
  if (day < 1 || civil.month() != month) return std::nullopt;
  int64_t hour = 0, minute = 0, second = 0, micros = 0;
  if (reader.Peek() == ' ' || reader.Peek() == 'T' || reader.Peek() == 't') {
    reader.Take(reader.Peek());
    hour = reader.Digits(1, 2);
    if (hour < 0 || !reader.Take(':')) return std::nullopt;
    minute = reader.Digits(2, 2);
    if (reader.Take(':')) {
      second = reader.Digits(2, 2);
      const std::optional<int64_t> fraction = FractionMicros(reader);
      if (!fraction) return std::nullopt;
      micros = *fraction;
    }
  }
  if (hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return std::nullopt;
  std::optional<int64_t> offset;
  if (!ReadOffset(reader, offset)) return std::nullopt;
  const absl::CivilSecond clock(year, static_cast<int>(month), static_cast<int>(day), static_cast<int>(hour),
                                static_cast<int>(minute), static_cast<int>(second));
  const absl::Time time = absl::FromCivil(clock, offset ? absl::UTCTimeZone() : zone);
  return absl::ToUnixMicros(time) - offset.value_or(0) * 1'000'000 + micros;
}

FunctionEntries ChTimeTextFunctions() { return kEntries; }

}  // namespace logquery::functions
