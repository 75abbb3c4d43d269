#include "lib/rewrite/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionKind kScalar = FunctionKind::kScalar;

// Up to eight names and values, each value of a type of its own.
#define LOGQUERY_PAIRS8                                                                                              \
  "[STRING], [T1], [STRING], [T2], [STRING], [T3], [STRING], [T4], [STRING], [T5], [STRING], [T6], [STRING], [T7], " \
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
    {"PARSE_JSON", kScalar, "(STRING, [STRING]) -> JSON", "@parse_json", kNoNullArgs},
    {"TO_JSON", kScalar, "(T1, [BOOL]) -> JSON", "@to_json"},
    {"TO_JSON_STRING", kScalar, "(T1, [BOOL]) -> STRING", "@to_json_string"},
    {"JSON_TYPE", kScalar, "(JSON) -> STRING", "@json_type", kNoNullArgs},
    {"JSON_ARRAY", kScalar, "(" LOGQUERY_ANY16 ") -> JSON", "@json_array"},
    {"JSON_OBJECT", kScalar, "(ARRAY<STRING>, ARRAY<T1>) -> JSON", "@json_object_of_arrays"},
    {"JSON_OBJECT", kScalar, "(" LOGQUERY_PAIRS8 ") -> JSON", "@json_object"},
    {"JSON_KEYS", kScalar, "(JSON, [INT64], [STRING]) -> ARRAY<STRING>", ""},
    {"JSON_SET", kScalar, "(JSON, STRING, T1) -> JSON", ""},
    {"JSON_REMOVE", kScalar, "(JSON, STRING...) -> JSON", ""},
    {"JSON_STRIP_NULLS", kScalar, "(JSON, [STRING], [BOOL], [BOOL]) -> JSON", ""},
    {"JSON_ARRAY_APPEND", kScalar, "(JSON, STRING, T1) -> JSON", ""},
    {"JSON_ARRAY_INSERT", kScalar, "(JSON, STRING, T1) -> JSON", ""},
    {"JSON_FLATTEN", kScalar, "(JSON) -> ARRAY<JSON>", ""},
};

}  // namespace

FunctionRows JsonRows() { return kRows; }

}  // namespace logquery::rewrite
