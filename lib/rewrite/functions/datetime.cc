// Rows of the function table: DATETIME.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"CURRENT_DATETIME", kScalar, "([STRING]) -> DATETIME", "", kReadsClock},
    // The first, so that a literal of text is one: it may have a zone.
    {"DATETIME", kScalar, "(TIMESTAMP, [STRING]) -> DATETIME", "@timestamp_to_datetime", kNoNullArgs | kTotalInFirst},
    {"DATETIME", kScalar, "(DATETIME) -> DATETIME", "$1", kTotal},
    {"DATETIME", kScalar, "(DATE) -> DATETIME", "CAST($1 AS TIMESTAMP)", kTotal},
    {"DATETIME", kScalar, "(DATE, TIME) -> DATETIME", "($1 + $2)", kTotal},
    {"DATETIME", kScalar, "(INT64, INT64, INT64, INT64, INT64, INT64) -> DATETIME", "lq_make_datetime($*)"},
    {"DATETIME_ADD", kScalar, "(DATETIME, INTERVAL) -> DATETIME", "lq_timestamp_in_range($1 + $2)", kNoNullArgs},
    {"DATETIME_ADD", kScalar, "(TIMESTAMP, INTERVAL) -> TIMESTAMP", "@timestamp_add_interval"},
    {"DATETIME_SUB", kScalar, "(DATETIME, INTERVAL) -> DATETIME", "lq_timestamp_in_range($1 - $2)", kNoNullArgs},
    {"DATETIME_SUB", kScalar, "(TIMESTAMP, INTERVAL) -> TIMESTAMP", "@timestamp_sub_interval"},
    {"DATETIME_DIFF", kScalar, "(DATETIME, DATETIME, PART) -> INT64", "@datetime_diff", kNoNullArgs | kTotalInFirst},
    {"DATETIME_DIFF", kScalar, "(TIMESTAMP, TIMESTAMP, PART) -> INT64", "@timestamp_diff", kTotalInFirst},
    {"DATETIME_TRUNC", kScalar, "(DATETIME, PART) -> DATETIME", "@calendar_trunc", kNoNullArgs | kTotalInFirst},
    {"DATETIME_TRUNC", kScalar, "(TIMESTAMP, PART, [STRING]) -> TIMESTAMP", "@timestamp_trunc", kTotalInFirst},
    {"DATETIME_BUCKET", kScalar, "(DATETIME, INTERVAL, [DATETIME]) -> DATETIME", "@time_bucket", kNoNullArgs},
    {"DATETIME_BUCKET", kScalar, "(TIMESTAMP, INTERVAL, [TIMESTAMP]) -> TIMESTAMP", "@time_bucket"},
    {"FORMAT_DATETIME", kScalar, "(STRING, DATETIME) -> STRING", "@format_time", kNoNullArgs},
    {"FORMAT_DATETIME", kScalar, "(STRING, TIMESTAMP, [STRING]) -> STRING", "@format_time"},
    {"PARSE_DATETIME", kScalar, "(STRING, STRING) -> DATETIME", "@parse_time", kNoNullArgs},
};

}  // namespace

FunctionRows DatetimeRows() { return kRows; }

}  // namespace logquery::rewrite
