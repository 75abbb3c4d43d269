// Rows of the function table: APPROX_… functions and HyperLogLog++.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

// A weight is passed as a text of its own type, which the function needs to know. So there is a row for each pair of
// types.
#define LOGQUERY_TOP_SUM_OF(type, sum) \
  { "APPROX_TOP_SUM", kAggregate, "(" type ", " sum ", INT64) -> ARRAY<STRUCT<value " type ", sum " sum ">>" }
#define LOGQUERY_TOP_SUM(type)                                                                                    \
  LOGQUERY_TOP_SUM_OF(type, "INT64"), LOGQUERY_TOP_SUM_OF(type, "FLOAT64"), LOGQUERY_TOP_SUM_OF(type, "NUMERIC"), \
      LOGQUERY_TOP_SUM_OF(type, "BIGNUMERIC")

constexpr FunctionRow kRows[] = {
    {"APPROX_COUNT_DISTINCT", kAggregate, "(GRP1) -> INT64"},
    {"APPROX_QUANTILES", kAggregate, "(ORD1, INT64) -> ARRAY<ORD1>"},
    // APPROX_QUANTILES(x, n)[OFFSET(i)], as (x, n, i, …): behind i all that are read of the same values, if more are.
    {"$quantile", kAggregate, "(ORD1, INT64, INT64, INT64...) -> ORD1", kInternal},
    {"APPROX_TOP_COUNT", kAggregate, "(GRP1, INT64) -> ARRAY<STRUCT<value GRP1, count INT64>>"},
    LOGQUERY_TOP_SUM("STRING"),
    LOGQUERY_TOP_SUM("INT64"),
    LOGQUERY_TOP_SUM("FLOAT64"),
    LOGQUERY_TOP_SUM("NUMERIC"),
    LOGQUERY_TOP_SUM("BIGNUMERIC"),
    LOGQUERY_TOP_SUM("BOOL"),
    LOGQUERY_TOP_SUM("BYTES"),
    LOGQUERY_TOP_SUM("DATE"),
    LOGQUERY_TOP_SUM("DATETIME"),
    LOGQUERY_TOP_SUM("TIME"),
    LOGQUERY_TOP_SUM("TIMESTAMP"),
    // An ARRAY or STRUCT.
    LOGQUERY_TOP_SUM("GRP1"),
    {"HLL_COUNT.EXTRACT", kAggregate, "(BYTES) -> INT64"},
    {"HLL_COUNT.INIT", kAggregate, "(GRP1, [INT64]) -> BYTES"},
    {"HLL_COUNT.MERGE", kAggregate, "(BYTES) -> INT64"},
    {"HLL_COUNT.MERGE_PARTIAL", kAggregate, "(BYTES) -> BYTES"},
};

}  // namespace

FunctionRows ApproximateRows() { return kRows; }

}  // namespace logquery::rewrite
