// Rows of the function table: digests.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"MD5", kScalar, "(STRING) -> BYTES", kNoNullArgs | kTotal},     {"MD5", kScalar, "(BYTES) -> BYTES", kTotal},
    {"SHA1", kScalar, "(STRING) -> BYTES", kNoNullArgs | kTotal},    {"SHA1", kScalar, "(BYTES) -> BYTES", kTotal},
    {"SHA256", kScalar, "(STRING) -> BYTES", kNoNullArgs | kTotal},  {"SHA256", kScalar, "(BYTES) -> BYTES", kTotal},
    {"SHA512", kScalar, "(STRING) -> BYTES", kNoNullArgs},           {"SHA512", kScalar, "(BYTES) -> BYTES"},
    {"FARM_FINGERPRINT", kScalar, "(STRING) -> INT64", kNoNullArgs}, {"FARM_FINGERPRINT", kScalar, "(BYTES) -> INT64"},
};

}  // namespace

FunctionRows HashRows() { return kRows; }

}  // namespace logquery::rewrite
