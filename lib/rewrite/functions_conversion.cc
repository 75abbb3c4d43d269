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
    {"FLOAT64", kScalar, "(wide_number_mode:STRING='round', JSON) -> FLOAT64", "lq_json_float(CAST($2 AS VARCHAR), $1)",
     kNoNullArgs, "FLOAT64($2, wide_number_mode => $1)"},
    {"DOUBLE", kScalar, "(wide_number_mode:STRING='round', JSON) -> FLOAT64", "lq_json_float(CAST($2 AS VARCHAR), $1)",
     kNoNullArgs, "DOUBLE($2, wide_number_mode => $1)"},
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
