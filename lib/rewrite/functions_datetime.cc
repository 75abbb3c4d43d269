#include "lib/rewrite/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionKind kScalar = FunctionKind::kScalar;

constexpr FunctionRow kRows[] = {
    {"CURRENT_DATETIME", kScalar, "([STRING]) -> DATETIME", "", kReadsClock},
    {"DATETIME", kScalar, "(TIMESTAMP, [STRING]) -> DATETIME", "@timestamp_to_datetime", kNoNullArgs},
    {"DATETIME", kScalar, "(DATETIME) -> DATETIME", "$1", kNoNullArgs},
};

}  // namespace

FunctionRows DatetimeRows() { return kRows; }

}  // namespace logquery::rewrite
