#include "lib/rewrite/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionKind kScalar = FunctionKind::kScalar;

constexpr FunctionRow kRows[] = {
    {"SAFE_DIVIDE", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", "($1 / NULLIF($2, 0))", kNoNullArgs},
    {"DIV", kScalar, "(INT64, INT64) -> INT64", "@div", kNoNullArgs},
    {"MOD", kScalar, "(INT64, INT64) -> INT64", "@mod", kNoNullArgs},
    {"ROUND", kScalar, "(FLOAT64) -> FLOAT64", "round($1)", kNoNullArgs},
    {"ROUND", kScalar, "(FLOAT64, INT64) -> FLOAT64", "round($1, CAST($2 AS INTEGER))", kNoNullArgs},
    {"ABS", kScalar, "(INT64) -> INT64", "abs($1)", kNoNullArgs},
    {"ABS", kScalar, "(FLOAT64) -> FLOAT64", "abs($1)", kNoNullArgs},
};

}  // namespace

FunctionRows MathRows() { return kRows; }

}  // namespace logquery::rewrite
