#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr char kNumericPower[] =
    "lq_big_to_numeric(lq_big_pow(lq_big_of_text(CAST($1 AS VARCHAR)), lq_big_of_text(CAST($2 AS VARCHAR))))";

// DuckDB's decimals of 38 digits have no wider type to test a result in.
#define LOGQUERY_SAFE_NUMERIC(operation)                     \
  "CAST(lq_or_null_big_to_numeric(lq_or_null_big_" operation \
  "(lq_big_of_text(CAST($1 AS VARCHAR)), lq_big_of_text(CAST($2 AS VARCHAR)))) AS DECIMAL(38, 9))"
constexpr char kSafeNumericAdd[] = LOGQUERY_SAFE_NUMERIC("add");
constexpr char kSafeNumericSubtract[] = LOGQUERY_SAFE_NUMERIC("subtract");
constexpr char kSafeNumericMultiply[] = LOGQUERY_SAFE_NUMERIC("multiply");
#undef LOGQUERY_SAFE_NUMERIC

constexpr FunctionRow kRows[] = {
    {"ABS", kScalar, "(INT64) -> INT64", "abs($1)", kNoNullArgs},
    {"ABS", kScalar, "(NUMERIC) -> NUMERIC", "abs($1)", kTotal},
    {"ABS", kScalar, "(BIGNUMERIC) -> BIGNUMERIC", "lq_big_abs($1)"},
    {"ABS", kScalar, "(FLOAT64) -> FLOAT64", "abs($1)", kTotal},
    {"SIGN", kScalar, "(INT64) -> INT64", "CAST(sign($1) AS BIGINT)", kNoNullArgs},
    {"SIGN", kScalar, "(NUMERIC) -> NUMERIC", "CAST(sign($1) AS DECIMAL(38, 9))", kTotal},
    {"SIGN", kScalar, "(BIGNUMERIC) -> BIGNUMERIC", "lq_big_sign($1)"},
    {"SIGN", kScalar, "(FLOAT64) -> FLOAT64", "@float_sign", kTotal},
    {"IS_INF", kScalar, "(FLOAT64) -> BOOL", "isinf($1)", kNoNullArgs | kTotal},
    {"IS_NAN", kScalar, "(FLOAT64) -> BOOL", "isnan($1)", kNoNullArgs | kTotal},
    {"IEEE_DIVIDE", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", "($1 / $2)", kNoNullArgs | kTotal},
    {"SAFE_DIVIDE", kScalar, "(INT64, INT64) -> FLOAT64", "($1 / NULLIF($2, 0))", kNoNullArgs | kTotal},
    {"SAFE_DIVIDE", kScalar, "(NUMERIC, NUMERIC) -> NUMERIC", "@safe_numeric_divide", kTotal},
    {"SAFE_DIVIDE", kScalar, "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", "lq_or_null_big_divide($1, $2)", kTotal},
    {"SAFE_DIVIDE", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", "@safe_divide", kTotal},
    {"SAFE_ADD", kScalar, "(INT64, INT64) -> INT64", "TRY_CAST(CAST($1 AS HUGEINT) + $2 AS BIGINT)",
     kNoNullArgs | kTotal},
    {"SAFE_ADD", kScalar, "(NUMERIC, NUMERIC) -> NUMERIC", kSafeNumericAdd, kTotal},
    {"SAFE_ADD", kScalar, "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", "lq_or_null_big_add($1, $2)", kTotal},
    {"SAFE_ADD", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", "@safe_float", kTotal},
    {"SAFE_SUBTRACT", kScalar, "(INT64, INT64) -> INT64", "TRY_CAST(CAST($1 AS HUGEINT) - $2 AS BIGINT)",
     kNoNullArgs | kTotal},
    {"SAFE_SUBTRACT", kScalar, "(NUMERIC, NUMERIC) -> NUMERIC", kSafeNumericSubtract, kTotal},
    {"SAFE_SUBTRACT", kScalar, "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", "lq_or_null_big_subtract($1, $2)", kTotal},
    {"SAFE_SUBTRACT", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", "@safe_float", kTotal},
    {"SAFE_MULTIPLY", kScalar, "(INT64, INT64) -> INT64", "TRY_CAST(CAST($1 AS HUGEINT) * $2 AS BIGINT)",
     kNoNullArgs | kTotal},
    {"SAFE_MULTIPLY", kScalar, "(NUMERIC, NUMERIC) -> NUMERIC", kSafeNumericMultiply, kTotal},
    {"SAFE_MULTIPLY", kScalar, "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", "lq_or_null_big_multiply($1, $2)", kTotal},
    {"SAFE_MULTIPLY", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", "@safe_float", kTotal},
    {"SAFE_NEGATE", kScalar, "(INT64) -> INT64", "TRY_CAST(- CAST($1 AS HUGEINT) AS BIGINT)", kNoNullArgs | kTotal},
    {"SAFE_NEGATE", kScalar, "(NUMERIC) -> NUMERIC", "(- $1)", kTotal},
    {"SAFE_NEGATE", kScalar, "(BIGNUMERIC) -> BIGNUMERIC", "lq_or_null_big_negate($1)", kTotal},
    {"SAFE_NEGATE", kScalar, "(FLOAT64) -> FLOAT64", "(- $1)", kTotal},
    {"DIV", kScalar, "(INT64, INT64) -> INT64", "@div", kNoNullArgs},
    {"DIV", kScalar, "(NUMERIC, NUMERIC) -> NUMERIC", "@numeric_div"},
    {"DIV", kScalar, "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", "lq_big_div($1, $2)"},
    {"MOD", kScalar, "(INT64, INT64) -> INT64", "@mod", kNoNullArgs},
    {"MOD", kScalar, "(NUMERIC, NUMERIC) -> NUMERIC", "@mod"},
    {"MOD", kScalar, "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", "lq_big_mod($1, $2)"},
    {"ROUND", kScalar, "(FLOAT64) -> FLOAT64", "round($1)", kNoNullArgs | kTotal},
    {"ROUND", kScalar, "(NUMERIC, [INT64], [STRING]) -> NUMERIC", "@numeric_round"},
    {"ROUND", kScalar, "(BIGNUMERIC, [INT64], [STRING]) -> BIGNUMERIC", "@big_round"},
    {"ROUND", kScalar, "(FLOAT64, INT64) -> FLOAT64", "@float_round"},
    {"TRUNC", kScalar, "(FLOAT64) -> FLOAT64", "trunc($1)", kNoNullArgs | kTotal},
    {"TRUNC", kScalar, "(NUMERIC, [INT64]) -> NUMERIC", "@numeric_round"},
    {"TRUNC", kScalar, "(BIGNUMERIC, [INT64]) -> BIGNUMERIC", "@big_round"},
    {"TRUNC", kScalar, "(FLOAT64, INT64) -> FLOAT64", "@float_round"},
    {"CEIL", kScalar, "(FLOAT64) -> FLOAT64", "ceil($1)", kNoNullArgs | kTotal},
    {"CEIL", kScalar, "(NUMERIC) -> NUMERIC", "CAST(ceil($1) AS DECIMAL(38, 9))"},
    {"CEIL", kScalar, "(BIGNUMERIC) -> BIGNUMERIC", "lq_big_ceil($1)"},
    {"CEILING", kScalar, "(FLOAT64) -> FLOAT64", "ceil($1)", kNoNullArgs | kTotal},
    {"CEILING", kScalar, "(NUMERIC) -> NUMERIC", "CAST(ceil($1) AS DECIMAL(38, 9))"},
    {"CEILING", kScalar, "(BIGNUMERIC) -> BIGNUMERIC", "lq_big_ceil($1)"},
    {"FLOOR", kScalar, "(FLOAT64) -> FLOAT64", "floor($1)", kNoNullArgs | kTotal},
    {"FLOOR", kScalar, "(NUMERIC) -> NUMERIC", "CAST(floor($1) AS DECIMAL(38, 9))"},
    {"FLOOR", kScalar, "(BIGNUMERIC) -> BIGNUMERIC", "lq_big_floor($1)"},
    {"GREATEST", kScalar, "(FLOAT64...) -> FLOAT64", "@greatest", kNoNullArgs | kTotal},
    {"GREATEST", kScalar, "(ORD1...) -> ORD1", "@greatest", kTotal},
    {"LEAST", kScalar, "(FLOAT64...) -> FLOAT64", "@float_least", kNoNullArgs | kTotal},
    {"LEAST", kScalar, "(ORD1...) -> ORD1", "@greatest", kTotal},
    {"SQRT", kScalar, "(FLOAT64) -> FLOAT64", "sqrt($1)", kNoNullArgs},
    {"SQRT", kScalar, "(NUMERIC) -> NUMERIC", "lq_big_to_numeric(lq_big_sqrt(lq_big_of_text(CAST($1 AS VARCHAR))))"},
    {"SQRT", kScalar, "(BIGNUMERIC) -> BIGNUMERIC", "lq_big_sqrt($1)"},
    {"CBRT", kScalar, "(FLOAT64) -> FLOAT64", "cbrt($1)", kNoNullArgs | kTotal},
    {"POW", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", "@finite", kNoNullArgs},
    {"POW", kScalar, "(NUMERIC, NUMERIC) -> NUMERIC", kNumericPower},
    {"POW", kScalar, "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", "lq_big_pow($1, $2)"},
    {"POWER", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", "@finite", kNoNullArgs},
    {"POWER", kScalar, "(NUMERIC, NUMERIC) -> NUMERIC", kNumericPower},
    {"POWER", kScalar, "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC", "lq_big_pow($1, $2)"},
    {"EXP", kScalar, "(FLOAT64) -> FLOAT64", "@finite", kNoNullArgs},
    {"LN", kScalar, "(FLOAT64) -> FLOAT64", "ln($1)", kNoNullArgs},
    {"LOG10", kScalar, "(FLOAT64) -> FLOAT64", "log10($1)", kNoNullArgs},
    {"LOG", kScalar, "(FLOAT64) -> FLOAT64", "ln($1)", kNoNullArgs},
    {"LOG", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", "@finite"},
    {"SIN", kScalar, "(FLOAT64) -> FLOAT64", "@finite", kNoNullArgs},
    {"COS", kScalar, "(FLOAT64) -> FLOAT64", "@finite", kNoNullArgs},
    {"TAN", kScalar, "(FLOAT64) -> FLOAT64", "@finite", kNoNullArgs},
    {"COT", kScalar, "(FLOAT64) -> FLOAT64", "@finite", kNoNullArgs},
    {"SEC", kScalar, "(FLOAT64) -> FLOAT64", "@finite", kNoNullArgs},
    {"CSC", kScalar, "(FLOAT64) -> FLOAT64", "@finite", kNoNullArgs},
    {"SINH", kScalar, "(FLOAT64) -> FLOAT64", "@finite", kNoNullArgs},
    {"COSH", kScalar, "(FLOAT64) -> FLOAT64", "@finite", kNoNullArgs},
    {"TANH", kScalar, "(FLOAT64) -> FLOAT64", "tanh($1)", kNoNullArgs | kTotal},
    {"COTH", kScalar, "(FLOAT64) -> FLOAT64", "@finite", kNoNullArgs},
    {"SECH", kScalar, "(FLOAT64) -> FLOAT64", "(1 / cosh($1))", kNoNullArgs},
    {"CSCH", kScalar, "(FLOAT64) -> FLOAT64", "@finite", kNoNullArgs},
    {"ASIN", kScalar, "(FLOAT64) -> FLOAT64", "asin($1)", kNoNullArgs},
    {"ACOS", kScalar, "(FLOAT64) -> FLOAT64", "acos($1)", kNoNullArgs},
    {"ATAN", kScalar, "(FLOAT64) -> FLOAT64", "atan($1)", kNoNullArgs | kTotal},
    {"ATAN2", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", "atan2($1, $2)", kNoNullArgs | kTotal},
    {"ASINH", kScalar, "(FLOAT64) -> FLOAT64", "asinh($1)", kNoNullArgs | kTotal},
    {"ACOSH", kScalar, "(FLOAT64) -> FLOAT64", "@finite", kNoNullArgs},
    {"ATANH", kScalar, "(FLOAT64) -> FLOAT64", "@finite", kNoNullArgs},
    {"PI", kScalar, "() -> FLOAT64", "pi()", kTotal},
    {"RAND", kScalar, "() -> FLOAT64", "random()", kNotInSandbox | kVolatile},
    {"RANGE_BUCKET", kScalar, "(FLOAT64, ARRAY<FLOAT64>) -> INT64", "", kNoNullArgs},
    {"RANGE_BUCKET", kScalar, "(ORD1, ARRAY<ORD1>) -> INT64", "@range_bucket"},
    {"COSINE_DISTANCE", kScalar, "(ARRAY<FLOAT64>, ARRAY<FLOAT64>) -> FLOAT64", "", kNoNullArgs},
    {"EUCLIDEAN_DISTANCE", kScalar, "(ARRAY<FLOAT64>, ARRAY<FLOAT64>) -> FLOAT64", "@euclidean_distance", kNoNullArgs},
    {"BIT_COUNT", kScalar, "(INT64) -> INT64", "CAST(bit_count($1) AS BIGINT)", kNoNullArgs},
    {"BIT_COUNT", kScalar, "(BYTES) -> INT64", "@bytes_bit_count"},
};

}  // namespace

FunctionRows MathRows() { return kRows; }

}  // namespace logquery::rewrite
