// Loads the rows of one input, a file or a batch, into one table, and records the input in the database.
#ifndef LOGQUERY_LIB_STORE_LOAD_INPUT_LOADER_H_
#define LOGQUERY_LIB_STORE_LOAD_INPUT_LOADER_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "lib/store/folder/data_folder.h"
#include "lib/store/load/load_function.h"
#include "lib/store/load/load_run.h"
#include "lib/store/load/rejected_rows.h"
#include "lib/store/rows/added_rows.h"
#include "lib/store/rows/log_dictionary.h"
#include "lib/store/rows/row_plan.h"
#include "lib/store/tables/change_books.h"
#include "lib/store/tables/load_books.h"
#include "logquery/packed_records.h"
#include "logquery/store/log_store.h"

namespace logquery::store {

struct LoadInput {
  std::string name;            // for reports and rejected rows
  std::string key;             // in the store's records
  std::string id;              // 16 hexadecimal digits, used in generated row ids and in names of rejected rows
  bool once = true;            // false: recorded only if it has rejected rows
  bool keeps_rejected = true;  // false: the caller stores the rows in rejected()
};

// Returns whether the engine may checkpoint while it commits so many rows, with so many bytes of text. A checkpoint gives
// rows other places if rows before them have been deleted.
bool MayCheckpoint(const DataFolder& folder, int64_t rows, int64_t bytes);

// Loads one input. Not thread-safe.
class InputLoader {
 public:
  // Collects fields that have no column.
  struct Survey {
    const RowOwners* full = nullptr;  // RowParser::Options::full
    RowSurveys found;                 // the findings so far
  };
  // State shared by the inputs of one call. Everything is borrowed.
  struct Shared {
    duckdb_connection connection = nullptr;
    LoadFunction* function = nullptr;
    const DataFolder* folder = nullptr;
    LoadFilter* loaded = nullptr;
    const RowPlan* plan = nullptr;
    TimestampUnit timestamp_unit = TimestampUnit::kMicroseconds;
    bool dedupe_by_id = false;
    bool again = false;
    CancellationToken cancellation;
    size_t kept_reasons = kFirstRejected;     // the maximum number of reasons in rejected()
    std::atomic<int64_t>* misfits = nullptr;  // counts values that did not fit the column of their field
    bool keeps_rows = false;                  // copies of the stored rows are wanted
    Survey* survey = nullptr;                 // nullptr: fields without a column are only kept as JSON
    PackedRecords packed_records = PackedRecords::kOpenDays;
    LogDictionary* dictionary = nullptr;  // nullptr: packed records are not compressed
  };
  // Called with the totals between pieces of work.
  using Progress = std::function<void(const LoadRun::Totals&)>;

  InputLoader(const Shared& shared, LoadInput input);

  // Returns the record of the input with this key, if there is one.
  static absl::StatusOr<std::optional<LoadEntry>> Find(const Shared& shared, const std::string& key);
  // Returns the record of a file that is not to be loaded, as it was loaded before.
  static absl::StatusOr<std::optional<LoadEntry>> FindFile(const Shared& shared, const std::string& digest);

  // Loads the rows and records the input in the open transaction of `shared.connection`. Statuses: those of
  // LogStore::Load; after a failure the transaction must be rolled back and the loader destroyed. `progress` may be
  // empty. With a survey, stops at the first rows that bring something new, before anything is recorded: everything
  // must be rolled back then.
  absl::Status Take(BatchReader& reader, const Progress& progress);
  // Surveys the rows without loading them.
  static absl::Status Look(const Shared& shared, BatchReader& reader);
  // Must be called after that transaction has been committed: renames the files of rejected rows, and adds to `report`.
  absl::Status Publish(LoadReport* report);
  // Returns the input's record.
  LoadEntry entry() const;
  // Returns the projects of the rows that it stored; the caller books the change.
  const RowChange& changed() const { return changed_; }
  int64_t rows() const { return totals_.rows; }
  int64_t bytes() const { return totals_.bytes; }
  // Returns copies of the rows that it stored; nullptr: there are none, because duplicates were left out or nobody wants them.
  std::shared_ptr<const AddedRows> added() const { return added_; }
  // Returns the first rejected rows, in the order of the input.
  const std::vector<RejectedRow>& rejected() const { return totals_.first_rejected; }
  // Returns the number of all rejected rows by reason.
  std::vector<RejectedCount> rejected_by_reason() const { return totals_.rejected_by_reason.Sorted(); }
  const RowParser::Misfits& misfits() const { return totals_.misfits; }
  const base::StringSet& undeclared_fields() const { return totals_.undeclared_fields; }

 private:
  const std::string& table() const { return shared_.plan->layout().table.name; }
  absl::Status TakeRows(BatchReader& reader, const Progress& progress);
  bool has_news() const { return shared_.survey != nullptr && shared_.survey->found.has_news(); }
  std::string InsertSql(const std::string& into) const;
  absl::Status MakeStage() const;
  absl::Status MoveFromStage();
  void Report(LoadReport* report) const;

  const Shared shared_;
  const LoadInput input_;
  RejectedRows rejected_;
  LoadRun::Totals totals_;
  RowChange changed_;
  std::shared_ptr<const AddedRows> added_;
  int64_t duplicate_rows_ = 0;
  std::optional<LoadEntry> replaced_;  // the record of an earlier load
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LOAD_INPUT_LOADER_H_
