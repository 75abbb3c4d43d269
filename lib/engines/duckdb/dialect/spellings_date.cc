// DuckDB's spellings: DATE.
#include "lib/engines/duckdb/dialect/spellings.h"

namespace logquery::emit {
namespace {

constexpr Spelling kSpellings[] = {
    {"DATE(TIMESTAMP, [STRING])", "@timestamp_to_date"},
    {"DATE(DATE)", "$1"},
    {"DATE(DATETIME)", "CAST($1 AS DATE)"},
    {"DATE_ADD(DATE, INTERVAL)", "@date_add"},
    {"DATE_ADD(DATETIME, INTERVAL)", "lq_timestamp_in_range($1 + $2)"},
    {"DATE_ADD(TIMESTAMP, INTERVAL)", "@timestamp_add_interval"},
    {"DATE_SUB(DATE, INTERVAL)", "@date_sub"},
    {"DATE_SUB(DATETIME, INTERVAL)", "lq_timestamp_in_range($1 - $2)"},
    {"DATE_SUB(TIMESTAMP, INTERVAL)", "@timestamp_sub_interval"},
    {"DATE_DIFF(DATE, DATE, PART)", "@datetime_diff"},
    {"DATE_DIFF(DATETIME, DATETIME, PART)", "@datetime_diff"},
    {"DATE_DIFF(TIMESTAMP, TIMESTAMP, PART)", "@timestamp_diff"},
    {"DATE_TRUNC(DATE, PART)", "@calendar_trunc"},
    {"DATE_TRUNC(DATETIME, PART)", "@calendar_trunc"},
    {"DATE_TRUNC(TIMESTAMP, PART, [STRING])", "@timestamp_trunc"},
    {"DATE_BUCKET", "@time_bucket"},
    {"DATE_FROM_UNIX_DATE", "lq_date_plus(DATE '1970-01-01', $1)"},
    {"UNIX_DATE", "($1 - DATE '1970-01-01')"},
    {"LAST_DAY", "@last_day"},
    {"FORMAT_DATE", "@format_time"},
    {"PARSE_DATE", "@parse_time"},
};

}  // namespace

SpellingList DuckDbDateSpellings() { return kSpellings; }

}  // namespace logquery::emit
