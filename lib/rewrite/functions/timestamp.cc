// Rows of the function table: TIMESTAMP, and EXTRACT.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"CURRENT_TIMESTAMP", kScalar, "() -> TIMESTAMP", kReadsClock},
    {"TIMESTAMP", kScalar, "(TIMESTAMP) -> TIMESTAMP", kNoNullArgs | kTotal},
    {"TIMESTAMP", kScalar, "(DATETIME, [STRING]) -> TIMESTAMP"},
    {"TIMESTAMP", kScalar, "(DATE, [STRING]) -> TIMESTAMP"},
    {"TIMESTAMP", kScalar, "(STRING, [STRING]) -> TIMESTAMP"},
    {"TIMESTAMP_SECONDS", kScalar, "(INT64) -> TIMESTAMP", kNoNullArgs},
    {"TIMESTAMP_MILLIS", kScalar, "(INT64) -> TIMESTAMP", kNoNullArgs},
    {"TIMESTAMP_MICROS", kScalar, "(INT64) -> TIMESTAMP", kNoNullArgs},
    {"TIMESTAMP_FROM_UNIX_SECONDS", kScalar, "(INT64) -> TIMESTAMP", kNoNullArgs},
    {"TIMESTAMP_FROM_UNIX_MILLIS", kScalar, "(INT64) -> TIMESTAMP", kNoNullArgs},
    {"TIMESTAMP_FROM_UNIX_MICROS", kScalar, "(INT64) -> TIMESTAMP", kNoNullArgs},
    {"UNIX_SECONDS", kScalar, "(TIMESTAMP) -> INT64", kNoNullArgs | kTotal},
    {"UNIX_MILLIS", kScalar, "(TIMESTAMP) -> INT64", kNoNullArgs | kTotal},
    {"UNIX_MICROS", kScalar, "(TIMESTAMP) -> INT64", kNoNullArgs | kTotal},
    {"TIMESTAMP_TRUNC", kScalar, "(TIMESTAMP, PART, [STRING]) -> TIMESTAMP",
     kNoNullArgs | kTotalInFirst | kMayLeaveYears},
    {"TIMESTAMP_TRUNC", kScalar, "(DATETIME, PART) -> DATETIME", kTotalInFirst | kMayLeaveYears},
    {"TIMESTAMP_ADD", kScalar, "(TIMESTAMP, INTERVAL) -> TIMESTAMP", kNoNullArgs},
    {"TIMESTAMP_ADD", kScalar, "(DATETIME, INTERVAL) -> DATETIME"},
    {"TIMESTAMP_ADD", kScalar, "(DATE, INTERVAL) -> DATE"},
    {"TIMESTAMP_SUB", kScalar, "(TIMESTAMP, INTERVAL) -> TIMESTAMP", kNoNullArgs},
    {"TIMESTAMP_SUB", kScalar, "(DATETIME, INTERVAL) -> DATETIME"},
    {"TIMESTAMP_SUB", kScalar, "(DATE, INTERVAL) -> DATE"},
    {"TIMESTAMP_DIFF", kScalar, "(TIMESTAMP, TIMESTAMP, PART) -> INT64", kNoNullArgs | kTotalInFirst},
    {"TIMESTAMP_DIFF", kScalar, "(DATETIME, DATETIME, PART) -> INT64", kTotalInFirst},
    {"TIMESTAMP_DIFF", kScalar, "(DATE, DATE, PART) -> INT64", kTotalInFirst},
    {"TIMESTAMP_BUCKET", kScalar, "(TIMESTAMP, INTERVAL, [TIMESTAMP]) -> TIMESTAMP", kNoNullArgs},
    {"TIMESTAMP_BUCKET", kScalar, "(DATETIME, INTERVAL, [DATETIME]) -> DATETIME"},
    {"TIMESTAMP_BUCKET", kScalar, "(DATE, INTERVAL, [DATE]) -> DATE"},
    {"FORMAT_TIMESTAMP", kScalar, "(STRING, TIMESTAMP, [STRING]) -> STRING", kNoNullArgs},
    {"PARSE_TIMESTAMP", kScalar, "(STRING, STRING, [STRING]) -> TIMESTAMP", kNoNullArgs},
    {"$extract", kScalar, "(TIMESTAMP, PART) -> INT64", kNoNullArgs | kTotalInFirst},
    {"$extract", kScalar, "(TIMESTAMP, PART, STRING) -> INT64", kNoNullArgs | kTotalInFirst},
    {"$extract", kScalar, "(DATETIME, PART) -> INT64", kNoNullArgs | kTotalInFirst},
    {"$extract", kScalar, "(DATE, PART) -> INT64", kNoNullArgs | kTotalInFirst},
    {"$extract", kScalar, "(TIME, PART) -> INT64", kNoNullArgs | kTotalInFirst},
    {"$extract", kScalar, "(INTERVAL, PART) -> INT64", kNoNullArgs | kTotalInFirst},
    {"$extract_date", kScalar, "(TIMESTAMP) -> DATE", kNoNullArgs | kTotalInFirst},
    {"$extract_date", kScalar, "(TIMESTAMP, STRING) -> DATE", kNoNullArgs | kTotalInFirst | kMayLeaveYears},
    {"$extract_date", kScalar, "(DATETIME) -> DATE", kNoNullArgs | kTotalInFirst},
    {"$extract_time", kScalar, "(TIMESTAMP) -> TIME", kNoNullArgs | kTotalInFirst},
    {"$extract_time", kScalar, "(TIMESTAMP, STRING) -> TIME", kNoNullArgs | kTotalInFirst},
    {"$extract_time", kScalar, "(DATETIME) -> TIME", kNoNullArgs | kTotalInFirst},
    {"$extract_datetime", kScalar, "(TIMESTAMP) -> DATETIME", kNoNullArgs | kTotalInFirst},
    {"$extract_datetime", kScalar, "(TIMESTAMP, STRING) -> DATETIME", kNoNullArgs | kTotalInFirst | kMayLeaveYears},
};

}  // namespace

FunctionRows TimestampRows() { return kRows; }

}  // namespace logquery::rewrite
