// Runs queries on the store's tables in the engine, and provides access to the store.
#include "lib/store/backend_impl.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/errors.h"
#include "lib/model/own_logs.h"
#include "lib/model/schema_file.h"
#include "lib/store/folder/books_check.h"
#include "lib/store/folder/files_check.h"
#include "lib/store/load/event_rejects.h"
#include "lib/store/no_store.h"
#include "lib/store/rows/row_batch.h"
#include "lib/store/store_companion.h"
#include "lib/store/tables/dictionary_books.h"
#include "lib/store/tables/source_books.h"
#include "lib/store/tables/store_schema.h"
#include "lib/store/tables/table_stats.h"

namespace logquery {
namespace store {

namespace {

duckdb::DatabaseOptions MakeDatabaseOptions(const DuckDbOptions& options) {
  duckdb::DatabaseOptions database;
  database.read_only = options.read_only;
  database.memory_limit_bytes = options.memory_limit_bytes;
  database.threads = options.threads;
  database.row_group_rows = kRowGroupRows;
  return database;
}

// `status` with the folder that it is about.
absl::Status InFolder(const absl::Status& status, const std::string& folder) {
  return absl::Status(status.code(), base::StrCat(folder, ": ", base::Message(status)));
}

absl::StatusOr<model::SchemaFile> BaseSchema(const std::string& schema_json) {
  if (schema_json.empty()) return model::BuiltInSchema();
  return model::ParseSchemaFile("schema", schema_json);
}

absl::StatusOr<model::SchemaFile> OwnLogs(std::string_view source, std::string_view json) {
  if (json.empty()) return model::SchemaFile();
  return model::ParseOwnLogs(source, json);
}

// Checks that a folder open for reading, in which no table can be created, has all declared tables.
absl::Status CheckTablesAreThere(const std::vector<LiveTable>& tables, const model::SchemaFile& own) {
  for (const Table& declared : own.tables) {
    const auto is_it = [&](const LiveTable& live) { return base::EqualsIgnoreCase(live.table.name, declared.name); };
    if (std::any_of(tables.begin(), tables.end(), is_it)) continue;
    return absl::FailedPreconditionError(
        base::StrCat("the folder does not have the log ", declared.log,
                     " yet, which the schema declares: load rows into it, or serve the folder, so that it is made"));
  }
  for (const model::FurtherFields& further : own.further) {
    for (const LiveTable& live : tables) {
      const Table& table = live.table;
      if (!base::EqualsIgnoreCase(table.name, further.table)) continue;
      const Schema all = model::WithFields(table.columns, further.fields);
      if (Type::SameLayout(Type::Record(all), Type::Record(table.columns))) continue;
      return absl::FailedPreconditionError(
          base::StrCat("the folder does not have all fields of ", table.name,
                       " yet that the schema declares: load rows into it, or serve the folder, so that they are made"));
    }
  }
  return absl::OkStatus();
}

// Reads the folder's dictionaries of packed records.
absl::Status FillDictionaries(duckdb_connection connection, backend::RecordDictionaries& dictionaries) {
  LOGQUERY_ASSIGN_OR_RETURN(const auto trained, ReadDictionaries(connection));
  for (const auto& [table, of_table] : trained) {
    for (const TrainedDictionary& one : of_table) dictionaries.Add(one.dictionary);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<DuckDbBackend>> DuckDbBackendImpl::OpenInMemory(const DuckDbOptions& options) {
  LOGQUERY_ASSIGN_OR_RETURN(
      std::unique_ptr<duckdb::Engine> engine,
      duckdb::Engine::Open(MakeDatabaseOptions(options), options.max_connections, StoreCompanion::Make));
  std::unique_ptr<DuckDbBackendImpl> backend(new DuckDbBackendImpl(std::move(engine)));
  backend->store_ = std::make_unique<NoStore>("this database is in memory and takes no logs");
  return backend;
}

absl::StatusOr<std::unique_ptr<DuckDbBackend>> DuckDbBackendImpl::OpenFolder(const DuckDbOptions& options) {
  LOGQUERY_ASSIGN_OR_RETURN(model::SchemaFile base, BaseSchema(options.schema_json));
  LOGQUERY_ASSIGN_OR_RETURN(const model::SchemaFile own, OwnLogs(options.own_logs_source, options.own_logs_json));
  LOGQUERY_ASSIGN_OR_RETURN(DataFolder folder, DataFolder::Open(options.folder, options.read_only));
  duckdb::DatabaseOptions database_options = MakeDatabaseOptions(options);
  database_options.file = folder.database_file();
  database_options.spill_folder = folder.temporary_folder();
  database_options.before_opening = [file = folder.database_file()] { return RollbackJournal::PutBack(file, true); };
  absl::StatusOr<std::unique_ptr<duckdb::Engine>> engine =
      duckdb::Engine::Open(database_options, options.max_connections, StoreCompanion::Make);
  if (!engine.ok()) return InFolder(engine.status(), options.folder);
  std::unique_ptr<DuckDbBackendImpl> backend(new DuckDbBackendImpl(*std::move(engine)));
  backend->folder_.emplace(std::move(folder));
  backend->backups_.emplace(&*backend->folder_);
  backend->journal_.emplace(backend->folder_->database_file());
  const absl::Status status = backend->OpenStore(std::move(base), own, options.packed_records);
  if (!status.ok()) return InFolder(status, options.folder);
  return backend;
}

absl::Status DuckDbBackendImpl::OpenStore(model::SchemaFile base, const model::SchemaFile& own, PackedRecords packed) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<duckdb::Engine::State> state, engine_->Use());
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state->database.Connect());
  LOGQUERY_ASSIGN_OR_RETURN(model::SchemaFile booked, ReadOwnLogs(connection.get()));
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<const FolderSchema> schema,
                            MakeFolderSchema(std::move(base), std::move(booked), own));
  schema_.Set(schema);
  if (folder_->read_only()) {
    store_ = std::make_unique<NoStore>(base::StrCat(folder_->path(), " is open for reading only"));
    LOGQUERY_RETURN_IF_ERROR(FillDictionaries(connection.get(), dictionaries_));
  } else {
    LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<LogStoreImpl> writer,
                              LogStoreImpl::Open(&*folder_, engine_.get(), &*journal_, connection.get(), &schema_,
                                                 &tables_, &dictionaries_, packed));
    writer_ = writer.get();
    store_ = std::move(writer);
    for (const Table& table : own.tables) {
      LOGQUERY_RETURN_IF_ERROR(ForgetSource(connection.get(), table.name));
    }
  }
  LOGQUERY_ASSIGN_OR_RETURN(receipt_key_, ReadReceiptKey(connection.get()));
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<LiveTable> tables, ReadTables(connection.get(), schema->layouts));
  LOGQUERY_RETURN_IF_ERROR(CheckTablesAreThere(tables, own));
  tables_.Set(std::move(tables));
  return absl::OkStatus();
}

