// Implements LogStore for a folder of logs.
#ifndef LOGQUERY_LIB_STORE_LOG_STORE_IMPL_H_
#define LOGQUERY_LIB_STORE_LOG_STORE_IMPL_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/backend/record_dictionary.h"
#include "lib/engines/duckdb/backend/engine.h"
#include "lib/store/folder/data_folder.h"
#include "lib/store/folder/rollback_journal.h"
#include "lib/store/learn/schema_learner.h"
#include "lib/store/load/event_rejects.h"
#include "lib/store/load/input_loader.h"
#include "lib/store/rows/log_dictionary.h"
#include "lib/store/tables/event_books.h"
#include "lib/store/tables/folder_schema.h"
#include "lib/store/tables/live_tables.h"
#include "lib/store/tables/load_books.h"
#include "lib/store/tables/table_layout.h"
#include "logquery/packed_records.h"
#include "logquery/store/log_store.h"

namespace logquery {
struct ForgetRequest;  // store/learned_fields.h
struct ForgetReport;
}  // namespace logquery

namespace logquery::store {

class EventParts;

// Thread-safe.
class LogStoreImpl : public LogStore {
 public:
  // Creates the tables, and settles rejected rows that a crash may have left. All pointers are borrowed, `connection`
  // only for the call. `tables` is updated when loads add columns or logs are declared.
  static absl::StatusOr<std::unique_ptr<LogStoreImpl>> Open(const DataFolder* folder, duckdb::Engine* engine,
                                                            RollbackJournal* journal, duckdb_connection connection,
                                                            LiveSchema* schema, LiveTables* tables,
                                                            backend::RecordDictionaries* dictionaries,
                                                            PackedRecords packed);

  absl::StatusOr<LoadReport> Load(const LoadRequest& request,
                                  const std::function<void(const LoadProgress&)>& progress) override;
  absl::StatusOr<LoadReport> Append(const AppendRequest& request) override;
  absl::StatusOr<bool> HasBatch(const std::string& table, const std::string& batch) override;
  absl::StatusOr<std::vector<EventOutcome>> AppendEvents(const EventBatch& batch) override;
  absl::StatusOr<RetainReport> Retain(const RetainRequest& request) override;
  absl::StatusOr<ClusterReport> Cluster(const ClusterRequest& request) override;
  absl::StatusOr<EraseReport> Erase(const EraseRequest& request) override;
  absl::Status Checkpoint() override;
  // See ForgetFields.
  absl::StatusOr<ForgetReport> Forget(const ForgetRequest& request);
  // See DuckDbBackend::DeclareLogs.
  absl::Status Declare(const model::SchemaFile& declared);
  // See DuckDbBackend::BookSource.
  absl::Status BookSource(const std::string& table, const std::optional<std::string>& project);
  // The number of values that did not fit the column of their field since the folder was opened. They are kept as JSON.
  int64_t misfits() const { return misfits_; }
  RejectedEventsState rejected_events() const { return event_rejects_.state(); }
  // Calls `read` while nothing is committed or written to the folder's files. Queries continue.
  absl::Status Hold(absl::FunctionRef<absl::Status()> read);

 private:
  // State shared by the inputs of one call.
  struct Loading;

