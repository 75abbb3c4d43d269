#include "lib/rewrite/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"IF", kScalar, "(BOOL, T1, T1) -> T1", "(CASE WHEN $1 THEN $2 ELSE $3 END)"},
    {"IFNULL", kScalar, "(T1, T1) -> T1", "COALESCE($1, $2)"},
    {"COALESCE", kScalar, "(T1...) -> T1", "COALESCE($*)"},
    {"NULLIF", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", "@float_nullif"},
    {"NULLIF", kScalar, "(T1, T1) -> T1", "@nullif"},
    {"NULLIFZERO", kScalar, "(NUM1) -> NUM1", "NULLIF($1, 0)", kNoNullArgs},
    {"ZEROIFNULL", kScalar, "(INT64) -> INT64", "COALESCE($1, 0)"},
    {"ZEROIFNULL", kScalar, "(NUMERIC) -> NUMERIC", "COALESCE($1, 0)"},
    {"ZEROIFNULL", kScalar, "(BIGNUMERIC) -> BIGNUMERIC", "COALESCE($1, lq_big_of_int(0))"},
    {"ZEROIFNULL", kScalar, "(FLOAT64) -> FLOAT64", "COALESCE($1, 0)"},
    {"ERROR", kScalar, "(STRING) -> T1", "@error"},
};

}  // namespace

FunctionRows ConditionalRows() { return kRows; }

}  // namespace logquery::rewrite
