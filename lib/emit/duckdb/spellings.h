// The functions that DuckDB runs, and how it spells them.
//
// Beside what lib/emit/spellings.h says of templates: an aggregate's marks the engine's own aggregate call by braces, as
// `CAST(sum{$1} AS BIGINT)`, since DISTINCT, ORDER BY, FILTER and OVER belong there and not around the whole. `@name` is code
// of functions.h, of an aggregate that of aggregates.cc. Names that begin with `lq_` are functions of ours that
// lib/backend/duckdb registers.
#ifndef LOGQUERY_LIB_EMIT_DUCKDB_SPELLINGS_H_
#define LOGQUERY_LIB_EMIT_DUCKDB_SPELLINGS_H_

#include "lib/emit/spellings.h"

namespace logquery::emit {

const Spellings& DuckDbSpellings();

// Whether the engine runs the row by one call of a function of ours, which has a budget of its own for what it makes.
bool IsFunctionOfOurs(const rewrite::Overload& overload);

// One list for each spellings_*.cc, as the function table has one for each file of rows.
SpellingList DuckDbAggregateSpellings();
SpellingList DuckDbApproximateSpellings();
SpellingList DuckDbArraySpellings();
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

#endif  // LOGQUERY_LIB_EMIT_DUCKDB_SPELLINGS_H_
