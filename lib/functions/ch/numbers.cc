// Numbers: conversions of whole texts, arithmetic that wraps around, and rounding half to even.
#include "absl/strings/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/functions/ch/ch_lists.h"

namespace logquery::functions {
namespace {

using base::StrCat;

std::string Shown(std::string_view text) {
  constexpr size_t kLongest = 60;
  std::string shown;
  base::AppendValidUtf8(text.substr(0, kLongest), shown);
  return shown;
}

absl::Status IntOrNull(const Row& in, Output& out) {
  const std::optional<int64_t> value = ParseChInt(in.Text(0));
  if (!value || *value < in.Int(1) || *value > in.Int(2)) return absl::OkStatus();
  return out.Int(*value);
}

absl::Status IntOfText(const Row& in, Output& out) {
  const std::optional<int64_t> value = ParseChInt(in.Text(0));
  return value ? out.Int(*value) : NoChInt(in.Text(0));
}

absl::Status FloatOrNull(const Row& in, Output& out) {
  const std::optional<double> value = ParseChFloat(in.Text(0));
  return value ? out.Float(*value) : absl::OkStatus();
}

absl::Status FloatOfText(const Row& in, Output& out) {
  const std::optional<double> value = ParseChFloat(in.Text(0));
  if (value) return out.Float(*value);
  return absl::InvalidArgumentError(
      StrCat("can't read a number in the text '", Shown(in.Text(0)), "'; toFloat64OrZero gives 0 for such texts"));
}

absl::Status FloatText(const Row& in, Output& out) { return out.Text(ChFloatText(in.Float(0))); }

uint64_t Bits(int64_t value) { return static_cast<uint64_t>(value); }

absl::Status Add(const Row& in, Output& out) {
  return out.Int(static_cast<int64_t>(Bits(in.Int(0)) + Bits(in.Int(1))));
}
absl::Status Subtract(const Row& in, Output& out) {
  return out.Int(static_cast<int64_t>(Bits(in.Int(0)) - Bits(in.Int(1))));
}
absl::Status Multiply(const Row& in, Output& out) {
  return out.Int(static_cast<int64_t>(Bits(in.Int(0)) * Bits(in.Int(1))));
}

// Keeps the lowest bits: of a signed integer where their number is negative.
int64_t Wrapped(uint64_t value, int64_t bits) {
  const int64_t count = bits < 0 ? -bits : bits;
  if (count < 1 || count > 63) return static_cast<int64_t>(value);
  const uint64_t low = value & ((uint64_t{1} << count) - 1);
  const bool negative = bits < 0 && (low >> (count - 1)) != 0;
  return static_cast<int64_t>(low) - (negative ? int64_t{1} << count : 0);
}

absl::Status Wrap(const Row& in, Output& out) { return out.Int(Wrapped(Bits(in.Int(0)), in.Int(1))); }

absl::Status Truncate(const Row& in, Output& out) {
  constexpr double kLimit = 9223372036854775808.0;
  const double value = std::trunc(in.Float(0));
  if (!(value >= -kLimit && value < kLimit)) {
    return absl::OutOfRangeError(StrCat("the number ", ChFloatText(in.Float(0)), " is no 64-bit integer"));
  }
  return out.Int(static_cast<int64_t>(value));
}

absl::Status Round(const Row& in, Output& out) {
  const double value = in.Float(0);
  const int64_t digits = in.Int(1);
  if (!std::isfinite(value) || digits > 15) return out.Float(value);
  if (digits < -308) return out.Float(0);
  const double scale = std::pow(10.0, static_cast<double>(digits < 0 ? -digits : digits));
  const double scaled = digits < 0 ? value / scale : value * scale;
  if (!std::isfinite(scaled)) return out.Float(value);
  const double rounded = std::nearbyint(scaled);
  return out.Float(digits < 0 ? rounded * scale : rounded / scale);
}

// The rest of two integers of 32 or 64 bits that are read without a sign.
absl::Status UnsignedMod(const Row& in, Output& out) {
  const bool is_wide = in.Int(2) == 64;
  const uint64_t value = is_wide ? Bits(in.Int(0)) : static_cast<uint32_t>(in.Int(0));
  const uint64_t divisor = is_wide ? Bits(in.Int(1)) : static_cast<uint32_t>(in.Int(1));
  if (divisor == 0) return absl::OutOfRangeError(StrCat("division by zero: ", in.Int(0), " % 0"));
  const uint64_t rest = value % divisor;
  if (rest > INT64_MAX) return absl::OutOfRangeError(StrCat("the rest ", rest, " does not fit into INT64"));
  return out.Int(static_cast<int64_t>(rest));
}

// Decimal digits that every value of a type with so many bits has room for.
int64_t DigitsOf(int64_t bits) {
  const int64_t count = bits < 0 ? -bits - 1 : bits;
  return std::min<int64_t>(count * 301 / 1000, 18);
}

absl::Status RoundUInt64(uint64_t value, std::string_view how, uint64_t scale, Output& out) {
  if (how == "ROUND") value += scale / 2;
  if (how == "CEIL") value += scale - 1;
  const uint64_t rounded = value / scale * scale;
  if (rounded > INT64_MAX) return absl::OutOfRangeError(StrCat("the UInt64 ", rounded, " does not fit into INT64"));
  return out.Int(static_cast<int64_t>(rounded));
}

// Rounds to places before the point: half away from zero, or as FLOOR, CEIL and TRUNC do. Each step is computed in the integer's
// type, and wraps around in it; where the type can't hold the scale, the result is 0.
absl::Status RoundInt(const Row& in, Output& out) {
  const std::string_view how = in.Text(2);
  const int64_t bits = in.Int(3);
  int64_t value = in.Int(0);
  if (in.Int(1) >= 0) return out.Int(value);
  if (in.Int(1) < -DigitsOf(bits)) return out.Int(0);
  int64_t scale = 1;
  for (int64_t i = in.Int(1); i < 0; ++i) scale *= 10;
  if (bits == 64) return RoundUInt64(Bits(value), how, Bits(scale), out);
  const auto moved = [&](int64_t by) { return Wrapped(Bits(value) + Bits(by), bits); };
  if (how == "ROUND" && value < 0) value = moved(-scale);
  // In C++ a sum of narrow integers is an int; only assignments wrap around.
  if (how == "ROUND") value = std::abs(bits) < 32 ? value + scale / 2 : moved(scale / 2);
  if (how == "FLOOR" && value < 0) value = moved(1 - scale);
  if (how == "CEIL" && value >= 0) value = moved(scale - 1);
  return out.Int(Wrapped(Bits(value / scale * scale), bits));
}

// Computes as IEEE 754 says: infinite or NaN where GoogleSQL has errors.
template <double (*kFunction)(double)>
absl::Status OfOne(const Row& in, Output& out) {
  return out.Float(kFunction(in.Float(0)));
}
double Sqrt(double x) { return std::sqrt(x); }
double Exp(double x) { return std::exp(x); }
double Ln(double x) { return std::log(x); }
double Log10(double x) { return std::log10(x); }
absl::Status Pow(const Row& in, Output& out) { return out.Float(std::pow(in.Float(0), in.Float(1))); }

constexpr FunctionEntry kEntries[] = {
    {"lq_ch_sqrt", "(FLOAT64) -> FLOAT64", OfOne<Sqrt>, "$ch.sqrt"},
    {"lq_ch_exp", "(FLOAT64) -> FLOAT64", OfOne<Exp>, "$ch.exp"},
    {"lq_ch_ln", "(FLOAT64) -> FLOAT64", OfOne<Ln>, "$ch.ln"},
    {"lq_ch_log10", "(FLOAT64) -> FLOAT64", OfOne<Log10>, "$ch.log10"},
    {"lq_ch_pow", "(FLOAT64, FLOAT64) -> FLOAT64", Pow, "$ch.pow"},
    {"lq_ch_int_or_null", "(STRING, INT64, INT64) -> INT64", IntOrNull, "$ch.int_or_null"},
    {"lq_ch_int", "(STRING) -> INT64", IntOfText, "$ch.int"},
    {"lq_ch_float_or_null", "(STRING) -> FLOAT64", FloatOrNull, "$ch.float_or_null"},
    {"lq_ch_float", "(STRING) -> FLOAT64", FloatOfText, "$ch.float"},
    {"lq_ch_float_text", "(FLOAT64) -> STRING", FloatText, "$ch.float_text"},
    {"lq_ch_add", "(INT64, INT64) -> INT64", Add, "$ch.add"},
    {"lq_ch_subtract", "(INT64, INT64) -> INT64", Subtract, "$ch.subtract"},
    {"lq_ch_multiply", "(INT64, INT64) -> INT64", Multiply, "$ch.multiply"},
    {"lq_ch_wrap", "(INT64, INT64) -> INT64", Wrap, "$ch.wrap"},
    {"lq_ch_truncate", "(FLOAT64) -> INT64", Truncate, "$ch.truncate"},
    {"lq_ch_round", "(FLOAT64, INT64) -> FLOAT64", Round, "$ch.round"},
    {"lq_ch_round_int", "(INT64, INT64, STRING, INT64) -> INT64", RoundInt, "$ch.round_int"},
    {"lq_ch_unsigned_mod", "(INT64, INT64, INT64) -> INT64", UnsignedMod, "$ch.unsigned_mod"},
};

}  // namespace

std::optional<int64_t> ParseChInt(std::string_view text) {
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '-') return std::nullopt;
  }
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

