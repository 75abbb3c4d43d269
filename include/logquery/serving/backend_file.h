// The engine that answers queries and its options, which a backend file names:
//
//     {"engine": "duckdb", "folder": "data", "memory_limit_mb": 2048, "threads": 0}
//
//     absl::StatusOr<logquery::BackendOptions> options = logquery::ReadBackendFile("/etc/logquery/backend.json");
//     absl::StatusOr<logquery::OpenedBackend> opened = logquery::OpenBackend(*options, {.read_only = true});
//     service_options.backend = opened->backend.get();
//
// The other fields depend on the engine. Relative names of files and folders are resolved against the backend file's folder.
//
//     duckdb       a data folder that this process opens: folder (required), memory_limit_mb (64 to 16777216) and threads (0 to
//                  1024; 0: as many as the machine has)
//     clickhouse, postgres, bigquery
//                  the fields that ClickHouseOptionsFromJson, PostgresOptionsFromJson and BigQueryOptionsFromJson list
//
// Functions are thread-safe. Link logquery::deployment, which has the engines that this logquery was built with.
#ifndef LOGQUERY_SERVING_BACKEND_FILE_H_
#define LOGQUERY_SERVING_BACKEND_FILE_H_

#include <any>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logquery/packed_records.h"
#include "logquery/query_backend.h"
#include "logquery/remote_backend.h"

namespace logquery {

class DuckDbBackend;  // store/duckdb_backend.h

inline constexpr size_t kMaxBackendFileBytes = 1 << 20;

struct BackendOptions {
  std::string engine = "duckdb";
  std::string folder = {};                     // duckdb: the data folder, required; other engines: empty
  int64_t memory_limit_bytes = 2'048'000'000;  // of DuckDB, which works in this process whatever the engine
  int threads = 0;                             // of DuckDB; 0: as many as the machine has
  // The options of another engine: ClickHouseOptions, PostgresOptions or BigQueryOptions. Their memory_limit_bytes and threads
  // are not used; those above are.
  std::any remote = {};
};

// Reads the options from a file of at most kMaxBackendFileBytes. Connects to nothing, but reads the secrets and files that the
// file names.
//   InvalidArgument   the file is too long, is not JSON, or has a field that is unknown, missing or wrong: the message has the
//                     file, the line and the column, says what would be right, and never contains a secret
//   Unimplemented     this logquery was built without the engine
//   NotFound          the file can't be read
absl::StatusOr<BackendOptions> ReadBackendFile(const std::string& path);

// The same of a text: `source` names it in errors, and relative names are resolved against `folder`; empty: the working
// directory.
absl::StatusOr<BackendOptions> ParseBackendFile(std::string_view text, std::string_view source,
                                                const std::string& folder);

// OK: there is an engine of this name, and this logquery was built with it. InvalidArgument: there is none; the message lists
// the engines. Unimplemented: this logquery was built without it.
absl::Status CheckEngine(std::string_view engine);

// How a backend is opened.
struct BackendUse {
  // Opens a data folder for reading only: several processes may do so at once. Other engines are only read in any case.
  bool read_only = false;
  // duckdb: additional logs, in the form that DuckDbBackend::DeclareLogs takes; empty: those that the folder already has.
  std::string own_logs_json = {};
  std::string own_logs_source = "schema.json";  // names them in errors
  // duckdb: as in DuckDbOptions.
  PackedRecords packed_records = PackedRecords::kOpenDays;
};

struct OpenedBackend {
  std::unique_ptr<QueryBackend> backend;
  // The same object by the interfaces that it also has; nullptr if it lacks them.
  RemoteBackend* remote = nullptr;  // an engine elsewhere
  DuckDbBackend* store = nullptr;   // a data folder
};

// Opens the data folder or connects to the engine. InvalidArgument: `remote` is not of the engine's type, or the engine has no
// data folder and logs are to be declared. Otherwise the statuses of CheckEngine, and those of OpenDuckDb, OpenClickHouse,
// OpenPostgres or OpenBigQuery.
absl::StatusOr<OpenedBackend> OpenBackend(const BackendOptions& options, const BackendUse& use);

}  // namespace logquery

#endif  // LOGQUERY_SERVING_BACKEND_FILE_H_
