// Rows of the function table: DATETIME.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"CURRENT_DATETIME", kScalar, "([STRING]) -> DATETIME", kReadsClock},
    // The first, so that a literal of text is one: it may have a zone.
    {"DATETIME", kScalar, "(TIMESTAMP, [STRING]) -> DATETIME", kNoNullArgs | kTotalInFirst | kMayLeaveYears},
    {"DATETIME", kScalar, "(DATETIME) -> DATETIME", kTotal},
    {"DATETIME", kScalar, "(DATE) -> DATETIME", kTotal},
    {"DATETIME", kScalar, "(DATE, TIME) -> DATETIME", kTotal},
    {"DATETIME", kScalar, "(INT64, INT64, INT64, INT64, INT64, INT64) -> DATETIME"},
    {"DATETIME_ADD", kScalar, "(DATETIME, INTERVAL) -> DATETIME", kNoNullArgs},
    {"DATETIME_ADD", kScalar, "(TIMESTAMP, INTERVAL) -> TIMESTAMP"},
    {"DATETIME_SUB", kScalar, "(DATETIME, INTERVAL) -> DATETIME", kNoNullArgs},
    {"DATETIME_SUB", kScalar, "(TIMESTAMP, INTERVAL) -> TIMESTAMP"},
    {"DATETIME_DIFF", kScalar, "(DATETIME, DATETIME, PART) -> INT64", kNoNullArgs | kTotalInFirst},
    {"DATETIME_DIFF", kScalar, "(TIMESTAMP, TIMESTAMP, PART) -> INT64", kTotalInFirst},
    {"DATETIME_TRUNC", kScalar, "(DATETIME, PART) -> DATETIME", kNoNullArgs | kTotalInFirst | kMayLeaveYears},
    {"DATETIME_TRUNC", kScalar, "(TIMESTAMP, PART, [STRING]) -> TIMESTAMP", kTotalInFirst | kMayLeaveYears},
    {"DATETIME_BUCKET", kScalar, "(DATETIME, INTERVAL, [DATETIME]) -> DATETIME", kNoNullArgs},
    {"DATETIME_BUCKET", kScalar, "(TIMESTAMP, INTERVAL, [TIMESTAMP]) -> TIMESTAMP"},
    {"FORMAT_DATETIME", kScalar, "(STRING, DATETIME) -> STRING", kNoNullArgs},
    {"FORMAT_DATETIME", kScalar, "(STRING, TIMESTAMP, [STRING]) -> STRING"},
    {"PARSE_DATETIME", kScalar, "(STRING, STRING) -> DATETIME", kNoNullArgs},
};

}  // namespace

FunctionRows DatetimeRows() { return kRows; }

}  // namespace logquery::rewrite
