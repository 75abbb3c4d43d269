// The file of --backend: which engine answers, and how it is opened.
//
//     {"engine": "duckdb", "folder": "data", "memory_limit_mb": 2048, "threads": 0}
//
// Relative names of folders and files are taken from where the file is.
#ifndef LOGQUERY_SHIM_COMMAND_BACKEND_FILE_H_
#define LOGQUERY_SHIM_COMMAND_BACKEND_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logquery/catalog.h"
#include "logquery/query_backend.h"
#include "shim/command/commands.h"

namespace logquery::shim {

inline constexpr size_t kMaxBackendFile = 1 << 20;

// Settles which engine the arguments mean: takes over what the file of --backend says where there is one; otherwise --data
// names the folder of the default engine. The engine is not opened.
// InvalidArgument: both or neither are given; the file's text, with line and column. NotFound: the file can't be read.
// Unimplemented: this program is built without the engine.
absl::Status ReadBackend(ServiceArguments& arguments);

// What queries are translated and definitions are checked for.
struct BackendTables {
  Catalog catalog;
  Capabilities backend;
};

// Those of the backend that the file describes, which is opened for reading; `file` empty: the declared logs, in DuckDB's
// dialect. ReadBackend's and OpenEngine's statuses.
absl::StatusOr<BackendTables> TablesOf(const std::string& file);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_BACKEND_FILE_H_
