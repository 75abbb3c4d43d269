// Finds the code of a spelling that begins with @, and fills templates.
#include "lib/emit/duckdb/functions.h"

#include "lib/emit/duckdb/function_texts.h"

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

std::string FillTemplate(std::string_view spelling, const std::vector<std::string>& args) {
  std::string text;
  for (size_t i = 0; i < spelling.size(); ++i) {
    if (spelling[i] != '$' || i + 1 == spelling.size()) {
      text += spelling[i];
      continue;
    }
    ++i;
    if (spelling[i] == '$') {
      text += '$';
      continue;
    }
    size_t first = 0;
    const bool numbered = absl::ascii_isdigit(static_cast<unsigned char>(spelling[i]));
    if (numbered) first = static_cast<size_t>(spelling[i] - '1');
    const bool rest = !numbered || (i + 1 < spelling.size() && spelling[i + 1] == '*');
    if (numbered && rest) ++i;
    const size_t last = rest ? args.size() : first + 1;
    for (size_t arg = first; arg < last && arg < args.size(); ++arg) {
      if (arg > first) text += ", ";
      text += args[arg];
    }
  }
  return text;
}

}  // namespace logquery::emit
