// Combines DuckDB's lists of spellings.
#include "lib/emit/duckdb/spellings.h"

namespace logquery::emit {

const Spellings& DuckDbSpellings() {
  static const auto& spellings = *new Spellings(
      {DuckDbAggregateSpellings(), DuckDbApproximateSpellings(), DuckDbArraySpellings(), DuckDbComparisonSpellings(),
       DuckDbConditionalSpellings(), DuckDbConversionSpellings(), DuckDbDateSpellings(), DuckDbDatetimeSpellings(),
       DuckDbHashSpellings(), DuckDbIntervalSpellings(), DuckDbJsonSpellings(), DuckDbMathSpellings(),
       DuckDbNetSpellings(), DuckDbOperatorSpellings(), DuckDbRegexpSpellings(), DuckDbStringSpellings(),
       DuckDbTimeSpellings(), DuckDbTimestampSpellings(), DuckDbWindowSpellings()});
  return spellings;
}

bool IsFunctionOfOurs(const rewrite::Overload& overload) { return DuckDbSpellings().Of(overload).starts_with("lq_"); }

}  // namespace logquery::emit
