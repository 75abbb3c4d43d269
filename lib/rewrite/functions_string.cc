#include "lib/rewrite/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionKind kScalar = FunctionKind::kScalar;

constexpr FunctionRow kRows[] = {
    {"LENGTH", kScalar, "(STRING) -> INT64", "length($1)", kNoNullArgs},
    {"LENGTH", kScalar, "(BYTES) -> INT64", "octet_length($1)", kNoNullArgs},
    {"CHAR_LENGTH", kScalar, "(STRING) -> INT64", "length($1)", kNoNullArgs},
    {"CHARACTER_LENGTH", kScalar, "(STRING) -> INT64", "length($1)", kNoNullArgs},
    {"BYTE_LENGTH", kScalar, "(STRING) -> INT64", "strlen($1)", kNoNullArgs},
    {"BYTE_LENGTH", kScalar, "(BYTES) -> INT64", "octet_length($1)", kNoNullArgs},
    {"OCTET_LENGTH", kScalar, "(STRING) -> INT64", "strlen($1)", kNoNullArgs},
    {"OCTET_LENGTH", kScalar, "(BYTES) -> INT64", "octet_length($1)", kNoNullArgs},
    {"LOWER", kScalar, "(STRING) -> STRING", "lower($1)", kNoNullArgs},
    {"UPPER", kScalar, "(STRING) -> STRING", "upper($1)", kNoNullArgs},
    {"CONCAT", kScalar, "(STRING...) -> STRING", "@concat", kNoNullArgs | kGrows},
    {"CONCAT", kScalar, "(BYTES...) -> BYTES", "@concat", kNoNullArgs | kGrows},
    {"STARTS_WITH", kScalar, "(STRING, STRING) -> BOOL", "starts_with($1, $2)", kNoNullArgs},
    {"ENDS_WITH", kScalar, "(STRING, STRING) -> BOOL", "suffix($1, $2)", kNoNullArgs},
    {"STRPOS", kScalar, "(STRING, STRING) -> INT64", "strpos($1, $2)", kNoNullArgs},
    {"CONTAINS_SUBSTR", kScalar, "(STRING, STRING) -> BOOL", "", kNone},
    {"SUBSTR", kScalar, "(STRING, INT64, [INT64]) -> STRING", "@substr", kNoNullArgs},
    {"SUBSTRING", kScalar, "(STRING, INT64, [INT64]) -> STRING", "@substr", kNoNullArgs},
    {"TRIM", kScalar, "(STRING, [STRING]) -> STRING", "@trim", kNoNullArgs},
    {"LTRIM", kScalar, "(STRING, [STRING]) -> STRING", "@ltrim", kNoNullArgs},
    {"RTRIM", kScalar, "(STRING, [STRING]) -> STRING", "@rtrim", kNoNullArgs},
    {"LPAD", kScalar, "(STRING, INT64, [STRING]) -> STRING", "@lpad", kNoNullArgs | kGrows},
    {"RPAD", kScalar, "(STRING, INT64, [STRING]) -> STRING", "@rpad", kNoNullArgs | kGrows},
    {"REPLACE", kScalar, "(STRING, STRING, STRING) -> STRING", "replace($1, $2, $3)", kNoNullArgs | kGrows},
    {"SPLIT", kScalar, "(STRING, [STRING]) -> ARRAY<STRING>", "@split", kNoNullArgs},
    {"FORMAT", kScalar, "(STRING, [T1...]) -> STRING", "", kGrows},
};

}  // namespace

FunctionRows StringRows() { return kRows; }

}  // namespace logquery::rewrite
