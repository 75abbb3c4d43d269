// Rewrites the engine's messages about a caller's values in GoogleSQL's terms.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_ERROR_WORDS_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_ERROR_WORDS_H_

#include <string>
#include <string_view>

namespace logquery::duckdb {

// Returns `message` without its kind ("Conversion Error: ") in a form for callers: `Bad INT64 value: "x"`. Messages of
// our own functions stay unchanged. In other unknown messages only the type names are replaced.
std::string InGoogleSqlWords(std::string_view message);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_ERROR_WORDS_H_
