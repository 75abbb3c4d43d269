// DuckDB's spellings: STRING and BYTES.
#include "lib/engines/duckdb/dialect/spellings.h"

namespace logquery::emit {
namespace {

constexpr Spelling kSpellings[] = {
    {"LENGTH(STRING)", "length($1)"},
    {"LENGTH(BYTES)", "octet_length($1)"},
    {"CHAR_LENGTH", "length($1)"},
    {"CHARACTER_LENGTH", "length($1)"},
    {"BYTE_LENGTH(STRING)", "strlen($1)"},
    {"BYTE_LENGTH(BYTES)", "octet_length($1)"},
    {"OCTET_LENGTH(STRING)", "strlen($1)"},
    {"OCTET_LENGTH(BYTES)", "octet_length($1)"},
    {"LOWER(STRING)", "lower($1)"},
    {"$ascii_lower", "lower($1)"},
    {"UPPER(STRING)", "@upper"},
    {"INITCAP", "@initcap"},
    {"CONCAT", "@concat"},
    {"STARTS_WITH(STRING, STRING)", "starts_with($1, $2)"},
    {"ENDS_WITH(STRING, STRING)", "suffix($1, $2)"},
    {"STRPOS(STRING, STRING)", "@strpos"},
    {"INSTR", "@instr"},
    {"CONTAINS_SUBSTR", "@contains_substr"},
    {"SEARCH", "@search"},
    {"SUBSTR(STRING, INT64, [INT64])", "@substr"},
    {"SUBSTR(BYTES, INT64, [INT64])", "@bytes_substr"},
    {"SUBSTRING(STRING, INT64, [INT64])", "@substr"},
    {"SUBSTRING(BYTES, INT64, [INT64])", "@bytes_substr"},
    {"LEFT(STRING, INT64)", "@left"},
    {"RIGHT(STRING, INT64)", "@left"},
    {"TRIM(STRING, [STRING])", "@trim"},
    {"LTRIM(STRING, [STRING])", "@trim"},
    {"RTRIM(STRING, [STRING])", "@trim"},
    {"LPAD", "@pad"},
    {"RPAD", "@pad"},
    {"SPLIT(STRING, [STRING])", "@split"},
    {"ASCII(STRING)", "@ascii"},
    {"UNICODE", "@unicode"},
    {"CHR", "@chr"},
    {"CODE_POINTS_TO_STRING", "@code_points_to_string"},
    {"CODE_POINTS_TO_BYTES", "@code_points_to_bytes"},
    {"NORMALIZE", "nfc_normalize($1)"},
    {"EDIT_DISTANCE", "@edit_distance"},
    {"FORMAT", "@format"},
    {"TO_BASE64", "to_base64($1)"},
};

}  // namespace

SpellingList DuckDbStringSpellings() { return kSpellings; }

}  // namespace logquery::emit
