// One open DuckDB database, with settings that nothing can change any more.
//
// The engine reaches nothing but its own file and its folders for spilling and for files: external access, extensions and secrets are
// off, and the configuration is locked. Thread-safe after opening.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_DATABASE_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_DATABASE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "lib/backend/duckdb/connection_state.h"
#include "lib/backend/duckdb/data_version.h"
#include "lib/backend/duckdb/handles.h"

namespace logquery::duckdb {

// The engine writes its log into the tables at the latest when it has grown to so much. No query of those tables goes on
// meanwhile, for some 0.2 s and 8 ms a MiB, while a start after a crash takes 15 ms for each MiB of it (2 cores).
inline constexpr int64_t kMostLogBytes = 96 << 20;
// What is worth it when no query would wait.
inline constexpr int64_t kLogWorthCheckpoint = 16 << 20;

struct DatabaseOptions {
  std::string file;          // empty: in memory
  std::string spill_folder;  // empty: nothing is spilled
  bool read_only = false;
  int64_t row_group_rows = 0;  // of tables that are made; 0: DuckDB's own
  int64_t memory_limit_bytes = 2LL << 30;
  int64_t spill_limit_bytes = 16LL << 30;
  int threads = 0;  // 0: as many as the machine has
  // A folder, with a slash at its end, in which the engine may write and read files. Only for an engine that runs no caller's SQL:
  // an export's. Empty: there is none.
  std::string files_folder = {};
};

class Database {
 public:
  // FailedPrecondition: another process has it open; DataLoss: no database of DuckDB's, or a damaged one;
  // PermissionDenied; ResourceExhausted: the disk is full; Internal. The message names no file.
  static absl::StatusOr<Database> Open(const DatabaseOptions& options);

  absl::StatusOr<ConnectionHandle> Connect() const;

  // Has the engine ask `replace` for each table's name that it does not know. Before the first query.
  void AddReplacementScan(duckdb_replacement_callback_t replace) const {
    duckdb_add_replacement_scan(database_.get(), replace, nullptr, nullptr);
  }

  // Of all rows. Whoever changes any declares it.
  DataVersion& version() const { return *version_; }

  // Of its connections that run queries.
  ConnectionStates& connection_states() const { return *connection_states_; }

 private:
  explicit Database(DatabaseHandle database) : database_(std::move(database)) {}
  absl::Status Attach(duckdb_connection connection, const DatabaseOptions& options);

  std::unique_ptr<ConnectionStates> connection_states_ =
      std::make_unique<ConnectionStates>();  // the functions in it borrow them
  DatabaseHandle database_;
  bool attached_ = false;
  std::unique_ptr<DataVersion> version_ = std::make_unique<DataVersion>();
};

// "DuckDB 1.5.6": the library that is there.
std::string EngineName();

// Runs statements that give no rows anybody reads.
absl::Status Run(duckdb_connection connection, const std::string& sql);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_DATABASE_H_
