// Opens a data folder with DuckDB, and takes logs into it by its spools.
#include "shim/cli/serve/compose_duckdb.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/serving/log_receiver.h"
#include "logquery/serving/maintenance.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/store/log_store.h"
#include "logquery/store/spool.h"
#include "shim/cli/folder/folder.h"
#include "shim/cli/folder/loading.h"
#include "shim/cli/query/own_logs_file.h"
#include "shim/cli/serve/retain_option.h"
#include "shim/cli/serve/source_ids.h"

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
  IntakeCounters counters() const override {
    IntakeCounters counters;
    for (const auto& spool : spools_) {
      const SpoolState state = spool->state();
      counters.waiting_files += state.waiting_files;
      counters.waiting_bytes += state.waiting_bytes;
      counters.ignored_files += state.ignored_files;
      counters.files_loaded += state.files_loaded;
      counters.files_failed += state.files_failed;
      counters.rows += state.rows;
      counters.lag = std::max(counters.lag, state.lag);
    }
    return counters;
  }

 private:
  LogStore* const store_;
  std::vector<std::unique_ptr<Spool>> spools_;
};

absl::StatusOr<std::vector<std::string>> LogsOf(DuckDbBackend& backend) {
  std::vector<std::string> logs;
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, backend.ReadCatalog());
  for (const Table& table : catalog.tables()) {
    if (!table.log.empty()) logs.push_back(table.log);
  }
  return logs;
}

// Once the server takes logs in, new ones get their folders in its spool as those had that it began with.
absl::Status DeclareLogs(DuckDbBackend& backend, const std::string& data, const std::string& source,
                         const std::string& json) {
  LOGQUERY_RETURN_IF_ERROR(backend.DeclareLogs(source, json));
  std::error_code error;
  if (!std::filesystem::is_directory(SpoolIn(data), error)) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, backend.ReadCatalog());
  for (const Table& table : catalog.tables()) {
    if (table.log.empty()) continue;
    const std::string folder = base::StrCat(SpoolIn(data), "/", table.log);
    std::filesystem::create_directory(folder, error);
    if (error) return absl::UnavailableError(base::StrCat("can't make the folder ", folder, ": ", error.message()));
  }
  return absl::OkStatus();
}

// Spools and background work of a server that owns the folder.
absl::StatusOr<EngineUpkeep> UpkeepOf(DuckDbBackend& backend, const ServeArguments& arguments, const IntakeLog& log) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<std::string> logs, LogsOf(backend));
  auto intake = std::make_unique<SpoolIntake>(&backend.store());
  LOGQUERY_RETURN_IF_ERROR(intake->Open(SpoolIn(arguments.service.data), logs, log));
  if (!arguments.spool.empty()) LOGQUERY_RETURN_IF_ERROR(intake->Open(arguments.spool, logs, log));
  EngineUpkeep upkeep;
  upkeep.intake = std::move(intake);
  if (arguments.ingest) {
    LogReceiverOptions options;
    options.max_bytes = int64_t{arguments.ingest_memory_mb} << 20;
    // A request with logs keeps a thread until its rows are on the disk: most threads are left to queries.
    options.max_requests = std::max(1, arguments.max_connections / 4);
    options.max_new_logs = arguments.new_sources;
    LOGQUERY_ASSIGN_OR_RETURN(options.source_ids, ParseSourceIds(arguments.source_ids));
    options.declare = [&backend, data = arguments.service.data](const std::string& source, const std::string& json) {
      return DeclareLogs(backend, data, source, json);
    };
    LOGQUERY_ASSIGN_OR_RETURN(upkeep.receiver, LogReceiver::Create(&backend, std::move(options)));
  }
  // By the machine's clock, whatever time the queries are told.
  MaintenanceOptions maintenance;
  maintenance.log = log;
  LOGQUERY_ASSIGN_OR_RETURN(maintenance.rules, MaintenanceRulesOf(arguments));
  LOGQUERY_ASSIGN_OR_RETURN(upkeep.maintenance, Maintenance::Create(&backend, std::move(maintenance)));
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
  LOGQUERY_ASSIGN_OR_RETURN(OwnLogsFile own, ReadOwnLogsFile(arguments.schema, arguments.endpoints));
  DuckDbOptions options;
  options.own_logs_json = std::move(own.json);
  options.own_logs_source = std::move(own.path);
  options.folder = arguments.data;
  options.read_only = read_only;
  options.memory_limit_bytes = arguments.memory_limit_mb * 1'000'000;
  options.threads = arguments.engine_threads;
  LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<DuckDbBackend> backend, OpenDuckDb(options));
  OpenedEngine engine;
  engine.actions = ActionsOn(*backend, arguments.data);
  if (!read_only) {
    engine.declare_logs = [store = backend.get(), data = arguments.data](const std::string& source,
                                                                         const std::string& json) {
      return DeclareLogs(*store, data, source, json);
    };
    engine.make_upkeep = [store = backend.get()](const ServeArguments& serve, const IntakeLog& log) {
      return UpkeepOf(*store, serve, log);
    };
  }
  engine.backend = std::move(backend);
  return engine;
}

}  // namespace logquery::shim
