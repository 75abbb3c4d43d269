// DuckDB's spellings: TIME.
#include "lib/engines/duckdb/dialect/spellings.h"

namespace logquery::emit {
namespace {

constexpr Spelling kSpellings[] = {
    {"TIME(TIME)", "$1"},
    {"TIME(DATETIME)", "CAST($1 AS TIME)"},
    {"TIME(TIMESTAMP, [STRING])", "@timestamp_to_time"},
    {"TIME_ADD", "@time_add"},
    {"TIME_SUB", "@time_sub"},
    {"TIME_DIFF", "@time_diff"},
    {"TIME_TRUNC", "@time_trunc"},
    {"FORMAT_TIME", "@format_time"},
    {"PARSE_TIME", "@parse_time"},
};

}  // namespace

SpellingList DuckDbTimeSpellings() { return kSpellings; }

}  // namespace logquery::emit
