// Takes the rows of one input, a file or a batch, into one table, with the entry in the books that they are in.
#ifndef LOGQUERY_LIB_STORE_LOAD_INPUT_LOADER_H_
#define LOGQUERY_LIB_STORE_LOAD_INPUT_LOADER_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/backend/duckdb/handles.h"
#include "lib/store/folder/data_folder.h"
#include "lib/store/load/load_function.h"
#include "lib/store/load/load_run.h"
#include "lib/store/load/rejected_rows.h"
#include "lib/store/rows/row_plan.h"
#include "lib/store/tables/load_books.h"
#include "logquery/store/log_store.h"

namespace logquery::store {

struct LoadInput {
  std::string name;  // as reports and rejected rows show it
  std::string key;   // in the books
  std::string id;    // 16 hexadecimal digits of its own: in ids of rows that have none, in names of rejected rows
  bool once = true;  // false: it is in the books only where these have to know of its rejected rows
  bool keeps_rejected = true;  // false: rejected() has them, and the caller keeps them
};

// For one input. Not thread-safe.
class InputLoader {
 public:
  // What becomes of fields that have no column.
  struct Survey {
    bool unknown = false;  // fields that there is no column of at all are looked at too
    FieldSurvey found;     // so far
  };
  // What the inputs of one call share. All is borrowed.
  struct Shared {
    duckdb_connection connection = nullptr;
    LoadFunction* function = nullptr;
    const DataFolder* folder = nullptr;
    LoadFilter* loaded = nullptr;
    const RowPlan* plan = nullptr;
    TimestampUnit timestamp_unit = TimestampUnit::kMicroseconds;
    bool dedupe_by_id = false;
    CancellationToken cancellation;
    size_t kept_reasons = kFirstRejected;  // of so many rejected rows rejected() has the reasons
    Survey* survey = nullptr;  // nullptr: what there is no column for is kept beside the columns, and that is all
  };
  // How far the run is, told between two pieces of work.
  using Progress = std::function<void(const LoadRun::Totals&)>;

  InputLoader(const Shared& shared, LoadInput input);

  // What the books have of an input of that key, if they have any.
  static absl::StatusOr<std::optional<LoadEntry>> Find(const Shared& shared, const std::string& key);

  // Within the transaction that `shared.connection` has open: rows and entry. LogStore::Load's statuses; after a failure
  // the transaction is to be rolled back, and this loader goes with it. `progress` may be empty.
  // With a survey it ends after the first rows that bring something new, before anything is in the books: all is to be
  // rolled back then.
  absl::Status Take(BatchReader& reader, const Progress& progress);
  // Only surveys the rows.
  static absl::Status Look(const Shared& shared, BatchReader& reader);
  // Once that transaction is committed: rejected rows get their names, and `report` is added to.
  absl::Status Publish(LoadReport* report);
  // As it stands in the books.
  LoadEntry entry() const;
  // In the order of the rows.
  const std::vector<RejectedRow>& rejected() const { return totals_.first_rejected; }
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
  int64_t duplicate_rows_ = 0;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LOAD_INPUT_LOADER_H_
