#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"$interval", kScalar, "(INT64, PART) -> INTERVAL", "@interval", kNoNullArgs, "INTERVAL $1 $2"},
    {"MAKE_INTERVAL", kScalar, "([INT64], [INT64], [INT64], [INT64], [INT64], [INT64]) -> INTERVAL", "@make_interval",
     kNoNullArgs},
    {"JUSTIFY_DAYS", kScalar, "(INTERVAL) -> INTERVAL", "@justify", kNoNullArgs},
    {"JUSTIFY_HOURS", kScalar, "(INTERVAL) -> INTERVAL", "@justify", kNoNullArgs},
    {"JUSTIFY_INTERVAL", kScalar, "(INTERVAL) -> INTERVAL", "@justify", kNoNullArgs},
};

}  // namespace

FunctionRows IntervalRows() { return kRows; }

}  // namespace logquery::rewrite
