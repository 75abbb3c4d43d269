// Puts a server together: folder, service, tokens, HTTP.
#include "shim/compose.h"

#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/parameter_binder.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/store/log_store.h"
#include "logquery/store/spool.h"
#include "shim/command/definitions.h"
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

// `store` becomes that of the folder, unless it is read-only.
absl::StatusOr<Composition> ComposeWith(QueryServiceOptions options, const ServiceArguments& arguments,
                                        const std::string& tokens, bool read_only, LogStore** store) {
  Composition parts;
  parts.clock = Clock::Real();
  if (!arguments.now.empty()) {
    const absl::StatusOr<absl::Time> now = ParseTimestamp(arguments.now);
    if (!now.ok()) return absl::InvalidArgumentError(base::StrCat("--now: ", base::Message(now.status())));
    parts.fixed_clock = std::make_unique<FixedClock>(*now);
    parts.clock = parts.fixed_clock.get();
  }
  LOGQUERY_ASSIGN_OR_RETURN(options.endpoints, AllDefinitions(arguments.endpoints));
  if (!tokens.empty()) {
    // Tokens expire by the machine's clock, whatever time the queries are told.
    LOGQUERY_ASSIGN_OR_RETURN(parts.authenticator, TokenFile::Open(tokens, Clock::Real()));
  }
  DuckDbOptions engine;
  engine.folder = arguments.data;
  engine.read_only = read_only;
  engine.memory_limit_bytes = arguments.memory_limit_mb * 1'000'000;
  engine.threads = arguments.engine_threads;
  LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<DuckDbBackend> backend, OpenDuckDb(engine));
  if (!read_only) *store = &backend->store();
  parts.actions = ActionsOn(*backend);
  parts.backend = std::move(backend);
  options.backend = parts.backend.get();
  options.clock = parts.clock;
  options.time_limit = absl::Seconds(arguments.time_limit_seconds);
  if (!read_only) {
    // Who runs a command wants what is there now.
    QueryServiceOptions local = options;
    local.cache_bytes = 0;
    local.warming_threads = 0;
    LOGQUERY_ASSIGN_OR_RETURN(parts.local_service, QueryService::Create(std::move(local)));
  }
  options.authenticator = parts.authenticator.get();
  LOGQUERY_ASSIGN_OR_RETURN(parts.service, QueryService::Create(std::move(options)));
  return parts;
}

// As the engine lays the folder out.
std::string TemporaryIn(const std::string& data_folder) { return data_folder + "/tmp"; }

std::string SpoolIn(const std::string& data_folder) { return data_folder + "/spool"; }

// How long answers may be, and where long ones wait for their clients.
absl::StatusOr<QueryServiceOptions> AnswerOptions(const ServeArguments& arguments) {
  QueryServiceOptions options;
  options.max_result_bytes = int64_t{arguments.max_answer_mb} << 20;
  options.max_body_memory = int64_t{arguments.answer_memory_mb} << 20;
  options.body_folder = arguments.temporary;
  if (!options.body_folder.empty()) return options;
  std::error_code error;
  options.body_folder =
      arguments.read_only ? std::filesystem::temp_directory_path(error).string() : TemporaryIn(arguments.service.data);
  if (error) return absl::InvalidArgumentError(base::StrCat("--temp: the system has no folder: ", error.message()));
  return options;
}

}  // namespace

absl::StatusOr<Composition> Compose(const ServiceArguments& arguments, const std::string& tokens) {
  return ComposeWith({}, arguments, tokens, /*read_only=*/true, nullptr);
}

