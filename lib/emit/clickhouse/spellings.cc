// A short list, because each row claims that the meaning is the same, and tests must prove it.
#include "lib/emit/clickhouse/spellings.h"

namespace logquery::emit {
namespace {

// Of arguments and results that powers.cc lets through. What ClickHouse counts without a sign becomes Int64, so that branches of
// an IF have one type.
constexpr Spelling kSpellings[] = {
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
    {"NULLIF(T1, T1)", "if(ifNull($1 = $2, 0), NULL, $1)"},
    {"LENGTH(STRING)", "toInt64(lengthUTF8($1))"},
    {"CHAR_LENGTH(STRING)", "toInt64(lengthUTF8($1))"},
    {"CHARACTER_LENGTH(STRING)", "toInt64(lengthUTF8($1))"},
    {"BYTE_LENGTH(STRING)", "toInt64(length($1))"},
    {"STARTS_WITH(STRING, STRING)", "startsWith($1, $2)"},
    {"ENDS_WITH(STRING, STRING)", "endsWith($1, $2)"},
    {"STRPOS(STRING, STRING)", "toInt64(positionUTF8($1, $2))"},
    {"REGEXP_CONTAINS(STRING, STRING)", "match($1, concat('(?-s)', $2))"},
    {"TIMESTAMP_TRUNC(TIMESTAMP, PART, [STRING])", "@timestamp_trunc"},
    {"COUNT()", "toInt64(count())"},
    {"COUNT(T1)", "toInt64(count($1))"},
    {"COUNTIF", "toInt64(countIf($1))"},
    {"MIN(ORD1)", "minOrNull($1)"},
    {"MAX(ORD1)", "maxOrNull($1)"},
};

}  // namespace

const Spellings& ClickHouseSpellings() {
  static const auto& spellings = *new Spellings({kSpellings});
  return spellings;
}

}  // namespace logquery::emit
