// Converts digits with 128-bit integers.
#include "lib/model/decimal_text.h"

#include <algorithm>
#include <cstddef>

#include "absl/numeric/int128.h"
#include "absl/strings/ascii.h"

namespace logquery::model {

void AppendDecimal(Int128 number, int scale, std::string& out) {
  const bool negative = number.upper < 0;
  absl::uint128 rest = absl::MakeUint128(static_cast<uint64_t>(number.upper), number.lower);
  if (negative) rest = ~rest + 1;
  // The digits from the last one on, with at least one before the point.
  std::string reversed;
  for (int place = 0; rest != 0 || place <= scale; ++place) {
    const char digit = static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
    if (place < scale && digit == '0' && reversed.empty()) continue;
    if (place == scale && !reversed.empty()) reversed += '.';
    reversed += digit;
  }
  if (negative) out += '-';
  out.append(reversed.rbegin(), reversed.rend());
}

std::optional<Int128> ParseDecimal(std::string_view digits, int scale) {
  const bool negative = !digits.empty() && digits.front() == '-';
  if (negative || (!digits.empty() && digits.front() == '+')) digits.remove_prefix(1);
  const size_t point = std::min(digits.find('.'), digits.size());
  const std::string_view fraction = point < digits.size() ? digits.substr(point + 1) : std::string_view();
  if (point + fraction.size() == 0 || fraction.size() > static_cast<size_t>(scale)) return std::nullopt;

  constexpr absl::uint128 kLargest = absl::Uint128Max() >> 1;
  absl::uint128 number = 0;
  const auto push = [&](char c) {
    if (!absl::ascii_isdigit(static_cast<unsigned char>(c)) || number > (kLargest - (c - '0')) / 10) return false;
    number = number * 10 + (c - '0');
    return true;
  };
  if (!std::all_of(digits.begin(), digits.begin() + point, push)) return std::nullopt;
  if (!std::all_of(fraction.begin(), fraction.end(), push)) return std::nullopt;
  for (size_t i = fraction.size(); i < static_cast<size_t>(scale); ++i) {
    if (!push('0')) return std::nullopt;
  }
  if (negative) number = ~number + 1;
  return Int128{absl::Uint128Low64(number), static_cast<int64_t>(absl::Uint128High64(number))};
}

}  // namespace logquery::model
