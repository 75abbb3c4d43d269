// Copies of the rows that one change adds to a table, as the engine stores them, so that a query for the newest rows can
// be brought up to date without asking the engine.
//
//     AddedRows added(&plan);
//     added.Take(chunk, rows);                       // while they are loaded
//     added.Read(wanted, [&](const Batch& rows) …);  // some columns of some rows
//
// Not thread-safe while rows are taken; immutable after that.
#ifndef LOGQUERY_LIB_STORE_ROWS_ADDED_ROWS_H_
#define LOGQUERY_LIB_STORE_ROWS_ADDED_ROWS_H_

#include <duckdb.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "lib/store/rows/row_plan.h"
#include "logquery/batch.h"
#include "logquery/type.h"

namespace logquery::store {

// The rows that are wanted of a table, and their columns.
struct WantedRows {
  Schema schema;                     // of the result
  std::vector<std::string> columns;  // the stored column that each of the result's columns is
  std::optional<std::string> project;
  int64_t from = std::numeric_limits<int64_t>::min();  // the first and the last time, in microseconds
  int64_t to = std::numeric_limits<int64_t>::max();
};

class AddedRows {
 public:
  // More rows in one change are not worth their memory: a query reads them faster than it finds them here.
  static constexpr size_t kMaxRows = 10'000;
  static constexpr size_t kMaxBytes = 16 << 20;

  // Takes over other rows, which are of the same table and plan.
  void Merge(AddedRows other);
  // Copies the first `rows` rows of a chunk with the columns of the plan's layout, whose text takes about `bytes`.
  void Take(const RowPlan& plan, duckdb_data_chunk chunk, size_t rows, size_t bytes);
  // Sets the project and the time of the next row that Take copies.
  void Note(std::optional<std::string_view> project, int64_t time);

  size_t rows() const { return rows_; }
  size_t bytes() const { return bytes_; }
  // Whether all rows are here that were to be taken.
  bool is_whole() const { return is_whole_; }

  // Returns whether the rows have the wanted columns, with their types.
  bool Has(const WantedRows& wanted) const;
  // Adds the times of the wanted rows to `times`.
  void FindTimes(const WantedRows& wanted, std::vector<int64_t>& times) const;
  // Passes on the wanted rows. Statuses: those of `pass`.
  absl::Status Read(const WantedRows& wanted, absl::FunctionRef<absl::Status(const Batch&)> pass) const;

 private:
  static void DestroyVector(duckdb_vector* vector) { duckdb_destroy_vector(vector); }
  using VectorHandle = duckdb::Handle<duckdb_vector, DestroyVector>;

  struct Piece {
    std::vector<VectorHandle> columns;
    std::vector<int64_t> times;
    std::vector<int> projects;  // indexes; -1: none
  };

  int ColumnOf(const std::string& name) const;
  // Calls `take` with the index of each wanted row of the piece.
  void ForEachWanted(const WantedRows& wanted, const Piece& piece, absl::FunctionRef<void(size_t)> take) const;

  std::vector<std::string> names_;  // of the columns
  std::vector<Type> types_;
  std::vector<Piece> pieces_;
  std::vector<int64_t> next_times_;
  std::vector<int> next_projects_;
  std::vector<std::string> projects_;
  base::StringMap<int> project_numbers_;
  size_t rows_ = 0;
  size_t bytes_ = 0;
  bool is_whole_ = true;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_ADDED_ROWS_H_
