// The common parts of the casts to NUMERIC and BIGNUMERIC: the forms of text that they accept, and the exact value of a
// FLOAT64.
#ifndef LOGQUERY_LIB_FUNCTIONS_NUMBER_TEXT_H_
#define LOGQUERY_LIB_FUNCTIONS_NUMBER_TEXT_H_

#include <string>
#include <string_view>

#include "lib/base/big_integer.h"

namespace logquery::functions {

// Returns the text without whitespace at its ends.
std::string_view Stripped(std::string_view text);

// Returns the number in the text that PARSE_NUMERIC and PARSE_BIGNUMERIC take, in the form of a literal: without spaces
// around the sign and commas among the digits, and with the sign in front. Empty: the text has two signs.
std::string ParsedNumber(std::string_view text);

// Returns number × one, rounded half away from zero. `number` must be finite.
base::BigInteger ScaledFloat(double number, const base::BigInteger& one);

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_NUMBER_TEXT_H_
