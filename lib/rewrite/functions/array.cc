// Rows of the function table: arrays.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"ARRAY_LENGTH", kScalar, "(ARRAY<T1>) -> INT64", "len($1)", kNoNullArgs | kTotal},
    {"ARRAY_CONCAT", kScalar, "(ARRAY<T1>...) -> ARRAY<T1>", "@array_concat", kNoNullArgs | kGrows},
    {"ARRAY_REVERSE", kScalar, "(ARRAY<T1>) -> ARRAY<T1>", "list_reverse($1)", kNoNullArgs | kTotal},
    {"ARRAY_FIRST", kScalar, "(ARRAY<T1>) -> T1", "@array_first", kNoNullArgs},
    {"ARRAY_LAST", kScalar, "(ARRAY<T1>) -> T1", "@array_first", kNoNullArgs},
    {"ARRAY_SLICE", kScalar, "(ARRAY<T1>, INT64, INT64) -> ARRAY<T1>", "@array_slice", kNoNullArgs},
    {"ARRAY_TO_STRING", kScalar, "(ARRAY<STRING>, STRING, [STRING]) -> STRING", "@array_to_string", kNone},
    {"ARRAY_TO_STRING", kScalar, "(ARRAY<BYTES>, BYTES, [BYTES]) -> BYTES", "@array_to_string"},
    {"ARRAY_IS_DISTINCT", kScalar, "(ARRAY<T1>) -> BOOL", "@array_is_distinct", kNoNullArgs},
    {"ARRAY_INCLUDES", kScalar, "(ARRAY<T1>, LAMBDA) -> BOOL", "@array_includes_lambda"},
    {"ARRAY_INCLUDES", kScalar, "(ARRAY<GRP1>, GRP1) -> BOOL", "@array_includes"},
    {"ARRAY_INCLUDES_ANY", kScalar, "(ARRAY<GRP1>, ARRAY<GRP1>) -> BOOL", "list_has_any($1, $2)", kTotal},
    {"ARRAY_INCLUDES_ALL", kScalar, "(ARRAY<GRP1>, ARRAY<GRP1>) -> BOOL", "list_has_all($1, $2)", kTotal},
    {"ARRAY_FILTER", kScalar, "(ARRAY<T1>, LAMBDA) -> ARRAY<T1>", "@array_filter"},
    {"ARRAY_TRANSFORM", kScalar, "(ARRAY<T1>, LAMBDA) -> ARRAY<T2>", "@array_transform"},
    {"FLATTEN", kScalar, "(ARRAY<ARRAY<T1>>) -> ARRAY<T1>", "flatten($1)"},
    {"GENERATE_ARRAY", kScalar, "(INT64, INT64, [INT64]) -> ARRAY<INT64>", "@generate_array", kNoNullArgs | kGrows},
    {"GENERATE_ARRAY", kScalar, "(NUMERIC, NUMERIC, [NUMERIC]) -> ARRAY<NUMERIC>", "@generate_numbers"},
    {"GENERATE_ARRAY", kScalar, "(BIGNUMERIC, BIGNUMERIC, [BIGNUMERIC]) -> ARRAY<BIGNUMERIC>", "@big_generate"},
    {"GENERATE_ARRAY", kScalar, "(FLOAT64, FLOAT64, [FLOAT64]) -> ARRAY<FLOAT64>", "@generate_numbers"},
    {"GENERATE_DATE_ARRAY", kScalar, "(DATE, DATE, [INTERVAL]) -> ARRAY<DATE>", "@generate_date_array",
     kNoNullArgs | kGrows},
    {"GENERATE_TIMESTAMP_ARRAY", kScalar, "(TIMESTAMP, TIMESTAMP, INTERVAL) -> ARRAY<TIMESTAMP>",
     "@generate_timestamp_array", kNoNullArgs | kGrows},
    // Logflare's: a pass computes it from the call's clock.
    {"GENERATE_TIMESTAMP_TRUNC_ARRAY", kScalar, "(INT64, STRING) -> ARRAY<TIMESTAMP>", "", kReadsClock},
};

}  // namespace

FunctionRows ArrayRows() { return kRows; }

}  // namespace logquery::rewrite
