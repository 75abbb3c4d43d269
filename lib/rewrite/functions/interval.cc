// Rows of the function table: INTERVAL.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"$interval", kScalar, "(INT64, PART) -> INTERVAL", kNoNullArgs},
    {"MAKE_INTERVAL", kScalar, "([INT64], [INT64], [INT64], [INT64], [INT64], [INT64]) -> INTERVAL", kNoNullArgs},
    {"JUSTIFY_DAYS", kScalar, "(INTERVAL) -> INTERVAL", kNoNullArgs},
    {"JUSTIFY_HOURS", kScalar, "(INTERVAL) -> INTERVAL", kNoNullArgs},
    {"JUSTIFY_INTERVAL", kScalar, "(INTERVAL) -> INTERVAL", kNoNullArgs},
};

}  // namespace

FunctionRows IntervalRows() { return kRows; }

}  // namespace logquery::rewrite
