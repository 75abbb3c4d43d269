// DuckDB's spellings: INTERVAL.
#include "lib/engines/duckdb/dialect/spellings.h"

namespace logquery::emit {
namespace {

constexpr Spelling kSpellings[] = {
    {"$interval", "@interval"},    {"MAKE_INTERVAL", "@make_interval"}, {"JUSTIFY_DAYS", "@justify"},
    {"JUSTIFY_HOURS", "@justify"}, {"JUSTIFY_INTERVAL", "@justify"},
};

}  // namespace

SpellingList DuckDbIntervalSpellings() { return kSpellings; }

}  // namespace logquery::emit
