// The books of the store: which inputs are in each table. Each entry commits together with the rows that it is about.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_LOAD_BOOKS_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_LOAD_BOOKS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/backend/duckdb/handles.h"
#include "lib/base/strings.h"

namespace logquery::duckdb {

struct LoadEntry {
  std::string key;   // a file's digest in hexadecimal; what else is taken once has a prefix of its own
  std::string name;  // the file's, as it was given
  int64_t rows = 0;
  int64_t rejected_rows = 0;
  int64_t duplicate_rows = 0;
  int64_t bytes = 0;
  std::string rejected_name;  // RejectedRows::name(); empty: none were rejected
};

// nullopt: the table has no input of that key.
absl::StatusOr<std::optional<LoadEntry>> FindLoad(duckdb_connection connection, const std::string& table,
                                                  const std::string& key);

absl::Status AddLoad(duckdb_connection connection, const std::string& table, const LoadEntry& entry);

// The names of all rejected rows that the books know.
absl::StatusOr<base::StringSet> ReadRejectedNames(duckdb_connection connection);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_LOAD_BOOKS_H_
