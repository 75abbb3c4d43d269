// GoogleSQL's functions as templates of ClickHouse's SQL.
#include "lib/tools/rewrite_sql/function_rows.h"

#include <algorithm>
#include <array>

#include "lib/base/strings.h"

namespace logquery::tools {
namespace {

constexpr std::string_view kCharacters =
    "ClickHouse's plain text functions count bytes; the …UTF8 ones count characters";

// White space by Unicode, which GoogleSQL's TRIM removes; ClickHouse's removes spaces only.
constexpr std::string_view kTrim = "ClickHouse's trim removes spaces only; the pattern removes all white space";

constexpr FunctionRow kRows[] = {
    {"STARTS_WITH", "ss", "startsWith(_1, _2)", "", ""},
    {"ENDS_WITH", "ss", "endsWith(_1, _2)", "", ""},
    {"UPPER", "s", "upperUTF8(_1)", "", kCharacters},
    {"LOWER", "s", "lowerUTF8(_1)", "", kCharacters},
    {"LENGTH", "s", "lengthUTF8(_1)", "", kCharacters},
    {"CHAR_LENGTH", "s", "lengthUTF8(_1)", "", kCharacters},
    {"CHARACTER_LENGTH", "s", "lengthUTF8(_1)", "", kCharacters},
    {"BYTE_LENGTH", "s", "length(_1)", "", ""},
    {"OCTET_LENGTH", "s", "length(_1)", "", ""},
    {"STRPOS", "ss", "positionUTF8(_1, _2)", "", kCharacters},
    {"REPLACE", "sss", "replaceAll(_1, _2, _3)", "", ""},
    {"REVERSE", "s", "reverseUTF8(_1)", "", kCharacters},
    {"TRIM", "s", "replaceRegexpAll(_1, '^[\\\\t-\\\\r\\\\x{85}\\\\p{Z}]+|[\\\\t-\\\\r\\\\x{85}\\\\p{Z}]+$', '')", "",
     kTrim},
    {"LTRIM", "s", "replaceRegexpOne(_1, '^[\\\\t-\\\\r\\\\x{85}\\\\p{Z}]+', '')", "", kTrim},
    {"RTRIM", "s", "replaceRegexpOne(_1, '[\\\\t-\\\\r\\\\x{85}\\\\p{Z}]+$', '')", "", kTrim},
    {"SAFE_DIVIDE", "nn", "_1 / nullIf(_2, 0)", "null",
     "SAFE_DIVIDE is NULL for a divisor of 0, as x / nullIf(y, 0) is"},
    {"IEEE_DIVIDE", "nn", "_1 / _2", "", ""},
    {"DIV", "ii", "intDiv(_1, _2)", "", ""},
    {"MOD", "ii", "_1 % _2", "", ""},
    {"ABS", "n", "abs(_1)", "", ""},
    {"FLOOR", "f", "floor(_1)", "", ""},
    {"CEIL", "f", "ceil(_1)", "", ""},
    {"CEILING", "f", "ceil(_1)", "", ""},
    {"EXP", "n", "exp(_1)", "", ""},
    {"SQRT", "n", "sqrt(_1)", "", "SQRT of a negative number is an error in BigQuery, and nan in ClickHouse"},
    {"LN", "n", "log(_1)", "",
     "LN of a number that is not positive is an error in BigQuery, and inf or nan in ClickHouse"},
    {"ARRAY_LENGTH", "a", "length(_1)", "", ""},
    {"ARRAY_TO_STRING", "as", "arrayStringConcat(_1, _2)", "", ""},
    {"ARRAY_REVERSE", "a", "arrayReverse(_1)", "", ""},
};

}  // namespace

const FunctionRow* FindFunctionRow(std::string_view name, size_t arguments) {
  const auto* const found = std::find_if(std::begin(kRows), std::end(kRows), [&](const FunctionRow& row) {
    return row.types.size() == arguments && base::EqualsIgnoreCase(row.name, name);
  });
  return found == std::end(kRows) ? nullptr : found;
}

}  // namespace logquery::tools
