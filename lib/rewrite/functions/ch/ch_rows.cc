// Rows of the function table: functions of the second query language, which only its resolver creates.
#include "lib/rewrite/functions/ch/ch_rows.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"$ch.int_or_null", kScalar, "(STRING, INT64, INT64) -> INT64", kNoNullArgs | kInternal | kTotal},
    {"$ch.int", kScalar, "(STRING) -> INT64", kNoNullArgs | kInternal},
    {"$ch.float_or_null", kScalar, "(STRING) -> FLOAT64", kNoNullArgs | kInternal | kTotal},
    {"$ch.float", kScalar, "(STRING) -> FLOAT64", kNoNullArgs | kInternal},
    {"$ch.float_text", kScalar, "(FLOAT64) -> STRING", kNoNullArgs | kInternal | kTotal},
    {"$ch.add", kScalar, "(INT64, INT64) -> INT64", kNoNullArgs | kInternal | kTotal},
    {"$ch.subtract", kScalar, "(INT64, INT64) -> INT64", kNoNullArgs | kInternal | kTotal},
    {"$ch.multiply", kScalar, "(INT64, INT64) -> INT64", kNoNullArgs | kInternal | kTotal},
    {"$ch.wrap", kScalar, "(INT64, INT64) -> INT64", kNoNullArgs | kInternal | kTotal},
    {"$ch.truncate", kScalar, "(FLOAT64) -> INT64", kNoNullArgs | kInternal},
    {"$ch.sqrt", kScalar, "(FLOAT64) -> FLOAT64", kNoNullArgs | kInternal | kTotal},
    {"$ch.exp", kScalar, "(FLOAT64) -> FLOAT64", kNoNullArgs | kInternal | kTotal},
    {"$ch.ln", kScalar, "(FLOAT64) -> FLOAT64", kNoNullArgs | kInternal | kTotal},
    {"$ch.log10", kScalar, "(FLOAT64) -> FLOAT64", kNoNullArgs | kInternal | kTotal},
    {"$ch.pow", kScalar, "(FLOAT64, FLOAT64) -> FLOAT64", kNoNullArgs | kInternal | kTotal},
    {"$ch.round", kScalar, "(FLOAT64, INT64) -> FLOAT64", kNoNullArgs | kInternal | kTotal},
    {"$ch.round_int", kScalar, "(INT64, INT64, STRING, INT64) -> INT64", kNoNullArgs | kInternal},
    {"$ch.unsigned_mod", kScalar, "(INT64, INT64, INT64) -> INT64", kNoNullArgs | kInternal},
    {"$ch.reverse", kScalar, "(STRING) -> STRING", kNoNullArgs | kInternal | kTotal},
    {"$ch.quoted", kScalar, "(STRING) -> STRING", kNoNullArgs | kInternal | kTotal},
    {"$ch.substring", kScalar, "(STRING, INT64, INT64) -> STRING", kNoNullArgs | kInternal | kTotal},
    {"$ch.substring_utf8", kScalar, "(STRING, INT64, INT64) -> STRING", kNoNullArgs | kInternal | kTotal},
    {"$ch.position", kScalar, "(STRING, STRING, INT64) -> INT64", kNoNullArgs | kInternal | kTotal},
    {"$ch.position_ci", kScalar, "(STRING, STRING, INT64) -> INT64", kNoNullArgs | kInternal | kTotal},
    {"$ch.ascii_lower", kScalar, "(STRING) -> STRING", kNoNullArgs | kInternal | kTotal},
    {"$ch.ascii_upper", kScalar, "(STRING) -> STRING", kNoNullArgs | kInternal | kTotal},
    {"$ch.replace_one", kScalar, "(STRING, STRING, STRING) -> STRING", kNoNullArgs | kInternal | kTotal},
    {"$ch.start_of", kScalar, "(TIMESTAMP, STRING, INT64, STRING) -> TIMESTAMP", kNoNullArgs | kInternal | kStretches},
    {"$ch.add_units", kScalar, "(TIMESTAMP, INT64, STRING, STRING) -> TIMESTAMP", kNoNullArgs | kInternal},
    {"$ch.date_diff", kScalar, "(STRING, TIMESTAMP, TIMESTAMP, STRING) -> INT64", kNoNullArgs | kInternal},
    {"$ch.age", kScalar, "(STRING, TIMESTAMP, TIMESTAMP, STRING) -> INT64", kNoNullArgs | kInternal},
    {"$ch.time_part", kScalar, "(TIMESTAMP, STRING, STRING) -> INT64", kNoNullArgs | kInternal},
    {"$ch.time_or_null", kScalar, "(STRING, STRING) -> TIMESTAMP", kNoNullArgs | kInternal},
    {"$ch.time", kScalar, "(STRING, STRING) -> TIMESTAMP", kNoNullArgs | kInternal},
    {"$ch.answer_text", kScalar, "(TIMESTAMP, INT64, STRING, BOOL) -> STRING", kNoNullArgs | kInternal | kTotalInFirst},
    {"$ch.time_text", kScalar, "(TIMESTAMP, INT64, STRING) -> STRING", kNoNullArgs | kInternal},
    {"$ch.format_time", kScalar, "(TIMESTAMP, STRING, STRING) -> STRING", kNoNullArgs | kInternal},
    {"$ch.path", kScalar, "(STRING) -> STRING", kNoNullArgs | kInternal | kTotal},
    {"$ch.domain", kScalar, "(STRING) -> STRING", kNoNullArgs | kInternal | kTotal},
    {"$ch.domain_without_www", kScalar, "(STRING) -> STRING", kNoNullArgs | kInternal | kTotal},
    {"$ch.query_string", kScalar, "(STRING) -> STRING", kNoNullArgs | kInternal | kTotal},
    {"$ch.protocol", kScalar, "(STRING) -> STRING", kNoNullArgs | kInternal | kTotal},
    {"$ch.cut_query", kScalar, "(STRING) -> STRING", kNoNullArgs | kInternal | kTotal},
    {"$ch.url_parameter", kScalar, "(STRING, STRING) -> STRING", kNoNullArgs | kInternal | kTotal},
    {"$ch.decode_url", kScalar, "(STRING) -> STRING", kNoNullArgs | kInternal | kTotal},
    {"$ch.attributes", kScalar, "(STRING) -> STRING", kNoNullArgs | kInternal},
    // The text of a key of such a map that a log stores; NULL if it has no such key.
    {"$ch.attribute", kScalar, "(JSON, STRING) -> STRING", kNoNullArgs | kInternal | kTotal},
    {"$ch.map_get", kScalar, "(STRING, STRING) -> STRING", kNoNullArgs | kInternal},
    {"$ch.map_contains", kScalar, "(STRING, STRING) -> BOOL", kNoNullArgs | kInternal},
    {"$ch.map_text", kScalar, "(STRING) -> STRING", kNoNullArgs | kInternal},
    {"$ch.map_keys", kScalar, "(STRING) -> ARRAY<STRING>", kNoNullArgs | kInternal},
    {"$ch.map_values", kScalar, "(STRING) -> ARRAY<STRING>", kNoNullArgs | kInternal},
    {"$ch.map", kScalar, "(ARRAY<STRING>, ARRAY<STRING>) -> STRING", kNoNullArgs | kInternal | kTotal},
    {"$ch.json_string", kScalar, "(STRING, ARRAY<STRING>) -> STRING", kNoNullArgs | kInternal | kTotal},
    {"$ch.json_raw", kScalar, "(STRING, ARRAY<STRING>) -> STRING", kNoNullArgs | kInternal | kTotal},
    {"$ch.json_int", kScalar, "(STRING, ARRAY<STRING>) -> INT64", kNoNullArgs | kInternal | kTotal},
    {"$ch.json_float", kScalar, "(STRING, ARRAY<STRING>) -> FLOAT64", kNoNullArgs | kInternal | kTotal},
    {"$ch.json_bool", kScalar, "(STRING, ARRAY<STRING>) -> BOOL", kNoNullArgs | kInternal | kTotal},
    {"$ch.json_has", kScalar, "(STRING, ARRAY<STRING>) -> BOOL", kNoNullArgs | kInternal | kTotal},
    {"$ch.json_length", kScalar, "(STRING, ARRAY<STRING>) -> INT64", kNoNullArgs | kInternal | kTotal},
    {"$ch.json_keys", kScalar, "(STRING, ARRAY<STRING>) -> ARRAY<STRING>", kNoNullArgs | kInternal | kTotal},
    {"$ch.json_elements", kScalar, "(STRING, ARRAY<STRING>) -> ARRAY<STRING>", kNoNullArgs | kInternal | kTotal},
    {"$ch.json_valid", kScalar, "(STRING) -> BOOL", kNoNullArgs | kInternal | kTotal},
    {"$ch.json_type", kScalar, "(STRING, ARRAY<STRING>) -> STRING", kNoNullArgs | kInternal | kTotal},
    // The value at a fraction of the sorted values, between two of them in proportion.
    {"$ch.quantile", kAggregate, "(FLOAT64, FLOAT64) -> FLOAT64", kInternal | kTotal},
};

}  // namespace

FunctionRows ChRows() { return kRows; }

bool IsChRow(const FunctionRow& row) { return row.name.starts_with("$ch."); }

}  // namespace logquery::rewrite
