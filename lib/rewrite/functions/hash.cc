// Rows of the function table: digests.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"MD5", kScalar, "(STRING) -> BYTES", "unhex(md5($1))", kNoNullArgs | kTotal},
    {"MD5", kScalar, "(BYTES) -> BYTES", "unhex(md5($1))", kTotal},
    {"SHA1", kScalar, "(STRING) -> BYTES", "unhex(sha1($1))", kNoNullArgs | kTotal},
    {"SHA1", kScalar, "(BYTES) -> BYTES", "unhex(sha1($1))", kTotal},
    {"SHA256", kScalar, "(STRING) -> BYTES", "unhex(sha256($1))", kNoNullArgs | kTotal},
    {"SHA256", kScalar, "(BYTES) -> BYTES", "unhex(sha256($1))", kTotal},
    {"SHA512", kScalar, "(STRING) -> BYTES", "lq_sha512($1)", kNoNullArgs},
    {"SHA512", kScalar, "(BYTES) -> BYTES", "lq_bytes_sha512($1)"},
    {"FARM_FINGERPRINT", kScalar, "(STRING) -> INT64", "", kNoNullArgs},
    {"FARM_FINGERPRINT", kScalar, "(BYTES) -> INT64", ""},
};

}  // namespace

FunctionRows HashRows() { return kRows; }

}  // namespace logquery::rewrite
