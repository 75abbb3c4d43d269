#include "lib/rewrite/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionKind kScalar = FunctionKind::kScalar;

constexpr FunctionRow kRows[] = {
    {"REGEXP_CONTAINS", kScalar, "(STRING, STRING) -> BOOL", "@regexp_contains", kNoNullArgs},
    {"REGEXP_EXTRACT", kScalar, "(STRING, STRING) -> STRING", "@regexp_extract", kNoNullArgs},
    {"REGEXP_REPLACE", kScalar, "(STRING, STRING, STRING) -> STRING", "@regexp_replace", kNoNullArgs | kGrows},
};

}  // namespace

FunctionRows RegexpRows() { return kRows; }

}  // namespace logquery::rewrite