Capabilities DuckDbBackendImpl::capabilities() const {
  return {Dialect::kDuckDb, duckdb::EngineName(), /*redacts=*/true, /*reads_googlesql=*/false};
}

absl::StatusOr<Catalog> DuckDbBackendImpl::ReadCatalog() { return tables_.Read(); }

absl::StatusOr<Catalog> DuckDbBackendImpl::ReadCatalogFor(const std::string& project) {
  return tables_.ReadFor(project);
}

absl::StatusOr<Catalog> DuckDbBackendImpl::ReadDeclaredCatalog() {
  const std::shared_ptr<const FolderSchema> schema = schema_.Read();
  std::vector<Table> tables;
  if (schema == nullptr) return Catalog();
  for (const TableLayout& layout : schema->layouts) {
    tables.push_back(layout.table);
    for (const model::FurtherFields& further : schema->own.further) {
      if (!base::EqualsIgnoreCase(layout.table.name, further.table)) continue;
      tables.back().columns = model::WithFields(tables.back().columns, further.fields);
    }
  }
  const uint64_t revision = model::Fingerprint(tables);
  return Catalog(std::move(tables), revision);
}

absl::Status DuckDbBackendImpl::Execute(const PreparedQuery& query, const Bindings& bindings,
                                        const ExecutionLimits& limits, const CancellationToken& cancellation,
                                        BatchSink& sink) {
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<duckdb::Engine::State> state, engine_->Use());
  std::optional<NewestOfTable> newest = TableOfNewest(query, bindings);
  std::optional<TablesOfQuery> marked = TablesWithMarks(query, bindings, *state);
  const absl::Status status = duckdb::Execute(state->pool, deadlines_, query, bindings, newest ? &*newest : nullptr,
                                              marked ? &*marked : nullptr, limits, cancellation, sink);
  if (duckdb::MayHaveStopped(status)) engine_->Recover(std::move(state));
  return status;
}

std::optional<NewestOfTable> DuckDbBackendImpl::TableOfNewest(const PreparedQuery& query, const Bindings& bindings) {
  const std::optional<TopNByTime>& top = query.top_n_by_time();
  if (!top || top->limit < 1 || top->floor >= bindings.size()) return std::nullopt;
  Table table = tables_.FindForTimes(top->table);
  if (table.name.empty() || table.time_column.empty()) return std::nullopt;
  return NewestOfTable(std::move(table), ProjectReadBy(query, bindings), &hour_counts_, &packed_days_, &dictionaries_);
}

absl::StatusOr<std::vector<TableStats>> DuckDbBackendImpl::ReadStats() {
  if (!folder_.has_value()) return std::vector<TableStats>();
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<duckdb::Engine::State> state, engine_->Use());
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, ReadCatalog());
  absl::StatusOr<duckdb::ConnectionHandle> connection = state->database.Connect();
  if (!connection.ok()) return connection.status();
  absl::StatusOr<std::vector<TableStats>> stats = ReadTableStats(connection->get(), catalog.tables());
  *connection = duckdb::ConnectionHandle();
  if (duckdb::MayHaveStopped(stats.status())) engine_->Recover(std::move(state));
  return stats;
}