absl::Status NoChInt(std::string_view text) {
  std::string_view digits = text;
  if (!digits.empty() && (digits.front() == '-' || digits.front() == '+')) digits.remove_prefix(1);
  if (!digits.empty() && std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    return absl::OutOfRangeError(
        StrCat("the integer '", Shown(text), "' does not fit into 64 bits with a sign, which is the largest type"));
  }
  return absl::InvalidArgumentError(
      StrCat("can't read an integer in the text '", Shown(text), "'; toInt32OrZero gives 0 for such texts"));
}

std::optional<double> ParseChFloat(std::string_view text) {
  if (text.empty()) return std::nullopt;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool allowed = absl::ascii_isdigit(byte) || c == '+' || c == '-' || c == '.' || absl::ascii_isalpha(byte);
    if (!allowed || c == 'x' || c == 'X') return std::nullopt;
  }
  double value = 0;
  if (!absl::SimpleAtod(base::ToAbsl(text), &value)) return std::nullopt;
  return value;
}

std::string ChFloatText(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  // The fewest digits that read as the value, with an exponent below 1e-6 and from 1e21 on.
  char digits[32];
  const double magnitude = std::fabs(value);
  const bool fixed = magnitude == 0 || (magnitude >= 1e-6 && magnitude < 1e21);
  const char* const end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific).ptr;
  std::string text(digits, static_cast<size_t>(end - digits));
  const size_t mark = text.find('e');
  const int exponent = std::atoi(text.c_str() + mark + 1);
  text.resize(mark);
  if (!fixed) return StrCat(text, "e", exponent);
  const std::string sign = text.front() == '-' ? "-" : "";
  text.erase(0, sign.size());
  if (text.size() > 1) text.erase(1, 1);  // the point
  const auto count = static_cast<int>(text.size());
  if (exponent < 0) return StrCat(sign, "0.", std::string(static_cast<size_t>(-exponent - 1), '0'), text);
  if (count <= exponent + 1) return StrCat(sign, text, std::string(static_cast<size_t>(exponent + 1 - count), '0'));
  const size_t point = static_cast<size_t>(exponent) + 1;
  return StrCat(sign, text.substr(0, point), ".", text.substr(point));
}

FunctionEntries ChNumberFunctions() { return kEntries; }

}  // namespace logquery::functions
