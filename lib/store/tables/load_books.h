// Records of the inputs in each table. A record is committed together with the rows that it describes.
#ifndef LOGQUERY_LIB_STORE_TABLES_LOAD_BOOKS_H_
#define LOGQUERY_LIB_STORE_TABLES_LOAD_BOOKS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/handles.h"

namespace logquery::store {

struct LoadEntry {
  std::string key;   // a file's digest in hexadecimal; keys of other inputs have their own prefixes
  std::string name;  // the file's name as given
  int64_t rows = 0;
  int64_t rejected_rows = 0;
  int64_t duplicate_rows = 0;
  int64_t bytes = 0;
  std::string rejected_name;  // RejectedRows::name(); empty: no rows were rejected

  // There were no rows, or all of them were rejected, perhaps for a wrong option of the load.
  bool accepted_nothing() const { return rows == 0 && duplicate_rows == 0; }
};

// nullopt: the table has no input with this key.
absl::StatusOr<std::optional<LoadEntry>> FindLoad(duckdb_connection connection, const std::string& table,
                                                  const std::string& key);

// Recognizes most new inputs without a database lookup, which would scan all records (1.7 ms at 100,000) and dominate
// the load time of many small files. Not thread-safe.
class LoadFilter {
 public:
  // Reads the records once.
  absl::Status Fill(duckdb_connection connection);
  // False: the table does not have the input. True: it may have it; use FindLoad.
  bool MayHave(std::string_view table, std::string_view key) const { return seen_.contains(HashOf(table, key)); }
  // Called before the input is committed. If the commit fails, this only costs an unnecessary lookup later.
  void Add(std::string_view table, std::string_view key) { seen_.insert(HashOf(table, key)); }

 private:
  static size_t HashOf(std::string_view table, std::string_view key) {
    return absl::HashOf(base::ToAbsl(table), base::ToAbsl(key));
  }

  absl::flat_hash_set<size_t> seen_;
  bool filled_ = false;
};

absl::Status AddLoad(duckdb_connection connection, const std::string& table, const LoadEntry& entry);

// Removes the record of an input that is loaded once more.
absl::Status RemoveLoad(duckdb_connection connection, const std::string& table, const std::string& key);

// Returns the names of all recorded files of rejected rows.
absl::StatusOr<base::StringSet> ReadRejectedNames(duckdb_connection connection);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_LOAD_BOOKS_H_
