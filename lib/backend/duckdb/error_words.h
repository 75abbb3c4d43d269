// What the engine says about a caller's values, in GoogleSQL's words.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_ERROR_WORDS_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_ERROR_WORDS_H_

#include <string>
#include <string_view>

namespace logquery::duckdb {

// `message` without its kind ("Conversion Error: "), as a caller may read it: `Bad INT64 value: "x"`. Messages of our own stay
// as they are. Of a message of an unknown form only the names of types change.
std::string InGoogleSqlWords(std::string_view message);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_ERROR_WORDS_H_
