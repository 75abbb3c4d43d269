// Reads the texts that PARSE_NUMERIC takes, and the mantissa and exponent of a FLOAT64.
#include "lib/functions/number_text.h"

#include <cmath>
#include <cstdint>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"

namespace logquery::functions {

using base::BigInteger;

std::string_view Stripped(std::string_view text) {
  const absl::string_view stripped = absl::StripAsciiWhitespace(base::ToAbsl(text));
  return {stripped.data(), stripped.size()};
}

std::string ParsedNumber(std::string_view text) {
  std::string_view rest = Stripped(text);
  const auto is_sign = [](char c) { return c == '-' || c == '+'; };
  std::string number;
  if (!rest.empty() && is_sign(rest.front())) {
    number = rest.front();
    rest.remove_prefix(1);
  } else if (!rest.empty() && is_sign(rest.back())) {
    number = rest.back();
    rest.remove_suffix(1);
  }
  rest = Stripped(rest);
  if (!rest.empty() && is_sign(rest.front())) return "";
  for (const char c : rest) {
    if (c != ',') number += c;
  }
  return number;
}

BigInteger ScaledFloat(double number, const BigInteger& one) {
  int exponent = 0;
  constexpr int kMantissaBits = 53;
  const auto mantissa = static_cast<int64_t>(std::ldexp(std::frexp(number, &exponent), kMantissaBits));
  exponent -= kMantissaBits;
  const BigInteger scaled = one * mantissa;
  return exponent >= 0 ? scaled * BigInteger::PowerOfTwo(exponent)
                       : RoundedQuotient(scaled, BigInteger::PowerOfTwo(-exponent));
}

}  // namespace logquery::functions
