// The default backend: DuckDB in this process, over a folder of logs. Link logquery::store.
//
//     auto backend = logquery::OpenDuckDb({.folder = "data", .read_only = true});
//
// Only one process can open a folder for writing; while none does, several may read it. The engine can access only that
// folder: external access, extensions and secrets are disabled, and its configuration is locked after opening.
#ifndef LOGQUERY_STORE_DUCKDB_BACKEND_H_
#define LOGQUERY_STORE_DUCKDB_BACKEND_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/packed_records.h"
#include "logquery/query_backend.h"
#include "logquery/store/backup.h"
#include "logquery/store/folder_check.h"
#include "logquery/store/log_store.h"

namespace logquery {

struct DuckDbOptions {
  std::string folder = {};  // created if absent, unless read_only; empty: in memory, without logs
  bool read_only = false;
  int64_t memory_limit_bytes = 2LL << 30;
  int threads = 0;               // 0: as many as the machine has
  int max_connections = 64;      // concurrent executions; beyond: Unavailable
  std::string schema_json = {};  // replaces the built-in schema; empty: the built-in schema
  // Additional logs, in the form that DuckDbBackend::DeclareLogs takes; empty: only those that the folder already has.
  std::string own_logs_json = {};
  std::string own_logs_source = "schema.json";  // names them in errors
  // The rows that get a packed record when they are stored, and keep it when their day is clustered. The folder does not record the
  // choice: each process that writes to it has its own. Queries use the packed records that there are.
  PackedRecords packed_records = PackedRecords::kOpenDays;
};

// Statistics of a table.
struct TableStats {
  std::string table;
  std::string log;
  int64_t rows = 0;
  int64_t rows_with_undeclared_fields = 0;
  std::optional<absl::Time> first;  // earliest time of a row; nullopt: the table is empty
  std::optional<absl::Time> last;
  int64_t days = 0;           // UTC days that have rows
  int64_t bytes_on_disk = 0;  // in the data file, in whole blocks; excludes data that is not checkpointed yet
  int64_t loads = 0;          // files and named batches
  int64_t rejected_rows = 0;
  int64_t bytes_read = 0;                    // size of the rows' JSON
  std::vector<LearnedField> learned_fields;  // fields that have values; records are listed by their fields
  int64_t clustered_rows = 0;                // rewritten by LogStore::Cluster
  int64_t removed_rows = 0;                  // deleted by LogStore::Retain and LogStore::Erase
  std::optional<absl::Time> removed_before;  // by LogStore::Retain
  int64_t rejected_event_bytes = 0;          // of the rejected events in the folder (ingest.h), with their reasons
  int64_t removed_rejected_events = 0;       // deleted from the folder
};

// The rejected events of all tables in a folder.
struct RejectedEventsState {
  int64_t bytes = 0;
  int64_t files = 0;
  int64_t removed_rows = 0;  // deleted from the folder
};

// A log that a source made by being written to.
struct SourceLog {
  std::string table;
  bool is_owned = false;  // see DuckDbBackend::ReadSources
};

// A backend that also provides write access to its folder. Thread-safe.
class DuckDbBackend : public QueryBackend {
 public:
  // Returns the store for writing, owned by the backend. Its methods return Unimplemented if the folder is open
  // read-only.
  virtual LogStore& store() = 0;
  // Returns statistics of each table, in the schema's order and from one snapshot. Reads the times of all rows.
  // Statuses: those of Execute.
  virtual absl::StatusOr<std::vector<TableStats>> ReadStats() = 0;
  // Checks whether the folder is consistent, as CheckFolder (folder_check.h) does, except for files that killed
  // processes left behind. Changes nothing. A database in memory has no findings. `read_rows`: reads every value of
  // every row.
  virtual absl::StatusOr<std::vector<FolderFinding>> Check(bool read_rows) = 0;
  // Copies a snapshot of the folder to a target (see backup.h). Loads wait while the database files are copied; queries
  // do not. FailedPrecondition: the target is not empty, or another process writes a backup to it. Unimplemented: the
  // database is in memory. ResourceExhausted: the target's disk is full. Unavailable: the database is being reopened
  // after an error. Cancelled, NotFound, PermissionDenied, Internal. After a failure, the copied files are removed.
  virtual absl::StatusOr<BackupReport> Backup(const BackupRequest& request) = 0;
  // Adds the logs that a schema file declares (docs/definitions.md), or adds columns to logs that were declared so
  // before; the folder stores the declarations. Waits for a running load; queries continue. `source` names the file in
  // errors. InvalidArgument: the file is wrong; the message has line and column. FailedPrecondition: a field's type
  // would change. A column that the file no longer declares stays. Unimplemented: the folder is open read-only. After a failure
  // nothing is changed.
  virtual absl::Status DeclareLogs(std::string_view source, std::string_view json) = 0;
  // Returns the columns and fields, as "app.logs.request.size", that the folder has and that these declarations of their
  // logs leave out. InvalidArgument: the file is wrong.
  virtual absl::StatusOr<std::vector<std::string>> ColumnsLeftOut(std::string_view source,
                                                                  std::string_view json) const = 0;
  // Records that the table which DeclareLogs is about to add is made by a source that a token of this project writes to;
  // nullopt: a token of all projects. A later declaration makes it an operator's log. Statuses: those of DeclareLogs.
  virtual absl::Status BookSource(const std::string& table, const std::optional<std::string>& project) = 0;
  // Returns the logs that sources made. is_owned: the project made the log, or has or had rows in it; for nullopt, a
  // token of all projects made it.
  virtual absl::StatusOr<std::vector<SourceLog>> ReadSources(const std::optional<std::string>& project) = 0;
  // Returns the retention that the declarations of the folder's own logs set.
  virtual std::vector<RetentionRule> DeclaredRetention() const = 0;
  // Returns zeros unless the folder is open for writing. Does not wait for loads.
  virtual RejectedEventsState rejected_events() const = 0;
};

// Opens the folder. NotFound: there is no such folder (read_only). FailedPrecondition: another process has it open
// (named, if known), its format is newer than this version supports, or the path is not a folder. DataLoss: it is
// damaged. PermissionDenied: it can't be read. Destroy the backend before main() returns, not as a static object:
// DuckDB uses thread-local objects that are destroyed earlier.
absl::StatusOr<std::unique_ptr<DuckDbBackend>> OpenDuckDb(const DuckDbOptions& options);

}  // namespace logquery

#endif  // LOGQUERY_STORE_DUCKDB_BACKEND_H_
