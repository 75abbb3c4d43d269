#include "lib/rewrite/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionKind kScalar = FunctionKind::kScalar;

constexpr FunctionRow kRows[] = {
    {"CURRENT_TIME", kScalar, "([STRING]) -> TIME", "", kReadsClock},
    {"TIME", kScalar, "(TIMESTAMP, [STRING]) -> TIME", "@timestamp_to_time", kNoNullArgs},
    {"TIME", kScalar, "(DATETIME) -> TIME", "CAST($1 AS TIME)", kNoNullArgs},
    {"TIME", kScalar, "(TIME) -> TIME", "$1", kNoNullArgs},
};

}  // namespace

FunctionRows TimeRows() { return kRows; }

}  // namespace logquery::rewrite
