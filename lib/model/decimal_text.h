// Converts NUMERIC between its digits and the integer in which it is stored.
#ifndef LOGQUERY_LIB_MODEL_DECIMAL_TEXT_H_
#define LOGQUERY_LIB_MODEL_DECIMAL_TEXT_H_

#include <optional>
#include <string>
#include <string_view>

#include "logquery/batch.h"

namespace logquery::model {

// The number of fractional digits of every NUMERIC.
inline constexpr int kNumericScale = 9;

// Appends `number` × 10^-scale exactly, without trailing zeros in the fraction: "-12.5", "0", "3".
void AppendDecimal(Int128 number, int scale, std::string& out);

// Returns `digits` × 10^scale. `digits` has the form [-+]d*[.d*]; nullopt: another form, more than `scale` fractional
// digits, or too large for 128 bits.
std::optional<Int128> ParseDecimal(std::string_view digits, int scale);

}  // namespace logquery::model

#endif  // LOGQUERY_LIB_MODEL_DECIMAL_TEXT_H_
