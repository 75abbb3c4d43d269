// DuckDB's spellings: Aggregates.
#include "lib/engines/duckdb/dialect/spellings.h"

namespace logquery::emit {
namespace {

constexpr Spelling kSpellings[] = {
    {"COUNT()", "count{*}"},
    {"COUNT(T1)", "count{$1}"},
    {"COUNTIF", "@count_if"},
    {"SUM(INT64)", "CAST(sum{$1} AS BIGINT)"},
    {"SUM(NUMERIC)", "@numeric_sum"},
    {"SUM(BIGNUMERIC)", "@big_sum"},
    {"SUM(FLOAT64)", "@float_sum"},
    {"SUM(INTERVAL)", "@interval_sum"},
    {"AVG(INT64)", "avg{$1}"},
    {"AVG(NUMERIC)", "@numeric_avg"},
    {"AVG(BIGNUMERIC)", "@big_avg"},
    {"AVG(FLOAT64)", "avg{$1}"},
    {"AVG(INTERVAL)", "@interval_avg"},
    {"$exact_sum", "CAST(sum{$1} AS VARCHAR)"},
    {"$checked_sum", "CAST(CAST($1 AS HUGEINT) AS BIGINT)"},
    {"$average_of", "lq_integer_average($1, $2)"},
    {"MIN(FLOAT64)", "(- max{- $1})"},
    {"MIN(ORD1)", "min{$1}"},
    {"MAX", "max{$1}"},
    {"MIN_BY", "arg_min_null{$1, $2}"},
    {"MAX_BY", "arg_max_null{$1, $2}"},
    {"ANY_VALUE", "@any_value"},
    {"ARRAY_AGG", "@array_agg"},
    {"ARRAY_CONCAT_AGG", "@array_concat_agg"},
    {"STRING_AGG(STRING, [STRING])", "@string_agg"},
    {"STRING_AGG(BYTES, [BYTES])", "@bytes_agg"},
    {"LOGICAL_AND", "bool_and{$1}"},
    {"LOGICAL_OR", "bool_or{$1}"},
    {"BIT_AND", "bit_and{$1}"},
    {"BIT_OR", "bit_or{$1}"},
    {"BIT_XOR", "bit_xor{$1}"},
    {"CORR", "@statistic"},
    {"COVAR_POP", "@statistic"},
    {"COVAR_SAMP", "@statistic"},
    {"STDDEV(NUMERIC)", "@numeric_statistic"},
    {"STDDEV(BIGNUMERIC)", "@big_statistic"},
    {"STDDEV(FLOAT64)", "@statistic"},
    {"STDDEV_POP(NUMERIC)", "@numeric_statistic"},
    {"STDDEV_POP(BIGNUMERIC)", "@big_statistic"},
    {"STDDEV_POP(FLOAT64)", "@statistic"},
    {"STDDEV_SAMP(NUMERIC)", "@numeric_statistic"},
    {"STDDEV_SAMP(BIGNUMERIC)", "@big_statistic"},
    {"STDDEV_SAMP(FLOAT64)", "@statistic"},
    {"VARIANCE(NUMERIC)", "@numeric_statistic"},
    {"VARIANCE(BIGNUMERIC)", "@big_statistic"},
    {"VARIANCE(FLOAT64)", "@statistic"},
    {"VAR_POP(NUMERIC)", "@numeric_statistic"},
    {"VAR_POP(BIGNUMERIC)", "@big_statistic"},
    {"VAR_POP(FLOAT64)", "@statistic"},
    {"VAR_SAMP(NUMERIC)", "@numeric_statistic"},
    {"VAR_SAMP(BIGNUMERIC)", "@big_statistic"},
    {"VAR_SAMP(FLOAT64)", "@statistic"},
};

}  // namespace

SpellingList DuckDbAggregateSpellings() { return kSpellings; }

}  // namespace logquery::emit
