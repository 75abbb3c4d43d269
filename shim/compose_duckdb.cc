// Opens a data folder with DuckDB, and takes logs into it by its spools.
#include "shim/compose_duckdb.h"

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "lib/base/status_macros.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/store/log_store.h"
#include "logquery/store/spool.h"
#include "shim/command/folder.h"
#include "shim/command/loading.h"
#include "shim/serve/upkeep.h"

namespace logquery::shim {
namespace {

class SpoolIntake : public LogIntake {
 public:
  explicit SpoolIntake(LogStore* store) : store_(store) {}

  absl::Status Open(const std::string& folder, const std::vector<std::string>& logs, const IntakeLog& log) {
    SpoolOptions options;
    options.folder = folder;
    options.logs = logs;
    options.log = log;
    LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<Spool> spool, Spool::Open(options, store_));
    spools_.push_back(std::move(spool));
    return absl::OkStatus();
  }
  void Start() override {
    for (const auto& spool : spools_) spool->Start();
  }
  void Stop() override {
    for (const auto& spool : spools_) spool->Stop();
  }
  absl::Status state() const override {
    absl::Status status;
    for (const auto& spool : spools_) status.Update(spool->state().stopped);
    return status;
  }

 private:
  LogStore* const store_;
  std::vector<std::unique_ptr<Spool>> spools_;
};

// Spools and background work of a server that owns the folder.
absl::StatusOr<EngineUpkeep> UpkeepOf(DuckDbBackend& backend, const ServeArguments& arguments, const IntakeLog& log) {
  std::vector<std::string> logs;
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, backend.ReadCatalog());
  for (const Table& table : catalog.tables()) {
    if (!table.log.empty()) logs.push_back(table.log);
  }
  auto intake = std::make_unique<SpoolIntake>(&backend.store());
  LOGQUERY_RETURN_IF_ERROR(intake->Open(SpoolIn(arguments.service.data), logs, log));
  if (!arguments.spool.empty()) LOGQUERY_RETURN_IF_ERROR(intake->Open(arguments.spool, logs, log));
  EngineUpkeep upkeep;
  upkeep.intake = std::move(intake);
  LOGQUERY_ASSIGN_OR_RETURN(upkeep.tasks, MakeUpkeep(arguments, logs, &backend.store(), log));
  return upkeep;
}

constexpr base::JsonFields::Range kMemoryLimitMb = {64, 1 << 24};
constexpr base::JsonFields::Range kEngineThreads = {0, 1'024};

}  // namespace

void ReadDuckDbSettings(base::JsonFields& fields, const std::string& folder, ServiceArguments& arguments) {
  const std::string data = fields.Text("folder");
  if (fields.ok() && data.empty()) fields.Fail("folder", "must not be empty: it names the data folder");
  arguments.data = (std::filesystem::path(folder) / data).string();
  arguments.memory_limit_mb = fields.Integer("memory_limit_mb", kMemoryLimitMb, arguments.memory_limit_mb);
  arguments.engine_threads = static_cast<int>(fields.Integer("threads", kEngineThreads, arguments.engine_threads));
}

absl::StatusOr<OpenedEngine> OpenDuckDbEngine(const ServiceArguments& arguments, bool read_only) {
  DuckDbOptions options;
  options.folder = arguments.data;
  options.read_only = read_only;
  options.memory_limit_bytes = arguments.memory_limit_mb * 1'000'000;
  options.threads = arguments.engine_threads;
  LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<DuckDbBackend> backend, OpenDuckDb(options));
  OpenedEngine engine;
  engine.actions = ActionsOn(*backend);
  if (!read_only) {
    engine.make_upkeep = [store = backend.get()](const ServeArguments& serve, const IntakeLog& log) {
      return UpkeepOf(*store, serve, log);
    };
  }
  engine.backend = std::move(backend);
  return engine;
}

}  // namespace logquery::shim
