// Combines DuckDB's lists of spellings. Where none has a row, DuckDB calls our own function for it (lib/functions).
#include "lib/engines/duckdb/dialect/spellings.h"

#include "lib/base/strings.h"
#include "lib/functions/function.h"

namespace logquery::emit {
namespace {

std::string CallOfOurs(const rewrite::FunctionRow& row) {
  const functions::FunctionEntry* const own = rewrite::OwnFunction(row);
  return own == nullptr ? std::string() : base::StrCat(own->name, "($*)");
}

}  // namespace

const Spellings& DuckDbSpellings() {
  static const auto& spellings = *new Spellings(
      {DuckDbAggregateSpellings(),   DuckDbApproximateSpellings(), DuckDbArraySpellings(),  DuckDbComparisonSpellings(),
       DuckDbConditionalSpellings(), DuckDbConversionSpellings(),  DuckDbDateSpellings(),   DuckDbDatetimeSpellings(),
       DuckDbHashSpellings(),        DuckDbIntervalSpellings(),    DuckDbJsonSpellings(),   DuckDbMathSpellings(),
       DuckDbNetSpellings(),         DuckDbOperatorSpellings(),    DuckDbRegexpSpellings(), DuckDbStringSpellings(),
       DuckDbTimeSpellings(),        DuckDbTimestampSpellings(),   DuckDbWindowSpellings(), DuckDbChSpellings()},
      CallOfOurs);
  return spellings;
}

bool IsFunctionOfOurs(const rewrite::Overload& overload) { return DuckDbSpellings().Of(overload).starts_with("lq_"); }

}  // namespace logquery::emit
