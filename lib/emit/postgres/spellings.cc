// A short list, because each row claims that the meaning is the same, and tests must prove it.
#include "lib/emit/postgres/spellings.h"

namespace logquery::emit {
namespace {

// Of arguments and results that powers.cc lets through: BOOL, INT64, STRING, DATE and TIMESTAMP.
constexpr Spelling kSpellings[] = {
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
    {"$like(STRING, STRING)", "($1 LIKE $2)"},
    {"$and", "@and"},
    {"$or", "@or"},
    {"$not", "(NOT $1)"},
    {"$element", "$1"},
    {"$present", "($1 IS NOT NULL)"},
    {"IF", "(CASE WHEN $1 THEN $2 ELSE $3 END)"},
    {"IFNULL", "COALESCE($1, $2)"},
    {"COALESCE", "COALESCE($*)"},
    {"NULLIF(T1, T1)", "NULLIF($1, $2)"},
    {"LENGTH(STRING)", "(char_length($1)::int8)"},
    {"CHAR_LENGTH(STRING)", "(char_length($1)::int8)"},
    {"CHARACTER_LENGTH(STRING)", "(char_length($1)::int8)"},
    {"BYTE_LENGTH(STRING)", "(octet_length($1)::int8)"},
    {"STARTS_WITH(STRING, STRING)", "starts_with($1, $2)"},
    {"STRPOS(STRING, STRING)", "(strpos($1, $2)::int8)"},
    {"TIMESTAMP_TRUNC(TIMESTAMP, PART, [STRING])", "@timestamp_trunc"},
    {"COUNT()", "count(*)"},
    {"COUNT(T1)", "count($1)"},
    {"COUNTIF", "count(NULLIF($1, FALSE))"},
    {"MIN(ORD1)", "min($1)"},
    {"MAX(ORD1)", "max($1)"},
};

}  // namespace

const Spellings& PostgresSpellings() {
  static const auto& spellings = *new Spellings({kSpellings});
  return spellings;
}

}  // namespace logquery::emit
