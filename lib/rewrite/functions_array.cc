#include "lib/rewrite/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionKind kScalar = FunctionKind::kScalar;

constexpr FunctionRow kRows[] = {
    {"ARRAY_LENGTH", kScalar, "(ARRAY<T1>) -> INT64", "len($1)", kNoNullArgs},
    {"ARRAY_CONCAT", kScalar, "(ARRAY<T1>...) -> ARRAY<T1>", "@array_concat", kNoNullArgs | kGrows},
    {"ARRAY_TO_STRING", kScalar, "(ARRAY<STRING>, STRING) -> STRING", "array_to_string($1, $2)", kNoNullArgs},
    {"GENERATE_TIMESTAMP_ARRAY", kScalar, "(TIMESTAMP, TIMESTAMP, INTERVAL) -> ARRAY<TIMESTAMP>",
     "@generate_timestamp_array", kNoNullArgs | kGrows},
    // Logflare's: a pass computes it from the call's clock.
    {"GENERATE_TIMESTAMP_TRUNC_ARRAY", kScalar, "(INT64, STRING) -> ARRAY<TIMESTAMP>", "", kReadsClock},
};

}  // namespace

FunctionRows ArrayRows() { return kRows; }

}  // namespace logquery::rewrite
