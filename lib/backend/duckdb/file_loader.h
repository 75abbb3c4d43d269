// Takes one file into one table, in one transaction with the record that it is in.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_FILE_LOADER_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_FILE_LOADER_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "lib/backend/duckdb/data_folder.h"
#include "lib/backend/duckdb/data_version.h"
#include "lib/backend/duckdb/handles.h"
#include "lib/backend/duckdb/load_function.h"
#include "lib/backend/duckdb/load_run.h"
#include "lib/backend/duckdb/rejected_rows.h"
#include "lib/backend/duckdb/row_plan.h"
#include "logquery/duckdb/log_store.h"

namespace logquery::duckdb {

// For one file. Not thread-safe.
class FileLoader {
 public:
  // What loads of one call share. All are borrowed; `connection` has no transaction open.
  struct Shared {
    duckdb_connection connection = nullptr;
    DataVersion* version = nullptr;
    LoadFunction* function = nullptr;
    const DataFolder* folder = nullptr;
    const RowPlan* plan = nullptr;
    const LoadRequest* request = nullptr;
    const std::function<void(const LoadProgress&)>* progress = nullptr;
  };

  FileLoader(const Shared& shared, std::string name) : shared_(shared), name_(std::move(name)) {}

  // Adds what came of the file to `report`, if it is in (or was before). LogStore::Load's statuses.
  absl::Status Load(LoadReport* report);

 private:
  const std::string& table() const { return shared_.plan->layout().table.name; }
  absl::StatusOr<bool> IsLoaded(const std::string& digest) const;
  absl::Status LoadRows(InputFile& file, RejectedRows& rejected);
  std::string InsertSql(const std::string& into) const;
  // Runs `sql`, which asks the load function for its rows, and tells of progress meanwhile.
  absl::Status Insert(const std::string& sql, const InputFile& file, const LoadRun& run) const;
  absl::Status MakeStage() const;
  absl::Status MoveFromStage();
  absl::Status Record(const InputFile& file, const RejectedRows& rejected) const;
  void Report(const RejectedRows& rejected, LoadReport* report) const;

  const Shared shared_;
  const std::string name_;
  LoadRun::Totals totals_;
  int64_t duplicate_rows_ = 0;
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_FILE_LOADER_H_
