// Each row claims that the meaning is the same, and tests must prove it (tests/support/meaning_cases.h).
#include "lib/engines/clickhouse/dialect/spellings.h"

namespace logquery::emit {
namespace {

// Spellings for arguments and results that powers.cc accepts. Unsigned results of ClickHouse become Int64, so that
// branches of an IF have one type. `@name` is a call in calls.cc, times.cc or patterns.cc.
constexpr Spelling kSpellings[] = {
    // Comparisons and logic.
    {"$equal(ORD1, ORD1)", "($1 = $2)"},
    {"$equal(FLOAT64, FLOAT64)", "($1 = $2)"},
    {"$not_equal(ORD1, ORD1)", "($1 != $2)"},
    {"$not_equal(FLOAT64, FLOAT64)", "($1 != $2)"},
    {"$less(ORD1, ORD1)", "($1 < $2)"},
    {"$less(FLOAT64, FLOAT64)", "($1 < $2)"},
    {"$less_or_equal(ORD1, ORD1)", "($1 <= $2)"},
    {"$less_or_equal(FLOAT64, FLOAT64)", "($1 <= $2)"},
    {"$greater(ORD1, ORD1)", "($1 > $2)"},
    {"$greater(FLOAT64, FLOAT64)", "($1 > $2)"},
    {"$greater_or_equal(ORD1, ORD1)", "($1 >= $2)"},
    {"$greater_or_equal(FLOAT64, FLOAT64)", "($1 >= $2)"},
    {"$between(ORD1, ORD1, ORD1)", "($1 BETWEEN $2 AND $3)"},
    {"$between(FLOAT64, FLOAT64, FLOAT64)", "($1 BETWEEN $2 AND $3)"},
    {"$is_distinct", "(NOT ifNull($1 = $2, isNull($1) AND isNull($2)))"},
    {"$is_not_distinct", "ifNull($1 = $2, isNull($1) AND isNull($2))"},
    {"$is_null", "isNull($1)"},
    {"$is_true", "ifNull($1, 0)"},
    {"$is_false", "ifNull(NOT $1, 0)"},
    {"$in(ORD1, ORD1...)", "@in"},
    {"$like(STRING, STRING)", "@like"},
    {"$and", "@and"},
    {"$or", "@or"},
    {"$not", "(NOT $1)"},
    {"IF", "if($1, $2, $3)"},
    {"IFNULL", "coalesce($1, $2)"},
    {"COALESCE", "coalesce($*)"},
    {"NULLIF(FLOAT64, FLOAT64)", "if(ifNull($1 = $2, 0), NULL, $1)"},
    {"NULLIF(T1, T1)", "if(ifNull($1 = $2, 0), NULL, $1)"},
    {"NULLIFZERO(NUM1)", "if(ifNull($1 = 0, 0), NULL, $1)"},
    {"ZEROIFNULL(INT64)", "coalesce($1, toInt64(0))"},
    {"ZEROIFNULL(FLOAT64)", "coalesce($1, toFloat64(0))"},
    {"GREATEST(ORD1...)", "@greatest"},
    {"LEAST(ORD1...)", "@greatest"},

    // Texts.
    {"LENGTH(STRING)", "toInt64(lengthUTF8($1))"},
    {"CHAR_LENGTH(STRING)", "toInt64(lengthUTF8($1))"},
    {"CHARACTER_LENGTH(STRING)", "toInt64(lengthUTF8($1))"},
    {"BYTE_LENGTH(STRING)", "toInt64(length($1))"},
    {"OCTET_LENGTH(STRING)", "toInt64(length($1))"},
    {"STARTS_WITH(STRING, STRING)", "startsWith($1, $2)"},
    {"ENDS_WITH(STRING, STRING)", "endsWith($1, $2)"},
    {"STRPOS(STRING, STRING)", "toInt64(positionUTF8($1, $2))"},
    {"$ascii_lower", "lower(replaceAll(replaceAll($1, '\u0130', 'i'), '\u212A', 'k'))"},
    {"SUBSTR(STRING, INT64, [INT64])", "@substr"},
    {"SUBSTRING(STRING, INT64, [INT64])", "@substr"},
    {"LEFT(STRING, INT64)", "@left"},
    {"RIGHT(STRING, INT64)", "@right"},
    {"REPLACE(STRING, STRING, STRING)", "replaceAll($1, $2, $3)"},
    {"TRIM(STRING, [STRING])", "@trim"},
    {"LTRIM(STRING, [STRING])", "@trim"},
    {"RTRIM(STRING, [STRING])", "@trim"},
    {"REGEXP_CONTAINS(STRING, STRING)", "@regexp_contains"},
    {"REGEXP_EXTRACT(STRING, STRING, [INT64], [INT64])", "@regexp_extract"},
    {"REGEXP_SUBSTR(STRING, STRING, [INT64], [INT64])", "@regexp_extract"},

    // Functions of ClickHouse's own language, which mean what they are called there. The map is that of a table of all logs.
    {"$ch.attribute", "if(mapContains($1, $2), $1[$2], NULL)"},
    {"$ch.int_or_null", "@int_or_null"},
    {"$ch.ascii_lower", "lower($1)"},
    {"$ch.ascii_upper", "upper($1)"},

    // Numbers. A divisor is a constant above 0 (lib/split/total_calls.h).
    {"$add(FLOAT64, FLOAT64)", "($1 + $2)"},
    {"$subtract(FLOAT64, FLOAT64)", "($1 - $2)"},
    {"$multiply(FLOAT64, FLOAT64)", "($1 * $2)"},
    {"$negate(FLOAT64)", "(- $1)"},
    {"$divide(INT64, INT64)", "($1 / $2)"},
    {"DIV(INT64, INT64)", "intDiv($1, $2)"},
    {"MOD(INT64, INT64)", "($1 % $2)"},

    // Times.
    {"TIMESTAMP_TRUNC", "@truncate"},
    {"DATETIME_TRUNC", "@truncate"},
    {"DATE_TRUNC(DATETIME, PART)", "@truncate"},
    {"DATE_TRUNC(TIMESTAMP, PART, [STRING])", "@truncate"},
    {"$extract(TIMESTAMP, PART)", "@extract"},
    {"$extract(TIMESTAMP, PART, STRING)", "@extract"},
    {"$extract(DATETIME, PART)", "@extract"},
    {"$extract_date", "@date"},
    {"$extract_datetime", "@datetime"},
    {"DATE(TIMESTAMP, [STRING])", "@date"},
    {"DATE(DATE)", "$1"},
    {"DATE(DATETIME)", "@date"},
    {"DATETIME(TIMESTAMP, [STRING])", "@datetime"},
    {"DATETIME(DATETIME)", "$1"},
    {"TIMESTAMP(TIMESTAMP)", "$1"},
    {"UNIX_SECONDS", "@unix_seconds"},
    {"UNIX_MILLIS", "@unix_millis"},
    {"UNIX_MICROS", "@unix_micros"},
    {"UNIX_DATE", "toInt64($1)"},
    {"TIMESTAMP_DIFF(TIMESTAMP, TIMESTAMP, PART)", "@time_difference"},
    {"DATE_DIFF(DATE, DATE, PART)", "@date_difference"},

    // Aggregates.
    {"COUNT()", "toInt64(count())"},
    {"COUNT(T1)", "toInt64(count($1))"},
    {"COUNTIF", "toInt64(countIf($1))"},
    {"MIN(ORD1)", "minOrNull($1)"},
    {"MAX(ORD1)", "maxOrNull($1)"},
    {"$exact_sum", "toString(sumOrNull(toInt128($1)))"},
    {"$quantile", "@quantile"},
    {"APPROX_COUNT_DISTINCT", "toInt64(uniqExact($1))"},
    {"LOGICAL_AND", "minOrNull($1)"},
    {"LOGICAL_OR", "maxOrNull($1)"},
    {"BIT_AND", "groupBitAndOrNull($1)"},
    {"BIT_OR", "groupBitOrOrNull($1)"},
    {"BIT_XOR", "groupBitXorOrNull($1)"},

    // Numbers of rows in windows.
    {"ROW_NUMBER", "row_number()"},
    {"RANK", "rank()"},
    {"DENSE_RANK", "dense_rank()"},
};

}  // namespace

const Spellings& ClickHouseSpellings() {
  static const auto& spellings = *new Spellings({kSpellings});
  return spellings;
}

}  // namespace logquery::emit
