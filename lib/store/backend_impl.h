// Implements duckdb_backend.h: a database, its connections, and the current state of its tables.
#ifndef LOGQUERY_LIB_STORE_BACKEND_IMPL_H_
#define LOGQUERY_LIB_STORE_BACKEND_IMPL_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/backend/recent_rows.h"
#include "lib/backend/record_dictionary.h"
#include "lib/engines/duckdb/backend/deadlines.h"
#include "lib/engines/duckdb/backend/engine.h"
#include "lib/engines/duckdb/backend/execution.h"
#include "lib/store/folder/backup.h"
#include "lib/store/folder/data_folder.h"
#include "lib/store/folder/rollback_journal.h"
#include "lib/store/log_store_impl.h"
#include "lib/store/tables/folder_schema.h"
#include "lib/store/tables/hour_counts.h"
#include "lib/store/tables/live_tables.h"
#include "lib/store/tables/newest_windows.h"
#include "lib/store/tables/packed_days.h"
#include "lib/store/tables/table_marks.h"
#include "logquery/project_catalogs.h"
#include "logquery/store/duckdb_backend.h"

namespace logquery::store {

class DuckDbBackendImpl : public DuckDbBackend, public ProjectCatalogs, public RecentRows {
 public:
  // Opens a database in memory, without logs.
  static absl::StatusOr<std::unique_ptr<DuckDbBackend>> OpenInMemory(const DuckDbOptions& options);
  static absl::StatusOr<std::unique_ptr<DuckDbBackend>> OpenFolder(const DuckDbOptions& options);

  Capabilities capabilities() const override;
  absl::StatusOr<Catalog> ReadCatalog() override;
  absl::StatusOr<Catalog> ReadCatalogFor(const std::string& project) override;
  absl::StatusOr<Catalog> ReadDeclaredCatalog() override;
  absl::Status Execute(const PreparedQuery& query, const Bindings& bindings, const ExecutionLimits& limits,
                       const CancellationToken& cancellation, BatchSink& sink) override;
  RowsState ReadState(const PreparedQuery& query, const Bindings& bindings) override;
  std::string Completed(const PreparedQuery& query, const Bindings& bindings) override;
  std::optional<absl::Time> EarliestAdded(const PreparedQuery& query, const Bindings& bindings,
                                          const Moment& since) override;
  absl::StatusOr<bool> ReadAdded(const PreparedQuery& query, const std::vector<std::string>& columns,
                                 const Bindings& bindings, const Moment& since, const Moment& until,
                                 BatchSink& sink) override;
  LogStore& store() override { return *store_; }
  absl::StatusOr<std::vector<TableStats>> ReadStats() override;
  absl::StatusOr<std::vector<FolderFinding>> Check(bool read_rows) override;
  absl::StatusOr<BackupReport> Backup(const BackupRequest& request) override;

  absl::Status DeclareLogs(std::string_view source, std::string_view json) override;
  absl::StatusOr<std::vector<std::string>> ColumnsLeftOut(std::string_view source,
                                                          std::string_view json) const override;
  absl::Status BookSource(const std::string& table, const std::optional<std::string>& project) override;
  absl::StatusOr<std::vector<SourceLog>> ReadSources(const std::optional<std::string>& project) override;
  std::vector<RetentionRule> DeclaredRetention() const override;
  RejectedEventsState rejected_events() const override {
    return writer_ == nullptr ? RejectedEventsState() : writer_->rejected_events();
  }

  uint64_t CatalogVersion() const override { return tables_.version(); }

  duckdb::Engine& engine() { return *engine_; }
  LiveTables& tables() { return tables_; }
  // nullptr: the folder is open for reading, or there is none.
  LogStoreImpl* writer() { return writer_; }

 private:
  explicit DuckDbBackendImpl(std::unique_ptr<duckdb::Engine> engine) : engine_(std::move(engine)) {}
  // `own`: declarations of the options in addition to `base` and to the folder's own logs. `packed`: see DuckDbOptions.
  absl::Status OpenStore(model::SchemaFile base, const model::SchemaFile& own, PackedRecords packed);
  // Returns the table whose newest rows the query wants, if it wants such.
  std::optional<NewestOfTable> TableOfNewest(const PreparedQuery& query, const Bindings& bindings);
  // Returns the only project whose rows the query reads; nullopt: there are several, or it does not say which.
  static std::optional<std::string> ProjectReadBy(const PreparedQuery& query, const Bindings& bindings);
  // nullopt: the folder has no records of changes, or not for all tables.
  std::optional<TablesOfQuery> TablesWithMarks(const PreparedQuery& query, const Bindings& bindings,
                                               duckdb::Engine::State& state);

  // The order of members matters: each may be used by later ones, which are destroyed first.
  std::optional<DataFolder> folder_;
  std::optional<BackupMaker> backups_;
  std::optional<RollbackJournal> journal_;
  std::unique_ptr<duckdb::Engine> engine_;
  LiveTables tables_;
  LiveSchema schema_;
  backend::RecordDictionaries dictionaries_;  // of packed records
  std::string receipt_key_;                   // empty: there is none
  std::unique_ptr<LogStore> store_;
  LogStoreImpl* writer_ = nullptr;  // the store, if it accepts logs
  duckdb::Deadlines deadlines_;
  HourCountsCache hour_counts_;
  PackedDays packed_days_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_BACKEND_IMPL_H_
