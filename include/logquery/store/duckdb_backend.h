// The embedded default: DuckDB over a folder of logs, in this process. Link logquery::store.
//
//     auto backend = logquery::OpenDuckDb({.folder = "data", .read_only = true});
//
// One process owns a folder for writing; while none does, several may read it. The engine can reach nothing but that
// folder: external access, extensions and secrets are off, and its configuration is locked when it is open.
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
#include "logquery/query_backend.h"
#include "logquery/store/backup.h"
#include "logquery/store/folder_check.h"
#include "logquery/store/log_store.h"

namespace logquery {

struct DuckDbOptions {
  std::string folder = {};  // made when it is absent, unless read_only; empty: in memory, with no logs
  bool read_only = false;
  int64_t memory_limit_bytes = 2LL << 30;
  int threads = 0;               // 0: as many as the machine has
  int max_connections = 64;      // executions at one time; beyond: Unavailable
  std::string schema_json = {};  // in place of the built-in schema; empty: that
  // Logs beside those, as DuckDbBackend::DeclareLogs takes them; empty: those that the folder has already.
  std::string own_logs_json = {};
  std::string own_logs_source = "schema.json";  // names them in errors
};

// What a table holds, counted.
struct TableStats {
  std::string table;
  std::string log;
  int64_t rows = 0;
  int64_t rows_with_undeclared_fields = 0;
  std::optional<absl::Time> first;  // of the rows' times; nullopt: there are none
  std::optional<absl::Time> last;
  int64_t days = 0;           // that have rows, in UTC
  int64_t bytes_on_disk = 0;  // in the data file, in whole blocks; what is not checkpointed yet is not counted
  int64_t loads = 0;          // files, and batches with a name
  int64_t rejected_rows = 0;
  int64_t bytes_read = 0;                    // of the rows' JSON
  std::vector<LearnedField> learned_fields;  // those with values; of records their fields are named
  int64_t clustered_rows = 0;                // that LogStore::Cluster has put in order
  int64_t removed_rows = 0;                  // by LogStore::Retain and LogStore::Erase
  std::optional<absl::Time> removed_before;  // by LogStore::Retain
  int64_t rejected_event_bytes = 0;          // of rejected events that the folder keeps (ingest.h), with their reasons
  int64_t removed_rejected_events = 0;       // that it keeps no longer
};

// The rejected events of all tables that a folder keeps.
struct RejectedEventsState {
  int64_t bytes = 0;
  int64_t files = 0;
  int64_t removed_rows = 0;  // that it keeps no longer
};

// A backend that is also the store behind it. Thread-safe.
class DuckDbBackend : public QueryBackend {
 public:
  // Takes rows in; Unimplemented on a folder that is open read-only.
  virtual LogStore& store() = 0;
  // Each table of the folder, in the schema's order, all at one moment. Reads the times of all rows. Execute's statuses.
  virtual absl::StatusOr<std::vector<TableStats>> ReadStats() = 0;
  // Looks whether the folder is in order, as CheckFolder (folder_check.h) does, but for what processes that were killed have
  // left; changes nothing. In memory there is nothing to find. `read_rows`: each value of each row.
  virtual absl::StatusOr<std::vector<FolderFinding>> Check(bool read_rows) = 0;
  // Copies the folder as it is at one moment; backup.h says what to. Loads wait while the database's files are copied,
  // queries do not. FailedPrecondition: the target is not empty, or another process makes a backup in it. Unimplemented: a
  // database in memory. Cancelled, NotFound, PermissionDenied, Internal; ResourceExhausted: the target's disk is full.
  // After a failure nothing is left of what was copied. Unavailable: the database is being opened again after an error.
  virtual absl::StatusOr<BackupReport> Backup(const BackupRequest& request) = 0;
  // Adds the logs that a schema file declares (docs/definitions.md), or columns to those that the folder has of its own; the
  // folder keeps the declarations. A load that runs is waited for, queries go on. `source` names the file in errors.
  // InvalidArgument: the file, with line and column. FailedPrecondition: a field would change its type, or a column go.
  // Unimplemented: the folder is open for reading only. After a failure everything is as it was.
  virtual absl::Status DeclareLogs(std::string_view source, std::string_view json) = 0;
  // What the folder's own logs are declared to be kept for.
  virtual std::vector<RetentionRule> DeclaredRetention() const = 0;
  // Of a folder that is open for writing; otherwise nothing. Does not wait for loads.
  virtual RejectedEventsState rejected_events() const = 0;
};

// NotFound: no such folder (read_only). FailedPrecondition: another process holds it (named, if it can be told), its
// format is newer than this version's, a path that is no folder. DataLoss: damaged. PermissionDenied: may not be read.
// Destroy the backend before main() returns, not as a static object: DuckDB then uses thread-local objects that are gone.
absl::StatusOr<std::unique_ptr<DuckDbBackend>> OpenDuckDb(const DuckDbOptions& options);

}  // namespace logquery

#endif  // LOGQUERY_STORE_DUCKDB_BACKEND_H_
