// DuckDB's spellings: APPROX_… and HyperLogLog++.
#include "lib/engines/duckdb/dialect/spellings.h"

namespace logquery::emit {
namespace {

constexpr Spelling kSpellings[] = {
    {"APPROX_COUNT_DISTINCT", "@approx_count_distinct"},
    {"APPROX_QUANTILES", "@approx_quantiles"},
    {"$quantile", "@quantile"},
    {"APPROX_TOP_COUNT", "@approx_top_count"},
    {"APPROX_TOP_SUM", "@approx_top_sum"},
};

}  // namespace

SpellingList DuckDbApproximateSpellings() { return kSpellings; }

}  // namespace logquery::emit
