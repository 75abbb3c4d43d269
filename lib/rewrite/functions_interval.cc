#include "lib/rewrite/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionKind kScalar = FunctionKind::kScalar;

constexpr FunctionRow kRows[] = {
    {"$interval", kScalar, "(INT64, PART) -> INTERVAL", "@interval", kNoNullArgs, "INTERVAL $1 $2"},
};

}  // namespace

FunctionRows IntervalRows() { return kRows; }

}  // namespace logquery::rewrite
