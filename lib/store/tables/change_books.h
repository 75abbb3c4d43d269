// The durable number of the last change of each project's rows in each table: records that are committed together with
// the rows.
//
//     RowChange change;
//     change.Add("abc", time);                         // whose rows the transaction adds or deletes
//     BookChange(connection, "test.logs", change);     // in that transaction
//     FindChange(connection, "test.logs", "abc");      // the same as long as the project's rows are
//
// The numbers of a table rise with each transaction that changes its rows, so projects with equal numbers changed
// together. Rewriting rows in another order (clustering) and learning columns change no rows.
#ifndef LOGQUERY_LIB_STORE_TABLES_CHANGE_BOOKS_H_
#define LOGQUERY_LIB_STORE_TABLES_CHANGE_BOOKS_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "lib/store/rows/added_rows.h"
#include "logquery/catalog.h"

namespace logquery::store {

// `kind` is what the record is about: 'table' all rows; 'project' those of `project`; 'every' changes whose projects
// were not determined, and so may be of every project.
inline constexpr char kMakeChangeBooks[] =
    "CREATE TABLE IF NOT EXISTS logquery.changes("
    "table_name VARCHAR, kind VARCHAR, project VARCHAR, number BIGINT, stamp VARCHAR)";

// The projects whose rows one transaction changes, and the earliest time of each project's rows. Not thread-safe.
class RowChange {
 public:
  // A time before that of every row, for rows whose times are not known.
  static constexpr int64_t kAnyTime = std::numeric_limits<int64_t>::min();
  // With more projects, a change counts as one of every project, as does one of a project with a longer name.
  static constexpr size_t kMaxProjects = 10'000;
  static constexpr size_t kMaxProjectBytes = 1'000;

  // Adds rows of this project, none of them before `time`, in microseconds.
  void Add(std::string_view project, int64_t time = kAnyTime) {
    if (last_ == project && time >= last_earliest_) return;
    AddOther(project, time);
  }
  // Adds rows that no project owns.
  void AddUnowned(int64_t time = kAnyTime);
  // Adds rows that may be of every project.
  void AddEvery(int64_t time = kAnyTime);
  void Merge(const RowChange& other);

  bool empty() const { return !any_; }
  bool every() const { return every_; }
  // The earliest time of each project's rows.
  const base::StringMap<int64_t>& projects() const { return projects_; }
  // Returns whether rows of the project may have changed; absent: rows of any.
  bool IsOf(const std::optional<std::string>& project) const;
  // Returns a time before which no row of the project changed, or no row at all if it is absent; nullopt: none changed.
  std::optional<int64_t> EarliestOf(const std::optional<std::string>& project) const;

 private:
  void AddOther(std::string_view project, int64_t time);

  bool any_ = false;
  bool every_ = false;
  int64_t earliest_ = std::numeric_limits<int64_t>::max();  // of all rows
  std::optional<std::string> last_;                         // the project that was added last, and its earliest time
  int64_t last_earliest_ = 0;
  base::StringMap<int64_t> projects_;
};

struct ChangeNumber {
  int64_t number = 0;
  std::string stamp;  // random, so that copies of a folder that change apart never have equal changes
};

// A change with the number that it was given; 0 if it is empty.
struct BookedChange {
  std::string table;
  RowChange rows;
  ChangeNumber number;
  bool may_move = false;                   // the commit may give rows other places: see MayCheckpoint
  std::shared_ptr<const AddedRows> added;  // copies of the rows that it adds; nullptr: nobody asks for them
};

// Makes the records of a table that has none. `has_rows`: the table may have rows from before there were such records.
absl::Status EnsureChangeBooks(duckdb_connection connection, const std::string& table, bool has_rows);

// Gives the change the table's next number, in `connection`'s open transaction. An empty change is no change.
absl::StatusOr<BookedChange> BookChange(duckdb_connection connection, const std::string& table,
                                        const RowChange& change);

// Forgets that the project has had rows, in `connection`'s open transaction, which must have deleted them all: `rows`.
absl::Status ForgetProject(duckdb_connection connection, const std::string& table, const std::string& project,
                           int64_t rows);

// Returns the projects of the table's rows for which `condition`, "time < …", holds.
absl::StatusOr<RowChange> ProjectsWhere(duckdb_connection connection, const Table& table, const std::string& condition);

// Returns the last change of the project's rows, or of all rows if `project` is absent. nullopt: the table has no
// records.
absl::StatusOr<std::optional<ChangeNumber>> FindChange(duckdb_connection connection, const std::string& table,
                                                       const std::optional<std::string>& project);

// Returns the tables in which the project has or had rows.
absl::StatusOr<std::vector<std::string>> TablesOfProject(duckdb_connection connection, const std::string& project);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_CHANGE_BOOKS_H_
