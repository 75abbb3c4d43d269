#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

// Up to eight names and values, each value of a type of its own.
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
    {"JSON_VALUE", kScalar, "(STRING, [STRING]) -> STRING", "@json_value_text", kNoNullArgs},
    {"JSON_VALUE", kScalar, "(JSON, [STRING]) -> STRING", "@json_value"},
    {"JSON_EXTRACT_SCALAR", kScalar, "(STRING, [STRING]) -> STRING", "@json_value_text", kNoNullArgs},
    {"JSON_EXTRACT_SCALAR", kScalar, "(JSON, [STRING]) -> STRING", "@json_value"},
    {"JSON_QUERY", kScalar, "(STRING, [STRING]) -> STRING", "@json_query_text", kNoNullArgs},
    {"JSON_QUERY", kScalar, "(JSON, [STRING]) -> JSON", "@json_query"},
    {"JSON_EXTRACT", kScalar, "(STRING, [STRING]) -> STRING", "@json_query_text", kNoNullArgs},
    {"JSON_EXTRACT", kScalar, "(JSON, [STRING]) -> JSON", "@json_query"},
    {"JSON_QUERY_ARRAY", kScalar, "(STRING, [STRING]) -> ARRAY<STRING>", "@json_query_array_text", kNoNullArgs},
    {"JSON_QUERY_ARRAY", kScalar, "(JSON, [STRING]) -> ARRAY<JSON>", "@json_query_array"},
    {"JSON_EXTRACT_ARRAY", kScalar, "(STRING, [STRING]) -> ARRAY<STRING>", "@json_query_array_text", kNoNullArgs},
    {"JSON_EXTRACT_ARRAY", kScalar, "(JSON, [STRING]) -> ARRAY<JSON>", "@json_query_array"},
    {"JSON_VALUE_ARRAY", kScalar, "(STRING, [STRING]) -> ARRAY<STRING>", "@json_value_array_text", kNoNullArgs},
    {"JSON_VALUE_ARRAY", kScalar, "(JSON, [STRING]) -> ARRAY<STRING>", "@json_value_array"},
    {"JSON_EXTRACT_STRING_ARRAY", kScalar, "(STRING, [STRING]) -> ARRAY<STRING>", "@json_value_array_text",
     kNoNullArgs},
    {"JSON_EXTRACT_STRING_ARRAY", kScalar, "(JSON, [STRING]) -> ARRAY<STRING>", "@json_value_array"},
    {"PARSE_JSON", kScalar, "(wide_number_mode:STRING='exact', STRING) -> JSON", "CAST(lq_json_parse($2, $1) AS JSON)",
     kNoNullArgs, "PARSE_JSON($2, wide_number_mode => $1)"},
    {"TO_JSON", kScalar, "(stringify_wide_numbers:BOOL=FALSE, T1) -> JSON", "@to_json", kNone,
     "TO_JSON($2, stringify_wide_numbers => $1)"},
    {"TO_JSON_STRING", kScalar, "(T1, [BOOL]) -> STRING", "@to_json_string"},
    {"JSON_TYPE", kScalar, "(JSON) -> STRING", "@json_type", kNoNullArgs},
    {"JSON_ARRAY", kScalar, "(" LOGQUERY_ANY16 ") -> JSON", "@json_array"},
    {"JSON_OBJECT", kScalar, "(ARRAY<STRING>, ARRAY<T1>) -> JSON", "@json_object_of_arrays"},
    {"JSON_OBJECT", kScalar, "(" LOGQUERY_PAIRS8 ") -> JSON", "@json_object"},
    {"JSON_KEYS", kScalar, "(mode:STRING='strict', JSON, [INT64]) -> ARRAY<STRING>", "@json_keys", kNone,
     "JSON_KEYS($2*, mode => $1)"},
    {"JSON_SET", kScalar, "(create_if_missing:BOOL=TRUE, JSON, " LOGQUERY_EDITS8 ") -> JSON", "@json_edit", kNone,
     "JSON_SET($2*, create_if_missing => $1)"},
    {"JSON_REMOVE", kScalar, "(JSON, STRING...) -> JSON", "CAST(lq_json_remove(CAST($1 AS VARCHAR), $2*) AS JSON)",
     kNoNullArgs},
    {"JSON_STRIP_NULLS", kScalar, "(include_arrays:BOOL=TRUE, remove_empty:BOOL=FALSE, JSON, [STRING]) -> JSON",
     "@json_strip_nulls", kNoNullArgs, "JSON_STRIP_NULLS($3*, include_arrays => $1, remove_empty => $2)"},
    {"JSON_ARRAY_APPEND", kScalar, "(append_each_element:BOOL=TRUE, JSON, " LOGQUERY_EDITS8 ") -> JSON", "@json_edit",
     kNone, "JSON_ARRAY_APPEND($2*, append_each_element => $1)"},
    {"JSON_ARRAY_INSERT", kScalar, "(insert_each_element:BOOL=TRUE, JSON, " LOGQUERY_EDITS8 ") -> JSON", "@json_edit",
     kNone, "JSON_ARRAY_INSERT($2*, insert_each_element => $1)"},
    {"JSON_FLATTEN", kScalar, "(JSON) -> ARRAY<JSON>", "CAST(lq_json_flatten(CAST($1 AS VARCHAR)) AS JSON[])",
     kNoNullArgs},
};

}  // namespace

FunctionRows JsonRows() { return kRows; }

}  // namespace logquery::rewrite
