#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {
namespace {

constexpr FunctionRow kRows[] = {
    {"NET.HOST", kScalar, "(STRING) -> STRING", "@net_host", kNoNullArgs},
    {"NET.REG_DOMAIN", kScalar, "(STRING) -> STRING", "", kNoNullArgs},
    {"NET.PUBLIC_SUFFIX", kScalar, "(STRING) -> STRING", "", kNoNullArgs},
    {"NET.IP_FROM_STRING", kScalar, "(STRING) -> BYTES", "lq_ip_from_string($1)", kNoNullArgs},
    {"NET.SAFE_IP_FROM_STRING", kScalar, "(STRING) -> BYTES", "lq_safe_ip_from_string($1)", kNoNullArgs},
    {"NET.IP_TO_STRING", kScalar, "(BYTES) -> STRING", "lq_ip_to_string($1)", kNoNullArgs},
    {"NET.IP_NET_MASK", kScalar, "(INT64, INT64) -> BYTES", "@ip_net_mask", kNoNullArgs},
    {"NET.IP_TRUNC", kScalar, "(BYTES, INT64) -> BYTES", "@ip_trunc", kNoNullArgs},
    {"NET.IPV4_FROM_INT64", kScalar, "(INT64) -> BYTES", "@ipv4_from_int64", kNoNullArgs},
    {"NET.IPV4_TO_INT64", kScalar, "(BYTES) -> INT64", "@ipv4_to_int64", kNoNullArgs},
};

}  // namespace

FunctionRows NetRows() { return kRows; }

}  // namespace logquery::rewrite
