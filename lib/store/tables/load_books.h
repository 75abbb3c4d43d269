// The books of the store: which inputs are in each table. Each entry commits together with the rows that it is about.
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
#include "lib/backend/duckdb/handles.h"
#include "lib/base/strings.h"

namespace logquery::store {

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

// Tells for most inputs that the table has not got them, without asking the database: that looks through all its entries
// for each (1.7 ms at 100,000), which is what many small files would spend their time on. Not thread-safe.
class LoadFilter {
 public:
  // Reads the books, unless it has done so.
  absl::Status Fill(duckdb_connection connection);
  // False: the table has no input of that key. True: FindLoad tells.
  bool MayHave(std::string_view table, std::string_view key) const { return seen_.contains(HashOf(table, key)); }
  // Before the input is committed. One that never is costs a needless question.
  void Add(std::string_view table, std::string_view key) { seen_.insert(HashOf(table, key)); }

 private:
  static size_t HashOf(std::string_view table, std::string_view key) {
    return absl::HashOf(base::ToAbsl(table), base::ToAbsl(key));
  }

  absl::flat_hash_set<size_t> seen_;
  bool filled_ = false;
};

absl::Status AddLoad(duckdb_connection connection, const std::string& table, const LoadEntry& entry);

// The names of all rejected rows that the books know.
absl::StatusOr<base::StringSet> ReadRejectedNames(duckdb_connection connection);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_LOAD_BOOKS_H_
