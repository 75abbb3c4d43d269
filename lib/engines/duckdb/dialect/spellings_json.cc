// DuckDB's spellings: JSON.
#include "lib/engines/duckdb/dialect/spellings.h"

namespace logquery::emit {
namespace {

constexpr Spelling kSpellings[] = {
    {"JSON_VALUE(STRING, [STRING])", "@json_value_text"},
    {"JSON_VALUE(JSON, [STRING])", "@json_value"},
    {"JSON_EXTRACT_SCALAR(STRING, [STRING])", "@json_value_text"},
    {"JSON_EXTRACT_SCALAR(JSON, [STRING])", "@json_value"},
    {"JSON_QUERY(STRING, [STRING])", "@json_query_text"},
    {"JSON_QUERY(JSON, [STRING])", "@json_query"},
    {"JSON_EXTRACT(STRING, [STRING])", "@json_query_text"},
    {"JSON_EXTRACT(JSON, [STRING])", "@json_query"},
    {"JSON_QUERY_ARRAY(STRING, [STRING])", "@json_query_array_text"},
    {"JSON_QUERY_ARRAY(JSON, [STRING])", "@json_query_array"},
    {"JSON_EXTRACT_ARRAY(STRING, [STRING])", "@json_query_array_text"},
    {"JSON_EXTRACT_ARRAY(JSON, [STRING])", "@json_query_array"},
    {"JSON_VALUE_ARRAY(STRING, [STRING])", "@json_value_array_text"},
    {"JSON_VALUE_ARRAY(JSON, [STRING])", "@json_value_array"},
    {"JSON_EXTRACT_STRING_ARRAY(STRING, [STRING])", "@json_value_array_text"},
    {"JSON_EXTRACT_STRING_ARRAY(JSON, [STRING])", "@json_value_array"},
    {"PARSE_JSON", "CAST(lq_json_parse($2, $1) AS JSON)"},
    {"TO_JSON", "@to_json"},
    {"TO_JSON_STRING", "@to_json_string"},
    {"JSON_TYPE", "@json_type"},
    {"JSON_ARRAY", "@json_array"},
    {"JSON_OBJECT(ARRAY<STRING>, ARRAY<T1>)", "@json_object_of_arrays"},
    {"JSON_OBJECT", "@json_object"},
    {"JSON_KEYS", "@json_keys"},
    {"JSON_SET", "@json_edit"},
    {"JSON_REMOVE", "CAST(lq_json_remove(CAST($1 AS VARCHAR), $2*) AS JSON)"},
    {"JSON_STRIP_NULLS", "@json_strip_nulls"},
    {"JSON_ARRAY_APPEND", "@json_edit"},
    {"JSON_ARRAY_INSERT", "@json_edit"},
    {"JSON_FLATTEN", "CAST(lq_json_flatten(CAST($1 AS VARCHAR)) AS JSON[])"},
};

}  // namespace

SpellingList DuckDbJsonSpellings() { return kSpellings; }

}  // namespace logquery::emit
