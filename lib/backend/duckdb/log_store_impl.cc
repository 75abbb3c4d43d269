#include "lib/backend/duckdb/log_store_impl.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "absl/time/time.h"
#include "lib/backend/duckdb/file_loader.h"
#include "lib/backend/duckdb/rejected_rows.h"
#include "lib/backend/duckdb/row_plan.h"
#include "lib/backend/duckdb/small_query.h"
#include "lib/backend/duckdb/store_schema.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/clock.h"

namespace logquery::duckdb {
namespace {

// Before anything is loaded.
absl::Status CheckFiles(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (file != "-" && access(file.c_str(), R_OK) != 0) return ErrnoStatus(errno, file);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<LogStoreImpl>> LogStoreImpl::Open(const DataFolder* folder, Engine* engine,
                                                                 duckdb_connection connection,
                                                                 std::vector<TableLayout> layouts) {
  LOGQUERY_RETURN_IF_ERROR(EnsureTables(connection, layouts));
  std::unique_ptr<LogStoreImpl> store(new LogStoreImpl(folder, engine, std::move(layouts)));
  LOGQUERY_RETURN_IF_ERROR(store->SettleRejected(connection));
  return store;
}

absl::Status LogStoreImpl::SettleRejected(duckdb_connection connection) const {
  LOGQUERY_ASSIGN_OR_RETURN(const TextRows rows,
                            Query(connection, "SELECT rejected_name FROM logquery.loads WHERE rejected_name <> ''"));
  base::StringSet names;
  for (const std::vector<std::string>& row : rows) names.insert(row[0]);
  return RejectedRows::Settle(folder_->rejected_folder(),
                              [&](const std::string& name) { return names.contains(name); });
}

absl::StatusOr<LoadReport> LogStoreImpl::Load(const LoadRequest& request,
                                              const std::function<void(const LoadProgress&)>& progress) {
  absl::MutexLock lock(&load_mutex_);
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<Engine::State> state, engine_->Use());
  absl::StatusOr<LoadReport> report = LoadInto(*state, request, progress);
  if (!report.ok()) engine_->Recover(std::move(state));
  return report;
}

absl::StatusOr<LoadReport> LogStoreImpl::LoadInto(Engine::State& state, const LoadRequest& request,
                                                  const std::function<void(const LoadProgress&)>& progress) {
  LOGQUERY_ASSIGN_OR_RETURN(const TableLayout* const layout, FindTable(request.table));
  LOGQUERY_RETURN_IF_ERROR(CheckFiles(request.files));
  const RowPlan plan(*layout);
  LOGQUERY_ASSIGN_OR_RETURN(const ConnectionHandle connection, state.database.Connect());
  const absl::Duration start = Clock::Real()->Monotonic();
  const FileLoader::Shared shared = {
      connection.get(), &state.database.version(), &state.load_function, folder_, &plan, &request, &progress};
  LoadReport report;
  for (const std::string& file : request.files) {
    FileLoader loader(shared, file);
    LOGQUERY_RETURN_IF_ERROR(loader.Load(&report));
  }
  std::vector<std::string>& fields = report.undeclared_fields;
  std::sort(fields.begin(), fields.end());
  fields.erase(std::unique(fields.begin(), fields.end()), fields.end());
  report.time = Clock::Real()->Monotonic() - start;
  return report;
}

absl::StatusOr<const TableLayout*> LogStoreImpl::FindTable(const std::string& name) const {
  std::string known;
  for (const TableLayout& layout : layouts_) {
    if (base::EqualsIgnoreCase(layout.table.name, name)) return &layout;
    if (!name.empty() && base::EqualsIgnoreCase(layout.table.log, name)) return &layout;
    base::StrAppend(&known, known.empty() ? "" : ", ", layout.table.log.empty() ? layout.table.name : layout.table.log);
  }
  return absl::NotFoundError(base::StrCat("there is no table ", name, "; there are ", known));
}

absl::Status LogStoreImpl::Checkpoint() {
  LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<Engine::State> state, engine_->Use());
  LOGQUERY_ASSIGN_OR_RETURN(const ConnectionHandle connection, state->database.Connect());
  return Run(connection.get(), "CHECKPOINT");
}

}  // namespace logquery::duckdb
