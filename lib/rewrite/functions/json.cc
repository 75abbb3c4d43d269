// Rows of the function table: JSON.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

// Up to eight names and values, where each value has its own type.
#define LOGQUERY_PAIRS8                                                                                              \
  "[STRING], [T1], [STRING], [T2], [STRING], [T3], [STRING], [T4], [STRING], [T5], [STRING], [T6], [STRING], [T7], " \
  "[STRING], [T8]"
// A path and a value, and up to seven more of them.
#define LOGQUERY_EDITS8                                                                                          \
  "STRING, T1, [STRING], [T2], [STRING], [T3], [STRING], [T4], [STRING], [T5], [STRING], [T6], [STRING], [T7], " \
  "[STRING], [T8]"
#define LOGQUERY_ANY16 \
  "[T1], [T2], [T3], [T4], [T5], [T6], [T7], [T8], [T9], [T10], [T11], [T12], [T13], [T14], [T15], [T16]"

constexpr FunctionRow kRows[] = {
    {"JSON_VALUE", kScalar, "(STRING, [STRING]) -> STRING", kNoNullArgs},
    {"JSON_VALUE", kScalar, "(JSON, [STRING]) -> STRING"},
    {"JSON_EXTRACT_SCALAR", kScalar, "(STRING, [STRING]) -> STRING", kNoNullArgs},
    {"JSON_EXTRACT_SCALAR", kScalar, "(JSON, [STRING]) -> STRING"},
    {"JSON_QUERY", kScalar, "(STRING, [STRING]) -> STRING", kNoNullArgs},
    {"JSON_QUERY", kScalar, "(JSON, [STRING]) -> JSON"},
    {"JSON_EXTRACT", kScalar, "(STRING, [STRING]) -> STRING", kNoNullArgs},
    {"JSON_EXTRACT", kScalar, "(JSON, [STRING]) -> JSON"},
    {"JSON_QUERY_ARRAY", kScalar, "(STRING, [STRING]) -> ARRAY<STRING>", kNoNullArgs},
    {"JSON_QUERY_ARRAY", kScalar, "(JSON, [STRING]) -> ARRAY<JSON>"},
    {"JSON_EXTRACT_ARRAY", kScalar, "(STRING, [STRING]) -> ARRAY<STRING>", kNoNullArgs},
    {"JSON_EXTRACT_ARRAY", kScalar, "(JSON, [STRING]) -> ARRAY<JSON>"},
    {"JSON_VALUE_ARRAY", kScalar, "(STRING, [STRING]) -> ARRAY<STRING>", kNoNullArgs},
    {"JSON_VALUE_ARRAY", kScalar, "(JSON, [STRING]) -> ARRAY<STRING>"},
    {"JSON_EXTRACT_STRING_ARRAY", kScalar, "(STRING, [STRING]) -> ARRAY<STRING>", kNoNullArgs},
    {"JSON_EXTRACT_STRING_ARRAY", kScalar, "(JSON, [STRING]) -> ARRAY<STRING>"},
    {"PARSE_JSON", kScalar, "(wide_number_mode:STRING='exact', STRING) -> JSON", kNoNullArgs},
    {"TO_JSON", kScalar, "(stringify_wide_numbers:BOOL=FALSE, T1) -> JSON"},
    {"TO_JSON_STRING", kScalar, "(T1, [BOOL]) -> STRING"},
    {"JSON_TYPE", kScalar, "(JSON) -> STRING", kNoNullArgs},
    {"JSON_ARRAY", kScalar, "(" LOGQUERY_ANY16 ") -> JSON"},
    {"JSON_OBJECT", kScalar, "(ARRAY<STRING>, ARRAY<T1>) -> JSON"},
    {"JSON_OBJECT", kScalar, "(" LOGQUERY_PAIRS8 ") -> JSON"},
    {"JSON_KEYS", kScalar, "(mode:STRING='strict', JSON, [INT64]) -> ARRAY<STRING>"},
    {"JSON_SET", kScalar, "(create_if_missing:BOOL=TRUE, JSON, " LOGQUERY_EDITS8 ") -> JSON"},
    {"JSON_REMOVE", kScalar, "(JSON, STRING...) -> JSON"},
    {"JSON_STRIP_NULLS", kScalar, "(include_arrays:BOOL=TRUE, remove_empty:BOOL=FALSE, JSON, [STRING]) -> JSON",
     kNoNullArgs},
    {"JSON_ARRAY_APPEND", kScalar, "(append_each_element:BOOL=TRUE, JSON, " LOGQUERY_EDITS8 ") -> JSON"},
    {"JSON_ARRAY_INSERT", kScalar, "(insert_each_element:BOOL=TRUE, JSON, " LOGQUERY_EDITS8 ") -> JSON"},
    {"JSON_FLATTEN", kScalar, "(JSON) -> ARRAY<JSON>", kNoNullArgs},
};

}  // namespace

FunctionRows JsonRows() { return kRows; }

}  // namespace logquery::rewrite
