// The file of --backend, which selects an engine and its options.
//
//     {"engine": "duckdb", "folder": "data", "memory_limit_mb": 2048, "threads": 0}
//
// Relative names of folders and files are resolved against the file's folder.
#ifndef LOGQUERY_SHIM_CLI_SERVE_BACKEND_FILE_H_
#define LOGQUERY_SHIM_CLI_SERVE_BACKEND_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logquery/catalog.h"
#include "logquery/query_backend.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

inline constexpr size_t kMaxBackendFile = 1 << 20;

// Determines the engine from the arguments: reads the file of --backend if there is one; otherwise --data names the
// folder of the default engine. Does not open the engine. InvalidArgument: both or neither are given, or an error in
// the file, with line and column. NotFound: the file can't be read. Unimplemented: this program was built without the
// engine.
absl::Status ReadBackend(ServiceArguments& arguments);

// The target for which queries are translated and definitions are checked.
struct BackendTables {
  Catalog catalog;
  Capabilities backend;
};

// Returns the target of the backend in `file`, which is opened for reading; if `file` is empty, the declared logs in
// DuckDB's dialect. Statuses: those of ReadBackend and OpenEngine.
absl::StatusOr<BackendTables> TablesOf(const std::string& file);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_BACKEND_FILE_H_
