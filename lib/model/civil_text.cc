// Computes calendar dates with Howard Hinnant's civil_from_days, and appends digits without formatting libraries.
#include "lib/model/civil_text.h"

#include <charconv>
#include <cstddef>

namespace logquery::model {
namespace {

constexpr int64_t kMicrosPerSecond = 1'000'000;
constexpr int64_t kMicrosPerDay = 86'400 * kMicrosPerSecond;

// `number` with zeros before it up to `width` digits.
void AppendPadded(uint64_t number, int width, std::string& out) {
  char digits[20];
  const char* const end = std::to_chars(digits, digits + sizeof(digits), number).ptr;
  const int length = static_cast<int>(end - digits);
  if (length < width) out.append(static_cast<size_t>(width - length), '0');
  out.append(digits, static_cast<size_t>(end - digits));
}

// Appends no digits for whole seconds, 3 where they are enough, else 6.
void AppendFraction(int64_t micros, std::string& out) {
  if (micros == 0) return;
  out += '.';
  if (micros % 1000 == 0) {
    AppendPadded(static_cast<uint64_t>(micros / 1000), 3, out);
  } else {
    AppendPadded(static_cast<uint64_t>(micros), 6, out);
  }
}

uint64_t Magnitude(int64_t number) {
  return number < 0 ? ~static_cast<uint64_t>(number) + 1 : static_cast<uint64_t>(number);
}

}  // namespace

// Howard Hinnant's civil_from_days (http://howardhinnant.github.io/date_algorithms.html): eras of 400 years from March.
void AppendDate(int64_t days, std::string& out) {
  const int64_t shifted = days + 719'468;
  const int64_t era = (shifted >= 0 ? shifted : shifted - 146'096) / 146'097;
  const int64_t day_of_era = shifted - era * 146'097;
  const int64_t year_of_era = (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const int64_t day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
  const int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  const int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  if (year < 0) out += '-';
  AppendPadded(Magnitude(year), 4, out);
  out += '-';
  AppendPadded(static_cast<uint64_t>(month), 2, out);
  out += '-';
  AppendPadded(static_cast<uint64_t>(day), 2, out);
}

void AppendTime(int64_t micros, std::string& out) {
  const auto seconds = static_cast<uint64_t>(micros / kMicrosPerSecond);
  AppendPadded(seconds / 3600, 2, out);
  out += ':';
  AppendPadded(seconds / 60 % 60, 2, out);
  out += ':';
  AppendPadded(seconds % 60, 2, out);
  AppendFraction(micros % kMicrosPerSecond, out);
}

void AppendDatetime(int64_t micros, char separator, std::string& out) {
  int64_t days = micros / kMicrosPerDay;
  int64_t time = micros % kMicrosPerDay;
  if (time < 0) {
    --days;
    time += kMicrosPerDay;
  }
  AppendDate(days, out);
  out += separator;
  AppendTime(time, out);
}

void AppendInterval(const Interval& interval, std::string& out) {
  const uint64_t months = Magnitude(interval.months);
  const uint64_t micros = Magnitude(interval.micros);
  const uint64_t seconds = micros / kMicrosPerSecond;
  if (interval.months < 0) out += '-';
  AppendPadded(months / 12, 1, out);
  out += '-';
  AppendPadded(months % 12, 1, out);
  out += interval.days < 0 ? " -" : " ";
  AppendPadded(Magnitude(interval.days), 1, out);
  out += interval.micros < 0 ? " -" : " ";
  AppendPadded(seconds / 3600, 1, out);
  out += ':';
  AppendPadded(seconds / 60 % 60, 1, out);
  out += ':';
  AppendPadded(seconds % 60, 1, out);
  AppendFraction(static_cast<int64_t>(micros % kMicrosPerSecond), out);
}

}  // namespace logquery::model
