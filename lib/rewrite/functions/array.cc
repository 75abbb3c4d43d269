// Rows of the function table: arrays.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"ARRAY_LENGTH", kScalar, "(ARRAY<T1>) -> INT64", kNoNullArgs | kTotal},
    {"ARRAY_CONCAT", kScalar, "(ARRAY<T1>...) -> ARRAY<T1>", kNoNullArgs | kGrows},
    {"ARRAY_REVERSE", kScalar, "(ARRAY<T1>) -> ARRAY<T1>", kNoNullArgs | kTotal},
    {"ARRAY_FIRST", kScalar, "(ARRAY<T1>) -> T1", kNoNullArgs},
    {"ARRAY_LAST", kScalar, "(ARRAY<T1>) -> T1", kNoNullArgs},
    {"ARRAY_SLICE", kScalar, "(ARRAY<T1>, INT64, INT64) -> ARRAY<T1>", kNoNullArgs},
    {"ARRAY_TO_STRING", kScalar, "(ARRAY<STRING>, STRING, [STRING]) -> STRING"},
    {"ARRAY_TO_STRING", kScalar, "(ARRAY<BYTES>, BYTES, [BYTES]) -> BYTES"},
    {"ARRAY_IS_DISTINCT", kScalar, "(ARRAY<T1>) -> BOOL", kNoNullArgs},
    {"ARRAY_INCLUDES", kScalar, "(ARRAY<T1>, LAMBDA) -> BOOL"},
    {"ARRAY_INCLUDES", kScalar, "(ARRAY<GRP1>, GRP1) -> BOOL"},
    {"ARRAY_INCLUDES_ANY", kScalar, "(ARRAY<GRP1>, ARRAY<GRP1>) -> BOOL", kTotal},
    {"ARRAY_INCLUDES_ALL", kScalar, "(ARRAY<GRP1>, ARRAY<GRP1>) -> BOOL", kTotal},
    {"ARRAY_FILTER", kScalar, "(ARRAY<T1>, LAMBDA) -> ARRAY<T1>"},
    {"ARRAY_TRANSFORM", kScalar, "(ARRAY<T1>, LAMBDA) -> ARRAY<T2>"},
    {"FLATTEN", kScalar, "(ARRAY<ARRAY<T1>>) -> ARRAY<T1>"},
    {"GENERATE_ARRAY", kScalar, "(INT64, INT64, [INT64]) -> ARRAY<INT64>", kNoNullArgs | kGrows},
    {"GENERATE_ARRAY", kScalar, "(NUMERIC, NUMERIC, [NUMERIC]) -> ARRAY<NUMERIC>"},
    {"GENERATE_ARRAY", kScalar, "(BIGNUMERIC, BIGNUMERIC, [BIGNUMERIC]) -> ARRAY<BIGNUMERIC>"},
    {"GENERATE_ARRAY", kScalar, "(FLOAT64, FLOAT64, [FLOAT64]) -> ARRAY<FLOAT64>"},
    {"GENERATE_DATE_ARRAY", kScalar, "(DATE, DATE, [INTERVAL]) -> ARRAY<DATE>", kNoNullArgs | kGrows},
    {"GENERATE_TIMESTAMP_ARRAY", kScalar, "(TIMESTAMP, TIMESTAMP, INTERVAL) -> ARRAY<TIMESTAMP>", kNoNullArgs | kGrows},
    // Logflare's: a pass computes it from the call's clock.
    {"GENERATE_TIMESTAMP_TRUNC_ARRAY", kScalar, "(INT64, STRING) -> ARRAY<TIMESTAMP>", kReadsClock},
};

}  // namespace

FunctionRows ArrayRows() { return kRows; }

}  // namespace logquery::rewrite
