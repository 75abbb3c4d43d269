// Rows of the function table: IF, COALESCE and their like.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"IF", kScalar, "(BOOL, T1, T1) -> T1", "(CASE WHEN $1 THEN $2 ELSE $3 END)", kTotal},
    {"IFNULL", kScalar, "(T1, T1) -> T1", "COALESCE($1, $2)", kTotal},
    {"COALESCE", kScalar, "(T1...) -> T1", "COALESCE($*)", kTotal},
    {"NULLIF", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", "@float_nullif", kTotal},
    {"NULLIF", kScalar, "(T1, T1) -> T1", "@nullif", kTotal},
    {"NULLIFZERO", kScalar, "(BIGNUMERIC) -> BIGNUMERIC", "NULLIF($1, lq_big_of_int(0))", kNoNullArgs | kTotal},
    {"NULLIFZERO", kScalar, "(NUM1) -> NUM1", "NULLIF($1, 0)", kNoNullArgs | kTotal},
    {"ZEROIFNULL", kScalar, "(INT64) -> INT64", "COALESCE($1, 0)", kTotal},
    {"ZEROIFNULL", kScalar, "(NUMERIC) -> NUMERIC", "COALESCE($1, 0)", kTotal},
    {"ZEROIFNULL", kScalar, "(BIGNUMERIC) -> BIGNUMERIC", "COALESCE($1, lq_big_of_int(0))", kTotal},
    {"ZEROIFNULL", kScalar, "(FLOAT64) -> FLOAT64", "COALESCE($1, 0)", kTotal},
    {"ERROR", kScalar, "(STRING) -> T1", "@error"},
};

}  // namespace

FunctionRows ConditionalRows() { return kRows; }

}  // namespace logquery::rewrite
