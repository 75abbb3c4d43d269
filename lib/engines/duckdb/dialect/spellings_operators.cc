// DuckDB's spellings: Operators.
#include "lib/engines/duckdb/dialect/spellings.h"

namespace logquery::emit {
namespace {

constexpr Spelling kSpellings[] = {
    {"$add(INT64, INT64)", "($1 + $2)"},
    {"$add(NUMERIC, NUMERIC)", "($1 + $2)"},
    {"$add(FLOAT64, FLOAT64)", "($1 + $2)"},
    {"$add(INT64, DATE)", "lq_date_plus($2, $1)"},
    {"$add(TIMESTAMP, INTERVAL)", "@timestamp_add_interval"},
    {"$add(INTERVAL, TIMESTAMP)", "@interval_add_timestamp"},
    {"$add(DATETIME, INTERVAL)", "lq_timestamp_in_range($1 + $2)"},
    {"$add(INTERVAL, DATETIME)", "lq_timestamp_in_range($2 + $1)"},
    {"$add(DATE, INTERVAL)", "lq_timestamp_in_range($1 + $2)"},
    {"$add(INTERVAL, DATE)", "lq_timestamp_in_range($2 + $1)"},
    {"$add(INTERVAL, INTERVAL)", "lq_interval_in_range($1 + $2)"},
    {"$subtract(INT64, INT64)", "($1 - $2)"},
    {"$subtract(NUMERIC, NUMERIC)", "($1 - $2)"},
    {"$subtract(FLOAT64, FLOAT64)", "($1 - $2)"},
    {"$subtract(DATE, DATE)", "to_days(CAST($1 - $2 AS INTEGER))"},
    {"$subtract(TIMESTAMP, TIMESTAMP)", "to_microseconds(epoch_us($1) - epoch_us($2))"},
    {"$subtract(DATETIME, DATETIME)", "to_microseconds(epoch_us($1) - epoch_us($2))"},
    {"$subtract(TIME, TIME)", "to_microseconds(epoch_us($1) - epoch_us($2))"},
    {"$subtract(TIMESTAMP, INTERVAL)", "@timestamp_sub_interval"},
    {"$subtract(DATETIME, INTERVAL)", "lq_timestamp_in_range($1 - $2)"},
    {"$subtract(DATE, INTERVAL)", "lq_timestamp_in_range($1 - $2)"},
    {"$subtract(INTERVAL, INTERVAL)", "lq_interval_in_range($1 - $2)"},
    {"$multiply(INT64, INT64)", "($1 * $2)"},
    {"$multiply(FLOAT64, FLOAT64)", "($1 * $2)"},
    {"$multiply(INTERVAL, INT64)", "@interval_multiply"},
    {"$multiply(INT64, INTERVAL)", "@multiply_interval"},
    {"$divide(INT64, INT64)", "@divide"},
    {"$divide(FLOAT64, FLOAT64)", "@divide"},
    {"$divide(INTERVAL, INT64)", "@interval_divide"},
    {"$negate(INT64)", "(- $1)"},
    {"$negate(NUMERIC)", "(- $1)"},
    {"$negate(FLOAT64)", "(- $1)"},
    {"$negate(INTERVAL)", "(- $1)"},
    {"$bit_not(INT64)", "(~ $1)"},
    {"$bit_and(INT64, INT64)", "($1 & $2)"},
    {"$bit_or(INT64, INT64)", "($1 | $2)"},
    {"$bit_xor(INT64, INT64)", "xor($1, $2)"},
    {"$shift_left(INT64, INT64)", "@shift_left"},
    {"$shift_right(INT64, INT64)", "@shift_right"},
    {"$and", "@and"},
    {"$or", "@or"},
    {"$not", "(NOT $1)"},
    {"$concat(STRING...)", "@concat"},
    {"$concat(BYTES...)", "@concat"},
    {"$concat(ARRAY<T1>...)", "@array_concat"},
    {"$at_offset", "@at_offset"},
    {"$at_ordinal", "@at_ordinal"},
    {"$safe_at_offset", "@safe_at_offset"},
    {"$safe_at_ordinal", "@safe_at_ordinal"},
    {"$json_field", "@json_field"},
    {"$json_index", "@json_index"},
    {"$element", "$1"},
    {"$present", "($1 IS NOT NULL)"},
    {"$pin", "@pin"},
    {"$redact", "@redact"},
    {"$bounded", "@bounded"},
    {"$fits", "@fits"},
    {"$bounded_value(T1, INT64)", "@bounded_value"},
    {"$bounded_frame", "@bounded_frame"},
    {"$bounded_elements", "@bounded_elements"},
};

}  // namespace

SpellingList DuckDbOperatorSpellings() { return kSpellings; }

}  // namespace logquery::emit
