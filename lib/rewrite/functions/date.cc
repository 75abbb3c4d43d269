// Rows of the function table: DATE.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"CURRENT_DATE", kScalar, "([STRING]) -> DATE", kReadsClock},
    // The first, so that a literal of text is one: it may have a time of day and a zone.
    {"DATE", kScalar, "(TIMESTAMP, [STRING]) -> DATE", kNoNullArgs | kTotalInFirst | kMayLeaveYears},
    {"DATE", kScalar, "(DATE) -> DATE", kTotal},
    {"DATE", kScalar, "(DATETIME) -> DATE", kTotal},
    {"DATE", kScalar, "(INT64, INT64, INT64) -> DATE"},
    {"DATE_ADD", kScalar, "(DATE, INTERVAL) -> DATE", kNoNullArgs},
    {"DATE_ADD", kScalar, "(DATETIME, INTERVAL) -> DATETIME"},
    {"DATE_ADD", kScalar, "(TIMESTAMP, INTERVAL) -> TIMESTAMP"},
    {"DATE_SUB", kScalar, "(DATE, INTERVAL) -> DATE", kNoNullArgs},
    {"DATE_SUB", kScalar, "(DATETIME, INTERVAL) -> DATETIME"},
    {"DATE_SUB", kScalar, "(TIMESTAMP, INTERVAL) -> TIMESTAMP"},
    {"DATE_DIFF", kScalar, "(DATE, DATE, PART) -> INT64", kNoNullArgs | kTotalInFirst},
    {"DATE_DIFF", kScalar, "(DATETIME, DATETIME, PART) -> INT64", kTotalInFirst},
    {"DATE_DIFF", kScalar, "(TIMESTAMP, TIMESTAMP, PART) -> INT64", kTotalInFirst},
    {"DATE_TRUNC", kScalar, "(DATE, PART) -> DATE", kNoNullArgs | kTotalInFirst | kMayLeaveYears},
    {"DATE_TRUNC", kScalar, "(DATETIME, PART) -> DATETIME", kTotalInFirst | kMayLeaveYears},
    {"DATE_TRUNC", kScalar, "(TIMESTAMP, PART, [STRING]) -> TIMESTAMP", kTotalInFirst | kMayLeaveYears},
    {"DATE_BUCKET", kScalar, "(DATE, INTERVAL, [DATE]) -> DATE", kNoNullArgs},
    {"DATE_BUCKET", kScalar, "(DATETIME, INTERVAL, [DATETIME]) -> DATETIME"},
    {"DATE_FROM_UNIX_DATE", kScalar, "(INT64) -> DATE", kNoNullArgs},
    {"UNIX_DATE", kScalar, "(DATE) -> INT64", kNoNullArgs | kTotal},
    {"LAST_DAY", kScalar, "(DATE, [PART]) -> DATE", kNoNullArgs},
    {"LAST_DAY", kScalar, "(DATETIME, [PART]) -> DATE"},
    {"FORMAT_DATE", kScalar, "(STRING, DATE) -> STRING", kNoNullArgs},
    {"FORMAT_DATE", kScalar, "(STRING, DATETIME) -> STRING"},
    {"FORMAT_DATE", kScalar, "(STRING, TIMESTAMP, [STRING]) -> STRING"},
    {"PARSE_DATE", kScalar, "(STRING, STRING) -> DATE", kNoNullArgs},
};

}  // namespace

FunctionRows DateRows() { return kRows; }

}  // namespace logquery::rewrite
