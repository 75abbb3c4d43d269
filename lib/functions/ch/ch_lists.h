// Functions with the meaning of the second query language (ids `$ch.…` of the function table), and the parsing and
// calendar rules that its resolver shares with them.
#ifndef LOGQUERY_LIB_FUNCTIONS_CH_CH_LISTS_H_
#define LOGQUERY_LIB_FUNCTIONS_CH_CH_LISTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/functions/function.h"

namespace logquery::functions {

FunctionEntries ChNumberFunctions();
FunctionEntries ChTextFunctions();
FunctionEntries ChTimeFunctions();
FunctionEntries ChTimeTextFunctions();
FunctionEntries ChUrlFunctions();
FunctionEntries ChMapFunctions();
FunctionEntries ChJsonFunctions();

// Parses a whole number with an optional sign and nothing else around it; nullopt: another text, or beyond INT64.
std::optional<int64_t> ParseChInt(std::string_view text);
// The error of a text that ParseChInt does not parse: it is no integer, or has more than 64 bits.
absl::Status NoChInt(std::string_view text);
// Parses a FLOAT64, also `1e3`, `nan` and `inf`; nullopt: another text.
std::optional<double> ParseChFloat(std::string_view text);
// Returns the shortest text: `1` for 1.0, `nan`, `inf`.
std::string ChFloatText(double value);

// Returns the text in single quotes, with escapes, as it stands in the text of an array or a map.
std::string ChQuotedText(std::string_view text);

// Parses a time leniently: a date, with or without a time, a fraction and a zone; or seconds since 1970. Returns
// microseconds since 1970 in UTC; nullopt: another text.
std::optional<int64_t> ParseChTime(std::string_view text, const absl::TimeZone& zone);

enum class ChUnit { kMicrosecond, kMillisecond, kSecond, kMinute, kHour, kDay, kWeek, kMonth, kQuarter, kYear };
// Returns the unit of a name in any case, also in the plural or short (`mi`, `hh`); nullopt: there is none.
std::optional<ChUnit> FindChUnit(std::string_view name);

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_CH_CH_LISTS_H_
