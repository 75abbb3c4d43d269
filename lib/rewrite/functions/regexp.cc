// Rows of the function table: regular expressions.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"REGEXP_CONTAINS", kScalar, "(STRING, STRING) -> BOOL", kNoNullArgs | kTotalInFirst},
    {"REGEXP_CONTAINS", kScalar, "(BYTES, BYTES) -> BOOL"},
    {"REGEXP_EXTRACT", kScalar, "(STRING, STRING, [INT64], [INT64]) -> STRING", kNoNullArgs | kTotalInFirst},
    {"REGEXP_EXTRACT", kScalar, "(BYTES, BYTES, [INT64], [INT64]) -> BYTES"},
    {"REGEXP_SUBSTR", kScalar, "(STRING, STRING, [INT64], [INT64]) -> STRING", kNoNullArgs | kTotalInFirst},
    {"REGEXP_SUBSTR", kScalar, "(BYTES, BYTES, [INT64], [INT64]) -> BYTES"},
    {"REGEXP_EXTRACT_ALL", kScalar, "(STRING, STRING) -> ARRAY<STRING>", kNoNullArgs},
    {"REGEXP_EXTRACT_ALL", kScalar, "(BYTES, BYTES) -> ARRAY<BYTES>"},
    {"REGEXP_INSTR", kScalar, "(STRING, STRING, [INT64], [INT64], [INT64]) -> INT64", kNoNullArgs},
    {"REGEXP_INSTR", kScalar, "(BYTES, BYTES, [INT64], [INT64], [INT64]) -> INT64"},
    {"REGEXP_REPLACE", kScalar, "(STRING, STRING, STRING) -> STRING", kNoNullArgs | kGrows},
    {"REGEXP_REPLACE", kScalar, "(BYTES, BYTES, BYTES) -> BYTES"},
};

}  // namespace

FunctionRows RegexpRows() { return kRows; }

}  // namespace logquery::rewrite
