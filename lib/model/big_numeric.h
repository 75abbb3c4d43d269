// BIGNUMERIC: its digits, and the 32 bytes that it is held as.
//
// The value times 10^38 is an integer of 256 bits in two's complement. The bytes are that, the most significant first, with the
// sign bit flipped: so they sort as the numbers do.
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

// 10^38: what the number 1 is held as.
const base::BigInteger& BigNumericOne();

// The bytes of `scaled` × 10^-38; nullopt: it is beyond 256 bits.
std::optional<std::string> PackBigNumeric(const base::BigInteger& scaled);
// The value times 10^38, of bytes that PackBigNumeric made.
base::BigInteger UnpackBigNumeric(std::string_view bytes);

// Appends the digits of scaled × 10^-38 without zeros at the end of the fraction: "-12.5", "0", "3".
void AppendBigNumeric(const base::BigInteger& scaled, std::string& out);
std::string BigNumericText(std::string_view bytes);

enum class ExtraDigits { kRefused, kRounded };

// The bytes of a number as text, [-+]d*[.d*][e[-+]d+]. nullopt: of another form, out of range, or more than 38 digits after the
// point that are not 0, unless these are to be rounded (half away from zero).
std::optional<std::string> ParseBigNumeric(std::string_view text, ExtraDigits extra);

}  // namespace logquery::model

#endif  // LOGQUERY_LIB_MODEL_BIG_NUMERIC_H_
