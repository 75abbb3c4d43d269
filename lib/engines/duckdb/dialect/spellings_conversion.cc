// DuckDB's spellings: functions that casts resolve to.
#include "lib/engines/duckdb/dialect/spellings.h"

namespace logquery::emit {
namespace {

constexpr Spelling kSpellings[] = {
    {"$limit_precision(NUMERIC, INT64, INT64)", "@limit_precision"},
    {"STRING(JSON)", "@json_strict"},
    {"STRING(TIMESTAMP, [STRING])", "@timestamp_to_string"},
    {"STRING(DATE)", "@time_to_string"},
    {"STRING(DATETIME)", "@time_to_string"},
    {"STRING(TIME)", "@time_to_string"},
    {"BOOL", "@json_strict"},
    {"INT64", "@json_strict"},
    {"FLOAT64", "lq_json_float(CAST($2 AS VARCHAR), $1)"},
    {"DOUBLE", "lq_json_float(CAST($2 AS VARCHAR), $1)"},
    {"LAX_BOOL", "@json_lax"},
    {"LAX_INT64", "@json_lax"},
    {"LAX_FLOAT64", "@json_lax"},
    {"LAX_STRING", "@json_lax"},
    {"GENERATE_UUID", "CAST(gen_random_uuid() AS VARCHAR)"},
};

}  // namespace

SpellingList DuckDbConversionSpellings() { return kSpellings; }

}  // namespace logquery::emit
