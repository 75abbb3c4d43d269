// Rows of the function table: IF, COALESCE and similar functions.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"IF", kScalar, "(BOOL, T1, T1) -> T1", kTotal},
    {"IFNULL", kScalar, "(T1, T1) -> T1", kTotal},
    {"COALESCE", kScalar, "(T1...) -> T1", kTotal},
    {"NULLIF", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", kTotal},
    {"NULLIF", kScalar, "(T1, T1) -> T1", kTotal},
    {"NULLIFZERO", kScalar, "(BIGNUMERIC) -> BIGNUMERIC", kNoNullArgs | kTotal},
    {"NULLIFZERO", kScalar, "(NUM1) -> NUM1", kNoNullArgs | kTotal},
    {"ZEROIFNULL", kScalar, "(INT64) -> INT64", kTotal},
    {"ZEROIFNULL", kScalar, "(NUMERIC) -> NUMERIC", kTotal},
    {"ZEROIFNULL", kScalar, "(BIGNUMERIC) -> BIGNUMERIC", kTotal},
    {"ZEROIFNULL", kScalar, "(FLOAT64) -> FLOAT64", kTotal},
    {"ERROR", kScalar, "(STRING) -> T1"},
};

}  // namespace

FunctionRows ConditionalRows() { return kRows; }

}  // namespace logquery::rewrite
