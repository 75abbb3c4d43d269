// BIGNUMERIC as digits, and as the 32 bytes in which it is stored.
//
// The value times 10^38 is an integer of 256 bits in two's complement. The bytes are that integer in big-endian order
// with the sign bit flipped, so that they sort like the numbers.
#ifndef LOGQUERY_LIB_MODEL_BIG_NUMERIC_H_
#define LOGQUERY_LIB_MODEL_BIG_NUMERIC_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "lib/base/big_integer.h"

namespace logquery::model {

inline constexpr int kBigNumericScale = 38;
inline constexpr size_t kBigNumericBytes = 32;

// 10^38, which represents the number 1.
const base::BigInteger& BigNumericOne();

// Returns the bytes of `scaled` × 10^-38; nullopt: it exceeds 256 bits.
std::optional<std::string> PackBigNumeric(const base::BigInteger& scaled);
// Returns the value times 10^38 from bytes that PackBigNumeric created.
base::BigInteger UnpackBigNumeric(std::string_view bytes);

// Appends the digits of scaled × 10^-38 without trailing zeros in the fraction: "-12.5", "0", "3".
void AppendBigNumeric(const base::BigInteger& scaled, std::string& out);
std::string BigNumericText(std::string_view bytes);

enum class ExtraDigits { kRefused, kRounded };

// Parses text of the form [-+]d*[.d*][e[-+]d+] and returns its bytes. nullopt: another form, out of range, or more than
// 38 significant fractional digits, unless these may be rounded (half away from zero).
std::optional<std::string> ParseBigNumeric(std::string_view text, ExtraDigits extra);

// Parses the same form, with any number of digits before the point that BIGNUMERIC has room for, and returns its value
// times 10^scale. nullopt: as above, with `scale` fractional digits.
std::optional<base::BigInteger> ParseScaled(std::string_view text, int scale, ExtraDigits extra);

}  // namespace logquery::model

#endif  // LOGQUERY_LIB_MODEL_BIG_NUMERIC_H_
