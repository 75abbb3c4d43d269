// Rows of the function table: window functions.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionKind kWindow = FunctionKind::kWindow;

constexpr FunctionRow kRows[] = {
    {"ROW_NUMBER", kWindow, "() -> INT64", kTotal},
    {"RANK", kWindow, "() -> INT64", kNeedsOrder | kTotal},
    {"DENSE_RANK", kWindow, "() -> INT64", kNeedsOrder | kTotal},
    {"PERCENT_RANK", kWindow, "() -> FLOAT64", kNeedsOrder},
    {"CUME_DIST", kWindow, "() -> FLOAT64", kNeedsOrder},
    {"NTILE", kWindow, "(INT64) -> INT64", kNeedsOrder},
    {"LAG", kWindow, "(T1, [INT64], [T1]) -> T1", kNeedsOrder},
    {"LEAD", kWindow, "(T1, [INT64], [T1]) -> T1", kNeedsOrder},
    {"FIRST_VALUE", kWindow, "(T1) -> T1"},
    {"LAST_VALUE", kWindow, "(T1) -> T1"},
    {"NTH_VALUE", kWindow, "(T1, INT64) -> T1"},
    {"PERCENTILE_CONT", kWindow, "(FLOAT64, FLOAT64) -> FLOAT64"},
    {"PERCENTILE_CONT", kWindow, "(NUMERIC, NUMERIC) -> NUMERIC"},
    {"PERCENTILE_CONT", kWindow, "(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC"},
    {"PERCENTILE_DISC", kWindow, "(FLOAT64, FLOAT64) -> FLOAT64"},
    {"PERCENTILE_DISC", kWindow, "(ORD1, FLOAT64) -> ORD1"},
    {"PERCENTILE_DISC", kWindow, "(ORD1, NUMERIC) -> ORD1"},
    {"PERCENTILE_DISC", kWindow, "(ORD1, BIGNUMERIC) -> ORD1"},
    // $percentile_row returns a row's place from the number of rows and the fraction. $percentile interpolates between
    // the values of two rows.
    {"$percentile_row", kScalar, "(INT64, BIGNUMERIC, INT64) -> INT64", kInternal},
    {"$percentile", kScalar, "(NUMERIC, NUMERIC, INT64, BIGNUMERIC) -> NUMERIC", kInternal},
    {"$percentile", kScalar, "(BIGNUMERIC, BIGNUMERIC, INT64, BIGNUMERIC) -> BIGNUMERIC", kInternal},
    {"$percentile", kScalar, "(FLOAT64, FLOAT64, INT64, BIGNUMERIC) -> FLOAT64", kInternal},
};

}  // namespace

FunctionRows WindowRows() { return kRows; }

}  // namespace logquery::rewrite
