// Rows of the function table: comparisons.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

// FLOAT64 has rows of its own: NaN equals and orders with nothing, where engines have it equal itself and above all else. STRUCTs
// have them too: a NULL field makes = NULL, where engines compare it as a value.
constexpr FunctionRow kRows[] = {
    {"$equal", kScalar, "(FLOAT64, FLOAT64) -> BOOL", kNoNullArgs | kTotal},
    {"$equal", kScalar, "(ORD1, ORD1) -> BOOL", kNoNullArgs | kTotal},
    {"$equal", kScalar, "(T1, T1) -> BOOL", kNoNullArgs | kTotal},
    {"$not_equal", kScalar, "(FLOAT64, FLOAT64) -> BOOL", kNoNullArgs | kTotal},
    {"$not_equal", kScalar, "(ORD1, ORD1) -> BOOL", kNoNullArgs | kTotal},
    {"$not_equal", kScalar, "(T1, T1) -> BOOL", kNoNullArgs | kTotal},
    {"$less", kScalar, "(FLOAT64, FLOAT64) -> BOOL", kNoNullArgs | kTotal},
    {"$less", kScalar, "(ORD1, ORD1) -> BOOL", kNoNullArgs | kTotal},
    {"$less_or_equal", kScalar, "(FLOAT64, FLOAT64) -> BOOL", kNoNullArgs | kTotal},
    {"$less_or_equal", kScalar, "(ORD1, ORD1) -> BOOL", kNoNullArgs | kTotal},
    {"$greater", kScalar, "(FLOAT64, FLOAT64) -> BOOL", kNoNullArgs | kTotal},
    {"$greater", kScalar, "(ORD1, ORD1) -> BOOL", kNoNullArgs | kTotal},
    {"$greater_or_equal", kScalar, "(FLOAT64, FLOAT64) -> BOOL", kNoNullArgs | kTotal},
    {"$greater_or_equal", kScalar, "(ORD1, ORD1) -> BOOL", kNoNullArgs | kTotal},
    {"$between", kScalar, "(FLOAT64, FLOAT64, FLOAT64) -> BOOL", kTotal},
    {"$between", kScalar, "(ORD1, ORD1, ORD1) -> BOOL", kTotal},
    {"$is_distinct", kScalar, "(T1, T1) -> BOOL", kTotal},
    {"$is_not_distinct", kScalar, "(T1, T1) -> BOOL", kTotal},
    {"$is_null", kScalar, "(T1) -> BOOL", kTotal},
    {"$is_true", kScalar, "(BOOL) -> BOOL", kTotal},
    {"$is_false", kScalar, "(BOOL) -> BOOL", kTotal},
    {"$in", kScalar, "(FLOAT64, FLOAT64...) -> BOOL", kTotal},
    {"$in", kScalar, "(ORD1, ORD1...) -> BOOL", kTotal},
    {"$in", kScalar, "(T1, T1...) -> BOOL", kTotal},
    {"$in_array", kScalar, "(T1, ARRAY<T1>) -> BOOL", kTotal},
    {"$like", kScalar, "(STRING, STRING) -> BOOL", kNoNullArgs | kTotalInFirst},
    {"$like", kScalar, "(BYTES, BYTES) -> BOOL", kNoNullArgs | kTotalInFirst},
    {"$ilike", kScalar, "(STRING, STRING) -> BOOL", kNoNullArgs | kTotalInFirst},
    {"$like_any", kScalar, "(STRING, STRING...) -> BOOL", kTotalInFirst},
    {"$like_any", kScalar, "(BYTES, BYTES...) -> BOOL", kTotalInFirst},
    {"$like_all", kScalar, "(BYTES, BYTES...) -> BOOL", kTotalInFirst},
    {"$like_all", kScalar, "(STRING, STRING...) -> BOOL", kTotalInFirst},
};

}  // namespace

FunctionRows ComparisonRows() { return kRows; }

}  // namespace logquery::rewrite
