// Each row claims that the meaning is the same, and tests must prove it (tests/support/meaning_cases.h).
#include "lib/engines/postgres/dialect/spellings.h"

namespace logquery::emit {
namespace {

// Spellings for arguments and results that powers.cc accepts: BOOL, INT64, STRING, DATE, DATETIME and TIMESTAMP.
// `@name` is a call in calls.cc, times.cc or regexps.cc.
constexpr Spelling kSpellings[] = {
    // Comparisons and logic.
    {"$equal(ORD1, ORD1)", "($1 = $2)"},
    {"$not_equal(ORD1, ORD1)", "($1 <> $2)"},
    {"$less(ORD1, ORD1)", "($1 < $2)"},
    {"$less_or_equal(ORD1, ORD1)", "($1 <= $2)"},
    {"$greater(ORD1, ORD1)", "($1 > $2)"},
    {"$greater_or_equal(ORD1, ORD1)", "($1 >= $2)"},
    {"$between(ORD1, ORD1, ORD1)", "($1 BETWEEN $2 AND $3)"},
    {"$is_distinct", "($1 IS DISTINCT FROM $2)"},
    {"$is_not_distinct", "($1 IS NOT DISTINCT FROM $2)"},
    {"$is_null", "($1 IS NULL)"},
    {"$is_true", "($1 IS TRUE)"},
    {"$is_false", "($1 IS FALSE)"},
    {"$in(ORD1, ORD1...)", "($1 IN ($2*))"},
    {"$like(STRING, STRING)", "@like"},
    {"$and", "@and"},
    {"$or", "@or"},
    {"$not", "(NOT $1)"},
    {"$element", "@element"},
    {"$present", "($1 IS NOT NULL)"},
    {"IF", "(CASE WHEN $1 THEN $2 ELSE $3 END)"},
    {"IFNULL", "COALESCE($1, $2)"},
    {"COALESCE", "COALESCE($*)"},
    {"NULLIF(T1, T1)", "NULLIF($1, $2)"},
    {"NULLIFZERO(NUM1)", "NULLIF($1, '0'::int8)"},
    {"ZEROIFNULL(INT64)", "COALESCE($1, '0'::int8)"},
    {"GREATEST(ORD1...)", "@greatest"},
    {"LEAST(ORD1...)", "@greatest"},

    // Texts.
    {"LENGTH(STRING)", "(char_length($1)::int8)"},
    {"CHAR_LENGTH(STRING)", "(char_length($1)::int8)"},
    {"CHARACTER_LENGTH(STRING)", "(char_length($1)::int8)"},
    {"BYTE_LENGTH(STRING)", "(octet_length($1)::int8)"},
    {"OCTET_LENGTH(STRING)", "(octet_length($1)::int8)"},
    {"STARTS_WITH(STRING, STRING)", "starts_with($1, $2)"},
    {"ENDS_WITH(STRING, STRING)", "(right($1, char_length($2)) = $2)"},
    {"STRPOS(STRING, STRING)", "(strpos($1, $2)::int8)"},
    {"$ascii_lower", "lower(translate($1, '\u0130\u212A', 'ik'))"},
    {"SUBSTR(STRING, INT64, [INT64])", "@substr"},
    {"SUBSTRING(STRING, INT64, [INT64])", "@substr"},
    {"LEFT(STRING, INT64)", "@left"},
    {"RIGHT(STRING, INT64)", "@right"},
    {"REPLACE(STRING, STRING, STRING)", "replace($1, $2, $3)"},
    {"TRIM(STRING, [STRING])", "@trim"},
    {"LTRIM(STRING, [STRING])", "@trim"},
    {"RTRIM(STRING, [STRING])", "@trim"},
    {"REGEXP_CONTAINS(STRING, STRING)", "@regexp_contains"},

    // Numbers. A divisor is a constant above 0 (lib/split/total_calls.h).
    {"DIV(INT64, INT64)", "($1 / $2)"},
    {"MOD(INT64, INT64)", "mod($1, $2)"},

    // Times.
    {"TIMESTAMP_TRUNC", "@truncate"},
    {"DATETIME_TRUNC", "@truncate"},
    {"DATE_TRUNC", "@truncate"},
    {"$extract(TIMESTAMP, PART)", "@extract"},
    {"$extract(TIMESTAMP, PART, STRING)", "@extract"},
    {"$extract(DATETIME, PART)", "@extract"},
    {"$extract(DATE, PART)", "@extract"},
    {"$extract_date", "@date"},
    {"$extract_datetime", "@datetime"},
    {"DATE(TIMESTAMP, [STRING])", "@date"},
    {"DATE(DATE)", "@date"},
    {"DATE(DATETIME)", "@date"},
    {"DATETIME(TIMESTAMP, [STRING])", "@datetime"},
    {"DATETIME(DATETIME)", "@datetime"},
    {"DATETIME(DATE)", "@datetime"},
    {"TIMESTAMP(TIMESTAMP)", "$1"},
    {"UNIX_SECONDS", "@unix_seconds"},
    {"UNIX_MILLIS", "@unix_millis"},
    {"UNIX_MICROS", "@unix_micros"},
    {"UNIX_DATE", "(CASE WHEN isfinite($1) THEN ($1 - '1970-01-01'::date)::int8 END)"},
    {"TIMESTAMP_DIFF(TIMESTAMP, TIMESTAMP, PART)", "@time_difference"},
    {"DATE_DIFF(DATE, DATE, PART)", "@date_difference"},
    {"FORMAT_TIMESTAMP", "@format"},
    {"FORMAT_DATETIME(STRING, DATETIME)", "@format"},
    {"FORMAT_DATE(STRING, DATE)", "@format"},

    // Aggregates.
    {"COUNT()", "count(*)"},
    {"COUNT(T1)", "count($1)"},
    {"COUNTIF", "count(NULLIF($1, FALSE))"},
    {"MIN(ORD1)", "min($1)"},
    {"MAX(ORD1)", "max($1)"},
    {"$exact_sum", "sum($1)::text COLLATE \"C\""},
    {"$quantile", "@quantile"},
    {"APPROX_COUNT_DISTINCT", "count(DISTINCT $1)"},
    {"LOGICAL_AND", "bool_and($1)"},
    {"LOGICAL_OR", "bool_or($1)"},
    {"BIT_AND", "bit_and($1)"},
    {"BIT_OR", "bit_or($1)"},

    // Numbers of rows in windows.
    {"ROW_NUMBER", "row_number()"},
    {"RANK", "rank()"},
    {"DENSE_RANK", "dense_rank()"},
};

}  // namespace

const Spellings& PostgresSpellings() {
  static const auto& spellings = *new Spellings({kSpellings});
  return spellings;
}

}  // namespace logquery::emit
