// The table of engines: how each is described in a backend file and opened. engines.cc is the only file that asks with which
// engines this logquery is built.
#ifndef LOGQUERY_LIB_SERVING_DEPLOYMENT_ENGINES_H_
#define LOGQUERY_LIB_SERVING_DEPLOYMENT_ENGINES_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "lib/base/json_fields.h"
#include "lib/serving/store/folder_work.h"
#include "logquery/parquet_writer.h"
#include "logquery/serving/backend_file.h"

namespace logquery::serving {

struct Engine {
  std::string_view name;
  // Reads the engine's fields of a backend file, except "engine"; relative names are resolved against `folder`. nullptr: this
  // logquery is built without the engine.
  void (*read)(base::JsonFields& fields, const std::string& folder, BackendOptions& options) = nullptr;
  absl::StatusOr<OpenedBackend> (*open)(const BackendOptions& options, const BackendUse& use) = nullptr;
  // The work in the engine's data folder; nullptr: it has none. See folder_work.h.
  absl::StatusOr<FolderWork> (*open_work)(DuckDbBackend& backend, const DeploymentOptions& options) = nullptr;
  absl::Status (*declare_logs)(DuckDbBackend& backend, const std::string& data_folder, const std::string& source,
                               const std::string& json) = nullptr;
};

// Statuses: those of CheckEngine.
absl::StatusOr<const Engine*> FindEngine(std::string_view name);

// Returns what writes answers as Parquet; nullptr: this logquery is built without it.
std::unique_ptr<ParquetWriter> MakeParquetWriter();

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_DEPLOYMENT_ENGINES_H_
