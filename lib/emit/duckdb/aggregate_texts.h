// What the spellings of aggregates and window functions are made with.
#ifndef LOGQUERY_LIB_EMIT_DUCKDB_AGGREGATE_TEXTS_H_
#define LOGQUERY_LIB_EMIT_DUCKDB_AGGREGATE_TEXTS_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "lib/emit/duckdb/functions.h"

namespace logquery::emit {

struct DuckDbAggregateEntry {
  std::string_view name;  // as in the function table, without its @
  absl::StatusOr<Sql> (*function)(const rewrite::AggregateCall& call, const AggregateTexts& texts);
};
using DuckDbAggregateList = absl::Span<const DuckDbAggregateEntry>;

// duckdb_quantiles.cc, duckdb_statistics.cc, duckdb_big_numeric.cc
DuckDbAggregateList DuckDbQuantiles();
DuckDbAggregateList DuckDbStatistics();
DuckDbAggregateList DuckDbBigNumericAggregates();

std::string_view NameOfAggregate(const rewrite::AggregateCall& call);
// The argument of that place where it is a constant other than NULL; else nullptr.
const Value* AggregateConstant(const rewrite::AggregateCall& call, size_t index);
Type ArgumentType(const rewrite::AggregateCall& call);

// `spelling` with braces and arguments filled in: "CAST(sum{$1} AS BIGINT)". Braces mark DuckDB's own calls.
Sql Fill(const rewrite::AggregateCall& call, const AggregateTexts& texts, std::string_view spelling);

// The texts with one more condition on rows.
AggregateTexts Without(AggregateTexts texts, const Sql& condition);
AggregateTexts WithoutNulls(const AggregateTexts& texts);

// 2^-600 and 2^600: sums and squares of scaled FLOAT64s stay within the range.
inline constexpr std::string_view kScaleDown = "CAST('2.409919865102884e-181' AS DOUBLE)";
inline constexpr std::string_view kScaleUp = "CAST('4.149515568880993e+180' AS DOUBLE)";

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_DUCKDB_AGGREGATE_TEXTS_H_
