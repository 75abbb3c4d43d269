#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"COUNT", kAggregate, "() -> INT64", "count{*}"},
    {"COUNT", kAggregate, "(T1) -> INT64", "count{$1}"},
    {"COUNTIF", kAggregate, "(BOOL) -> INT64", "@count_if"},
    {"SUM", kAggregate, "(INT64) -> INT64", "CAST(sum{$1} AS BIGINT)"},
    {"SUM", kAggregate, "(NUMERIC) -> NUMERIC", "@numeric_sum"},
    {"SUM", kAggregate, "(BIGNUMERIC) -> BIGNUMERIC", "@big_sum"},
    {"SUM", kAggregate, "(FLOAT64) -> FLOAT64", "@float_sum"},
    {"SUM", kAggregate, "(INTERVAL) -> INTERVAL", "@interval_sum"},
    {"AVG", kAggregate, "(INT64) -> FLOAT64", "avg{$1}"},
    {"AVG", kAggregate, "(NUMERIC) -> NUMERIC", "@numeric_avg"},
    {"AVG", kAggregate, "(BIGNUMERIC) -> BIGNUMERIC", "@big_avg"},
    {"AVG", kAggregate, "(FLOAT64) -> FLOAT64", "avg{$1}"},
    {"AVG", kAggregate, "(INTERVAL) -> INTERVAL", "@interval_avg"},
    // NaN is the greatest to DuckDB; to GoogleSQL it is the result of both MIN and MAX.
    {"MIN", kAggregate, "(FLOAT64) -> FLOAT64", "(- max{- $1})"},
    {"MIN", kAggregate, "(ORD1) -> ORD1", "min{$1}"},
    {"MAX", kAggregate, "(ORD1) -> ORD1", "max{$1}"},
    {"MIN_BY", kAggregate, "(T1, ORD1) -> T1", "arg_min_null{$1, $2}"},
    {"MAX_BY", kAggregate, "(T1, ORD1) -> T1", "arg_max_null{$1, $2}"},
    {"ANY_VALUE", kAggregate, "(T1) -> T1", "@any_value"},
    {"ARRAY_AGG", kAggregate, "(T1) -> ARRAY<T1>", "@array_agg", kGrows},
    {"ARRAY_CONCAT_AGG", kAggregate, "(ARRAY<T1>) -> ARRAY<T1>", "@array_concat_agg", kGrows},
    {"STRING_AGG", kAggregate, "(STRING, [STRING]) -> STRING", "@string_agg", kGrows},
    {"STRING_AGG", kAggregate, "(BYTES, [BYTES]) -> BYTES", "@bytes_agg"},
    {"LOGICAL_AND", kAggregate, "(BOOL) -> BOOL", "bool_and{$1}"},
    {"LOGICAL_OR", kAggregate, "(BOOL) -> BOOL", "bool_or{$1}"},
    {"BIT_AND", kAggregate, "(INT64) -> INT64", "bit_and{$1}"},
    {"BIT_OR", kAggregate, "(INT64) -> INT64", "bit_or{$1}"},
    {"BIT_XOR", kAggregate, "(INT64) -> INT64", "bit_xor{$1}"},
    {"CORR", kAggregate, "(FLOAT64, FLOAT64) -> FLOAT64", "@statistic"},
    {"COVAR_POP", kAggregate, "(FLOAT64, FLOAT64) -> FLOAT64", "@statistic"},
    {"COVAR_SAMP", kAggregate, "(FLOAT64, FLOAT64) -> FLOAT64", "@statistic"},
    {"STDDEV", kAggregate, "(NUMERIC) -> FLOAT64", "@numeric_statistic"},
    {"STDDEV", kAggregate, "(BIGNUMERIC) -> FLOAT64", "@big_statistic"},
    {"STDDEV", kAggregate, "(FLOAT64) -> FLOAT64", "@statistic"},
    {"STDDEV_POP", kAggregate, "(NUMERIC) -> FLOAT64", "@numeric_statistic"},
    {"STDDEV_POP", kAggregate, "(BIGNUMERIC) -> FLOAT64", "@big_statistic"},
    {"STDDEV_POP", kAggregate, "(FLOAT64) -> FLOAT64", "@statistic"},
    {"STDDEV_SAMP", kAggregate, "(NUMERIC) -> FLOAT64", "@numeric_statistic"},
    {"STDDEV_SAMP", kAggregate, "(BIGNUMERIC) -> FLOAT64", "@big_statistic"},
    {"STDDEV_SAMP", kAggregate, "(FLOAT64) -> FLOAT64", "@statistic"},
    {"VARIANCE", kAggregate, "(NUMERIC) -> FLOAT64", "@numeric_statistic"},
    {"VARIANCE", kAggregate, "(BIGNUMERIC) -> FLOAT64", "@big_statistic"},
    {"VARIANCE", kAggregate, "(FLOAT64) -> FLOAT64", "@statistic"},
    {"VAR_POP", kAggregate, "(NUMERIC) -> FLOAT64", "@numeric_statistic"},
    {"VAR_POP", kAggregate, "(BIGNUMERIC) -> FLOAT64", "@big_statistic"},
    {"VAR_POP", kAggregate, "(FLOAT64) -> FLOAT64", "@statistic"},
    {"VAR_SAMP", kAggregate, "(NUMERIC) -> FLOAT64", "@numeric_statistic"},
    {"VAR_SAMP", kAggregate, "(BIGNUMERIC) -> FLOAT64", "@big_statistic"},
    {"VAR_SAMP", kAggregate, "(FLOAT64) -> FLOAT64", "@statistic"},
};

}  // namespace

FunctionRows AggregateRows() { return kRows; }

}  // namespace logquery::rewrite
