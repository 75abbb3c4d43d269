// DuckDB's spellings: IF, COALESCE and similar functions.
#include "lib/engines/duckdb/dialect/spellings.h"

namespace logquery::emit {
namespace {

constexpr Spelling kSpellings[] = {
    {"IF", "(CASE WHEN $1 THEN $2 ELSE $3 END)"},
    {"IFNULL", "COALESCE($1, $2)"},
    {"COALESCE", "COALESCE($*)"},
    {"NULLIF(FLOAT64, FLOAT64)", "@float_nullif"},
    {"NULLIF(T1, T1)", "@nullif"},
    {"NULLIFZERO(BIGNUMERIC)", "NULLIF($1, lq_big_of_int(0))"},
    {"NULLIFZERO(NUM1)", "NULLIF($1, 0)"},
    {"ZEROIFNULL(INT64)", "COALESCE($1, 0)"},
    {"ZEROIFNULL(NUMERIC)", "COALESCE($1, 0)"},
    {"ZEROIFNULL(BIGNUMERIC)", "COALESCE($1, lq_big_of_int(0))"},
    {"ZEROIFNULL(FLOAT64)", "COALESCE($1, 0)"},
    {"ERROR", "@error"},
};

}  // namespace

SpellingList DuckDbConditionalSpellings() { return kSpellings; }

}  // namespace logquery::emit
