// DuckDB's spellings: Regular expressions.
#include "lib/engines/duckdb/dialect/spellings.h"

namespace logquery::emit {
namespace {

constexpr Spelling kSpellings[] = {
    {"REGEXP_CONTAINS", "@regexp_contains"}, {"REGEXP_EXTRACT", "@regexp_extract"},
    {"REGEXP_SUBSTR", "@regexp_extract"},    {"REGEXP_EXTRACT_ALL", "@regexp_extract_all"},
    {"REGEXP_INSTR", "@regexp_instr"},       {"REGEXP_REPLACE", "@regexp_replace"},
};

}  // namespace

SpellingList DuckDbRegexpSpellings() { return kSpellings; }

}  // namespace logquery::emit