  LogStoreImpl(const DataFolder* folder, duckdb::Engine* engine, RollbackJournal* journal, LiveSchema* schema,
               LiveTables* tables, backend::RecordDictionaries* dictionaries, PackedRecords packed)
      : folder_(folder),
        engine_(engine),
        journal_(journal),
        schema_(schema),
        tables_(tables),
        dictionaries_(dictionaries),
        packed_records_(packed),
        event_rejects_(folder->rejected_folder()) {}
  absl::Status LoadGroup(Loading& loading, const std::vector<std::string>& files,
                         const std::function<void(const LoadProgress&)>& progress, LoadReport* report);
  // Returns true if the survey found something new; then nothing has been stored.
  static absl::StatusOr<bool> AppendRows(Loading& loading, InputLoader::Survey* survey, const LoadInput& input,
                                         const AppendRequest& request, LoadReport* report);
  // Runs `load` on the engine exclusively, and reopens the engine if that has shut it down.
  absl::StatusOr<LoadReport> Exclusively(
      absl::FunctionRef<absl::Status(duckdb::Engine::State& state, LoadReport* report)> load);
  // The same for work without a report.
  absl::Status Alone(absl::FunctionRef<absl::Status(duckdb::Engine::State& state)> work);
  // Begins another epoch if rows were deleted: then the engine may give those behind them other places.
  absl::Status RunCheckpoint(duckdb::Engine::State& state, duckdb_connection connection);
  // Checkpoints the engine's write-ahead log if it has reached `worth` and no query is running that would have to wait.
  // If there always is one, the engine does it when the log reaches kMostLogBytes.
  void CheckpointIfQuiet(int64_t worth = duckdb::kLogWorthCheckpoint);
  // Compares the request's clock with the last recorded time, and records it unless it is too far ahead: then rules of
  // age are held back. Returns the latest time that can be relied on.
  absl::StatusOr<absl::Time> SettleClock(const RetainRequest& request, RetainReport* report);
  // Runs one step of retention in a transaction of its own; returns what `remove` returns.
  absl::StatusOr<int64_t> RemoveStep(absl::FunctionRef<absl::StatusOr<int64_t>(duckdb_connection connection)> remove,
                                     const CancellationToken& cancellation);
  // Deletes rows before `before`, step by step.
  absl::Status RemoveByAge(const Table& table, absl::Time before, const CancellationToken& cancellation,
                           RetainReport* report);
  // Deletes days of projects that take more than their share of `max_bytes`.
  absl::Status RemoveBySize(const TableLayout& declared, int64_t max_bytes, absl::Time now,
                            const CancellationToken& cancellation, RetainReport* report);
  // `unsaved` counts the rows that were rewritten since the last checkpoint.
  absl::StatusOr<ClusteredDay> ClusterDay(const Table& table, absl::Time day, const ClusterRequest& request,
                                          int64_t* unsaved);
  // Returns true if the survey found something new; then nothing has been stored.
  static absl::StatusOr<bool> AppendParts(Loading& loading, InputLoader::Survey* survey, const LoadInput& input,
                                          EventParts& parts);
  // Deletes rejected events that are too old.
  absl::StatusOr<int64_t> TrimRejects(absl::Time now);
  // The parts of Erase, each complete when it returns.
  absl::Status EraseRows(const Table& table, const EraseRequest& request, EraseReport* report);
  absl::Status EraseEvents(const EraseRequest& request, EraseReport* report);
  absl::Status EraseRejectedFiles(const EraseRequest& request, EraseReport* report);
  // Removes the columns that only this project's rows have taught, and the records of the others.
  absl::Status ForgetTaughtBy(const std::string& table, const std::string& project);
  absl::Status SettleRejected(duckdb_connection connection) const;
  LogDictionary& DictionaryOf(const std::string& table) ABSL_EXCLUSIVE_LOCKS_REQUIRED(load_mutex_);
  // Removes the table's dictionaries that have something of rows that go, in the open transaction (RemoveDictionaries).
  absl::Status ForgetDictionaries(duckdb_connection connection, const std::string& table,
                                  const std::optional<std::string>& project, std::optional<absl::Time> before)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(load_mutex_);
  // The result does not change while it is held, even if another declaration replaces it.
  absl::StatusOr<std::shared_ptr<const TableLayout>> FindTable(const std::string& name) const;

  const DataFolder* const folder_;
  duckdb::Engine* const engine_;
  RollbackJournal* const journal_ ABSL_PT_GUARDED_BY(load_mutex_);
  LiveSchema* const schema_;
  LiveTables* const tables_;
  backend::RecordDictionaries* const dictionaries_;
  const PackedRecords packed_records_;
  absl::Mutex load_mutex_;                                                                         // serializes writers
  base::StringMap<LearnedState> learned_ ABSL_GUARDED_BY(load_mutex_);                             // by table
  base::StringMap<std::unique_ptr<LogDictionary>> log_dictionaries_ ABSL_GUARDED_BY(load_mutex_);  // by table
  LoadFilter loaded_ ABSL_GUARDED_BY(load_mutex_);
  EventKeys event_keys_ ABSL_GUARDED_BY(load_mutex_);
  std::atomic<int64_t> misfits_{0};
  EventRejects event_rejects_;  // guarded by load_mutex_, except its state()
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LOG_STORE_IMPL_H_
