#include "lib/rewrite/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionKind kScalar = FunctionKind::kScalar;

constexpr FunctionRow kRows[] = {
    {"TO_JSON_STRING", kScalar, "(JSON) -> STRING", "CAST($1 AS VARCHAR)", kNone},
};

}  // namespace

FunctionRows ConversionRows() { return kRows; }

}  // namespace logquery::rewrite
