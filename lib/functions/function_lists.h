// The table of our functions: one list for each file in this folder, and all of them together.
#ifndef LOGQUERY_LIB_FUNCTIONS_FUNCTION_LISTS_H_
#define LOGQUERY_LIB_FUNCTIONS_FUNCTION_LISTS_H_

#include <string_view>

#include "absl/types/span.h"
#include "lib/functions/function.h"

namespace logquery::functions {

// All of the lists below.
absl::Span<const FunctionEntries> AllFunctions();

// Returns nullptr if there is no such function.
const FunctionEntry* FindFunction(std::string_view name);

FunctionEntries TextFunctions();
FunctionEntries TrimFunctions();
FunctionEntries BytesFunctions();
FunctionEntries InStrFunctions();
FunctionEntries LikeFunctions();
FunctionEntries BigNumericFunctions();
FunctionEntries BigNumericCasts();
FunctionEntries BigNumericAggregates();
FunctionEntries NumericFunctions();
FunctionEntries NumericCasts();
FunctionEntries NumericAggregates();
FunctionEntries BigNumericRanges();
FunctionEntries BigNumericPowers();
FunctionEntries RegexpFunctions();
FunctionEntries SearchFunctions();
FunctionEntries CodecFunctions();
FunctionEntries FormatFunctions();
FunctionEntries JsonQueryFunctions();
FunctionEntries JsonExtractFunctions();
FunctionEntries JsonEditFunctions();
FunctionEntries JsonObjectFunctions();
FunctionEntries EditDistanceFunctions();
FunctionEntries IntervalFunctions();
FunctionEntries NetFunctions();
FunctionEntries RedactFunctions();
FunctionEntries BoundsFunctions();
FunctionEntries HashFunctions();
FunctionEntries CastTimeFunctions();
FunctionEntries ReadTimeFunctions();
FunctionEntries ParseTimeFunctions();
FunctionEntries TimeRangeFunctions();
FunctionEntries TopSumFunctions();
FunctionEntries MakeTimeFunctions();
FunctionEntries SafeMathFunctions();
FunctionEntries ZoneFunctions();
FunctionEntries PercentileFunctions();
FunctionEntries TimeBucketFunctions();

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_FUNCTION_LISTS_H_