absl::StatusOr<std::vector<FolderFinding>> DuckDbBackendImpl::Check(bool read_rows) {
  std::vector<FolderFinding> findings;
  if (!folder_.has_value()) return findings;
  CheckFiles(folder_->path(), &findings);
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<duckdb::Engine::State> state, engine_->Use());
  absl::StatusOr<duckdb::ConnectionHandle> connection = state->database.Connect();
  if (!connection.ok()) return connection.status();
  absl::Status status = CheckBooks(connection->get(), schema_.Read()->layouts, read_rows, &findings);
  if (status.ok()) status = CheckEventRejects(connection->get(), folder_->rejected_folder(), &findings);
  *connection = duckdb::ConnectionHandle();
  if (duckdb::MayHaveStopped(status)) engine_->Recover(std::move(state));
  if (!status.ok()) return status;
  std::stable_sort(findings.begin(), findings.end(),
                   [](const FolderFinding& a, const FolderFinding& b) { return a.kind > b.kind; });
  return findings;
}

absl::Status DuckDbBackendImpl::DeclareLogs(std::string_view source, std::string_view json) {
  LOGQUERY_ASSIGN_OR_RETURN(const model::SchemaFile declared, OwnLogs(source, json));
  if (declared.tables.empty() && declared.further.empty()) return absl::OkStatus();
  if (writer_ == nullptr) return absl::UnimplementedError("a folder that is open for reading only takes no new logs");
  const absl::Status status = writer_->Declare(declared);
  if (status.ok()) return status;
  return absl::Status(status.code(), base::StrCat(source, ": ", base::Message(status)));
}

absl::StatusOr<std::vector<std::string>> DuckDbBackendImpl::ColumnsLeftOut(std::string_view source,
                                                                           std::string_view json) const {
  LOGQUERY_ASSIGN_OR_RETURN(const model::SchemaFile declared, OwnLogs(source, json));
  const std::shared_ptr<const FolderSchema> schema = schema_.Read();
  return schema == nullptr ? std::vector<std::string>() : model::ColumnsLeftOut(schema->own, declared);
}

absl::Status DuckDbBackendImpl::BookSource(const std::string& table, const std::optional<std::string>& project) {
  if (writer_ == nullptr) return absl::UnimplementedError("a folder that is open for reading only takes no new logs");
  return writer_->BookSource(table, project);
}

absl::StatusOr<std::vector<SourceLog>> DuckDbBackendImpl::ReadSources(const std::optional<std::string>& project) {
  if (!folder_.has_value()) return std::vector<SourceLog>();
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<duckdb::Engine::State> state, engine_->Use());
  absl::StatusOr<duckdb::ConnectionHandle> connection = state->database.Connect();
  if (!connection.ok()) return connection.status();
  absl::StatusOr<std::vector<SourceLog>> sources = store::ReadSources(connection->get(), project);
  *connection = duckdb::ConnectionHandle();
  if (duckdb::MayHaveStopped(sources.status())) engine_->Recover(std::move(state));
  return sources;
}

std::vector<RetentionRule> DuckDbBackendImpl::DeclaredRetention() const {
  std::vector<RetentionRule> rules;
  const std::shared_ptr<const FolderSchema> schema = schema_.Read();
  if (schema == nullptr) return rules;
  for (size_t i = 0; i < schema->own.tables.size(); ++i) {
    const model::RetentionDeclaration& limit = schema->own.logs[i].retention;
    if (limit.days == 0 && limit.max_mb == 0) continue;
    RetentionRule rule{schema->own.tables[i].log};
    if (limit.days > 0) rule.max_age = absl::Hours(24 * limit.days);
    rule.max_bytes = limit.max_mb * 1'000'000;
    rules.push_back(std::move(rule));
  }
  return rules;
}

absl::StatusOr<BackupReport> DuckDbBackendImpl::Backup(const BackupRequest& request) {
  if (!backups_.has_value()) return absl::UnimplementedError("this database is in memory and has no backups");
  return backups_->Make(request, [this](absl::FunctionRef<absl::Status(duckdb_connection)> copy) {
    // While the state is in use, the database is not closed and opened again.
    const auto with_connection = [&]() -> absl::Status {
      LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<duckdb::Engine::State> state, engine_->Use());
      LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state->database.Connect());
      return copy(connection.get());
    };
    return writer_ == nullptr ? with_connection() : writer_->Hold(with_connection);
  });
}

}  // namespace store

absl::StatusOr<std::unique_ptr<DuckDbBackend>> OpenDuckDb(const DuckDbOptions& options) {
  if (options.folder.empty()) return store::DuckDbBackendImpl::OpenInMemory(options);
  return store::DuckDbBackendImpl::OpenFolder(options);
}

}  // namespace logquery
