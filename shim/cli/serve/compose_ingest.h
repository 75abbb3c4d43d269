// Takes logs in from HTTP requests into a data folder of DuckDB's.
#ifndef LOGQUERY_SHIM_CLI_SERVE_COMPOSE_INGEST_H_
#define LOGQUERY_SHIM_CLI_SERVE_COMPOSE_INGEST_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "shim/http/logs/ingest.h"
#include "shim/http/logs/source_ids.h"

namespace logquery {
class DuckDbBackend;
}

namespace logquery::shim {

struct IngestSettings {
  int64_t max_bytes = 256 << 20;  // of bodies on their way in
  int64_t max_requests = 128;     // under way at one time
  // A source that no log has becomes one while its project has made fewer; 0: none does.
  int64_t max_new_logs = 0;
  SourceIds source_ids = {};  // of logs that there are
  // As OpenedEngine::declare_logs. Empty: as DuckDbBackend has it.
  std::function<absl::Status(const std::string& source, const std::string& json)> declare = {};
};

// `backend` is borrowed. What QueryBackend::ReadCatalog returns. InvalidArgument: a source's UUID stands for a log that there is not.
absl::StatusOr<std::unique_ptr<LogIngest>> MakeIngest(DuckDbBackend& backend, IngestSettings settings);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_COMPOSE_INGEST_H_
