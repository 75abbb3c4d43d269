// GoogleSQL's spellings of functions that are not called by name.
#include "lib/emit/explain/spellings.h"

namespace logquery::emit {
namespace {

constexpr Spelling kSpellings[] = {
    // APPROX_… and HyperLogLog++.
    {"$quantile", "APPROX_QUANTILES($1, $2)[OFFSET($3)]"},

    // Aggregates in parts.
    {"$exact_sum", "CAST(SUM(CAST($1 AS BIGNUMERIC)) AS STRING)"},
    {"$checked_sum", "CAST($1 AS INT64)"},
    {"$average_of", "CAST(CAST($1 AS BIGNUMERIC) / $2 AS FLOAT64)"},

    // Comparisons.
    {"$equal", "($1 = $2)"},
    {"$not_equal", "($1 != $2)"},
    {"$less", "($1 < $2)"},
    {"$less_or_equal", "($1 <= $2)"},
    {"$greater", "($1 > $2)"},
    {"$greater_or_equal", "($1 >= $2)"},
    {"$between", "($1 BETWEEN $2 AND $3)"},
    {"$is_distinct", "($1 IS DISTINCT FROM $2)"},
    {"$is_not_distinct", "($1 IS NOT DISTINCT FROM $2)"},
    {"$is_null", "($1 IS NULL)"},
    {"$is_true", "($1 IS TRUE)"},
    {"$is_false", "($1 IS FALSE)"},
    {"$in", "($1 IN ($2*))"},
    {"$in_array", "($1 IN UNNEST($2))"},
    {"$like", "($1 LIKE $2)"},
    {"$ilike", "(LOWER($1) LIKE LOWER($2))"},
    {"$like_any", "($1 LIKE ANY ($2*))"},
    {"$like_all", "($1 LIKE ALL ($2*))"},

    // The functions that casts become.
    {"$format_time", "CAST($1 AS STRING FORMAT $2)"},
    {"$read_time", "CAST($1 AS DATETIME FORMAT $2)"},
    {"$limit_length(STRING, INT64)", "CAST($1 AS STRING($2))"},
    {"$limit_length(BYTES, INT64)", "CAST($1 AS BYTES($2))"},
    {"$limit_precision(NUMERIC, INT64, INT64)", "CAST($1 AS NUMERIC($2, $3))"},
    {"$limit_precision(BIGNUMERIC, INT64, INT64)", "CAST($1 AS BIGNUMERIC($2, $3))"},
    {"FLOAT64", "FLOAT64($2, wide_number_mode => $1)"},
    {"DOUBLE", "DOUBLE($2, wide_number_mode => $1)"},

    // INTERVAL.
    {"$interval", "INTERVAL $1 $2"},

    // JSON.
    {"PARSE_JSON", "PARSE_JSON($2, wide_number_mode => $1)"},
    {"TO_JSON", "TO_JSON($2, stringify_wide_numbers => $1)"},
    {"JSON_KEYS", "JSON_KEYS($2*, mode => $1)"},
    {"JSON_SET", "JSON_SET($2*, create_if_missing => $1)"},
    {"JSON_STRIP_NULLS", "JSON_STRIP_NULLS($3*, include_arrays => $1, remove_empty => $2)"},
    {"JSON_ARRAY_APPEND", "JSON_ARRAY_APPEND($2*, append_each_element => $1)"},
    {"JSON_ARRAY_INSERT", "JSON_ARRAY_INSERT($2*, insert_each_element => $1)"},

    // Operators.
    {"$add", "($1 + $2)"},
    {"$subtract", "($1 - $2)"},
    {"$multiply", "($1 * $2)"},
    {"$divide", "($1 / $2)"},
    {"$negate", "(- $1)"},
    {"$bit_not", "(~ $1)"},
    {"$bit_and", "($1 & $2)"},
    {"$bit_or", "($1 | $2)"},
    {"$bit_xor", "($1 ^ $2)"},
    {"$shift_left", "($1 << $2)"},
    {"$shift_right", "($1 >> $2)"},
    {"$and", "@and"},
    {"$or", "@or"},
    {"$not", "(NOT $1)"},
    {"$concat(STRING...)", "CONCAT($*)"},
    {"$concat(BYTES...)", "CONCAT($*)"},
    {"$concat(ARRAY<T1>...)", "ARRAY_CONCAT($*)"},
    {"$at_offset", "$1[OFFSET($2)]"},
    {"$at_ordinal", "$1[ORDINAL($2)]"},
    {"$safe_at_offset", "$1[SAFE_OFFSET($2)]"},
    {"$safe_at_ordinal", "$1[SAFE_ORDINAL($2)]"},
    {"$json_field", "$1[$2]"},
    {"$json_index", "$1[$2]"},
    {"$element", "$1[SAFE_OFFSET(0)]"},
    // FALSE and not NULL where a record around it is not there either.
    {"$present", "(IFNULL(ARRAY_LENGTH($1), 0) > 0)"},
    {"$pin", "$1"},
    {"$redact", "REDACT($1)"},
    {"$bounded", "$1"},
    {"$fits", "TRUE"},
    {"$bounded_value", "$1"},
    {"$bounded_frame", "$1"},
    {"$bounded_elements", "$1"},

    // STRING and BYTES.
    {"$ascii_lower", "LOWER($1)"},
    {"CONTAINS_SUBSTR", "CONTAINS_SUBSTR($2, $3, json_scope => $1)"},
    {"SEARCH", "SEARCH($4, $5, json_scope => $1, analyzer => $2, analyzer_options => $3)"},

    // TIMESTAMP, and EXTRACT.
    {"$extract(TIMESTAMP, PART)", "EXTRACT($2 FROM $1)"},
    {"$extract(TIMESTAMP, PART, STRING)", "EXTRACT($2 FROM $1 AT TIME ZONE $3)"},
    {"$extract(DATETIME, PART)", "EXTRACT($2 FROM $1)"},
    {"$extract(DATE, PART)", "EXTRACT($2 FROM $1)"},
    {"$extract(TIME, PART)", "EXTRACT($2 FROM $1)"},
    {"$extract(INTERVAL, PART)", "EXTRACT($2 FROM $1)"},
    {"$extract_date(TIMESTAMP)", "EXTRACT(DATE FROM $1)"},
    {"$extract_date(TIMESTAMP, STRING)", "EXTRACT(DATE FROM $1 AT TIME ZONE $2)"},
    {"$extract_date(DATETIME)", "EXTRACT(DATE FROM $1)"},
    {"$extract_time(TIMESTAMP)", "EXTRACT(TIME FROM $1)"},
    {"$extract_time(TIMESTAMP, STRING)", "EXTRACT(TIME FROM $1 AT TIME ZONE $2)"},
    {"$extract_time(DATETIME)", "EXTRACT(TIME FROM $1)"},
    {"$extract_datetime(TIMESTAMP)", "EXTRACT(DATETIME FROM $1)"},
    {"$extract_datetime(TIMESTAMP, STRING)", "EXTRACT(DATETIME FROM $1 AT TIME ZONE $2)"},
};

constexpr Spelling kDistinctSpellings[] = {
    {"$quantile", "APPROX_QUANTILES(DISTINCT $1, $2)[OFFSET($3)]"},
    {"$exact_sum", "CAST(SUM(DISTINCT CAST($1 AS BIGNUMERIC)) AS STRING)"},
};

}  // namespace

const Spellings& GoogleSqlDistinctSpellings() {
  static const auto& spellings = *new Spellings({kDistinctSpellings});
  return spellings;
}

const Spellings& GoogleSqlSpellings() {
  static const auto& spellings = *new Spellings({kSpellings});
  return spellings;
}

}  // namespace logquery::emit
