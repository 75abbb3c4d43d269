// Rows of the function table: aggregates.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"COUNT", kAggregate, "() -> INT64", kTotal},
    {"COUNT", kAggregate, "(T1) -> INT64", kTotal},
    {"COUNTIF", kAggregate, "(BOOL) -> INT64", kTotal},
    {"SUM", kAggregate, "(INT64) -> INT64"},
    {"SUM", kAggregate, "(NUMERIC) -> NUMERIC"},
    {"SUM", kAggregate, "(BIGNUMERIC) -> BIGNUMERIC"},
    {"SUM", kAggregate, "(FLOAT64) -> FLOAT64"},
    {"SUM", kAggregate, "(INTERVAL) -> INTERVAL"},
    {"AVG", kAggregate, "(INT64) -> FLOAT64"},
    {"AVG", kAggregate, "(NUMERIC) -> NUMERIC"},
    {"AVG", kAggregate, "(BIGNUMERIC) -> BIGNUMERIC"},
    {"AVG", kAggregate, "(FLOAT64) -> FLOAT64"},
    {"AVG", kAggregate, "(INTERVAL) -> INTERVAL"},
    // The parts of SUM and AVG when an engine adds and we check (lib/split/checked_sums.h). The sum is decimal text.
    {"$exact_sum", kAggregate, "(INT64) -> STRING", kTotal | kInternal},
    {"$checked_sum", kScalar, "(STRING) -> INT64", kNoNullArgs | kInternal},
    {"$average_of", kScalar, "(STRING, INT64) -> FLOAT64", kNoNullArgs | kInternal},
    // NaN is the result of both MIN and MAX.
    {"MIN", kAggregate, "(FLOAT64) -> FLOAT64", kTotal},
    {"MIN", kAggregate, "(ORD1) -> ORD1", kTotal},
    {"MAX", kAggregate, "(ORD1) -> ORD1", kTotal},
    {"MIN_BY", kAggregate, "(T1, ORD1) -> T1", kTotal},
    {"MAX_BY", kAggregate, "(T1, ORD1) -> T1", kTotal},
    {"ANY_VALUE", kAggregate, "(T1) -> T1", kTotal},
    {"ARRAY_AGG", kAggregate, "(T1) -> ARRAY<T1>", kGrows},
    {"ARRAY_CONCAT_AGG", kAggregate, "(ARRAY<T1>) -> ARRAY<T1>", kGrows},
    {"STRING_AGG", kAggregate, "(STRING, [STRING]) -> STRING", kGrows},
    {"STRING_AGG", kAggregate, "(BYTES, [BYTES]) -> BYTES"},
    {"LOGICAL_AND", kAggregate, "(BOOL) -> BOOL", kTotal},
    {"LOGICAL_OR", kAggregate, "(BOOL) -> BOOL", kTotal},
    {"BIT_AND", kAggregate, "(INT64) -> INT64", kTotal},
    {"BIT_OR", kAggregate, "(INT64) -> INT64", kTotal},
    {"BIT_XOR", kAggregate, "(INT64) -> INT64", kTotal},
    {"CORR", kAggregate, "(FLOAT64, FLOAT64) -> FLOAT64"},
    {"COVAR_POP", kAggregate, "(FLOAT64, FLOAT64) -> FLOAT64"},
    {"COVAR_SAMP", kAggregate, "(FLOAT64, FLOAT64) -> FLOAT64"},
    {"STDDEV", kAggregate, "(NUMERIC) -> FLOAT64"},
    {"STDDEV", kAggregate, "(BIGNUMERIC) -> FLOAT64"},
    {"STDDEV", kAggregate, "(FLOAT64) -> FLOAT64"},
    {"STDDEV_POP", kAggregate, "(NUMERIC) -> FLOAT64"},
    {"STDDEV_POP", kAggregate, "(BIGNUMERIC) -> FLOAT64"},
    {"STDDEV_POP", kAggregate, "(FLOAT64) -> FLOAT64"},
    {"STDDEV_SAMP", kAggregate, "(NUMERIC) -> FLOAT64"},
    {"STDDEV_SAMP", kAggregate, "(BIGNUMERIC) -> FLOAT64"},
    {"STDDEV_SAMP", kAggregate, "(FLOAT64) -> FLOAT64"},
    {"VARIANCE", kAggregate, "(NUMERIC) -> FLOAT64"},
    {"VARIANCE", kAggregate, "(BIGNUMERIC) -> FLOAT64"},
    {"VARIANCE", kAggregate, "(FLOAT64) -> FLOAT64"},
    {"VAR_POP", kAggregate, "(NUMERIC) -> FLOAT64"},
    {"VAR_POP", kAggregate, "(BIGNUMERIC) -> FLOAT64"},
    {"VAR_POP", kAggregate, "(FLOAT64) -> FLOAT64"},
    {"VAR_SAMP", kAggregate, "(NUMERIC) -> FLOAT64"},
    {"VAR_SAMP", kAggregate, "(BIGNUMERIC) -> FLOAT64"},
    {"VAR_SAMP", kAggregate, "(FLOAT64) -> FLOAT64"},
};

}  // namespace

FunctionRows AggregateRows() { return kRows; }

}  // namespace logquery::rewrite
