// DuckDB's spellings: TIMESTAMP, and EXTRACT.
#include "lib/engines/duckdb/dialect/spellings.h"

namespace logquery::emit {
namespace {

constexpr Spelling kSpellings[] = {
    {"TIMESTAMP(TIMESTAMP)", "$1"},
    {"TIMESTAMP(DATETIME, [STRING])", "@datetime_to_timestamp"},
    {"TIMESTAMP(DATE, [STRING])", "@date_to_timestamp"},
    {"TIMESTAMP(STRING, [STRING])", "@string_to_timestamp"},
    {"TIMESTAMP_SECONDS", "lq_timestamp_of($1, 1000000)"},
    {"TIMESTAMP_MILLIS", "lq_timestamp_of($1, 1000)"},
    {"TIMESTAMP_MICROS", "lq_timestamp_of($1, 1)"},
    {"TIMESTAMP_FROM_UNIX_SECONDS", "lq_timestamp_of($1, 1000000)"},
    {"TIMESTAMP_FROM_UNIX_MILLIS", "lq_timestamp_of($1, 1000)"},
    {"TIMESTAMP_FROM_UNIX_MICROS", "lq_timestamp_of($1, 1)"},
    {"UNIX_SECONDS", "(epoch_us(date_trunc('second', $1)) // 1000000)"},
    {"UNIX_MILLIS", "(epoch_us(date_trunc('millisecond', $1)) // 1000)"},
    {"UNIX_MICROS", "epoch_us($1)"},
    {"TIMESTAMP_TRUNC(TIMESTAMP, PART, [STRING])", "@timestamp_trunc"},
    {"TIMESTAMP_TRUNC(DATETIME, PART)", "@calendar_trunc"},
    {"TIMESTAMP_ADD(TIMESTAMP, INTERVAL)", "@timestamp_add_interval"},
    {"TIMESTAMP_ADD(DATETIME, INTERVAL)", "lq_timestamp_in_range($1 + $2)"},
    {"TIMESTAMP_ADD(DATE, INTERVAL)", "@date_add"},
    {"TIMESTAMP_SUB(TIMESTAMP, INTERVAL)", "@timestamp_sub_interval"},
    {"TIMESTAMP_SUB(DATETIME, INTERVAL)", "lq_timestamp_in_range($1 - $2)"},
    {"TIMESTAMP_SUB(DATE, INTERVAL)", "@date_sub"},
    {"TIMESTAMP_DIFF(TIMESTAMP, TIMESTAMP, PART)", "@timestamp_diff"},
    {"TIMESTAMP_DIFF(DATETIME, DATETIME, PART)", "@datetime_diff"},
    {"TIMESTAMP_DIFF(DATE, DATE, PART)", "@datetime_diff"},
    {"TIMESTAMP_BUCKET", "@time_bucket"},
    {"FORMAT_TIMESTAMP", "@format_time"},
    {"PARSE_TIMESTAMP", "@parse_time"},
    {"$extract(TIMESTAMP, PART)", "@extract"},
    {"$extract(TIMESTAMP, PART, STRING)", "@extract"},
    {"$extract(DATETIME, PART)", "@extract"},
    {"$extract(DATE, PART)", "@extract"},
    {"$extract(TIME, PART)", "@extract"},
    {"$extract(INTERVAL, PART)", "@extract_interval"},
    {"$extract_date(TIMESTAMP)", "CAST($1 AS DATE)"},
    {"$extract_date(TIMESTAMP, STRING)", "@timestamp_to_date"},
    {"$extract_date(DATETIME)", "CAST($1 AS DATE)"},
    {"$extract_time(TIMESTAMP)", "CAST($1 AS TIME)"},
    {"$extract_time(TIMESTAMP, STRING)", "@timestamp_to_time"},
    {"$extract_time(DATETIME)", "CAST($1 AS TIME)"},
    {"$extract_datetime(TIMESTAMP)", "$1"},
    {"$extract_datetime(TIMESTAMP, STRING)", "@timestamp_to_datetime"},
};

}  // namespace

SpellingList DuckDbTimestampSpellings() { return kSpellings; }

}  // namespace logquery::emit
