// The options --backend and --data, of which one names the engine that a command asks.
#ifndef LOGQUERY_SHIM_CLI_SERVE_BACKEND_OPTION_H_
#define LOGQUERY_SHIM_CLI_SERVE_BACKEND_OPTION_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logquery/catalog.h"
#include "logquery/query_backend.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

// Sets `arguments.engine`, unless it is set: reads the file of --backend if there is one, and sets `data` to its data folder;
// otherwise --data names the folder of the default engine. Does not open the engine. InvalidArgument: both or neither are
// given. Otherwise the statuses of ReadBackendFile and CheckEngine.
absl::Status ReadBackend(ServiceArguments& arguments);

// The target for which queries are translated and definitions are checked.
struct BackendTables {
  Catalog catalog;
  Capabilities backend;
};

// Returns the target of the backend in `file`, which is opened for reading; if `file` is empty, the declared logs in
// DuckDB's dialect. Statuses: those of ReadBackend, OpenBackend and QueryBackend::ReadCatalog.
absl::StatusOr<BackendTables> TablesOf(const std::string& file);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_BACKEND_OPTION_H_
