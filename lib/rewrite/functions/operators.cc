#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

// Arithmetic, bits, logic, concatenation and element access. FLOAT64 overflow gives infinity in DuckDB.
constexpr FunctionRow kRows[] = {
    {"$add", kScalar, "(INT64, INT64) -> INT64", "($1 + $2)", kNoNullArgs, "($1 + $2)"},
    {"$add", kScalar, "(NUMERIC, NUMERIC) -> NUMERIC", "($1 + $2)", kNoNullArgs, "($1 + $2)"},
    {"$add", kScalar, "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", "lq_big_add($1, $2)", kNoNullArgs, "($1 + $2)"},
    {"$add", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", "($1 + $2)", kNoNullArgs | kTotal, "($1 + $2)"},
    {"$add", kScalar, "(DATE, INT64) -> DATE", "lq_date_plus($1, $2)", kNoNullArgs, "($1 + $2)"},
    {"$add", kScalar, "(INT64, DATE) -> DATE", "lq_date_plus($2, $1)", kNoNullArgs, "($1 + $2)"},
    {"$add", kScalar, "(TIMESTAMP, INTERVAL) -> TIMESTAMP", "@timestamp_add_interval", kNoNullArgs, "($1 + $2)"},
    {"$add", kScalar, "(INTERVAL, TIMESTAMP) -> TIMESTAMP", "@interval_add_timestamp", kNoNullArgs, "($1 + $2)"},
    {"$add", kScalar, "(DATETIME, INTERVAL) -> DATETIME", "lq_timestamp_in_range($1 + $2)", kNoNullArgs, "($1 + $2)"},
    {"$add", kScalar, "(INTERVAL, DATETIME) -> DATETIME", "lq_timestamp_in_range($2 + $1)", kNoNullArgs, "($1 + $2)"},
    {"$add", kScalar, "(DATE, INTERVAL) -> DATETIME", "lq_timestamp_in_range($1 + $2)", kNoNullArgs, "($1 + $2)"},
    {"$add", kScalar, "(INTERVAL, DATE) -> DATETIME", "lq_timestamp_in_range($2 + $1)", kNoNullArgs, "($1 + $2)"},
    {"$add", kScalar, "(INTERVAL, INTERVAL) -> INTERVAL", "lq_interval_in_range($1 + $2)", kNoNullArgs, "($1 + $2)"},

    {"$subtract", kScalar, "(INT64, INT64) -> INT64", "($1 - $2)", kNoNullArgs, "($1 - $2)"},
    {"$subtract", kScalar, "(NUMERIC, NUMERIC) -> NUMERIC", "($1 - $2)", kNoNullArgs, "($1 - $2)"},
    {"$subtract", kScalar, "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", "lq_big_subtract($1, $2)", kNoNullArgs,
     "($1 - $2)"},
    {"$subtract", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", "($1 - $2)", kNoNullArgs | kTotal, "($1 - $2)"},
    {"$subtract", kScalar, "(DATE, INT64) -> DATE", "lq_date_minus($1, $2)", kNoNullArgs, "($1 - $2)"},
    {"$subtract", kScalar, "(DATE, DATE) -> INTERVAL", "to_days(CAST($1 - $2 AS INTEGER))", kNoNullArgs, "($1 - $2)"},
    {"$subtract", kScalar, "(TIMESTAMP, TIMESTAMP) -> INTERVAL", "to_microseconds(epoch_us($1) - epoch_us($2))",
     kNoNullArgs, "($1 - $2)"},
    {"$subtract", kScalar, "(DATETIME, DATETIME) -> INTERVAL", "to_microseconds(epoch_us($1) - epoch_us($2))",
     kNoNullArgs, "($1 - $2)"},
    {"$subtract", kScalar, "(TIME, TIME) -> INTERVAL", "to_microseconds(epoch_us($1) - epoch_us($2))", kNoNullArgs,
     "($1 - $2)"},
    {"$subtract", kScalar, "(TIMESTAMP, INTERVAL) -> TIMESTAMP", "@timestamp_sub_interval", kNoNullArgs, "($1 - $2)"},
    {"$subtract", kScalar, "(DATETIME, INTERVAL) -> DATETIME", "lq_timestamp_in_range($1 - $2)", kNoNullArgs,
     "($1 - $2)"},
    {"$subtract", kScalar, "(DATE, INTERVAL) -> DATETIME", "lq_timestamp_in_range($1 - $2)", kNoNullArgs, "($1 - $2)"},
    {"$subtract", kScalar, "(INTERVAL, INTERVAL) -> INTERVAL", "lq_interval_in_range($1 - $2)", kNoNullArgs,
     "($1 - $2)"},

    {"$multiply", kScalar, "(INT64, INT64) -> INT64", "($1 * $2)", kNoNullArgs, "($1 * $2)"},
    {"$multiply", kScalar, "(NUMERIC, NUMERIC) -> NUMERIC", "CAST($1 * $2 AS DECIMAL(38, 9))", kNoNullArgs,
     "($1 * $2)"},
    {"$multiply", kScalar, "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", "lq_big_multiply($1, $2)", kNoNullArgs,
     "($1 * $2)"},
    {"$multiply", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", "($1 * $2)", kNoNullArgs | kTotal, "($1 * $2)"},
    {"$multiply", kScalar, "(INTERVAL, INT64) -> INTERVAL", "@interval_multiply", kNoNullArgs, "($1 * $2)"},
    {"$multiply", kScalar, "(INT64, INTERVAL) -> INTERVAL", "@multiply_interval", kNoNullArgs, "($1 * $2)"},

    {"$divide", kScalar, "(INT64, INT64) -> FLOAT64", "@divide", kNoNullArgs, "($1 / $2)"},
    {"$divide", kScalar, "(NUMERIC, NUMERIC) -> NUMERIC", "@numeric_divide", kNoNullArgs, "($1 / $2)"},
    {"$divide", kScalar, "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", "lq_big_divide($1, $2)", kNoNullArgs, "($1 / $2)"},
    {"$divide", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", "@divide", kNoNullArgs, "($1 / $2)"},
    {"$divide", kScalar, "(INTERVAL, INT64) -> INTERVAL", "@interval_divide", kNoNullArgs, "($1 / $2)"},

    {"$negate", kScalar, "(INT64) -> INT64", "(- $1)", kNoNullArgs, "(- $1)"},
    {"$negate", kScalar, "(NUMERIC) -> NUMERIC", "(- $1)", kNoNullArgs | kTotal, "(- $1)"},
    {"$negate", kScalar, "(BIGNUMERIC) -> BIGNUMERIC", "lq_big_negate($1)", kNoNullArgs, "(- $1)"},
    {"$negate", kScalar, "(FLOAT64) -> FLOAT64", "(- $1)", kNoNullArgs | kTotal, "(- $1)"},
    {"$negate", kScalar, "(INTERVAL) -> INTERVAL", "(- $1)", kNoNullArgs, "(- $1)"},

    {"$bit_not", kScalar, "(INT64) -> INT64", "(~ $1)", kNoNullArgs | kTotal, "(~ $1)"},
    {"$bit_not", kScalar, "(BYTES) -> BYTES", "@bytes_bits", kNoNullArgs, "(~ $1)"},
    {"$bit_and", kScalar, "(INT64, INT64) -> INT64", "($1 & $2)", kNoNullArgs | kTotal, "($1 & $2)"},
    {"$bit_and", kScalar, "(BYTES, BYTES) -> BYTES", "@bytes_bits", kNoNullArgs, "($1 & $2)"},
    {"$bit_or", kScalar, "(INT64, INT64) -> INT64", "($1 | $2)", kNoNullArgs | kTotal, "($1 | $2)"},
    {"$bit_or", kScalar, "(BYTES, BYTES) -> BYTES", "@bytes_bits", kNoNullArgs, "($1 | $2)"},
    {"$bit_xor", kScalar, "(INT64, INT64) -> INT64", "xor($1, $2)", kNoNullArgs | kTotal, "($1 ^ $2)"},
    {"$bit_xor", kScalar, "(BYTES, BYTES) -> BYTES", "@bytes_bits", kNoNullArgs, "($1 ^ $2)"},
    {"$shift_left", kScalar, "(INT64, INT64) -> INT64", "@shift_left", kNoNullArgs, "($1 << $2)"},
    {"$shift_left", kScalar, "(BYTES, INT64) -> BYTES", "lq_bytes_shift_left($1, $2)", kNoNullArgs, "($1 << $2)"},
    {"$shift_right", kScalar, "(INT64, INT64) -> INT64", "@shift_right", kNoNullArgs, "($1 >> $2)"},
    {"$shift_right", kScalar, "(BYTES, INT64) -> BYTES", "lq_bytes_shift_right($1, $2)", kNoNullArgs, "($1 >> $2)"},

    {"$and", kScalar, "(BOOL...) -> BOOL", "@and", kTotal, "@and"},
    {"$or", kScalar, "(BOOL...) -> BOOL", "@or", kTotal, "@or"},
    {"$not", kScalar, "(BOOL) -> BOOL", "(NOT $1)", kNoNullArgs | kTotal, "(NOT $1)"},

    {"$concat", kScalar, "(STRING...) -> STRING", "@concat", kNoNullArgs | kGrows, "CONCAT($*)"},
    {"$concat", kScalar, "(BYTES...) -> BYTES", "@concat", kNoNullArgs | kGrows, "CONCAT($*)"},
    {"$concat", kScalar, "(ARRAY<T1>...) -> ARRAY<T1>", "@array_concat", kNoNullArgs | kGrows, "ARRAY_CONCAT($*)"},

    {"$at_offset", kScalar, "(ARRAY<T1>, INT64) -> T1", "@at_offset", kNoNullArgs, "$1[OFFSET($2)]"},
    {"$at_ordinal", kScalar, "(ARRAY<T1>, INT64) -> T1", "@at_ordinal", kNoNullArgs, "$1[ORDINAL($2)]"},
    {"$safe_at_offset", kScalar, "(ARRAY<T1>, INT64) -> T1", "@safe_at_offset", kNoNullArgs | kTotal,
     "$1[SAFE_OFFSET($2)]"},
    {"$safe_at_ordinal", kScalar, "(ARRAY<T1>, INT64) -> T1", "@safe_at_ordinal", kNoNullArgs | kTotal,
     "$1[SAFE_ORDINAL($2)]"},
    {"$json_field", kScalar, "(JSON, STRING) -> JSON", "@json_field", kNoNullArgs, "$1[$2]"},
    {"$json_index", kScalar, "(JSON, INT64) -> JSON", "@json_index", kNoNullArgs, "$1[$2]"},

    // A record's STRUCT, and whether the record is there: both look at storage, where a record is that STRUCT.
    {"$element", kScalar, "(T1) -> T1", "$1", kNoNullArgs | kInternal | kTotal, "$1[SAFE_OFFSET(0)]"},
    {"$present", kScalar, "(T1) -> BOOL", "($1 IS NOT NULL)", kInternal | kTotal, "(ARRAY_LENGTH($1) > 0)"},

    // The value with all text in it redacted, by kinds as lib/base/redaction_kinds.h writes them.
    // Its argument, of which an engine knows nothing: see the pass pin_operands.
    {"$pin", kScalar, "(T1) -> T1", "@pin", kInternal | kTotal, "$1"},
    {"$redact", kScalar, "(T1, STRING) -> T1", "@redact", kInternal | kTotal, "REDACT($1)"},
    // The first argument as it is, or an error where it would be too much: the pass bound_growth has more.
    {"$bounded", kScalar, "(STRING, [BOOL]) -> STRING", "@bounded", kInternal, "$1"},
    {"$bounded", kScalar, "(BYTES, [BOOL]) -> BYTES", "@bounded", kInternal, "$1"},
    {"$bounded", kScalar, "(T1, [BOOL]) -> T1", "@bounded", kInternal, "$1"},
    {"$fits", kScalar, "(T1, [BOOL]) -> BOOL", "@fits", kInternal, "TRUE"},
    {"$bounded_value", kScalar, "(STRING, INT64) -> STRING", "lq_bounded_value($1, $2)", kInternal, "$1"},
    {"$bounded_value", kScalar, "(BYTES, INT64) -> BYTES", "lq_bytes_bounded_value($1, $2)", kInternal, "$1"},
    {"$bounded_value", kScalar, "(T1, INT64) -> T1", "@bounded_value", kInternal, "$1"},
    {"$bounded_frame", kScalar, "(T1, INT64, INT64, INT64) -> T1", "@bounded_frame", kInternal, "$1"},
    {"$bounded_elements", kScalar, "(T1, [BOOL]) -> T1", "@bounded_elements", kInternal, "$1"},
};

}  // namespace

FunctionRows OperatorRows() { return kRows; }

}  // namespace logquery::rewrite
