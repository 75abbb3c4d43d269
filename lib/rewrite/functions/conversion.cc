// Rows of the function table: functions that casts and their formats resolve to.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    // CAST with a FORMAT between times and text. $format_time gets the zone's offset in seconds, $read_time the current
    // local time. The last argument is the parts of the type: 1 a date, 2 a time, 4 a zone.
    {"$format_time", kScalar, "(DATETIME, STRING, INT64, INT64) -> STRING", kNoNullArgs | kInternal},
    {"$read_time", kScalar, "(STRING, STRING, DATETIME, INT64) -> STRING", kNoNullArgs | kInternal},
    // The type parameters of a CAST, such as STRING(10).
    {"$limit_length", kScalar, "(STRING, INT64) -> STRING", kNoNullArgs | kInternal},
    {"$limit_length", kScalar, "(BYTES, INT64) -> BYTES", kNoNullArgs | kInternal},
    {"$limit_precision", kScalar, "(NUMERIC, INT64, INT64) -> NUMERIC", kNoNullArgs | kInternal},
    {"$limit_precision", kScalar, "(BIGNUMERIC, INT64, INT64) -> BIGNUMERIC", kNoNullArgs | kInternal},
    {"PARSE_NUMERIC", kScalar, "(STRING) -> NUMERIC", kNoNullArgs},
    {"PARSE_BIGNUMERIC", kScalar, "(STRING) -> BIGNUMERIC", kNoNullArgs},
    {"STRING", kScalar, "(JSON) -> STRING", kNoNullArgs},
    {"STRING", kScalar, "(TIMESTAMP, [STRING]) -> STRING"},
    {"STRING", kScalar, "(DATE) -> STRING"},
    {"STRING", kScalar, "(DATETIME) -> STRING"},
    {"STRING", kScalar, "(TIME) -> STRING"},
    {"BOOL", kScalar, "(JSON) -> BOOL", kNoNullArgs},
    {"INT64", kScalar, "(JSON) -> INT64", kNoNullArgs},
    {"FLOAT64", kScalar, "(wide_number_mode:STRING='round', JSON) -> FLOAT64", kNoNullArgs},
    {"DOUBLE", kScalar, "(wide_number_mode:STRING='round', JSON) -> FLOAT64", kNoNullArgs},
    {"LAX_BOOL", kScalar, "(JSON) -> BOOL", kNoNullArgs},
    {"LAX_INT64", kScalar, "(JSON) -> INT64", kNoNullArgs},
    {"LAX_FLOAT64", kScalar, "(JSON) -> FLOAT64", kNoNullArgs},
    {"LAX_STRING", kScalar, "(JSON) -> STRING", kNoNullArgs},
    {"GENERATE_UUID", kScalar, "() -> STRING", kNotInSandbox | kVolatile},
    {"SESSION_USER", kScalar, "() -> STRING", kNotInSandbox},
    {"GROUPING", kScalar, "(T1) -> INT64"},
};

}  // namespace

FunctionRows ConversionRows() { return kRows; }

}  // namespace logquery::rewrite
