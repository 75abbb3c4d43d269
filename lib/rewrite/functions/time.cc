// Rows of the function table: TIME.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"CURRENT_TIME", kScalar, "([STRING]) -> TIME", "", kReadsClock},
    {"TIME", kScalar, "(TIME) -> TIME", "$1", kNoNullArgs | kTotal},
    {"TIME", kScalar, "(DATETIME) -> TIME", "CAST($1 AS TIME)", kTotal},
    {"TIME", kScalar, "(TIMESTAMP, [STRING]) -> TIME", "@timestamp_to_time", kTotalInFirst},
    {"TIME", kScalar, "(INT64, INT64, INT64) -> TIME", "lq_make_time($*)"},
    {"TIME_ADD", kScalar, "(TIME, INTERVAL) -> TIME", "@time_add", kNoNullArgs},
    {"TIME_SUB", kScalar, "(TIME, INTERVAL) -> TIME", "@time_sub", kNoNullArgs},
    {"TIME_DIFF", kScalar, "(TIME, TIME, PART) -> INT64", "@time_diff", kNoNullArgs | kTotalInFirst},
    {"TIME_TRUNC", kScalar, "(TIME, PART) -> TIME", "@time_trunc", kNoNullArgs | kTotalInFirst},
    {"FORMAT_TIME", kScalar, "(STRING, TIME) -> STRING", "@format_time", kNoNullArgs},
    {"PARSE_TIME", kScalar, "(STRING, STRING) -> TIME", "@parse_time", kNoNullArgs},
};

}  // namespace

FunctionRows TimeRows() { return kRows; }

}  // namespace logquery::rewrite
