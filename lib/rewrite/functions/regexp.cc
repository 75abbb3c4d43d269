// Rows of the function table: regular expressions.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"REGEXP_CONTAINS", kScalar, "(STRING, STRING) -> BOOL", "@regexp_contains", kNoNullArgs | kTotalInFirst},
    {"REGEXP_CONTAINS", kScalar, "(BYTES, BYTES) -> BOOL", "@regexp_contains"},
    {"REGEXP_EXTRACT", kScalar, "(STRING, STRING, [INT64], [INT64]) -> STRING", "@regexp_extract",
     kNoNullArgs | kTotalInFirst},
    {"REGEXP_EXTRACT", kScalar, "(BYTES, BYTES, [INT64], [INT64]) -> BYTES", "@regexp_extract"},
    {"REGEXP_SUBSTR", kScalar, "(STRING, STRING, [INT64], [INT64]) -> STRING", "@regexp_extract",
     kNoNullArgs | kTotalInFirst},
    {"REGEXP_SUBSTR", kScalar, "(BYTES, BYTES, [INT64], [INT64]) -> BYTES", "@regexp_extract"},
    {"REGEXP_EXTRACT_ALL", kScalar, "(STRING, STRING) -> ARRAY<STRING>", "@regexp_extract_all", kNoNullArgs},
    {"REGEXP_EXTRACT_ALL", kScalar, "(BYTES, BYTES) -> ARRAY<BYTES>", "@regexp_extract_all"},
    {"REGEXP_INSTR", kScalar, "(STRING, STRING, [INT64], [INT64], [INT64]) -> INT64", "@regexp_instr", kNoNullArgs},
    {"REGEXP_INSTR", kScalar, "(BYTES, BYTES, [INT64], [INT64], [INT64]) -> INT64", "@regexp_instr"},
    {"REGEXP_REPLACE", kScalar, "(STRING, STRING, STRING) -> STRING", "@regexp_replace", kNoNullArgs | kGrows},
    {"REGEXP_REPLACE", kScalar, "(BYTES, BYTES, BYTES) -> BYTES", "@regexp_replace"},
};

}  // namespace

FunctionRows RegexpRows() { return kRows; }

}  // namespace logquery::rewrite
