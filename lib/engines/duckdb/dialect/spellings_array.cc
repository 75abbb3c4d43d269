// DuckDB's spellings: Arrays.
#include "lib/engines/duckdb/dialect/spellings.h"

namespace logquery::emit {
namespace {

constexpr Spelling kSpellings[] = {
    {"ARRAY_LENGTH", "len($1)"},
    {"ARRAY_CONCAT", "@array_concat"},
    {"ARRAY_REVERSE", "list_reverse($1)"},
    {"ARRAY_FIRST", "@array_first"},
    {"ARRAY_LAST", "@array_first"},
    {"ARRAY_SLICE", "@array_slice"},
    {"ARRAY_TO_STRING", "@array_to_string"},
    {"ARRAY_IS_DISTINCT", "@array_is_distinct"},
    {"ARRAY_INCLUDES(ARRAY<T1>, LAMBDA)", "@array_includes_lambda"},
    {"ARRAY_INCLUDES(ARRAY<GRP1>, GRP1)", "@array_includes"},
    {"ARRAY_INCLUDES_ANY", "list_has_any($1, $2)"},
    {"ARRAY_INCLUDES_ALL", "list_has_all($1, $2)"},
    {"ARRAY_FILTER", "@array_filter"},
    {"ARRAY_TRANSFORM", "@array_transform"},
    {"FLATTEN", "flatten($1)"},
    {"GENERATE_ARRAY(INT64, INT64, [INT64])", "@generate_array"},
    {"GENERATE_ARRAY(NUMERIC, NUMERIC, [NUMERIC])", "@generate_numbers"},
    {"GENERATE_ARRAY(BIGNUMERIC, BIGNUMERIC, [BIGNUMERIC])", "@big_generate"},
    {"GENERATE_ARRAY(FLOAT64, FLOAT64, [FLOAT64])", "@generate_numbers"},
    {"GENERATE_DATE_ARRAY", "@generate_date_array"},
    {"GENERATE_TIMESTAMP_ARRAY", "@generate_timestamp_array"},
};

}  // namespace

SpellingList DuckDbArraySpellings() { return kSpellings; }

}  // namespace logquery::emit
