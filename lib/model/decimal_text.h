// NUMERIC between its digits and the integer that it is stored as.
#ifndef LOGQUERY_LIB_MODEL_DECIMAL_TEXT_H_
#define LOGQUERY_LIB_MODEL_DECIMAL_TEXT_H_

#include <optional>
#include <string>
#include <string_view>

#include "logquery/batch.h"

namespace logquery::model {

// Digits after the point of every NUMERIC.
inline constexpr int kNumericScale = 9;

// Appends `number` × 10^-scale exactly, without zeros at the end of the fraction: "-12.5", "0", "3".
void AppendDecimal(Int128 number, int scale, std::string& out);

// `digits` × 10^scale, where `digits` is of the form [-+]d*[.d*]; nullopt: of another form, more digits after the
// point than `scale`, or too large for 128 bits.
std::optional<Int128> ParseDecimal(std::string_view digits, int scale);

}  // namespace logquery::model

#endif  // LOGQUERY_LIB_MODEL_DECIMAL_TEXT_H_