absl::StatusOr<Composition> ComposeServer(const ServeArguments& arguments, ExecutionGuard* guard,
                                          const IntakeLog& log) {
  const std::string& data = arguments.service.data;
  // A mistyped name is not to become a new folder.
  std::error_code ignored;
  if (!std::filesystem::exists(data, ignored)) {
    return absl::NotFoundError(base::StrCat("there is no folder ", data, "; make it, or load logs into it"));
  }
  LogStore* store = nullptr;
  LOGQUERY_ASSIGN_OR_RETURN(QueryServiceOptions options, AnswerOptions(arguments));
  options.guard = guard;
  absl::StatusOr<Composition> parts =
      ComposeWith(std::move(options), arguments.service, arguments.tokens, arguments.read_only, &store);
  if (absl::IsPermissionDenied(parts.status())) {
    return absl::PermissionDeniedError(
        base::StrCat(base::Message(parts.status()), "; a folder that may not be written is served with --read-only"));
  }
  if (!parts.ok() || arguments.read_only) return parts;
  std::vector<std::string> logs;
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, parts->backend->ReadCatalog());
  for (const Table& table : catalog.tables()) {
    if (!table.log.empty()) logs.push_back(table.log);
  }
  auto intake = std::make_unique<SpoolIntake>(store);
  LOGQUERY_RETURN_IF_ERROR(intake->Open(SpoolIn(data), logs, log));
  if (!arguments.spool.empty()) LOGQUERY_RETURN_IF_ERROR(intake->Open(arguments.spool, logs, log));
  parts->intake = std::move(intake);
  LOGQUERY_ASSIGN_OR_RETURN(parts->upkeep, MakeUpkeep(arguments, logs, store, log));
  return parts;
}

namespace {

TimestampUnit UnitOf(std::string_view text) {
  if (text == "s") return TimestampUnit::kSeconds;
  if (text == "ms") return TimestampUnit::kMilliseconds;
  return text == "ns" ? TimestampUnit::kNanoseconds : TimestampUnit::kMicroseconds;
}

void AddTo(LoadTotals& totals, const LoadReport& report) {
  totals.rows += report.rows;
  totals.rejected_rows += report.rejected_rows;
  totals.duplicate_rows += report.duplicate_rows;
  totals.bytes += report.bytes;
  totals.files_loaded += report.files_loaded;
  totals.time += report.time;
  for (const std::string& file : report.files_skipped) totals.files_skipped.push_back(file);
  for (const std::string& field : report.undeclared_fields) totals.undeclared_fields.push_back(field);
  for (const LearnedField& field : report.learned_fields) {
    totals.learned_fields.push_back(base::StrCat(field.path, " ", field.type.ToString()));
  }
  for (const LearnedField& field : report.widened_fields) {
    totals.widened_fields.push_back(
        base::StrCat(field.path, " ", field.narrower.ToString(), " to ", field.type.ToString()));
  }
  for (const LoadReport::Rejected& row : report.first_rejected) {
    totals.first_rejected.push_back(base::StrCat(row.file, ":", row.line, ": ", row.reason));
  }
  if (!report.rejected_folder.empty()) totals.rejected_folder = report.rejected_folder;
}

}  // namespace

absl::Status LoadLogs(const LoadJob& job, LoadTotals& totals) {
  const std::string spool = SpoolIn(job.folder);
  const bool is_served = IsSpoolServed(spool);
  std::unique_ptr<DuckDbBackend> backend;
  if (!is_served) {
    DuckDbOptions options;
    options.folder = job.folder;
    LOGQUERY_ASSIGN_OR_RETURN(backend, OpenDuckDb(options));
  }
  for (const auto& [table, files] : job.files) {
    LoadRequest request;
    request.table = table;
    request.files = files;
    request.timestamp_unit = UnitOf(job.timestamp_unit);
    request.dedupe_by_id = job.dedupe_by_id;
    const auto progress = [&job](const LoadProgress& now) {
      job.progress(now.file, now.rows, now.bytes_done, now.bytes_total);
    };
    LOGQUERY_ASSIGN_OR_RETURN(LoadReport report,
                              is_served ? LoadBySpool(spool, request) : backend->store().Load(request, progress));
    if (is_served && report.rejected_rows > 0) report.rejected_folder = job.folder + "/rejected";
    AddTo(totals, report);
  }
  return is_served ? absl::OkStatus() : backend->store().Checkpoint();
}

}  // namespace logquery::shim
