// The table of our functions, and its lookup by name.
#include "lib/functions/function_lists.h"

#include <array>

#include "absl/container/flat_hash_map.h"
#include "lib/base/strings.h"
#include "lib/functions/ch/ch_lists.h"
#include "lib/functions/program_functions.h"

namespace logquery::functions {

absl::Span<const FunctionEntries> AllFunctions() {
  static const std::array lists = {
      TextFunctions(),         TrimFunctions(),         BytesFunctions(),      BigNumericFunctions(),
      BigNumericCasts(),       BigNumericAggregates(),  BigNumericRanges(),    BigNumericPowers(),
      RegexpFunctions(),       CodecFunctions(),        FormatFunctions(),     JsonQueryFunctions(),
      JsonEditFunctions(),     EditDistanceFunctions(), IntervalFunctions(),   NetFunctions(),
      BoundsFunctions(),       HashFunctions(),         CastTimeFunctions(),   ReadTimeFunctions(),
      ParseTimeFunctions(),    TimeRangeFunctions(),    RedactFunctions(),     TopSumFunctions(),
      MakeTimeFunctions(),     SafeMathFunctions(),     ZoneFunctions(),       SearchFunctions(),
      JsonExtractFunctions(),  NumericAggregates(),     LikeFunctions(),       NumericFunctions(),
      NumericCasts(),          InStrFunctions(),        TimeBucketFunctions(), JsonObjectFunctions(),
      PercentileFunctions(),   ChNumberFunctions(),     ChTextFunctions(),     ChTimeFunctions(),
      ChTimeTextFunctions(),   ChUrlFunctions(),        ChMapFunctions(),      ChJsonFunctions(),
      ProgramFunctionEntries()};
  return lists;
}

const FunctionEntry* FindFunction(std::string_view name) {
  static const auto& by_name = *[] {
    auto* const made = new base::StringMap<const FunctionEntry*>;
    for (const FunctionEntries list : AllFunctions()) {
      for (const FunctionEntry& entry : list) made->emplace(entry.name, &entry);
    }
    return made;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

}  // namespace logquery::functions
