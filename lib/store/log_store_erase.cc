// Erasing a project: its rows a log at a time, then what is kept of rows that were rejected and of requests.
//
// The rows go first, so that queries do not see them while the rest goes. Each part looks for itself at what is there, so that a
// repetition completes what a crash has interrupted.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/load/project_rows.h"
#include "lib/store/log_store_impl.h"
#include "lib/store/store_companion.h"
#include "lib/store/tables/erasure.h"
#include "lib/store/tables/source_books.h"

namespace logquery::store {
namespace {

absl::Status CheckGoesOn(const EraseRequest& request) {
  return request.cancellation.IsCancelled() ? absl::CancelledError("erasing was cancelled: repeat it to complete it")
                                            : absl::OkStatus();
}

// For a table that is no longer declared, the path of the project is unknown.
ProjectRows RowsIn(const FolderSchema& schema, const std::string& table, const std::string& project) {
  const TableLayout* const layout = schema.Find(table);
  return ProjectRows(project, layout == nullptr ? model::FieldPath() : layout->table.project_path);
}

}  // namespace

absl::StatusOr<EraseReport> LogStoreImpl::Erase(const EraseRequest& request) {
  if (request.project.empty()) return absl::InvalidArgumentError("the project to erase must not be empty");
  EraseReport report;
  const std::shared_ptr<const FolderSchema> schema = schema_->Read();
  for (const TableLayout& layout : schema->layouts) {
    LOGQUERY_RETURN_IF_ERROR(CheckGoesOn(request));
    LOGQUERY_RETURN_IF_ERROR(EraseRows(layout.table, request, &report));
    // The names that the project gave to its fields are removed together with its rows.
    if (!request.dry_run) LOGQUERY_RETURN_IF_ERROR(ForgetTaughtBy(layout.table.name, request.project));
  }
  LOGQUERY_RETURN_IF_ERROR(CheckGoesOn(request));
  LOGQUERY_RETURN_IF_ERROR(EraseEvents(request, &report));
  LOGQUERY_RETURN_IF_ERROR(EraseRejectedFiles(request, &report));
  // The checkpoint is also done if nothing was found: an earlier run may have ended between the two steps.
  if (!request.dry_run) LOGQUERY_RETURN_IF_ERROR(Checkpoint());
  return report;
}

absl::Status LogStoreImpl::EraseRows(const Table& table, const EraseRequest& request, EraseReport* report) {
  int64_t rows = 0;
  const absl::Status erased = Alone([&](duckdb::Engine::State& state) -> absl::Status {
    load_mutex_.AssertHeld();
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
    if (request.dry_run) {
      LOGQUERY_ASSIGN_OR_RETURN(rows, CountProject(connection.get(), table, request.project));
      return absl::OkStatus();
    }
    LOGQUERY_ASSIGN_OR_RETURN(duckdb::Transaction transaction, duckdb::Transaction::Begin(connection.get()));
    LOGQUERY_ASSIGN_OR_RETURN(rows, RemoveProject(connection.get(), table, request.project));
    LOGQUERY_RETURN_IF_ERROR(ForgetDictionaries(connection.get(), table.name, request.project, std::nullopt));
    // This is also done without rows: the folder may still record that the project had some.
    StoreCompanion::Of(state).marks.DropRows();
    const duckdb::DataVersion::Change change(&state.database.version(), duckdb::DataVersion::Kind::kMoves);
    return transaction.Commit();
  });
  if (!erased.ok()) return erased;
  report->rows += rows;
  if (rows > 0) report->tables.push_back({table.name, table.log, rows});
  return absl::OkStatus();
}

absl::Status LogStoreImpl::EraseEvents(const EraseRequest& request, EraseReport* report) {
  const std::shared_ptr<const FolderSchema> schema = schema_->Read();
  SiftedRows sifted;
  const absl::Status erased = Alone([&](duckdb::Engine::State& state) -> absl::Status {
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
    LOGQUERY_ASSIGN_OR_RETURN(duckdb::Transaction transaction, duckdb::Transaction::Begin(connection.get()));
    LOGQUERY_ASSIGN_OR_RETURN(report->idempotency_keys,
                              EventKeys::Erase(connection.get(), request.project, request.dry_run));
    LOGQUERY_ASSIGN_OR_RETURN(
        sifted, event_rejects_.Erase(
                    connection.get(), [&](const std::string& table) { return RowsIn(*schema, table, request.project); },
                    request.dry_run));
    if (request.dry_run) return absl::OkStatus();
    LOGQUERY_RETURN_IF_ERROR(ForgetMaker(connection.get(), request.project));
    LOGQUERY_RETURN_IF_ERROR(transaction.Commit());
    event_rejects_.Committed();
    return absl::OkStatus();
  });
  if (!erased.ok()) return erased;
  report->rejected_rows += sifted.removed;
  report->unknown_rejected_rows += sifted.unknown;
  return absl::OkStatus();
}

absl::Status LogStoreImpl::EraseRejectedFiles(const EraseRequest& request, EraseReport* report) {
  const std::shared_ptr<const FolderSchema> schema = schema_->Read();
  std::vector<RejectingLoad> loads;
  LOGQUERY_RETURN_IF_ERROR(Alone([&](duckdb::Engine::State& state) -> absl::Status {
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
    LOGQUERY_ASSIGN_OR_RETURN(loads, ReadRejectingLoads(connection.get()));
    return absl::OkStatus();
  }));
  for (const RejectingLoad& load : loads) {
    LOGQUERY_RETURN_IF_ERROR(CheckGoesOn(request));
    SiftedRows sifted;
    // No backup begins while a file is replaced.
    LOGQUERY_RETURN_IF_ERROR(Hold([&]() -> absl::Status {
      LOGQUERY_ASSIGN_OR_RETURN(sifted, EraseRejected(folder_->rejected_folder(), load.name,
                                                      RowsIn(*schema, load.table, request.project), request.dry_run));
      return absl::OkStatus();
    }));
    report->rejected_rows += sifted.removed;
    report->unknown_rejected_rows += sifted.unknown;
  }
  return absl::OkStatus();
}

}  // namespace logquery::store
