// Chooses between the options; logquery/serving/backend_file.h reads the file.
#include "shim/cli/serve/backend_option.h"

#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/serving/backend_file.h"

namespace logquery::shim {

absl::Status ReadBackend(ServiceArguments& arguments) {
  if (arguments.engine.has_value()) return absl::OkStatus();
  if (arguments.backend.empty()) {
    if (arguments.data.empty()) {
      return absl::InvalidArgumentError(
          "say what to answer from: --data DIR names a data folder, --backend FILE an engine with its settings");
    }
    BackendOptions folder;
    folder.folder = arguments.data;
    folder.memory_limit_bytes = arguments.memory_limit_mb * 1'000'000;
    folder.threads = arguments.engine_threads;
    LOGQUERY_RETURN_IF_ERROR(CheckEngine(folder.engine));
    arguments.engine = std::move(folder);
    return absl::OkStatus();
  }
  if (!arguments.data.empty()) {
    return absl::InvalidArgumentError(base::StrCat("--backend ", arguments.backend, " and --data ", arguments.data,
                                                   " exclude each other: the file says which folder the engine opens"));
  }
  absl::StatusOr<BackendOptions> read = ReadBackendFile(arguments.backend);
  if (absl::IsNotFound(read.status())) {
    return absl::NotFoundError(base::StrCat("--backend ", base::Message(read.status())));
  }
  LOGQUERY_RETURN_IF_ERROR(read.status());
  arguments.data = read->folder;
  arguments.engine = *std::move(read);
  return absl::OkStatus();
}

absl::StatusOr<BackendTables> TablesOf(const std::string& file) {
  if (file.empty()) {
    Capabilities embedded;
    embedded.dialect = Dialect::kDuckDb;
    return BackendTables{Catalog::DeclaredLogs(), std::move(embedded)};
  }
  ServiceArguments arguments;
  arguments.backend = file;
  LOGQUERY_RETURN_IF_ERROR(ReadBackend(arguments));
  LOGQUERY_ASSIGN_OR_RETURN(const OpenedBackend opened, OpenBackend(*arguments.engine, {.read_only = true}));
  LOGQUERY_ASSIGN_OR_RETURN(Catalog catalog, opened.backend->ReadCatalog());
  return BackendTables{std::move(catalog), opened.backend->capabilities()};
}

}  // namespace logquery::shim
