// Helpers that write DuckDB's aggregates and window functions.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_AGGREGATE_TEXTS_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_AGGREGATE_TEXTS_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "lib/engines/duckdb/dialect/functions.h"

namespace logquery::emit {

struct DuckDbAggregateEntry {
  std::string_view name;  // as in the spelling, without the @
  absl::StatusOr<Sql> (*function)(const rewrite::AggregateCall& call, const AggregateTexts& texts);
};
using DuckDbAggregateList = absl::Span<const DuckDbAggregateEntry>;

// Defined in quantiles.cc, statistics.cc and big_numeric.cc.
DuckDbAggregateList DuckDbQuantiles();
DuckDbAggregateList DuckDbStatistics();
DuckDbAggregateList DuckDbBigNumericAggregates();

std::string_view NameOfAggregate(const rewrite::AggregateCall& call);
Type ArgumentType(const rewrite::AggregateCall& call);

// An INTERVAL, or an ARRAY or STRUCT with one in it. Groups, histograms and DISTINCT take intervals of equal length for one value.
bool HasInterval(const Type& type);

// Fills braces and arguments into `spelling`, such as "CAST(sum{$1} AS BIGINT)". Braces mark calls of DuckDB's own
// functions.
Sql Fill(const rewrite::AggregateCall& call, const AggregateTexts& texts, std::string_view spelling);

// Returns the texts with an additional condition on rows.
AggregateTexts Without(AggregateTexts texts, const Sql& condition);
AggregateTexts WithoutNulls(const AggregateTexts& texts);

// 2^-600 and 2^600: scaled by these, sums and squares of FLOAT64s stay in range.
inline constexpr std::string_view kScaleDown = "CAST('2.409919865102884e-181' AS DOUBLE)";
inline constexpr std::string_view kScaleUp = "CAST('4.149515568880993e+180' AS DOUBLE)";

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_AGGREGATE_TEXTS_H_
