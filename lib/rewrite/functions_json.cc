#include "lib/rewrite/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionKind kScalar = FunctionKind::kScalar;

constexpr FunctionRow kRows[] = {
    {"JSON_VALUE", kScalar, "(STRING, [STRING]) -> STRING", "@json_value_text", kNoNullArgs},
    {"JSON_VALUE", kScalar, "(JSON, [STRING]) -> STRING", "@json_value", kNoNullArgs},
};

}  // namespace

FunctionRows JsonRows() { return kRows; }

}  // namespace logquery::rewrite
