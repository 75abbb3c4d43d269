// Takes one file into one table, in one transaction with the record that it is in.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_FILE_LOADER_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_FILE_LOADER_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "lib/backend/duckdb/data_folder.h"
#include "lib/backend/duckdb/handles.h"
#include "lib/backend/duckdb/load_pipeline.h"
#include "lib/backend/duckdb/rejected_rows.h"
#include "lib/backend/duckdb/row_plan.h"
#include "logquery/duckdb/log_store.h"

namespace logquery::duckdb {

// For one file. Not thread-safe.
class FileLoader {
 public:
  // All are borrowed; `connection` has no transaction open.
  FileLoader(duckdb_connection connection, const DataFolder* folder, const RowPlan* plan, const LoadRequest* request,
             const std::function<void(const LoadProgress&)>* progress)
      : connection_(connection), folder_(folder), plan_(plan), request_(request), progress_(progress) {}

  // Adds what came of the file to `report`, if it is in (or was before). LogStore::Load's statuses.
  absl::Status Load(const std::string& name, LoadReport* report);

 private:
  absl::StatusOr<bool> IsLoaded(const std::string& digest) const;
  absl::Status LoadRows(InputFile& file, const std::string& name, RejectedRows& rejected);
  absl::StatusOr<AppenderHandle> OpenAppender() const;
  absl::Status Append(duckdb_appender appender, RowBatch& batch, RejectedRows& rejected);
  absl::Status AddOwnColumns(duckdb_appender appender) const;
  absl::Status MoveFromStage();
  absl::Status Record(const InputFile& file, const std::string& name, const RejectedRows& rejected) const;
  void Report(LoadReport* report) const;

  const duckdb_connection connection_;
  const DataFolder* const folder_;
  const RowPlan* const plan_;
  const LoadRequest* const request_;
  const std::function<void(const LoadProgress&)>* const progress_;
  LoadReport result_;
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_FILE_LOADER_H_
