// DuckDB's spellings: Numbers.
#include "lib/engines/duckdb/dialect/spellings.h"

namespace logquery::emit {
namespace {

constexpr char kNumericPower[] =
    "lq_big_to_numeric(lq_big_pow(lq_big_of_text(CAST($1 AS VARCHAR)), lq_big_of_text(CAST($2 AS VARCHAR))))";

// DuckDB's decimals of 38 digits have no wider type to test a result in.
#define LOGQUERY_SAFE_NUMERIC(operation)                     \
  "CAST(lq_or_null_big_to_numeric(lq_or_null_big_" operation \
  "(lq_big_of_text(CAST($1 AS VARCHAR)), lq_big_of_text(CAST($2 AS VARCHAR)))) AS DECIMAL(38, 9))"
constexpr char kSafeNumericAdd[] = LOGQUERY_SAFE_NUMERIC("add");
constexpr char kSafeNumericSubtract[] = LOGQUERY_SAFE_NUMERIC("subtract");
#undef LOGQUERY_SAFE_NUMERIC

constexpr Spelling kSpellings[] = {
    {"ABS(INT64)", "abs($1)"},
    {"ABS(NUMERIC)", "abs($1)"},
    {"ABS(FLOAT64)", "abs($1)"},
    {"SIGN(INT64)", "CAST(sign($1) AS BIGINT)"},
    {"SIGN(NUMERIC)", "CAST(sign($1) AS DECIMAL(38, 9))"},
    {"SIGN(FLOAT64)", "@float_sign"},
    {"IS_INF", "isinf($1)"},
    {"IS_NAN", "isnan($1)"},
    {"IEEE_DIVIDE", "($1 / $2)"},
    {"SAFE_DIVIDE(INT64, INT64)", "($1 / NULLIF($2, 0))"},
    {"SAFE_DIVIDE(NUMERIC, NUMERIC)", "lq_or_null_numeric_divide($1, $2)"},
    {"SAFE_DIVIDE(BIGNUMERIC, BIGNUMERIC)", "lq_or_null_big_divide($1, $2)"},
    {"SAFE_DIVIDE(FLOAT64, FLOAT64)", "@safe_divide"},
    {"SAFE_ADD(INT64, INT64)", "TRY_CAST(CAST($1 AS HUGEINT) + $2 AS BIGINT)"},
    {"SAFE_ADD(NUMERIC, NUMERIC)", kSafeNumericAdd},
    {"SAFE_ADD(BIGNUMERIC, BIGNUMERIC)", "lq_or_null_big_add($1, $2)"},
    {"SAFE_ADD(FLOAT64, FLOAT64)", "@safe_float"},
    {"SAFE_SUBTRACT(INT64, INT64)", "TRY_CAST(CAST($1 AS HUGEINT) - $2 AS BIGINT)"},
    {"SAFE_SUBTRACT(NUMERIC, NUMERIC)", kSafeNumericSubtract},
    {"SAFE_SUBTRACT(BIGNUMERIC, BIGNUMERIC)", "lq_or_null_big_subtract($1, $2)"},
    {"SAFE_SUBTRACT(FLOAT64, FLOAT64)", "@safe_float"},
    {"SAFE_MULTIPLY(INT64, INT64)", "TRY_CAST(CAST($1 AS HUGEINT) * $2 AS BIGINT)"},
    {"SAFE_MULTIPLY(NUMERIC, NUMERIC)", "lq_or_null_numeric_multiply($1, $2)"},
    {"SAFE_MULTIPLY(BIGNUMERIC, BIGNUMERIC)", "lq_or_null_big_multiply($1, $2)"},
    {"SAFE_MULTIPLY(FLOAT64, FLOAT64)", "@safe_float"},
    {"SAFE_NEGATE(INT64)", "TRY_CAST(- CAST($1 AS HUGEINT) AS BIGINT)"},
    {"SAFE_NEGATE(NUMERIC)", "(- $1)"},
    {"SAFE_NEGATE(BIGNUMERIC)", "lq_or_null_big_negate($1)"},
    {"SAFE_NEGATE(FLOAT64)", "(- $1)"},
    {"DIV(INT64, INT64)", "@div"},
    {"MOD(INT64, INT64)", "@mod"},
    {"ROUND(FLOAT64)", "round($1)"},
    {"ROUND(NUMERIC, [INT64], [STRING])", "@numeric_round"},
    {"ROUND(BIGNUMERIC, [INT64], [STRING])", "@big_round"},
    {"ROUND(FLOAT64, INT64)", "@float_round"},
    {"TRUNC(FLOAT64)", "trunc($1)"},
    {"TRUNC(NUMERIC, [INT64])", "@numeric_round"},
    {"TRUNC(BIGNUMERIC, [INT64])", "@big_round"},
    {"TRUNC(FLOAT64, INT64)", "@float_round"},
    {"CEIL(FLOAT64)", "ceil($1)"},
    {"CEIL(NUMERIC)", "CAST(ceil($1) AS DECIMAL(38, 9))"},
    {"CEILING(FLOAT64)", "ceil($1)"},
    {"CEILING(NUMERIC)", "CAST(ceil($1) AS DECIMAL(38, 9))"},
    {"FLOOR(FLOAT64)", "floor($1)"},
    {"FLOOR(NUMERIC)", "CAST(floor($1) AS DECIMAL(38, 9))"},
    {"GREATEST", "@greatest"},
    {"LEAST(FLOAT64...)", "@float_least"},
    {"LEAST(ORD1...)", "@greatest"},
    {"SQRT(FLOAT64)", "sqrt($1)"},
    {"SQRT(NUMERIC)", "lq_big_to_numeric(lq_big_sqrt(lq_big_of_text(CAST($1 AS VARCHAR))))"},
    {"CBRT", "cbrt($1)"},
    {"POW(FLOAT64, FLOAT64)", "@finite"},
    {"POW(NUMERIC, NUMERIC)", kNumericPower},
    {"POWER(FLOAT64, FLOAT64)", "@finite"},
    {"POWER(NUMERIC, NUMERIC)", kNumericPower},
    {"EXP", "@finite"},
    {"LN", "ln($1)"},
    {"LOG10", "log10($1)"},
    {"LOG(FLOAT64)", "ln($1)"},
    {"LOG(FLOAT64, FLOAT64)", "@finite"},
    {"SIN", "@finite"},
    {"COS", "@finite"},
    {"TAN", "@finite"},
    {"COT", "@finite"},
    {"SEC", "@finite"},
    {"CSC", "@finite"},
    {"SINH", "@finite"},
    {"COSH", "@finite"},
    {"TANH", "tanh($1)"},
    {"COTH", "@finite"},
    {"SECH", "(1 / cosh($1))"},
    {"CSCH", "@finite"},
    {"ASIN", "asin($1)"},
    {"ACOS", "acos($1)"},
    {"ATAN", "atan($1)"},
    {"ATAN2", "atan2($1, $2)"},
    {"ASINH", "asinh($1)"},
    {"ACOSH", "@finite"},
    {"ATANH", "@finite"},
    {"PI", "pi()"},
    {"RAND", "random()"},
    {"RANGE_BUCKET(ORD1, ARRAY<ORD1>)", "@range_bucket"},
    {"EUCLIDEAN_DISTANCE", "@euclidean_distance"},
    {"BIT_COUNT(INT64)", "CAST(bit_count($1) AS BIGINT)"},
};

}  // namespace

SpellingList DuckDbMathSpellings() { return kSpellings; }

}  // namespace logquery::emit
