#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionKind kWindow = FunctionKind::kWindow;

constexpr FunctionRow kRows[] = {
    {"ROW_NUMBER", kWindow, "() -> INT64", "row_number{}"},
    {"RANK", kWindow, "() -> INT64", "rank{}", kNeedsOrder},
    {"DENSE_RANK", kWindow, "() -> INT64", "dense_rank{}", kNeedsOrder},
    {"PERCENT_RANK", kWindow, "() -> FLOAT64", "percent_rank{}", kNeedsOrder},
    {"CUME_DIST", kWindow, "() -> FLOAT64", "cume_dist{}", kNeedsOrder},
    {"NTILE", kWindow, "(INT64) -> INT64", "@ntile", kNeedsOrder},
    {"LAG", kWindow, "(T1, [INT64], [T1]) -> T1", "@lag", kNeedsOrder},
    {"LEAD", kWindow, "(T1, [INT64], [T1]) -> T1", "@lag", kNeedsOrder},
    {"FIRST_VALUE", kWindow, "(T1) -> T1", "first_value{$1}"},
    {"LAST_VALUE", kWindow, "(T1) -> T1", "last_value{$1}"},
    {"NTH_VALUE", kWindow, "(T1, INT64) -> T1", "@nth_value"},
    {"PERCENTILE_CONT", kWindow, "(FLOAT64, FLOAT64) -> FLOAT64", "@percentile_cont"},
    {"PERCENTILE_DISC", kWindow, "(FLOAT64, FLOAT64) -> FLOAT64", "@percentile_disc"},
    {"PERCENTILE_DISC", kWindow, "(ORD1, FLOAT64) -> ORD1", "@percentile_disc"},
    {"PERCENTILE_DISC", kWindow, "(ORD1, NUMERIC) -> ORD1", "@percentile_disc"},
    {"PERCENTILE_DISC", kWindow, "(ORD1, BIGNUMERIC) -> ORD1", "@percentile_disc"},
};

}  // namespace

FunctionRows WindowRows() { return kRows; }

}  // namespace logquery::rewrite
