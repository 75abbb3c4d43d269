// Rows of the function table: addresses and hosts.
#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"NET.HOST", kScalar, "(STRING) -> STRING", kNoNullArgs},
    {"NET.REG_DOMAIN", kScalar, "(STRING) -> STRING", kNoNullArgs},
    {"NET.PUBLIC_SUFFIX", kScalar, "(STRING) -> STRING", kNoNullArgs},
    {"NET.IP_FROM_STRING", kScalar, "(STRING) -> BYTES", kNoNullArgs},
    {"NET.SAFE_IP_FROM_STRING", kScalar, "(STRING) -> BYTES", kNoNullArgs | kTotal},
    {"NET.IP_TO_STRING", kScalar, "(BYTES) -> STRING", kNoNullArgs},
    {"NET.IP_NET_MASK", kScalar, "(INT64, INT64) -> BYTES", kNoNullArgs},
    {"NET.IP_TRUNC", kScalar, "(BYTES, INT64) -> BYTES", kNoNullArgs},
    {"NET.IPV4_FROM_INT64", kScalar, "(INT64) -> BYTES", kNoNullArgs},
    {"NET.IPV4_TO_INT64", kScalar, "(BYTES) -> INT64", kNoNullArgs},
};

}  // namespace

FunctionRows NetRows() { return kRows; }

}  // namespace logquery::rewrite
