#include "lib/rewrite/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionKind kScalar = FunctionKind::kScalar;

constexpr FunctionRow kRows[] = {
    {"PARSE_NUMERIC", kScalar, "(STRING) -> NUMERIC", "@parse_numeric", kNoNullArgs},
    {"PARSE_BIGNUMERIC", kScalar, "(STRING) -> BIGNUMERIC", "@parse_numeric", kNoNullArgs},
    {"STRING", kScalar, "(JSON) -> STRING", "@json_strict", kNoNullArgs},
    {"STRING", kScalar, "(TIMESTAMP, [STRING]) -> STRING", "@timestamp_to_string"},
    {"STRING", kScalar, "(DATE) -> STRING", "@time_to_string"},
    {"STRING", kScalar, "(DATETIME) -> STRING", "@time_to_string"},
    {"STRING", kScalar, "(TIME) -> STRING", "@time_to_string"},
    {"BOOL", kScalar, "(JSON) -> BOOL", "@json_strict", kNoNullArgs},
    {"INT64", kScalar, "(JSON) -> INT64", "@json_strict", kNoNullArgs},
    {"FLOAT64", kScalar, "(JSON, [STRING]) -> FLOAT64", "@json_strict", kNoNullArgs},
    {"DOUBLE", kScalar, "(JSON, [STRING]) -> FLOAT64", "@json_strict", kNoNullArgs},
    {"LAX_BOOL", kScalar, "(JSON) -> BOOL", "@json_lax", kNoNullArgs},
    {"LAX_INT64", kScalar, "(JSON) -> INT64", "@json_lax", kNoNullArgs},
    {"LAX_FLOAT64", kScalar, "(JSON) -> FLOAT64", "@json_lax", kNoNullArgs},
    {"LAX_STRING", kScalar, "(JSON) -> STRING", "@json_lax", kNoNullArgs},
    {"GENERATE_UUID", kScalar, "() -> STRING", "CAST(gen_random_uuid() AS VARCHAR)", kNotInSandbox | kVolatile},
    {"SESSION_USER", kScalar, "() -> STRING", "", kNotInSandbox},
    {"GROUPING", kScalar, "(T1) -> INT64", ""},
};

}  // namespace

FunctionRows ConversionRows() { return kRows; }

}  // namespace logquery::rewrite
