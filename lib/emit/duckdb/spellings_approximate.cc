// DuckDB's spellings: APPROX_… and HyperLogLog++.
#include "lib/emit/duckdb/spellings.h"

namespace logquery::emit {
namespace {

// A weight of BIGNUMERIC is not added up.
#define LOGQUERY_TOP_SUM(type)                                           \
  {"APPROX_TOP_SUM(" type ", INT64, INT64)", "@approx_top_sum"},         \
      {"APPROX_TOP_SUM(" type ", FLOAT64, INT64)", "@approx_top_sum"}, { \
    "APPROX_TOP_SUM(" type ", NUMERIC, INT64)", "@approx_top_sum"        \
  }

constexpr Spelling kSpellings[] = {
    {"APPROX_COUNT_DISTINCT", "@approx_count_distinct"},
    {"APPROX_QUANTILES", "@approx_quantiles"},
    {"$quantile", "@quantile"},
    {"APPROX_TOP_COUNT", "@approx_top_count"},
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
};
#undef LOGQUERY_TOP_SUM

}  // namespace

SpellingList DuckDbApproximateSpellings() { return kSpellings; }

}  // namespace logquery::emit
