#include "lib/rewrite/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionKind kScalar = FunctionKind::kScalar;

constexpr FunctionRow kRows[] = {
    {"CURRENT_DATE", kScalar, "([STRING]) -> DATE", "", kReadsClock},
    {"DATE", kScalar, "(TIMESTAMP, [STRING]) -> DATE", "@timestamp_to_date", kNoNullArgs},
    {"DATE", kScalar, "(DATETIME) -> DATE", "CAST($1 AS DATE)", kNoNullArgs},
    {"DATE", kScalar, "(DATE) -> DATE", "$1", kNoNullArgs},
};

}  // namespace

FunctionRows DateRows() { return kRows; }

}  // namespace logquery::rewrite
