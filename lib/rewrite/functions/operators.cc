// Rows of the function table: arithmetic, bits, logic, concatenation and element access.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"$add", kScalar, "(INT64, INT64) -> INT64", kNoNullArgs},
    {"$add", kScalar, "(NUMERIC, NUMERIC) -> NUMERIC", kNoNullArgs},
    {"$add", kScalar, "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", kNoNullArgs},
    {"$add", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", kNoNullArgs | kTotal},
    {"$add", kScalar, "(DATE, INT64) -> DATE", kNoNullArgs},
    {"$add", kScalar, "(INT64, DATE) -> DATE", kNoNullArgs},
    {"$add", kScalar, "(TIMESTAMP, INTERVAL) -> TIMESTAMP", kNoNullArgs},
    {"$add", kScalar, "(INTERVAL, TIMESTAMP) -> TIMESTAMP", kNoNullArgs},
    {"$add", kScalar, "(DATETIME, INTERVAL) -> DATETIME", kNoNullArgs},
    {"$add", kScalar, "(INTERVAL, DATETIME) -> DATETIME", kNoNullArgs},
    {"$add", kScalar, "(DATE, INTERVAL) -> DATETIME", kNoNullArgs},
    {"$add", kScalar, "(INTERVAL, DATE) -> DATETIME", kNoNullArgs},
    {"$add", kScalar, "(INTERVAL, INTERVAL) -> INTERVAL", kNoNullArgs},

    {"$subtract", kScalar, "(INT64, INT64) -> INT64", kNoNullArgs},
    {"$subtract", kScalar, "(NUMERIC, NUMERIC) -> NUMERIC", kNoNullArgs},
    {"$subtract", kScalar, "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", kNoNullArgs},
    {"$subtract", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", kNoNullArgs | kTotal},
    {"$subtract", kScalar, "(DATE, INT64) -> DATE", kNoNullArgs},
    {"$subtract", kScalar, "(DATE, DATE) -> INTERVAL", kNoNullArgs},
    {"$subtract", kScalar, "(TIMESTAMP, TIMESTAMP) -> INTERVAL", kNoNullArgs},
    {"$subtract", kScalar, "(DATETIME, DATETIME) -> INTERVAL", kNoNullArgs},
    {"$subtract", kScalar, "(TIME, TIME) -> INTERVAL", kNoNullArgs},
    {"$subtract", kScalar, "(TIMESTAMP, INTERVAL) -> TIMESTAMP", kNoNullArgs},
    {"$subtract", kScalar, "(DATETIME, INTERVAL) -> DATETIME", kNoNullArgs},
    {"$subtract", kScalar, "(DATE, INTERVAL) -> DATETIME", kNoNullArgs},
    {"$subtract", kScalar, "(INTERVAL, INTERVAL) -> INTERVAL", kNoNullArgs},

    {"$multiply", kScalar, "(INT64, INT64) -> INT64", kNoNullArgs},
    {"$multiply", kScalar, "(NUMERIC, NUMERIC) -> NUMERIC", kNoNullArgs},
    {"$multiply", kScalar, "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", kNoNullArgs},
    {"$multiply", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", kNoNullArgs | kTotal},
    {"$multiply", kScalar, "(INTERVAL, INT64) -> INTERVAL", kNoNullArgs},
    {"$multiply", kScalar, "(INT64, INTERVAL) -> INTERVAL", kNoNullArgs},

    {"$divide", kScalar, "(INT64, INT64) -> FLOAT64", kNoNullArgs},
    {"$divide", kScalar, "(NUMERIC, NUMERIC) -> NUMERIC", kNoNullArgs},
    {"$divide", kScalar, "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", kNoNullArgs},
    {"$divide", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", kNoNullArgs},
    {"$divide", kScalar, "(INTERVAL, INT64) -> INTERVAL", kNoNullArgs},

    {"$negate", kScalar, "(INT64) -> INT64", kNoNullArgs},
    {"$negate", kScalar, "(NUMERIC) -> NUMERIC", kNoNullArgs | kTotal},
    {"$negate", kScalar, "(BIGNUMERIC) -> BIGNUMERIC", kNoNullArgs},
    {"$negate", kScalar, "(FLOAT64) -> FLOAT64", kNoNullArgs | kTotal},
    {"$negate", kScalar, "(INTERVAL) -> INTERVAL", kNoNullArgs},

    {"$bit_not", kScalar, "(INT64) -> INT64", kNoNullArgs | kTotal},
    {"$bit_not", kScalar, "(BYTES) -> BYTES", kNoNullArgs},
    {"$bit_and", kScalar, "(INT64, INT64) -> INT64", kNoNullArgs | kTotal},
    {"$bit_and", kScalar, "(BYTES, BYTES) -> BYTES", kNoNullArgs},
    {"$bit_or", kScalar, "(INT64, INT64) -> INT64", kNoNullArgs | kTotal},
    {"$bit_or", kScalar, "(BYTES, BYTES) -> BYTES", kNoNullArgs},
    {"$bit_xor", kScalar, "(INT64, INT64) -> INT64", kNoNullArgs | kTotal},
    {"$bit_xor", kScalar, "(BYTES, BYTES) -> BYTES", kNoNullArgs},
    {"$shift_left", kScalar, "(INT64, INT64) -> INT64", kNoNullArgs},
    {"$shift_left", kScalar, "(BYTES, INT64) -> BYTES", kNoNullArgs},
    {"$shift_right", kScalar, "(INT64, INT64) -> INT64", kNoNullArgs},
    {"$shift_right", kScalar, "(BYTES, INT64) -> BYTES", kNoNullArgs},

    {"$and", kScalar, "(BOOL...) -> BOOL", kTotal},
    {"$or", kScalar, "(BOOL...) -> BOOL", kTotal},
    {"$not", kScalar, "(BOOL) -> BOOL", kNoNullArgs | kTotal},

    {"$concat", kScalar, "(STRING...) -> STRING", kNoNullArgs | kGrows},
    {"$concat", kScalar, "(BYTES...) -> BYTES", kNoNullArgs | kGrows},
    {"$concat", kScalar, "(ARRAY<T1>...) -> ARRAY<T1>", kNoNullArgs | kGrows},

    {"$at_offset", kScalar, "(ARRAY<T1>, INT64) -> T1", kNoNullArgs},
    {"$at_ordinal", kScalar, "(ARRAY<T1>, INT64) -> T1", kNoNullArgs},
    {"$safe_at_offset", kScalar, "(ARRAY<T1>, INT64) -> T1", kNoNullArgs | kTotal},
    {"$safe_at_ordinal", kScalar, "(ARRAY<T1>, INT64) -> T1", kNoNullArgs | kTotal},
    {"$json_field", kScalar, "(JSON, STRING) -> JSON", kNoNullArgs},
    {"$json_index", kScalar, "(JSON, INT64) -> JSON", kNoNullArgs},

    // A record's STRUCT, and whether the record is there: both look at storage, where a record is that STRUCT.
    {"$element", kScalar, "(T1) -> T1", kNoNullArgs | kInternal | kTotal},
    {"$present", kScalar, "(T1) -> BOOL", kInternal | kTotal},

    // The value with all text in it redacted, by kinds as lib/base/redaction_kinds.h writes them.
    // Its argument, of which an engine knows nothing: see the pass pin_operands.
    {"$pin", kScalar, "(T1) -> T1", kInternal | kTotal},
    {"$redact", kScalar, "(T1, STRING) -> T1", kInternal | kTotal},
    // The first argument as it is, or an error where it would be too much: the pass bound_growth has more.
    {"$bounded", kScalar, "(STRING, [BOOL]) -> STRING", kInternal},
    {"$bounded", kScalar, "(BYTES, [BOOL]) -> BYTES", kInternal},
    {"$bounded", kScalar, "(T1, [BOOL]) -> T1", kInternal},
    {"$fits", kScalar, "(T1, [BOOL]) -> BOOL", kInternal},
    {"$bounded_value", kScalar, "(STRING, INT64) -> STRING", kInternal},
    {"$bounded_value", kScalar, "(BYTES, INT64) -> BYTES", kInternal},
    {"$bounded_value", kScalar, "(T1, INT64) -> T1", kInternal},
    {"$bounded_frame", kScalar, "(T1, INT64, INT64, INT64) -> T1", kInternal},
    {"$bounded_elements", kScalar, "(T1, [BOOL]) -> T1", kInternal},
};

}  // namespace

FunctionRows OperatorRows() { return kRows; }

}  // namespace logquery::rewrite
