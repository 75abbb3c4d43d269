// Rows of the function table: STRING and BYTES.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

// Up to sixteen arguments, where each has its own type.
#define LOGQUERY_ANY16 \
  "[T1], [T2], [T3], [T4], [T5], [T6], [T7], [T8], [T9], [T10], [T11], [T12], [T13], [T14], [T15], [T16]"

constexpr FunctionRow kRows[] = {
    {"LENGTH", kScalar, "(STRING) -> INT64", kNoNullArgs | kTotal},
    {"LENGTH", kScalar, "(BYTES) -> INT64", kTotal},
    {"CHAR_LENGTH", kScalar, "(STRING) -> INT64", kNoNullArgs | kTotal},
    {"CHARACTER_LENGTH", kScalar, "(STRING) -> INT64", kNoNullArgs | kTotal},
    {"BYTE_LENGTH", kScalar, "(STRING) -> INT64", kNoNullArgs | kTotal},
    {"BYTE_LENGTH", kScalar, "(BYTES) -> INT64", kTotal},
    {"OCTET_LENGTH", kScalar, "(STRING) -> INT64", kNoNullArgs | kTotal},
    {"OCTET_LENGTH", kScalar, "(BYTES) -> INT64", kTotal},
    {"LOWER", kScalar, "(STRING) -> STRING", kNoNullArgs | kTotal},
    {"LOWER", kScalar, "(BYTES) -> BYTES"},
    // LOWER where only ASCII matters (lib/split/ascii_case.h).
    {"$ascii_lower", kScalar, "(STRING) -> STRING", kNoNullArgs | kTotal | kInternal},
    {"UPPER", kScalar, "(STRING) -> STRING", kNoNullArgs | kTotal},
    {"UPPER", kScalar, "(BYTES) -> BYTES"},
    {"INITCAP", kScalar, "(STRING, [STRING]) -> STRING", kNoNullArgs},
    {"CONCAT", kScalar, "(STRING...) -> STRING", kNoNullArgs | kGrows | kCasts},
    {"CONCAT", kScalar, "(BYTES...) -> BYTES"},
    {"STARTS_WITH", kScalar, "(STRING, STRING) -> BOOL", kNoNullArgs | kTotal},
    {"STARTS_WITH", kScalar, "(BYTES, BYTES) -> BOOL", kTotal},
    {"ENDS_WITH", kScalar, "(STRING, STRING) -> BOOL", kNoNullArgs | kTotal},
    {"ENDS_WITH", kScalar, "(BYTES, BYTES) -> BOOL", kTotal},
    {"STRPOS", kScalar, "(STRING, STRING) -> INT64", kNoNullArgs | kTotal},
    {"STRPOS", kScalar, "(BYTES, BYTES) -> INT64", kTotal},
    {"INSTR", kScalar, "(STRING, STRING, [INT64], [INT64]) -> INT64", kNoNullArgs},
    {"INSTR", kScalar, "(BYTES, BYTES, [INT64], [INT64]) -> INT64"},
    {"CONTAINS_SUBSTR", kScalar, "(json_scope:STRING='JSON_VALUES', T1, STRING) -> BOOL"},
    {"SEARCH", kScalar,
     "(json_scope:STRING='JSON_VALUES', analyzer:STRING='LOG_ANALYZER', analyzer_options:STRING='', T1, STRING) -> "
     "BOOL",
     kTotalInFirst},
    {"SUBSTR", kScalar, "(STRING, INT64, [INT64]) -> STRING", kNoNullArgs | kTotalInFirst},
    {"SUBSTR", kScalar, "(BYTES, INT64, [INT64]) -> BYTES"},
    {"SUBSTRING", kScalar, "(STRING, INT64, [INT64]) -> STRING", kNoNullArgs | kTotalInFirst},
    {"SUBSTRING", kScalar, "(BYTES, INT64, [INT64]) -> BYTES"},
    {"LEFT", kScalar, "(STRING, INT64) -> STRING", kNoNullArgs | kTotalInFirst},
    {"LEFT", kScalar, "(BYTES, INT64) -> BYTES"},
    {"RIGHT", kScalar, "(STRING, INT64) -> STRING", kNoNullArgs | kTotalInFirst},
    {"RIGHT", kScalar, "(BYTES, INT64) -> BYTES"},
    {"TRIM", kScalar, "(STRING, [STRING]) -> STRING", kNoNullArgs | kTotalInFirst},
    {"TRIM", kScalar, "(BYTES, BYTES) -> BYTES"},
    {"LTRIM", kScalar, "(STRING, [STRING]) -> STRING", kNoNullArgs | kTotalInFirst},
    {"LTRIM", kScalar, "(BYTES, BYTES) -> BYTES"},
    {"RTRIM", kScalar, "(STRING, [STRING]) -> STRING", kNoNullArgs | kTotalInFirst},
    {"RTRIM", kScalar, "(BYTES, BYTES) -> BYTES"},
    {"LPAD", kScalar, "(STRING, INT64, [STRING]) -> STRING", kNoNullArgs | kGrows},
    {"LPAD", kScalar, "(BYTES, INT64, [BYTES]) -> BYTES"},
    {"RPAD", kScalar, "(STRING, INT64, [STRING]) -> STRING", kNoNullArgs | kGrows},
    {"RPAD", kScalar, "(BYTES, INT64, [BYTES]) -> BYTES"},
    {"REPEAT", kScalar, "(STRING, INT64) -> STRING", kNoNullArgs | kGrows},
    {"REPEAT", kScalar, "(BYTES, INT64) -> BYTES"},
    {"REPLACE", kScalar, "(STRING, STRING, STRING) -> STRING", kNoNullArgs | kGrows},
    {"REPLACE", kScalar, "(BYTES, BYTES, BYTES) -> BYTES"},
    {"TRANSLATE", kScalar, "(STRING, STRING, STRING) -> STRING", kNoNullArgs},
    {"TRANSLATE", kScalar, "(BYTES, BYTES, BYTES) -> BYTES"},
    {"REVERSE", kScalar, "(STRING) -> STRING", kNoNullArgs},
    {"REVERSE", kScalar, "(BYTES) -> BYTES"},
    {"SPLIT", kScalar, "(STRING, [STRING]) -> ARRAY<STRING>", kNoNullArgs},
    {"SPLIT", kScalar, "(BYTES, BYTES) -> ARRAY<BYTES>"},
    {"ASCII", kScalar, "(STRING) -> INT64", kNoNullArgs},
    {"ASCII", kScalar, "(BYTES) -> INT64"},
    {"UNICODE", kScalar, "(STRING) -> INT64", kNoNullArgs},
    {"CHR", kScalar, "(INT64) -> STRING", kNoNullArgs},
    {"TO_CODE_POINTS", kScalar, "(STRING) -> ARRAY<INT64>", kNoNullArgs},
    {"TO_CODE_POINTS", kScalar, "(BYTES) -> ARRAY<INT64>"},
    {"CODE_POINTS_TO_STRING", kScalar, "(ARRAY<INT64>) -> STRING", kNoNullArgs},
    {"CODE_POINTS_TO_BYTES", kScalar, "(ARRAY<INT64>) -> BYTES", kNoNullArgs},
    {"NORMALIZE", kScalar, "(STRING) -> STRING", kNoNullArgs},
    {"NORMALIZE_AND_CASEFOLD", kScalar, "(STRING) -> STRING", kNoNullArgs},
    {"COLLATE", kScalar, "(STRING, STRING) -> STRING"},
    {"SOUNDEX", kScalar, "(STRING) -> STRING", kNoNullArgs},
    {"EDIT_DISTANCE", kScalar, "(STRING, STRING, [INT64]) -> INT64", kNoNullArgs},
    {"EDIT_DISTANCE", kScalar, "(BYTES, BYTES, [INT64]) -> INT64"},
    {"FORMAT", kScalar, "(STRING, " LOGQUERY_ANY16 ") -> STRING", kGrows},
    {"TO_BASE64", kScalar, "(BYTES) -> STRING", kNoNullArgs},
    {"FROM_BASE64", kScalar, "(STRING) -> BYTES", kNoNullArgs},
    {"TO_BASE32", kScalar, "(BYTES) -> STRING", kNoNullArgs},
    {"FROM_BASE32", kScalar, "(STRING) -> BYTES", kNoNullArgs},
    {"TO_HEX", kScalar, "(BYTES) -> STRING", kNoNullArgs | kTotal},
    {"FROM_HEX", kScalar, "(STRING) -> BYTES", kNoNullArgs},
    {"SAFE_CONVERT_BYTES_TO_STRING", kScalar, "(BYTES) -> STRING", kNoNullArgs},
};

}  // namespace

FunctionRows StringRows() { return kRows; }

}  // namespace logquery::rewrite
