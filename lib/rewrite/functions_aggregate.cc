#include "lib/rewrite/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionKind kAggregate = FunctionKind::kAggregate;

constexpr FunctionRow kRows[] = {
    {"COUNT", kAggregate, "() -> INT64", "count{*}"},
    {"COUNT", kAggregate, "(T1) -> INT64", "count{$1}"},
    {"COUNTIF", kAggregate, "(BOOL) -> INT64", "@countif"},
    {"SUM", kAggregate, "(INT64) -> INT64", "CAST(sum{$1} AS BIGINT)"},
    {"SUM", kAggregate, "(NUMERIC) -> NUMERIC", "sum{$1}"},
    {"SUM", kAggregate, "(BIGNUMERIC) -> BIGNUMERIC", "sum{$1}"},
    {"SUM", kAggregate, "(FLOAT64) -> FLOAT64", "sum{$1}"},
    {"SUM", kAggregate, "(INTERVAL) -> INTERVAL", "sum{$1}"},
    {"AVG", kAggregate, "(INT64) -> FLOAT64", "avg{$1}"},
    {"AVG", kAggregate, "(NUMERIC) -> NUMERIC", "@avg_numeric"},
    {"AVG", kAggregate, "(BIGNUMERIC) -> BIGNUMERIC", "@avg_numeric"},
    {"AVG", kAggregate, "(FLOAT64) -> FLOAT64", "avg{$1}"},
    {"AVG", kAggregate, "(INTERVAL) -> INTERVAL", ""},
    // NaN is the greatest to DuckDB; to GoogleSQL it is both the least and the greatest.
    {"MIN", kAggregate, "(FLOAT64) -> FLOAT64", "(- max{- $1})"},
    {"MIN", kAggregate, "(ORD1) -> ORD1", "min{$1}"},
    {"MAX", kAggregate, "(ORD1) -> ORD1", "max{$1}"},
    {"ANY_VALUE", kAggregate, "(T1) -> T1", "@any_value"},
    {"ARRAY_AGG", kAggregate, "(T1) -> ARRAY<T1>", "@array_agg", kGrows},
    {"ARRAY_CONCAT_AGG", kAggregate, "(ARRAY<T1>) -> ARRAY<T1>", "@array_concat_agg", kGrows},
    {"STRING_AGG", kAggregate, "(STRING, [STRING]) -> STRING", "@string_agg", kGrows},
    {"STRING_AGG", kAggregate, "(BYTES, [BYTES]) -> BYTES", "", kGrows},
    {"LOGICAL_AND", kAggregate, "(BOOL) -> BOOL", "bool_and{$1}"},
    {"LOGICAL_OR", kAggregate, "(BOOL) -> BOOL", "bool_or{$1}"},
    {"BIT_AND", kAggregate, "(INT64) -> INT64", "bit_and{$1}"},
    {"BIT_OR", kAggregate, "(INT64) -> INT64", "bit_or{$1}"},
    {"BIT_XOR", kAggregate, "(INT64) -> INT64", "bit_xor{$1}"},
};

}  // namespace

FunctionRows AggregateRows() { return kRows; }

}  // namespace logquery::rewrite
