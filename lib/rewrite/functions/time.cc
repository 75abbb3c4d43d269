// Rows of the function table: TIME.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"CURRENT_TIME", kScalar, "([STRING]) -> TIME", kReadsClock},
    {"TIME", kScalar, "(TIME) -> TIME", kNoNullArgs | kTotal},
    {"TIME", kScalar, "(DATETIME) -> TIME", kTotal},
    {"TIME", kScalar, "(TIMESTAMP, [STRING]) -> TIME", kTotalInFirst},
    {"TIME", kScalar, "(INT64, INT64, INT64) -> TIME"},
    {"TIME_ADD", kScalar, "(TIME, INTERVAL) -> TIME", kNoNullArgs},
    {"TIME_SUB", kScalar, "(TIME, INTERVAL) -> TIME", kNoNullArgs},
    {"TIME_DIFF", kScalar, "(TIME, TIME, PART) -> INT64", kNoNullArgs | kTotalInFirst},
    {"TIME_TRUNC", kScalar, "(TIME, PART) -> TIME", kNoNullArgs | kTotalInFirst},
    {"FORMAT_TIME", kScalar, "(STRING, TIME) -> STRING", kNoNullArgs},
    {"PARSE_TIME", kScalar, "(STRING, STRING) -> TIME", kNoNullArgs},
};

}  // namespace

FunctionRows TimeRows() { return kRows; }

}  // namespace logquery::rewrite
