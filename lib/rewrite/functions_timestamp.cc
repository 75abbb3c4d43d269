#include "lib/rewrite/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionKind kScalar = FunctionKind::kScalar;

constexpr FunctionRow kRows[] = {
    {"CURRENT_TIMESTAMP", kScalar, "() -> TIMESTAMP", "", kReadsClock},
    {"TIMESTAMP_TRUNC", kScalar, "(TIMESTAMP, PART, [STRING]) -> TIMESTAMP", "@timestamp_trunc", kNoNullArgs},
    {"TIMESTAMP_ADD", kScalar, "(TIMESTAMP, INTERVAL) -> TIMESTAMP", "@timestamp_add_interval", kNoNullArgs},
    {"TIMESTAMP_SUB", kScalar, "(TIMESTAMP, INTERVAL) -> TIMESTAMP", "@timestamp_sub_interval", kNoNullArgs},
    {"TIMESTAMP_DIFF", kScalar, "(TIMESTAMP, TIMESTAMP, PART) -> INT64", "@timestamp_diff", kNoNullArgs},
    {"TIMESTAMP", kScalar, "(TIMESTAMP) -> TIMESTAMP", "$1", kNoNullArgs},
    {"TIMESTAMP", kScalar, "(STRING, [STRING]) -> TIMESTAMP", "", kNoNullArgs},
    {"TIMESTAMP", kScalar, "(DATETIME, [STRING]) -> TIMESTAMP", "@datetime_to_timestamp", kNoNullArgs},
    {"TIMESTAMP", kScalar, "(DATE, [STRING]) -> TIMESTAMP", "@date_to_timestamp", kNoNullArgs},
    {"FORMAT_TIMESTAMP", kScalar, "(STRING, TIMESTAMP, [STRING]) -> STRING", "@format_timestamp", kNoNullArgs},
    {"PARSE_TIMESTAMP", kScalar, "(STRING, STRING, [STRING]) -> TIMESTAMP", "", kNoNullArgs},
    {"UNIX_SECONDS", kScalar, "(TIMESTAMP) -> INT64", "@unix_seconds", kNoNullArgs},
    {"UNIX_MILLIS", kScalar, "(TIMESTAMP) -> INT64", "@unix_millis", kNoNullArgs},
    {"UNIX_MICROS", kScalar, "(TIMESTAMP) -> INT64", "epoch_us($1)", kNoNullArgs},
    {"$extract", kScalar, "(TIMESTAMP, PART, [STRING]) -> INT64", "@extract", kNoNullArgs, "EXTRACT($2 FROM $1)"},
    {"$extract", kScalar, "(DATETIME, PART) -> INT64", "@extract", kNoNullArgs, "EXTRACT($2 FROM $1)"},
    {"$extract", kScalar, "(DATE, PART) -> INT64", "@extract", kNoNullArgs, "EXTRACT($2 FROM $1)"},
    {"$extract", kScalar, "(TIME, PART) -> INT64", "@extract", kNoNullArgs, "EXTRACT($2 FROM $1)"},
    {"$extract", kScalar, "(INTERVAL, PART) -> INT64", "@extract_interval", kNoNullArgs, "EXTRACT($2 FROM $1)"},
    {"$extract_date", kScalar, "(TIMESTAMP, [STRING]) -> DATE", "@timestamp_to_date", kNoNullArgs},
    {"$extract_time", kScalar, "(TIMESTAMP, [STRING]) -> TIME", "@timestamp_to_time", kNoNullArgs},
    {"$extract_datetime", kScalar, "(TIMESTAMP, [STRING]) -> DATETIME", "@timestamp_to_datetime", kNoNullArgs},
    {"$extract_date", kScalar, "(DATETIME) -> DATE", "CAST($1 AS DATE)", kNoNullArgs},
    {"$extract_time", kScalar, "(DATETIME) -> TIME", "CAST($1 AS TIME)", kNoNullArgs},
};

}  // namespace

FunctionRows TimestampRows() { return kRows; }

}  // namespace logquery::rewrite
