// An open DuckDB database with locked settings.
//
// The engine can access only its own file and its folders for spilling and for exported files: external access, extensions and
// secrets are disabled, and the configuration is locked. Thread-safe after opening.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_DATABASE_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_DATABASE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "lib/engines/duckdb/backend/connection_state.h"
#include "lib/engines/duckdb/backend/data_version.h"
#include "lib/engines/duckdb/backend/handles.h"

namespace logquery::duckdb {

// The engine checkpoints its write-ahead log into the tables at the latest when it reaches this size. A checkpoint
// blocks queries on those tables for some 0.2 s plus 8 ms per MiB; recovery after a crash takes 15 ms per MiB of log (2
// cores).
inline constexpr int64_t kMostLogBytes = 96 << 20;
// A size that justifies a checkpoint if no query would have to wait.
inline constexpr int64_t kLogWorthCheckpoint = 16 << 20;

struct DatabaseOptions {
  std::string file;          // empty: in memory
  std::string spill_folder;  // empty: spilling is disabled
  bool read_only = false;
  int64_t row_group_rows = 0;  // of new tables; 0: DuckDB's default
  int64_t memory_limit_bytes = 2LL << 30;
  int64_t spill_limit_bytes = 16LL << 30;
  int threads = 0;  // 0: as many as the machine has
  // A folder, with a slash at its end, in which the engine may write and read files. Only for an engine that runs no caller's SQL:
  // an export's. Empty: there is none.
  std::string files_folder = {};
  // Whether rows without ORDER BY keep the order of what was read. Only without can files be written in parts of bounded length; a
  // single thread keeps the order all the same.
  bool keeps_order = true;
  // Called before each opening of the file, also of one that DuckDB has shut down. An error ends the opening. Empty: nothing is
  // done.
  std::function<absl::Status()> before_opening = {};
};

class Database {
 public:
  // FailedPrecondition: another process has the database open. DataLoss: it is not a DuckDB database, or damaged.
  // ResourceExhausted: the disk is full. PermissionDenied, Internal. Messages contain no file names.
  static absl::StatusOr<Database> Open(const DatabaseOptions& options);

  absl::StatusOr<ConnectionHandle> Connect() const;

  // Makes the engine call `replace` for each unknown table name. Must be called before the first query.
  void AddReplacementScan(duckdb_replacement_callback_t replace) const {
    duckdb_add_replacement_scan(database_.get(), replace, nullptr, nullptr);
  }

  // The version of all rows. Code that changes rows must declare the change.
  DataVersion& version() const { return *version_; }

  // The states of the connections that run queries.
  ConnectionStates& connection_states() const { return *connection_states_; }

 private:
  explicit Database(DatabaseHandle database) : database_(std::move(database)) {}
  absl::Status Attach(duckdb_connection connection, const DatabaseOptions& options);

  std::unique_ptr<ConnectionStates> connection_states_ =
      std::make_unique<ConnectionStates>();  // borrowed by functions in the database
  DatabaseHandle database_;
  bool attached_ = false;
  std::unique_ptr<DataVersion> version_ = std::make_unique<DataVersion>();
};

// Returns the linked library's name and version: "DuckDB 1.5.6".
std::string EngineName();

// Runs statements whose result rows are not needed.
absl::Status Run(duckdb_connection connection, const std::string& sql);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_DATABASE_H_
