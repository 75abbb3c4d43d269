// Rows of the function table: TIMESTAMP, and EXTRACT.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"CURRENT_TIMESTAMP", kScalar, "() -> TIMESTAMP", "", kReadsClock},
    {"TIMESTAMP", kScalar, "(TIMESTAMP) -> TIMESTAMP", "$1", kNoNullArgs | kTotal},
    {"TIMESTAMP", kScalar, "(DATETIME, [STRING]) -> TIMESTAMP", "@datetime_to_timestamp"},
    {"TIMESTAMP", kScalar, "(DATE, [STRING]) -> TIMESTAMP", "@date_to_timestamp"},
    {"TIMESTAMP", kScalar, "(STRING, [STRING]) -> TIMESTAMP", "@string_to_timestamp"},
    {"TIMESTAMP_SECONDS", kScalar, "(INT64) -> TIMESTAMP", "lq_timestamp_of($1, 1000000)", kNoNullArgs},
    {"TIMESTAMP_MILLIS", kScalar, "(INT64) -> TIMESTAMP", "lq_timestamp_of($1, 1000)", kNoNullArgs},
    {"TIMESTAMP_MICROS", kScalar, "(INT64) -> TIMESTAMP", "lq_timestamp_of($1, 1)", kNoNullArgs},
    {"TIMESTAMP_FROM_UNIX_SECONDS", kScalar, "(INT64) -> TIMESTAMP", "lq_timestamp_of($1, 1000000)", kNoNullArgs},
    {"TIMESTAMP_FROM_UNIX_MILLIS", kScalar, "(INT64) -> TIMESTAMP", "lq_timestamp_of($1, 1000)", kNoNullArgs},
    {"TIMESTAMP_FROM_UNIX_MICROS", kScalar, "(INT64) -> TIMESTAMP", "lq_timestamp_of($1, 1)", kNoNullArgs},
    {"UNIX_SECONDS", kScalar, "(TIMESTAMP) -> INT64", "(epoch_us(date_trunc('second', $1)) // 1000000)",
     kNoNullArgs | kTotal},
    {"UNIX_MILLIS", kScalar, "(TIMESTAMP) -> INT64", "(epoch_us(date_trunc('millisecond', $1)) // 1000)",
     kNoNullArgs | kTotal},
    {"UNIX_MICROS", kScalar, "(TIMESTAMP) -> INT64", "epoch_us($1)", kNoNullArgs | kTotal},
    {"TIMESTAMP_TRUNC", kScalar, "(TIMESTAMP, PART, [STRING]) -> TIMESTAMP", "@timestamp_trunc",
     kNoNullArgs | kTotalInFirst},
    {"TIMESTAMP_TRUNC", kScalar, "(DATETIME, PART) -> DATETIME", "@calendar_trunc", kTotalInFirst},
    {"TIMESTAMP_ADD", kScalar, "(TIMESTAMP, INTERVAL) -> TIMESTAMP", "@timestamp_add_interval", kNoNullArgs},
    {"TIMESTAMP_ADD", kScalar, "(DATETIME, INTERVAL) -> DATETIME", "lq_timestamp_in_range($1 + $2)"},
    {"TIMESTAMP_ADD", kScalar, "(DATE, INTERVAL) -> DATE", "@date_add"},
    {"TIMESTAMP_SUB", kScalar, "(TIMESTAMP, INTERVAL) -> TIMESTAMP", "@timestamp_sub_interval", kNoNullArgs},
    {"TIMESTAMP_SUB", kScalar, "(DATETIME, INTERVAL) -> DATETIME", "lq_timestamp_in_range($1 - $2)"},
    {"TIMESTAMP_SUB", kScalar, "(DATE, INTERVAL) -> DATE", "@date_sub"},
    {"TIMESTAMP_DIFF", kScalar, "(TIMESTAMP, TIMESTAMP, PART) -> INT64", "@timestamp_diff",
     kNoNullArgs | kTotalInFirst},
    {"TIMESTAMP_DIFF", kScalar, "(DATETIME, DATETIME, PART) -> INT64", "@datetime_diff", kTotalInFirst},
    {"TIMESTAMP_DIFF", kScalar, "(DATE, DATE, PART) -> INT64", "@datetime_diff", kTotalInFirst},
    {"TIMESTAMP_BUCKET", kScalar, "(TIMESTAMP, INTERVAL, [TIMESTAMP]) -> TIMESTAMP", "@time_bucket", kNoNullArgs},
    {"TIMESTAMP_BUCKET", kScalar, "(DATETIME, INTERVAL, [DATETIME]) -> DATETIME", "@time_bucket"},
    {"TIMESTAMP_BUCKET", kScalar, "(DATE, INTERVAL, [DATE]) -> DATE", "@time_bucket"},
    {"FORMAT_TIMESTAMP", kScalar, "(STRING, TIMESTAMP, [STRING]) -> STRING", "@format_time", kNoNullArgs},
    {"PARSE_TIMESTAMP", kScalar, "(STRING, STRING, [STRING]) -> TIMESTAMP", "@parse_time", kNoNullArgs},
    {"$extract", kScalar, "(TIMESTAMP, PART) -> INT64", "@extract", kNoNullArgs | kTotalInFirst, "EXTRACT($2 FROM $1)"},
    {"$extract", kScalar, "(TIMESTAMP, PART, STRING) -> INT64", "@extract", kNoNullArgs | kTotalInFirst,
     "EXTRACT($2 FROM $1 AT TIME ZONE $3)"},
    {"$extract", kScalar, "(DATETIME, PART) -> INT64", "@extract", kNoNullArgs | kTotalInFirst, "EXTRACT($2 FROM $1)"},
    {"$extract", kScalar, "(DATE, PART) -> INT64", "@extract", kNoNullArgs | kTotalInFirst, "EXTRACT($2 FROM $1)"},
    {"$extract", kScalar, "(TIME, PART) -> INT64", "@extract", kNoNullArgs | kTotalInFirst, "EXTRACT($2 FROM $1)"},
    {"$extract", kScalar, "(INTERVAL, PART) -> INT64", "@extract_interval", kNoNullArgs | kTotalInFirst,
     "EXTRACT($2 FROM $1)"},
    {"$extract_date", kScalar, "(TIMESTAMP) -> DATE", "CAST($1 AS DATE)", kNoNullArgs | kTotalInFirst,
     "EXTRACT(DATE FROM $1)"},
    {"$extract_date", kScalar, "(TIMESTAMP, STRING) -> DATE", "@timestamp_to_date", kNoNullArgs | kTotalInFirst,
     "EXTRACT(DATE FROM $1 AT TIME ZONE $2)"},
    {"$extract_date", kScalar, "(DATETIME) -> DATE", "CAST($1 AS DATE)", kNoNullArgs | kTotalInFirst,
     "EXTRACT(DATE FROM $1)"},
    {"$extract_time", kScalar, "(TIMESTAMP) -> TIME", "CAST($1 AS TIME)", kNoNullArgs | kTotalInFirst,
     "EXTRACT(TIME FROM $1)"},
    {"$extract_time", kScalar, "(TIMESTAMP, STRING) -> TIME", "@timestamp_to_time", kNoNullArgs | kTotalInFirst,
     "EXTRACT(TIME FROM $1 AT TIME ZONE $2)"},
    {"$extract_time", kScalar, "(DATETIME) -> TIME", "CAST($1 AS TIME)", kNoNullArgs | kTotalInFirst,
     "EXTRACT(TIME FROM $1)"},
    {"$extract_datetime", kScalar, "(TIMESTAMP) -> DATETIME", "$1", kNoNullArgs | kTotalInFirst,
     "EXTRACT(DATETIME FROM $1)"},
    {"$extract_datetime", kScalar, "(TIMESTAMP, STRING) -> DATETIME", "@timestamp_to_datetime",
     kNoNullArgs | kTotalInFirst, "EXTRACT(DATETIME FROM $1 AT TIME ZONE $2)"},
};

}  // namespace

FunctionRows TimestampRows() { return kRows; }

}  // namespace logquery::rewrite
