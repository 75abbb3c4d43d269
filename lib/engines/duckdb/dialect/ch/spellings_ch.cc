// DuckDB's spellings: functions of the second query language that are no functions of ours.
#include "lib/engines/duckdb/dialect/spellings.h"

namespace logquery::emit {
namespace {

constexpr Spelling kSpellings[] = {
    {"$ch.quantile", "quantile_cont{$1, $2}"},
    {"$ch.attribute", "lq_ch_attribute(CAST($1 AS VARCHAR), $2)"},
};

}  // namespace

SpellingList DuckDbChSpellings() { return kSpellings; }

}  // namespace logquery::emit
