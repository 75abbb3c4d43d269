// Finds the code for spellings that begin with @.
#include "lib/engines/duckdb/dialect/functions.h"

#include "lib/engines/duckdb/dialect/function_texts.h"

namespace logquery::emit {
namespace {

base::StringMap<DuckDbFunction> AllFunctions() {
  base::StringMap<DuckDbFunction> functions;
  for (DuckDbFunctionList list :
       {DuckDbOperators(),          DuckDbComparisons(),         DuckDbStringFunctions(),     DuckDbSearchFunctions(),
        DuckDbCodePointFunctions(), DuckDbBytesFunctions(),      DuckDbFormatFunctions(),     DuckDbRegexpFunctions(),
        DuckDbMathFunctions(),      DuckDbNumericFunctions(),    DuckDbBigNumericFunctions(), DuckDbTimeFunctions(),
        DuckDbTimeArithmetic(),     DuckDbTimeFormatFunctions(), DuckDbTimeParseFunctions(),  DuckDbArrayFunctions(),
        DuckDbJsonFunctions(),      DuckDbJsonValueFunctions(),  DuckDbRedaction(),           DuckDbBounds()}) {
    for (const DuckDbFunctionEntry& entry : list) functions.emplace(entry.name, entry.function);
  }
  return functions;
}

}  // namespace

DuckDbFunction FindDuckDbFunction(std::string_view name) {
  static const auto& functions = *new base::StringMap<DuckDbFunction>(AllFunctions());
  const auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

}  // namespace logquery::emit
