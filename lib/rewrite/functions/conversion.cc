#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    // CAST with a FORMAT between times and text: how far the clock is ahead, in seconds, or what it shows now; and what the
    // type has, 1 a date, 2 a time, 4 a zone.
    {"$format_time", kScalar, "(DATETIME, STRING, INT64, INT64) -> STRING", "lq_format_time($*)",
     kNoNullArgs | kInternal, "CAST($1 AS STRING FORMAT $2)"},
    {"$read_time", kScalar, "(STRING, STRING, DATETIME, INT64) -> STRING", "lq_read_time($*)", kNoNullArgs | kInternal,
     "CAST($1 AS DATETIME FORMAT $2)"},
    // What a CAST's type has in parentheses.
    {"$limit_length", kScalar, "(STRING, INT64) -> STRING", "lq_limit_length($1, $2)", kNoNullArgs | kInternal,
     "CAST($1 AS STRING($2))"},
    {"$limit_length", kScalar, "(BYTES, INT64) -> BYTES", "lq_bytes_limit_length($1, $2)", kNoNullArgs | kInternal,
     "CAST($1 AS BYTES($2))"},
    {"$limit_precision", kScalar, "(NUMERIC, INT64, INT64) -> NUMERIC", "@limit_precision", kNoNullArgs | kInternal,
     "CAST($1 AS NUMERIC($2, $3))"},
    {"$limit_precision", kScalar, "(BIGNUMERIC, INT64, INT64) -> BIGNUMERIC", "lq_big_limit($1, $2, $3)",
     kNoNullArgs | kInternal, "CAST($1 AS BIGNUMERIC($2, $3))"},
    {"PARSE_NUMERIC", kScalar, "(STRING) -> NUMERIC", "@parse_numeric", kNoNullArgs},
    {"PARSE_BIGNUMERIC", kScalar, "(STRING) -> BIGNUMERIC", "lq_big_parse($1)", kNoNullArgs},
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
