#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

// FLOAT64 has rows of its own: NaN equals and orders with nothing, where DuckDB has it equal itself and above all else.
// So have STRUCTs: a NULL field makes = NULL, where DuckDB compares it as a value.
constexpr FunctionRow kRows[] = {
    {"$equal", kScalar, "(FLOAT64, FLOAT64) -> BOOL", "@float_equal", kNoNullArgs | kTotal, "($1 = $2)"},
    {"$equal", kScalar, "(ORD1, ORD1) -> BOOL", "($1 = $2)", kNoNullArgs | kTotal, "($1 = $2)"},
    {"$equal", kScalar, "(T1, T1) -> BOOL", "@struct_equal", kNoNullArgs | kTotal, "($1 = $2)"},
    {"$not_equal", kScalar, "(FLOAT64, FLOAT64) -> BOOL", "@float_not_equal", kNoNullArgs | kTotal, "($1 != $2)"},
    {"$not_equal", kScalar, "(ORD1, ORD1) -> BOOL", "($1 <> $2)", kNoNullArgs | kTotal, "($1 != $2)"},
    {"$not_equal", kScalar, "(T1, T1) -> BOOL", "@struct_not_equal", kNoNullArgs | kTotal, "($1 != $2)"},
    {"$less", kScalar, "(FLOAT64, FLOAT64) -> BOOL", "@float_less", kNoNullArgs | kTotal, "($1 < $2)"},
    {"$less", kScalar, "(ORD1, ORD1) -> BOOL", "($1 < $2)", kNoNullArgs | kTotal, "($1 < $2)"},
    {"$less_or_equal", kScalar, "(FLOAT64, FLOAT64) -> BOOL", "@float_less_or_equal", kNoNullArgs | kTotal,
     "($1 <= $2)"},
    {"$less_or_equal", kScalar, "(ORD1, ORD1) -> BOOL", "($1 <= $2)", kNoNullArgs | kTotal, "($1 <= $2)"},
    {"$greater", kScalar, "(FLOAT64, FLOAT64) -> BOOL", "@float_greater", kNoNullArgs | kTotal, "($1 > $2)"},
    {"$greater", kScalar, "(ORD1, ORD1) -> BOOL", "($1 > $2)", kNoNullArgs | kTotal, "($1 > $2)"},
    {"$greater_or_equal", kScalar, "(FLOAT64, FLOAT64) -> BOOL", "@float_greater_or_equal", kNoNullArgs | kTotal,
     "($1 >= $2)"},
    {"$greater_or_equal", kScalar, "(ORD1, ORD1) -> BOOL", "($1 >= $2)", kNoNullArgs | kTotal, "($1 >= $2)"},
    {"$between", kScalar, "(FLOAT64, FLOAT64, FLOAT64) -> BOOL", "@float_between", kTotal, "($1 BETWEEN $2 AND $3)"},
    {"$between", kScalar, "(ORD1, ORD1, ORD1) -> BOOL", "($1 BETWEEN $2 AND $3)", kTotal, "($1 BETWEEN $2 AND $3)"},
    {"$is_distinct", kScalar, "(T1, T1) -> BOOL", "($1 IS DISTINCT FROM $2)", kTotal, "($1 IS DISTINCT FROM $2)"},
    {"$is_not_distinct", kScalar, "(T1, T1) -> BOOL", "($1 IS NOT DISTINCT FROM $2)", kTotal,
     "($1 IS NOT DISTINCT FROM $2)"},
    {"$is_null", kScalar, "(T1) -> BOOL", "($1 IS NULL)", kTotal, "($1 IS NULL)"},
    {"$is_true", kScalar, "(BOOL) -> BOOL", "($1 IS NOT DISTINCT FROM TRUE)", kTotal, "($1 IS TRUE)"},
    {"$is_false", kScalar, "(BOOL) -> BOOL", "($1 IS NOT DISTINCT FROM FALSE)", kTotal, "($1 IS FALSE)"},
    {"$in", kScalar, "(FLOAT64, FLOAT64...) -> BOOL", "@float_in", kTotal, "($1 IN ($2*))"},
    {"$in", kScalar, "(ORD1, ORD1...) -> BOOL", "($1 IN ($2*))", kTotal, "($1 IN ($2*))"},
    {"$in", kScalar, "(T1, T1...) -> BOOL", "@struct_in", kTotal, "($1 IN ($2*))"},
    {"$in_array", kScalar, "(T1, ARRAY<T1>) -> BOOL", "@in_array", kTotal, "($1 IN UNNEST($2))"},
    {"$like", kScalar, "(STRING, STRING) -> BOOL", "@like", kNoNullArgs | kTotalInFirst, "($1 LIKE $2)"},
    {"$like", kScalar, "(BYTES, BYTES) -> BOOL", "lq_bytes_like($1, $2)", kNoNullArgs | kTotalInFirst, "($1 LIKE $2)"},
    {"$ilike", kScalar, "(STRING, STRING) -> BOOL", "@ilike", kNoNullArgs | kTotalInFirst,
     "(LOWER($1) LIKE LOWER($2))"},
    {"$like_any", kScalar, "(STRING, STRING...) -> BOOL", "@like_any", kTotalInFirst, "($1 LIKE ANY ($2*))"},
    {"$like_any", kScalar, "(BYTES, BYTES...) -> BOOL", "@like_any", kTotalInFirst, "($1 LIKE ANY ($2*))"},
    {"$like_all", kScalar, "(BYTES, BYTES...) -> BOOL", "@like_all", kTotalInFirst, "($1 LIKE ALL ($2*))"},
    {"$like_all", kScalar, "(STRING, STRING...) -> BOOL", "@like_all", kTotalInFirst, "($1 LIKE ALL ($2*))"},
};

}  // namespace

FunctionRows ComparisonRows() { return kRows; }

}  // namespace logquery::rewrite
