#include "lib/rewrite/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionKind kAggregate = FunctionKind::kAggregate;

constexpr FunctionRow kRows[] = {
    {"APPROX_QUANTILES", kAggregate, "(ORD1, INT64) -> ARRAY<ORD1>", "@approx_quantiles"},
    {"APPROX_COUNT_DISTINCT", kAggregate, "(GRP1) -> INT64", "@approx_count_distinct"},
};

}  // namespace

FunctionRows ApproximateRows() { return kRows; }

}  // namespace logquery::rewrite
