// DuckDB's spellings: Window functions.
#include "lib/engines/duckdb/dialect/spellings.h"

namespace logquery::emit {
namespace {

constexpr Spelling kSpellings[] = {
    {"ROW_NUMBER", "row_number{}"},
    {"RANK", "rank{}"},
    {"DENSE_RANK", "dense_rank{}"},
    {"PERCENT_RANK", "percent_rank{}"},
    {"CUME_DIST", "cume_dist{}"},
    {"NTILE", "@ntile"},
    {"LAG", "@lag"},
    {"LEAD", "@lag"},
    {"FIRST_VALUE", "first_value{$1}"},
    {"LAST_VALUE", "last_value{$1}"},
    {"NTH_VALUE", "@nth_value"},
    {"PERCENTILE_CONT", "@percentile_cont"},
    {"PERCENTILE_DISC", "@percentile_disc"},
};

}  // namespace

SpellingList DuckDbWindowSpellings() { return kSpellings; }

}  // namespace logquery::emit
