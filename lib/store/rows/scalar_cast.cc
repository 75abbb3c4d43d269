// One parser for each declared type; anything but an exact value is rejected.
#include "lib/store/rows/scalar_cast.h"

#include <charconv>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>

#include "absl/strings/escaping.h"
#include "lib/base/strings.h"
#include "lib/model/big_numeric.h"
#include "lib/model/decimal_text.h"
#include "lib/store/rows/timestamp_text.h"

namespace logquery::store {
namespace {

template <typename T>
bool ParseWhole(std::string_view text, T* out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc() && end == text.data() + text.size();
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// A JSON number with a point or an exponent that is an integer all the same.
bool ParseIntegral(std::string_view text, int64_t* out) {
  std::string digits;
  int64_t exponent = 0;
  size_t at = 0;
  if (text[at] == '-') digits += text[at++];
  bool after_point = false;
  for (; at < text.size() && (IsDigit(text[at]) || text[at] == '.'); ++at) {
    if (text[at] == '.') {
      after_point = true;
      continue;
    }
    digits += text[at];
    exponent -= after_point ? 1 : 0;
  }
  if (at < text.size()) {
    ++at;
    if (at < text.size() && text[at] == '+') ++at;
    int32_t written = 0;
    if (!ParseWhole(text.substr(at), &written)) return false;
    exponent += written;
  }
  while (!digits.empty() && digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  if (digits.empty() || digits == "-") {
    *out = 0;
    return true;
  }
  constexpr int64_t kMaxDigits = 19;
  if (exponent < 0 || exponent > kMaxDigits) return false;
  return ParseWhole(digits + std::string(exponent, '0'), out);
}

bool ParseInt64(const JsonScalar& json, int64_t* out) {
  std::string_view text = json.text;
  if (json.kind == JsonScalar::Kind::kString && text.size() > 1 && text[0] == '+' && IsDigit(text[1])) {
    text.remove_prefix(1);
  }
  if (ParseWhole(text, out)) return true;
  return json.kind == JsonScalar::Kind::kNumber && ParseIntegral(text, out);
}

bool IsInteger(std::string_view text) { return text.find_first_of(".eEnNiI") == std::string_view::npos; }

bool ParseFloat64(std::string_view text, double* out) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  if (!ParseWhole(text, out)) return false;
  constexpr size_t kAlwaysExact = 15;
  if (text.size() <= kAlwaysExact || !IsInteger(text)) return true;
  char exact[400];
  const int size = std::snprintf(exact, sizeof(exact), "%.0f", *out);
  return std::string_view(exact, size) == text;
}

bool ParseBool(const JsonScalar& json, bool* out) {
  if (json.kind == JsonScalar::Kind::kNumber) return false;
  *out = base::EqualsIgnoreCase(json.text, "true");
  return *out || base::EqualsIgnoreCase(json.text, "false");
}

bool ParseBigNumeric(std::string_view text, Arena& arena, std::string_view* out) {
  const std::optional<std::string> bytes = model::ParseBigNumeric(text, model::ExtraDigits::kRefused);
  if (bytes.has_value()) *out = arena.Copy(*bytes);
  return bytes.has_value();
}

bool ParseNumeric(std::string_view text, Int128* out) {
  const std::optional<Int128> number = model::ParseDecimal(text, model::kNumericScale);
  if (!number.has_value()) return false;
  // DuckDB's decimals end at 38 digits, below what 128 bits hold.
  __int128 limit = 1;
  for (int i = 0; i < 38; ++i) limit *= 10;
  const __int128 value = (static_cast<__int128>(number->upper) << 64) | number->lower;
  *out = *number;
  return value < limit && value > -limit;
}

bool FromUnit(int64_t number, TimestampUnit unit, int64_t* micros) {
  switch (unit) {
    case TimestampUnit::kSeconds:
      return !__builtin_mul_overflow(number, int64_t{1'000'000}, micros);
    case TimestampUnit::kMilliseconds:
      return !__builtin_mul_overflow(number, int64_t{1'000}, micros);
    case TimestampUnit::kMicroseconds:
      *micros = number;
      return true;
    case TimestampUnit::kNanoseconds:
      *micros = number / 1'000 - (number % 1'000 < 0 ? 1 : 0);
      return true;
    case TimestampUnit::kByMagnitude:
      break;
  }
  return false;
}

// A decimal number whose point is behind `whole`: 1.722E9 is 1722000000 and no fraction.
struct Decimal {
  bool negative = false;
  std::string whole;
  std::string fraction;
};

// nullopt: not a number, or one that is no time.
std::optional<Decimal> ReadDecimal(std::string_view text) {
  constexpr int kMaxShift = 30;
  Decimal decimal;
  size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  decimal.negative = at == 1 && text[0] == '-';
  const auto digits = [&](std::string& out) {
    while (at < text.size() && IsDigit(text[at])) out += text[at++];
  };
  digits(decimal.whole);
  if (at < text.size() && text[at] == '.') digits((++at, decimal.fraction));
  if (decimal.whole.empty()) return std::nullopt;
  int shift = 0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at + 1 < text.size() && text[at] == '+' && IsDigit(text[at + 1])) ++at;
    if (!ParseWhole(text.substr(at), &shift) || shift < -kMaxShift || shift > kMaxShift) return std::nullopt;
    at = text.size();
  }
  if (at != text.size()) return std::nullopt;
  for (; shift > 0; --shift) {
    decimal.whole += decimal.fraction.empty() ? '0' : decimal.fraction.front();
    if (!decimal.fraction.empty()) decimal.fraction.erase(0, 1);
  }
  for (; shift < 0 && !decimal.whole.empty(); ++shift) {
    decimal.fraction.insert(decimal.fraction.begin(), decimal.whole.back());
    decimal.whole.pop_back();
  }
  return shift == 0 ? std::optional(std::move(decimal)) : std::nullopt;
}

// The number of decimal places by which a unit's numbers differ from microseconds.
int PlacesOf(TimestampUnit unit) {
  switch (unit) {
    case TimestampUnit::kSeconds:
      return 6;
    case TimestampUnit::kMilliseconds:
      return 3;
    case TimestampUnit::kMicroseconds:
    case TimestampUnit::kByMagnitude:
      return 0;
    case TimestampUnit::kNanoseconds:
      return -3;
  }
  return 0;
}

// Fractions of a microsecond are dropped, so that a time is never later than it was.
bool InUnit(const Decimal& number, TimestampUnit unit, int64_t* micros) {
  const int places = PlacesOf(unit);
  std::string digits = number.whole;
  std::string dropped;
  for (int i = 0; i < places; ++i) {
    digits += static_cast<size_t>(i) < number.fraction.size() ? number.fraction[static_cast<size_t>(i)] : '0';
  }
  if (places >= 0 && number.fraction.size() > static_cast<size_t>(places)) dropped = number.fraction.substr(places);
  for (int i = places; i < 0 && !digits.empty(); ++i) {
    dropped += digits.back();
    digits.pop_back();
  }
  if (digits.empty()) digits = "0";
  if (!ParseWhole(digits, micros)) return false;
  const bool has_rest = dropped.find_first_not_of('0') != std::string::npos;
  if (number.negative) *micros = -*micros - (has_rest ? 1 : 0);
  return true;
}

// Converts a number in `unit`. `convert` does so for a unit other than kByMagnitude, and returns false if it can't.
template <typename Convert>
bool TimeInUnit(TimestampUnit unit, int64_t* micros, const Convert& convert) {
  // The range of the engine's calendar: years 1 to 9999.
  constexpr int64_t kFirst = -62'135'596'800'000'000;
  constexpr int64_t kEnd = 253'402'300'800'000'000;
  if (unit != TimestampUnit::kByMagnitude) return convert(unit) && *micros >= kFirst && *micros < kEnd;
  // The years 2000 to 2100 in the four units have no number in common.
  constexpr int64_t kFirstOfCentury = 946'684'800'000'000;
  constexpr int64_t kEndOfCentury = 4'133'980'800'000'000;
  for (const TimestampUnit likely : {TimestampUnit::kSeconds, TimestampUnit::kMilliseconds,
                                     TimestampUnit::kMicroseconds, TimestampUnit::kNanoseconds}) {
    if (convert(likely) && *micros >= kFirstOfCentury && *micros < kEndOfCentury) return true;
  }
  return false;
}

// A number, with or without quotes.
bool ParseTimeNumber(std::string_view text, TimestampUnit unit, int64_t* out) {
  int64_t whole;
  if (ParseWhole(text, &whole)) {
    return TimeInUnit(unit, out, [&](TimestampUnit of) { return FromUnit(whole, of, out); });
  }
  const std::optional<Decimal> number = ReadDecimal(text);
  return number.has_value() && TimeInUnit(unit, out, [&](TimestampUnit of) { return InUnit(*number, of, out); });
}

bool ParseTime(const JsonScalar& json, TypeKind kind, TimestampUnit unit, int64_t* out) {
  if (json.kind == JsonScalar::Kind::kBool) return false;
  if (json.kind == JsonScalar::Kind::kNumber) {
    return kind == TypeKind::kTimestamp && ParseTimeNumber(json.text, unit, out);
  }
  const std::optional<int64_t> time = kind == TypeKind::kTimestamp  ? ParseTimestamp(json.text)
                                      : kind == TypeKind::kDatetime ? ParseDatetime(json.text)
                                      : kind == TypeKind::kDate     ? ParseDate(json.text)
                                                                    : store::ParseTime(json.text);
  *out = time.value_or(0);
  return time.has_value() || (kind == TypeKind::kTimestamp && ParseTimeNumber(json.text, unit, out));
}

bool ParseBytes(const JsonScalar& json, Arena& arena, std::string_view* out) {
  std::string bytes;
  if (json.kind != JsonScalar::Kind::kString || !absl::Base64Unescape(base::ToAbsl(json.text), &bytes)) return false;
  *out = arena.Copy(bytes);
  return true;
}

}  // namespace

bool CastScalar(const JsonScalar& json, TypeKind kind, TimestampUnit unit, Arena& arena, ScalarValue* out) {
  const bool is_bool = json.kind == JsonScalar::Kind::kBool;
  switch (kind) {
    case TypeKind::kString:
      out->text = json.text;
      return true;
    case TypeKind::kBool:
      return ParseBool(json, &out->boolean);
    case TypeKind::kInt64:
      return !is_bool && ParseInt64(json, &out->integer);
    case TypeKind::kFloat64:
      return !is_bool && ParseFloat64(json.text, &out->number);
    case TypeKind::kNumeric:
      return !is_bool && ParseNumeric(json.text, &out->decimal);
    case TypeKind::kBigNumeric:
      return !is_bool && ParseBigNumeric(json.text, arena, &out->text);
    case TypeKind::kTimestamp:
    case TypeKind::kDatetime:
    case TypeKind::kDate:
    case TypeKind::kTime:
      return ParseTime(json, kind, unit, &out->integer);
    case TypeKind::kBytes:
      return ParseBytes(json, arena, &out->text);
    case TypeKind::kInterval:
    case TypeKind::kJson:
    case TypeKind::kArray:
    case TypeKind::kStruct:
      return false;
  }
  return false;
}

}  // namespace logquery::store
