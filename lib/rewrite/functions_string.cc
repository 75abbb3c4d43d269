#include "lib/rewrite/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionKind kScalar = FunctionKind::kScalar;

// Up to sixteen arguments, each of a type of its own.
#define LOGQUERY_ANY16 \
  "[T1], [T2], [T3], [T4], [T5], [T6], [T7], [T8], [T9], [T10], [T11], [T12], [T13], [T14], [T15], [T16]"

constexpr FunctionRow kRows[] = {
    {"LENGTH", kScalar, "(STRING) -> INT64", "length($1)", kNoNullArgs},
    {"LENGTH", kScalar, "(BYTES) -> INT64", "octet_length($1)"},
    {"CHAR_LENGTH", kScalar, "(STRING) -> INT64", "length($1)", kNoNullArgs},
    {"CHARACTER_LENGTH", kScalar, "(STRING) -> INT64", "length($1)", kNoNullArgs},
    {"BYTE_LENGTH", kScalar, "(STRING) -> INT64", "strlen($1)", kNoNullArgs},
    {"BYTE_LENGTH", kScalar, "(BYTES) -> INT64", "octet_length($1)"},
    {"OCTET_LENGTH", kScalar, "(STRING) -> INT64", "strlen($1)", kNoNullArgs},
    {"OCTET_LENGTH", kScalar, "(BYTES) -> INT64", "octet_length($1)"},
    {"LOWER", kScalar, "(STRING) -> STRING", "lower($1)", kNoNullArgs},
    {"LOWER", kScalar, "(BYTES) -> BYTES", "lq_bytes_lower($1)"},
    {"UPPER", kScalar, "(STRING) -> STRING", "@upper", kNoNullArgs},
    {"UPPER", kScalar, "(BYTES) -> BYTES", "lq_bytes_upper($1)"},
    {"INITCAP", kScalar, "(STRING, [STRING]) -> STRING", "@initcap", kNoNullArgs},
    {"CONCAT", kScalar, "(STRING...) -> STRING", "@concat", kNoNullArgs | kGrows},
    {"CONCAT", kScalar, "(BYTES...) -> BYTES", "@concat"},
    {"CONCAT", kScalar, "(T17, " LOGQUERY_ANY16 ") -> STRING", "@concat_any"},
    {"STARTS_WITH", kScalar, "(STRING, STRING) -> BOOL", "starts_with($1, $2)", kNoNullArgs},
    {"STARTS_WITH", kScalar, "(BYTES, BYTES) -> BOOL", "lq_bytes_starts_with($1, $2)"},
    {"ENDS_WITH", kScalar, "(STRING, STRING) -> BOOL", "suffix($1, $2)", kNoNullArgs},
    {"ENDS_WITH", kScalar, "(BYTES, BYTES) -> BOOL", "lq_bytes_ends_with($1, $2)"},
    {"STRPOS", kScalar, "(STRING, STRING) -> INT64", "strpos($1, $2)", kNoNullArgs},
    {"STRPOS", kScalar, "(BYTES, BYTES) -> INT64", "lq_bytes_strpos($1, $2)"},
    {"INSTR", kScalar, "(STRING, STRING, [INT64], [INT64]) -> INT64", "@instr", kNoNullArgs},
    {"INSTR", kScalar, "(BYTES, BYTES, [INT64], [INT64]) -> INT64", "@instr"},
    {"CONTAINS_SUBSTR", kScalar, "(T1, STRING) -> BOOL", ""},
    {"SUBSTR", kScalar, "(STRING, INT64, [INT64]) -> STRING", "@substr", kNoNullArgs},
    {"SUBSTR", kScalar, "(BYTES, INT64, [INT64]) -> BYTES", "@bytes_substr"},
    {"SUBSTRING", kScalar, "(STRING, INT64, [INT64]) -> STRING", "@substr", kNoNullArgs},
    {"SUBSTRING", kScalar, "(BYTES, INT64, [INT64]) -> BYTES", "@bytes_substr"},
    {"LEFT", kScalar, "(STRING, INT64) -> STRING", "@left", kNoNullArgs},
    {"LEFT", kScalar, "(BYTES, INT64) -> BYTES", "lq_bytes_left($1, $2)"},
    {"RIGHT", kScalar, "(STRING, INT64) -> STRING", "@left", kNoNullArgs},
    {"RIGHT", kScalar, "(BYTES, INT64) -> BYTES", "lq_bytes_right($1, $2)"},
    {"TRIM", kScalar, "(STRING, [STRING]) -> STRING", "@trim", kNoNullArgs},
    {"TRIM", kScalar, "(BYTES, BYTES) -> BYTES", "lq_bytes_trim($1, $2)"},
    {"LTRIM", kScalar, "(STRING, [STRING]) -> STRING", "@trim", kNoNullArgs},
    {"LTRIM", kScalar, "(BYTES, BYTES) -> BYTES", "lq_bytes_ltrim($1, $2)"},
    {"RTRIM", kScalar, "(STRING, [STRING]) -> STRING", "@trim", kNoNullArgs},
    {"RTRIM", kScalar, "(BYTES, BYTES) -> BYTES", "lq_bytes_rtrim($1, $2)"},
    {"LPAD", kScalar, "(STRING, INT64, [STRING]) -> STRING", "@pad", kNoNullArgs | kGrows},
    {"LPAD", kScalar, "(BYTES, INT64, [BYTES]) -> BYTES", "@pad"},
    {"RPAD", kScalar, "(STRING, INT64, [STRING]) -> STRING", "@pad", kNoNullArgs | kGrows},
    {"RPAD", kScalar, "(BYTES, INT64, [BYTES]) -> BYTES", "@pad"},
    {"REPEAT", kScalar, "(STRING, INT64) -> STRING", "lq_repeat($1, $2)", kNoNullArgs | kGrows},
    {"REPEAT", kScalar, "(BYTES, INT64) -> BYTES", "lq_bytes_repeat($1, $2)"},
    {"REPLACE", kScalar, "(STRING, STRING, STRING) -> STRING", "lq_replace($1, $2, $3)", kNoNullArgs | kGrows},
    {"REPLACE", kScalar, "(BYTES, BYTES, BYTES) -> BYTES", "lq_bytes_replace($1, $2, $3)"},
    {"TRANSLATE", kScalar, "(STRING, STRING, STRING) -> STRING", "lq_translate($1, $2, $3)", kNoNullArgs},
    {"TRANSLATE", kScalar, "(BYTES, BYTES, BYTES) -> BYTES", "lq_bytes_translate($1, $2, $3)"},
    {"REVERSE", kScalar, "(STRING) -> STRING", "lq_reverse($1)", kNoNullArgs},
    {"REVERSE", kScalar, "(BYTES) -> BYTES", "lq_bytes_reverse($1)"},
    {"SPLIT", kScalar, "(STRING, [STRING]) -> ARRAY<STRING>", "@split", kNoNullArgs},
    {"SPLIT", kScalar, "(BYTES, BYTES) -> ARRAY<BYTES>", "lq_bytes_split($1, $2)"},
    {"ASCII", kScalar, "(STRING) -> INT64", "@ascii", kNoNullArgs},
    {"ASCII", kScalar, "(BYTES) -> INT64", "lq_bytes_ascii($1)"},
    {"UNICODE", kScalar, "(STRING) -> INT64", "@unicode", kNoNullArgs},
    {"CHR", kScalar, "(INT64) -> STRING", "@chr", kNoNullArgs},
    {"TO_CODE_POINTS", kScalar, "(STRING) -> ARRAY<INT64>", "@to_code_points", kNoNullArgs},
    {"TO_CODE_POINTS", kScalar, "(BYTES) -> ARRAY<INT64>", "@bytes_to_code_points"},
    {"CODE_POINTS_TO_STRING", kScalar, "(ARRAY<INT64>) -> STRING", "@code_points_to_string", kNoNullArgs},
    {"CODE_POINTS_TO_BYTES", kScalar, "(ARRAY<INT64>) -> BYTES", "@code_points_to_bytes", kNoNullArgs},
    {"NORMALIZE", kScalar, "(STRING) -> STRING", "nfc_normalize($1)", kNoNullArgs},
    {"NORMALIZE_AND_CASEFOLD", kScalar, "(STRING) -> STRING", "", kNoNullArgs},
    {"COLLATE", kScalar, "(STRING, STRING) -> STRING", ""},
    {"SOUNDEX", kScalar, "(STRING) -> STRING", "lq_soundex($1)", kNoNullArgs},
    {"EDIT_DISTANCE", kScalar, "(STRING, STRING, [INT64]) -> INT64", "@edit_distance", kNoNullArgs},
    {"EDIT_DISTANCE", kScalar, "(BYTES, BYTES, [INT64]) -> INT64", "@edit_distance"},
    {"FORMAT", kScalar, "(STRING, " LOGQUERY_ANY16 ") -> STRING", "@format", kGrows},
    {"TO_BASE64", kScalar, "(BYTES) -> STRING", "to_base64($1)", kNoNullArgs},
    {"FROM_BASE64", kScalar, "(STRING) -> BYTES", "lq_from_base64($1)", kNoNullArgs},
    {"TO_BASE32", kScalar, "(BYTES) -> STRING", "lq_to_base32($1)", kNoNullArgs},
    {"FROM_BASE32", kScalar, "(STRING) -> BYTES", "lq_from_base32($1)", kNoNullArgs},
    {"TO_HEX", kScalar, "(BYTES) -> STRING", "lower(hex($1))", kNoNullArgs},
    {"FROM_HEX", kScalar, "(STRING) -> BYTES", "lq_from_hex($1)", kNoNullArgs},
    {"SAFE_CONVERT_BYTES_TO_STRING", kScalar, "(BYTES) -> STRING", "lq_safe_bytes_as_string($1)", kNoNullArgs},
};

}  // namespace

FunctionRows StringRows() { return kRows; }

}  // namespace logquery::rewrite
