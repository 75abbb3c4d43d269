// Parses and prints decimal digits through BigInteger.
#include "lib/model/big_numeric.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include "absl/strings/ascii.h"

namespace logquery::model {
namespace {

using base::BigInteger;

// BIGNUMERIC has no more digits before the point.
constexpr int kMostWholeDigits = 39;

constexpr char kSignBit = static_cast<char>(0x80);

// 2^256
const BigInteger& Modulus() {
  static const BigInteger& modulus = *new BigInteger(BigInteger::PowerOfTwo(256));
  return modulus;
}

// Moves digits from the front of `text` to the end of `digits`.
void TakeDigits(std::string_view& text, std::string& digits) {
  size_t end = 0;
  while (end < text.size() && absl::ascii_isdigit(static_cast<unsigned char>(text[end]))) ++end;
  digits += text.substr(0, end);
  text.remove_prefix(end);
}

// A number as d × 10^exponent.
struct Decimal {
  bool negative = false;
  std::string digits;  // without zeros at the front
  int64_t exponent = 0;
};

// [e[-+]d+]; far from zero any exponent is as good as another.
bool TakeExponent(std::string_view text, int64_t& exponent) {
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  text.remove_prefix(1);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::string digits;
  TakeDigits(text, digits);
  if (digits.empty() || !text.empty()) return false;
  constexpr int64_t kFar = int64_t{1} << 40;
  int64_t written = kFar;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), written).ec != std::errc()) written = kFar;
  exponent += negative ? -std::min(written, kFar) : std::min(written, kFar);
  return true;
}

std::optional<Decimal> ReadDecimal(std::string_view text) {
  Decimal decimal;
  decimal.negative = text.starts_with('-');
  if (decimal.negative || text.starts_with('+')) text.remove_prefix(1);
  TakeDigits(text, decimal.digits);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const size_t whole = decimal.digits.size();
    TakeDigits(text, decimal.digits);
    decimal.exponent = -static_cast<int64_t>(decimal.digits.size() - whole);
  }
  if (decimal.digits.empty() || !TakeExponent(text, decimal.exponent)) return std::nullopt;
  decimal.digits.erase(0, std::min(decimal.digits.find_first_not_of('0'), decimal.digits.size()));
  return decimal;
}

}  // namespace

const BigInteger& BigNumericOne() {
  static const BigInteger& one = *new BigInteger(BigInteger::PowerOfTen(kBigNumericScale));
  return one;
}

std::optional<std::string> PackBigNumeric(const BigInteger& scaled) {
  // -2^255 is the one number of 256 bits that fits.
  const bool least = scaled.Sign() < 0 && scaled.Bits() == 256 && scaled == -BigInteger::PowerOfTwo(255);
  if (scaled.Bits() > 255 && !least) return std::nullopt;
  std::string bytes(kBigNumericBytes, '\0');
  (scaled.Sign() < 0 ? Modulus() + scaled : scaled).WriteBytes(bytes.data(), kBigNumericBytes);
  bytes[0] = static_cast<char>(bytes[0] ^ kSignBit);
  return bytes;
}

BigInteger UnpackBigNumeric(std::string_view bytes) {
  std::string flipped(bytes);
  const bool negative = (flipped[0] & kSignBit) == 0;
  flipped[0] = static_cast<char>(flipped[0] ^ kSignBit);
  BigInteger scaled = BigInteger::OfBytes(flipped);
  return negative ? scaled - Modulus() : scaled;
}

void AppendBigNumeric(const BigInteger& scaled, std::string& out) {
  constexpr auto kScale = static_cast<size_t>(kBigNumericScale);
  std::string digits = scaled.Digits();
  if (digits.size() <= kScale) digits.insert(0, kScale + 1 - digits.size(), '0');
  if (scaled.Sign() < 0) out += '-';
  const size_t whole = digits.size() - kScale;
  out.append(digits, 0, whole);
  const size_t last = digits.find_last_not_of('0');
  if (last == std::string::npos || last < whole) return;
  out += '.';
  out.append(digits, whole, last + 1 - whole);
}

std::string BigNumericText(std::string_view bytes) {
  std::string text;
  AppendBigNumeric(UnpackBigNumeric(bytes), text);
  return text;
}

std::optional<BigInteger> ParseScaled(std::string_view text, int scale, ExtraDigits extra) {
  std::optional<Decimal> decimal = ReadDecimal(text);
  if (!decimal.has_value()) return std::nullopt;
  if (decimal->digits.empty()) return BigInteger(0);
  // The number of digits that belong to the scaled integer.
  const int64_t kept = static_cast<int64_t>(decimal->digits.size()) + decimal->exponent + scale;
  if (kept > kMostWholeDigits + scale) return std::nullopt;
  bool up = false;
  if (kept < static_cast<int64_t>(decimal->digits.size())) {
    const auto end = static_cast<size_t>(std::max<int64_t>(kept, 0));
    const bool exact = decimal->digits.find_first_not_of('0', end) == std::string::npos;
    if (!exact && extra == ExtraDigits::kRefused) return std::nullopt;
    up = kept >= 0 && decimal->digits[end] >= '5';
    decimal->digits.resize(end);
  } else {
    decimal->digits.append(static_cast<size_t>(kept) - decimal->digits.size(), '0');
  }
  const BigInteger scaled = BigInteger::OfDigits(decimal->digits) + (up ? 1 : 0);
  return decimal->negative ? -scaled : scaled;
}

std::optional<std::string> ParseBigNumeric(std::string_view text, ExtraDigits extra) {
  const std::optional<BigInteger> scaled = ParseScaled(text, kBigNumericScale, extra);
  return scaled.has_value() ? PackBigNumeric(*scaled) : std::nullopt;
}

}  // namespace logquery::model
