// Records of the dictionaries of packed records (log_dictionary.h), and of the projects whose rows they were trained on.
#ifndef LOGQUERY_LIB_STORE_TABLES_DICTIONARY_BOOKS_H_
#define LOGQUERY_LIB_STORE_TABLES_DICTIONARY_BOOKS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "lib/store/rows/log_dictionary.h"

namespace logquery::store {

inline constexpr char kMakeDictionaryBooks[] =
    "CREATE TABLE IF NOT EXISTS logquery.dictionaries("
    "table_name VARCHAR, id BIGINT, bytes BLOB, oldest TIMESTAMP, trained_at TIMESTAMP);"
    "CREATE TABLE IF NOT EXISTS logquery.dictionary_projects(table_name VARCHAR, id BIGINT, project VARCHAR)";

// Records the table's dictionaries that are not recorded yet, in the open transaction: its rows need them.
absl::Status BookDictionaries(duckdb_connection connection, const std::string& table, LogDictionary& dictionary);

// Returns the dictionaries by table. Also works for folders without these records. One that is damaged is left out: it is as good
// as removed.
absl::StatusOr<base::StringMap<std::vector<TrainedDictionary>>> ReadDictionaries(duckdb_connection connection);

// Removes the records of the dictionaries that LogDictionary::Forget() forgets.
absl::Status RemoveDictionaries(duckdb_connection connection, const std::string& table,
                                const std::optional<std::string>& project, std::optional<absl::Time> before);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_DICTIONARY_BOOKS_H_
