// Works on decimal digits as text, so that NUMERIC and BIGNUMERIC are formatted exactly.
#include "lib/functions/number_format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"

namespace logquery::functions {
namespace {

using base::StrCat;

bool IsUpper(char c) { return absl::ascii_isupper(static_cast<unsigned char>(c)); }

std::string_view SignOf(const Specifier& specifier, bool negative) {
  return negative ? "-" : specifier.plus ? "+" : specifier.space ? " " : "";
}

// Commas between groups of digits before the point.
std::string Grouped(std::string_view digits, size_t group) {
  const size_t whole = std::min(digits.find_first_not_of("0123456789abcdefABCDEF"), digits.size());
  std::string text;
  for (size_t i = 0; i < whole; ++i) {
    if (i > 0 && (whole - i) % group == 0) text += ',';
    text += digits[i];
  }
  return text.append(digits.substr(whole));
}

// A decimal's digits, and how many of them come before the point.
struct Decimal {
  bool negative = false;
  std::string digits;  // at least one; none needless at the front, but for a single 0
  int point = 0;       // may be below 0, or beyond the digits
};

Decimal Parse(std::string_view text) {
  Decimal decimal;
  decimal.negative = !text.empty() && text[0] == '-';
  if (decimal.negative) text.remove_prefix(1);
  const size_t point = std::min(text.find('.'), text.size());
  decimal.digits = StrCat(text.substr(0, point), text.substr(std::min(point + 1, text.size())));
  const size_t zeros = std::min(decimal.digits.find_first_not_of('0'), decimal.digits.size());
  decimal.digits.erase(0, zeros);
  decimal.point = static_cast<int>(point) - static_cast<int>(zeros);
  if (decimal.digits.empty()) decimal = {decimal.negative, "0", 1};
  return decimal;
}

// The first `count` digits, rounded half away from zero; zeros behind them where there are fewer.
void Round(Decimal& decimal, int count) {
  if (count < 0 || (count == 0 && decimal.digits[0] < '5')) {
    decimal.digits = "0";
    decimal.point = 1;
    return;
  }
  const auto size = static_cast<size_t>(count);
  if (decimal.digits.size() <= size) {
    decimal.digits.append(size - decimal.digits.size(), '0');
    return;
  }
  const bool up = decimal.digits[size] >= '5';
  decimal.digits.resize(size);
  if (!up) return;
  size_t i = size;
  while (i > 0 && decimal.digits[i - 1] == '9') decimal.digits[--i] = '0';
  if (i > 0) {
    ++decimal.digits[i - 1];
  } else {
    decimal.digits.insert(0, "1");
    ++decimal.point;
  }
}

// "12.50" with that many places.
std::string Fixed(Decimal decimal, int places) {
  Round(decimal, decimal.point + places);
  std::string digits = decimal.digits;
  if (decimal.point <= 0) digits.insert(0, static_cast<size_t>(int64_t{1} - decimal.point), '0');
  const int whole = std::max(decimal.point, 1);
  digits.resize(static_cast<size_t>(whole) + static_cast<size_t>(places), '0');
  if (places > 0) digits.insert(static_cast<size_t>(whole), ".");
  return digits;
}

// "1.25e+01", with the digits that Round left.
std::string Scientific(const Decimal& decimal, int places, char e) {
  Decimal rounded = decimal;
  Round(rounded, places + 1);
  rounded.digits.resize(static_cast<size_t>(places) + 1);
  const bool is_zero = rounded.digits.find_first_not_of('0') == std::string::npos;
  const int exponent = is_zero ? 0 : rounded.point - 1;
  std::string text(1, rounded.digits[0]);
  if (places > 0) text += StrCat(".", rounded.digits.substr(1));
  const int size = std::abs(exponent);
  return StrCat(text, std::string(1, e), exponent < 0 ? "-" : "+", size < 10 ? "0" : "", size);
}

void DropZeros(std::string& text) {
  const size_t e = std::min(text.find_first_of("eE"), text.size());
  if (std::find(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(e), '.') ==
      text.begin() + static_cast<std::ptrdiff_t>(e)) {
    return;
  }
  size_t end = e;
  while (text[end - 1] == '0') --end;
  if (text[end - 1] == '.') --end;
  text.erase(end, e - end);
}

// Formats as printf's %g does: significant digits, in scientific notation if the exponent is below -4 or exceeds them.
std::string General(const Decimal& decimal, int precision, bool keep_zeros, char e) {
  precision = std::max(precision, 1);
  Decimal rounded = decimal;
  Round(rounded, precision);
  const bool is_zero = rounded.digits.find_first_not_of('0') == std::string::npos;
  const int exponent = is_zero ? 0 : rounded.point - 1;
  std::string text = exponent < -4 || exponent >= precision ? Scientific(decimal, precision - 1, e)
                                                            : Fixed(decimal, precision - 1 - exponent);
  if (!keep_zeros) DropZeros(text);
  return text;
}

}  // namespace

std::string Spread(const Specifier& specifier, std::string_view text) {
  const int64_t missing = specifier.width.value_or(0) - base::CountCodePoints(text);
  if (missing <= 0) return std::string(text);
  const std::string spaces(static_cast<size_t>(missing), ' ');
  return specifier.left ? StrCat(text, spaces) : StrCat(spaces, text);
}

std::string FormattedNumber(const Specifier& specifier, std::string_view sign, std::string_view prefix,
                            std::string digits) {
  if (specifier.zero && !specifier.left) {
    const size_t used = sign.size() + prefix.size() + digits.size();
    const auto width = static_cast<size_t>(specifier.width.value_or(0));
    if (width > used) digits.insert(0, width - used, '0');
  }
  return Spread(specifier, StrCat(sign, prefix, digits));
}

std::string FormattedInteger(const Specifier& specifier, int64_t value) {
  const bool negative = value < 0;
  const uint64_t size = negative ? ~static_cast<uint64_t>(value) + 1 : static_cast<uint64_t>(value);
  const bool decimal = specifier.conversion == 'd' || specifier.conversion == 'i' || specifier.conversion == 'u';
  const int base = decimal ? 10 : specifier.conversion == 'o' ? 8 : 16;
  char buffer[32];
  std::string digits(buffer, std::to_chars(buffer, buffer + sizeof(buffer), size, base).ptr);
  if (specifier.conversion == 'X') digits = base::ToUpper(digits);
  const auto precision = static_cast<size_t>(specifier.precision.value_or(0));
  if (digits.size() < precision) digits.insert(0, precision - digits.size(), '0');
  if (specifier.grouped) digits = Grouped(digits, decimal ? 3 : 4);
  std::string_view prefix;
  if (specifier.alternate && size != 0 && !decimal) {
    prefix = base == 8 ? "0" : specifier.conversion == 'x' ? "0x" : "0X";
  }
  Specifier filled = specifier;
  filled.zero = filled.zero && !specifier.precision.has_value();
  return FormattedNumber(filled, SignOf(specifier, negative), prefix, std::move(digits));
}

std::string FormattedFloat(const Specifier& specifier, double value) {
  const bool upper = IsUpper(specifier.conversion);
  if (!std::isfinite(value)) {
    const bool negative = std::isinf(value) && value < 0;
    Specifier spread = specifier;
    spread.zero = false;
    std::string text = std::isnan(value) ? "nan" : "inf";
    return FormattedNumber(spread, SignOf(specifier, negative), "", upper ? base::ToUpper(text) : text);
  }
  const char format[] = {'%', '.', '*', specifier.conversion, '\0'};
  const char alternate[] = {'%', '#', '.', '*', specifier.conversion, '\0'};
  const char* const chosen = specifier.alternate ? alternate : format;
  const int precision = specifier.precision.value_or(6);
  const double size = std::abs(value);
  const int length = std::snprintf(nullptr, 0, chosen, precision, size);
  std::string digits(static_cast<size_t>(length) + 1, '\0');
  std::snprintf(digits.data(), digits.size(), chosen, precision, size);
  digits.resize(static_cast<size_t>(length));
  if (specifier.grouped) digits = Grouped(digits, 3);
  return FormattedNumber(specifier, SignOf(specifier, std::signbit(value)), "", std::move(digits));
}

std::string FormattedDecimal(const Specifier& specifier, std::string_view value) {
  const Decimal decimal = Parse(value);
  const int precision = specifier.precision.value_or(6);
  const char e = IsUpper(specifier.conversion) ? 'E' : 'e';
  std::string digits;
  switch (absl::ascii_tolower(static_cast<unsigned char>(specifier.conversion))) {
    case 'f':
      digits = Fixed(decimal, precision);
      break;
    case 'e':
      digits = Scientific(decimal, precision, e);
      break;
    default:
      digits = General(decimal, precision, specifier.alternate, e);
      break;
  }
  if (specifier.grouped) digits = Grouped(digits, 3);
  return FormattedNumber(specifier, SignOf(specifier, decimal.negative), "", std::move(digits));
}

}  // namespace logquery::functions
