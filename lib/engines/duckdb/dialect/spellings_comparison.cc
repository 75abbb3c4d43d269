// DuckDB's spellings: Comparisons.
#include "lib/engines/duckdb/dialect/spellings.h"

namespace logquery::emit {
namespace {

constexpr Spelling kSpellings[] = {
    {"$equal(FLOAT64, FLOAT64)", "@float_equal"},
    {"$equal(ORD1, ORD1)", "($1 = $2)"},
    {"$equal(T1, T1)", "@struct_equal"},
    {"$not_equal(FLOAT64, FLOAT64)", "@float_not_equal"},
    {"$not_equal(ORD1, ORD1)", "($1 <> $2)"},
    {"$not_equal(T1, T1)", "@struct_not_equal"},
    {"$less(FLOAT64, FLOAT64)", "@float_less"},
    {"$less(ORD1, ORD1)", "($1 < $2)"},
    {"$less_or_equal(FLOAT64, FLOAT64)", "@float_less_or_equal"},
    {"$less_or_equal(ORD1, ORD1)", "($1 <= $2)"},
    {"$greater(FLOAT64, FLOAT64)", "@float_greater"},
    {"$greater(ORD1, ORD1)", "($1 > $2)"},
    {"$greater_or_equal(FLOAT64, FLOAT64)", "@float_greater_or_equal"},
    {"$greater_or_equal(ORD1, ORD1)", "($1 >= $2)"},
    {"$between(FLOAT64, FLOAT64, FLOAT64)", "@float_between"},
    {"$between(ORD1, ORD1, ORD1)", "@between"},
    {"$is_distinct", "($1 IS DISTINCT FROM $2)"},
    {"$is_not_distinct", "($1 IS NOT DISTINCT FROM $2)"},
    {"$is_null", "($1 IS NULL)"},
    {"$is_true", "($1 IS NOT DISTINCT FROM TRUE)"},
    {"$is_false", "($1 IS NOT DISTINCT FROM FALSE)"},
    {"$in(FLOAT64, FLOAT64...)", "@float_in"},
    {"$in(ORD1, ORD1...)", "($1 IN ($2*))"},
    {"$in(T1, T1...)", "@struct_in"},
    {"$in_array", "@in_array"},
    {"$like(STRING, STRING)", "@like"},
    {"$ilike", "@ilike"},
    {"$like_any", "@like_any"},
    {"$like_all", "@like_all"},
};

}  // namespace

SpellingList DuckDbComparisonSpellings() { return kSpellings; }

}  // namespace logquery::emit
