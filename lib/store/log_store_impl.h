// The store of a folder of logs.
#ifndef LOGQUERY_LIB_STORE_LOG_STORE_IMPL_H_
#define LOGQUERY_LIB_STORE_LOG_STORE_IMPL_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "lib/backend/duckdb/engine.h"
#include "lib/store/folder/data_folder.h"
#include "lib/store/learn/schema_learner.h"
#include "lib/store/load/event_rejects.h"
#include "lib/store/load/input_loader.h"
#include "lib/store/tables/event_books.h"
#include "lib/store/tables/folder_schema.h"
#include "lib/store/tables/live_tables.h"
#include "lib/store/tables/load_books.h"
#include "lib/store/tables/table_layout.h"
#include "logquery/store/log_store.h"

namespace logquery::store {

class EventParts;

// Thread-safe.
class LogStoreImpl : public LogStore {
 public:
  // All are borrowed, `connection` only for the call; `tables` learns of columns that loads add, and of logs that are declared. Makes the tables, and
  // settles what a crash may have left of rejected rows.
  static absl::StatusOr<std::unique_ptr<LogStoreImpl>> Open(const DataFolder* folder, duckdb::Engine* engine,
                                                            duckdb_connection connection, LiveSchema* schema,
                                                            LiveTables* tables);

  absl::StatusOr<LoadReport> Load(const LoadRequest& request,
                                  const std::function<void(const LoadProgress&)>& progress) override;
  absl::StatusOr<LoadReport> Append(const AppendRequest& request) override;
  absl::StatusOr<std::vector<EventOutcome>> AppendEvents(const EventBatch& batch) override;
  absl::StatusOr<RetainReport> Retain(const RetainRequest& request) override;
  absl::StatusOr<ClusterReport> Cluster(const ClusterRequest& request) override;
  absl::StatusOr<EraseReport> Erase(const EraseRequest& request) override;
  absl::Status Checkpoint() override;
  // As DuckDbBackend::DeclareLogs.
  absl::Status Declare(const model::SchemaFile& declared);
  RejectedEventsState rejected_events() const { return event_rejects_.state(); }
  // Calls `read` while nothing is committed, nor written to the folder's files. Queries go on.
  absl::Status Hold(absl::FunctionRef<absl::Status()> read);

 private:
  // What the inputs of one call go through.
  struct Loading;

  LogStoreImpl(const DataFolder* folder, duckdb::Engine* engine, LiveSchema* schema, LiveTables* tables)
      : folder_(folder), engine_(engine), schema_(schema), tables_(tables), event_rejects_(folder->rejected_folder()) {}
  absl::Status LoadGroup(Loading& loading, const std::vector<std::string>& files,
                         const std::function<void(const LoadProgress&)>& progress, LoadReport* report);
  // True: the survey has news of the rows, and nothing is in.
  static absl::StatusOr<bool> AppendRows(Loading& loading, InputLoader::Survey* survey, const LoadInput& input,
                                         const AppendRequest& request, LoadReport* report);
  // Runs `load` with the engine, alone, and opens the engine again if that has stopped it.
  absl::StatusOr<LoadReport> Exclusively(
      absl::FunctionRef<absl::Status(duckdb::Engine::State& state, LoadReport* report)> load);
  // The same for what reports nothing.
  absl::Status Alone(absl::FunctionRef<absl::Status(duckdb::Engine::State& state)> work);
  // Writes what the engine's log has grown to into the tables while no query runs: none waits for it then. Where there
  // always is one, the engine does so when its log has kMostLogBytes.
  void CheckpointIfQuiet(int64_t worth = duckdb::kLogWorthCheckpoint);
  // Rows before `before` go, step by step.
  absl::Status Remove(const Table& table, absl::Time before, bool by_size, const CancellationToken& cancellation,
                      RetainReport* report);
  // `unsaved` counts rows that were written anew since the last checkpoint.
  absl::StatusOr<ClusteredDay> ClusterDay(const Table& table, absl::Time day, const ClusterRequest& request,
                                          int64_t* unsaved);
  // True: the survey has news of the events, and nothing is in.
  static absl::StatusOr<bool> AppendParts(Loading& loading, InputLoader::Survey* survey, const LoadInput& input,
                                          EventParts& parts);
  // Rejected events that are too old leave the folder.
  absl::StatusOr<int64_t> TrimRejects(absl::Time now);
  // The parts of Erase, each complete when it returns.
  absl::Status EraseRows(const Table& table, const EraseRequest& request, EraseReport* report);
  absl::Status EraseEvents(const EraseRequest& request, EraseReport* report);
  absl::Status EraseRejectedFiles(const EraseRequest& request, EraseReport* report);
  absl::Status SettleRejected(duckdb_connection connection) const;
  // It stays as it is for as long as it is held, also when another declaration takes its place.
  absl::StatusOr<std::shared_ptr<const TableLayout>> FindTable(const std::string& name) const;

  const DataFolder* const folder_;
  duckdb::Engine* const engine_;
  LiveSchema* const schema_;
  LiveTables* const tables_;
  absl::Mutex load_mutex_;                                              // one thing that writes at a time
  base::StringMap<LearnedState> learned_ ABSL_GUARDED_BY(load_mutex_);  // by table
  LoadFilter loaded_ ABSL_GUARDED_BY(load_mutex_);
  EventKeys event_keys_ ABSL_GUARDED_BY(load_mutex_);
  EventRejects event_rejects_;  // but for its state, guarded by load_mutex_
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LOG_STORE_IMPL_H_
