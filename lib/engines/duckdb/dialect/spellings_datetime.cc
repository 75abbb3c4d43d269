// DuckDB's spellings: DATETIME.
#include "lib/engines/duckdb/dialect/spellings.h"

namespace logquery::emit {
namespace {

constexpr Spelling kSpellings[] = {
    {"DATETIME(TIMESTAMP, [STRING])", "@timestamp_to_datetime"},
    {"DATETIME(DATETIME)", "$1"},
    {"DATETIME(DATE)", "CAST($1 AS TIMESTAMP)"},
    {"DATETIME(DATE, TIME)", "($1 + $2)"},
    {"DATETIME_ADD(DATETIME, INTERVAL)", "lq_timestamp_in_range($1 + $2)"},
    {"DATETIME_ADD(TIMESTAMP, INTERVAL)", "@timestamp_add_interval"},
    {"DATETIME_SUB(DATETIME, INTERVAL)", "lq_timestamp_in_range($1 - $2)"},
    {"DATETIME_SUB(TIMESTAMP, INTERVAL)", "@timestamp_sub_interval"},
    {"DATETIME_DIFF(DATETIME, DATETIME, PART)", "@datetime_diff"},
    {"DATETIME_DIFF(TIMESTAMP, TIMESTAMP, PART)", "@timestamp_diff"},
    {"DATETIME_TRUNC(DATETIME, PART)", "@calendar_trunc"},
    {"DATETIME_TRUNC(TIMESTAMP, PART, [STRING])", "@timestamp_trunc"},
    {"DATETIME_BUCKET", "@time_bucket"},
    {"FORMAT_DATETIME", "@format_time"},
    {"PARSE_DATETIME", "@parse_time"},
};

}  // namespace

SpellingList DuckDbDatetimeSpellings() { return kSpellings; }

}  // namespace logquery::emit
