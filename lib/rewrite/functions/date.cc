// Rows of the function table: DATE.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"CURRENT_DATE", kScalar, "([STRING]) -> DATE", "", kReadsClock},
    // The first, so that a literal of text is one: it may have a time of day and a zone.
    {"DATE", kScalar, "(TIMESTAMP, [STRING]) -> DATE", "@timestamp_to_date", kNoNullArgs | kTotalInFirst},
    {"DATE", kScalar, "(DATE) -> DATE", "$1", kTotal},
    {"DATE", kScalar, "(DATETIME) -> DATE", "CAST($1 AS DATE)", kTotal},
    {"DATE", kScalar, "(INT64, INT64, INT64) -> DATE", "lq_make_date($*)"},
    {"DATE_ADD", kScalar, "(DATE, INTERVAL) -> DATE", "@date_add", kNoNullArgs},
    {"DATE_ADD", kScalar, "(DATETIME, INTERVAL) -> DATETIME", "lq_timestamp_in_range($1 + $2)"},
    {"DATE_ADD", kScalar, "(TIMESTAMP, INTERVAL) -> TIMESTAMP", "@timestamp_add_interval"},
    {"DATE_SUB", kScalar, "(DATE, INTERVAL) -> DATE", "@date_sub", kNoNullArgs},
    {"DATE_SUB", kScalar, "(DATETIME, INTERVAL) -> DATETIME", "lq_timestamp_in_range($1 - $2)"},
    {"DATE_SUB", kScalar, "(TIMESTAMP, INTERVAL) -> TIMESTAMP", "@timestamp_sub_interval"},
    {"DATE_DIFF", kScalar, "(DATE, DATE, PART) -> INT64", "@datetime_diff", kNoNullArgs | kTotalInFirst},
    {"DATE_DIFF", kScalar, "(DATETIME, DATETIME, PART) -> INT64", "@datetime_diff", kTotalInFirst},
    {"DATE_DIFF", kScalar, "(TIMESTAMP, TIMESTAMP, PART) -> INT64", "@timestamp_diff", kTotalInFirst},
    {"DATE_TRUNC", kScalar, "(DATE, PART) -> DATE", "@calendar_trunc", kNoNullArgs | kTotalInFirst},
    {"DATE_TRUNC", kScalar, "(DATETIME, PART) -> DATETIME", "@calendar_trunc", kTotalInFirst},
    {"DATE_TRUNC", kScalar, "(TIMESTAMP, PART, [STRING]) -> TIMESTAMP", "@timestamp_trunc", kTotalInFirst},
    {"DATE_BUCKET", kScalar, "(DATE, INTERVAL, [DATE]) -> DATE", "@time_bucket", kNoNullArgs},
    {"DATE_BUCKET", kScalar, "(DATETIME, INTERVAL, [DATETIME]) -> DATETIME", "@time_bucket"},
    {"DATE_FROM_UNIX_DATE", kScalar, "(INT64) -> DATE", "lq_date_plus(DATE '1970-01-01', $1)", kNoNullArgs},
    {"UNIX_DATE", kScalar, "(DATE) -> INT64", "($1 - DATE '1970-01-01')", kNoNullArgs | kTotal},
    {"LAST_DAY", kScalar, "(DATE, [PART]) -> DATE", "@last_day", kNoNullArgs},
    {"LAST_DAY", kScalar, "(DATETIME, [PART]) -> DATE", "@last_day"},
    {"FORMAT_DATE", kScalar, "(STRING, DATE) -> STRING", "@format_time", kNoNullArgs},
    {"FORMAT_DATE", kScalar, "(STRING, DATETIME) -> STRING", "@format_time"},
    {"FORMAT_DATE", kScalar, "(STRING, TIMESTAMP, [STRING]) -> STRING", "@format_time"},
    {"PARSE_DATE", kScalar, "(STRING, STRING) -> DATE", "@parse_time", kNoNullArgs},
};

}  // namespace

FunctionRows DateRows() { return kRows; }

}  // namespace logquery::rewrite
