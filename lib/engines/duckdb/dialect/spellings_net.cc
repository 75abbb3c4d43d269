// DuckDB's spellings: Addresses and hosts.
#include "lib/engines/duckdb/dialect/spellings.h"

namespace logquery::emit {
namespace {

constexpr Spelling kSpellings[] = {
    {"NET.IP_NET_MASK", "@ip_net_mask"},
    {"NET.IP_TRUNC", "@ip_trunc"},
    {"NET.IPV4_FROM_INT64", "@ipv4_from_int64"},
    {"NET.IPV4_TO_INT64", "@ipv4_to_int64"},
};

}  // namespace

SpellingList DuckDbNetSpellings() { return kSpellings; }

}  // namespace logquery::emit
