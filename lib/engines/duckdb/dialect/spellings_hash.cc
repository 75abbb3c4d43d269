// DuckDB's spellings: Digests.
#include "lib/engines/duckdb/dialect/spellings.h"

namespace logquery::emit {
namespace {

constexpr Spelling kSpellings[] = {
    {"MD5", "unhex(md5($1))"},
    {"SHA1", "unhex(sha1($1))"},
    {"SHA256", "unhex(sha256($1))"},
};

}  // namespace

SpellingList DuckDbHashSpellings() { return kSpellings; }

}  // namespace logquery::emit
