// The functions that DuckDB runs, and how it spells them.
//
// lib/emit/spellings.h describes templates. In addition, braces in an aggregate's template mark the engine's own
// aggregate call, as in `CAST(sum{$1} AS BIGINT)`, because DISTINCT, ORDER BY, FILTER and OVER belong to that call.
// functions.h implements `@name`, aggregates.cc that of aggregates. Names that begin with `lq_` are our own functions,
// which lib/engines/duckdb/backend registers.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_SPELLINGS_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_SPELLINGS_H_

#include "lib/emit/spellings.h"

namespace logquery::emit {

const Spellings& DuckDbSpellings();

// Returns whether the row is a single call of one of our own functions, which limits its own results.
bool IsFunctionOfOurs(const rewrite::Overload& overload);

// One list for each spellings_*.cc file, matching the files of the function table.
SpellingList DuckDbAggregateSpellings();
SpellingList DuckDbApproximateSpellings();
SpellingList DuckDbArraySpellings();
SpellingList DuckDbChSpellings();
SpellingList DuckDbComparisonSpellings();
SpellingList DuckDbConditionalSpellings();
SpellingList DuckDbConversionSpellings();
SpellingList DuckDbDateSpellings();
SpellingList DuckDbDatetimeSpellings();
SpellingList DuckDbHashSpellings();
SpellingList DuckDbIntervalSpellings();
SpellingList DuckDbJsonSpellings();
SpellingList DuckDbMathSpellings();
SpellingList DuckDbNetSpellings();
SpellingList DuckDbOperatorSpellings();
SpellingList DuckDbRegexpSpellings();
SpellingList DuckDbStringSpellings();
SpellingList DuckDbTimeSpellings();
SpellingList DuckDbTimestampSpellings();
SpellingList DuckDbWindowSpellings();

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_SPELLINGS_H_
