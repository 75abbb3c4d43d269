// Opens a data folder for one command, and writes reports of the store as JSON.
#include "shim/cli/folder/folder.h"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/serving/store/maintenance_lines.h"
#include "logquery/clock.h"
#include "logquery/store/backup.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/store/erasure.h"
#include "logquery/store/export.h"
#include "logquery/store/folder_check.h"
#include "logquery/store/learned_fields.h"
#include "logquery/store/spool.h"
#include "shim/cli/folder/forget_field.h"

namespace logquery::shim {
namespace {

using base::Json;

std::string TimeText(absl::Time time) { return absl::FormatTime("%Y-%m-%dT%H:%M:%E*SZ", time, absl::UTCTimeZone()); }

// How much of its budget of learned columns a log has used, and each project and token.
Json BudgetJson(const std::vector<LearnedLog>& logs, const std::string& table) {
  for (const LearnedLog& log : logs) {
    if (log.table != table) continue;
    Json projects = Json::array();
    for (const LearnedLog::Project& project : log.projects) {
      projects.push_back(
          {{"project", project.project}, {"columns", project.columns}, {"max_columns", project.max_columns}});
    }
    Json tokens = Json::array();
    for (const LearnedLog::Token& token : log.tokens) {
      tokens.push_back({{"token", token.id}, {"columns", token.columns}, {"max_columns", token.max_columns}});
    }
    return {{"columns", log.columns},
            {"max_columns", log.max_columns},
            {"projects", std::move(projects)},
            {"tokens", std::move(tokens)}};
  }
  return nullptr;
}

absl::StatusOr<std::string> StatsJson(DuckDbBackend& backend) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<TableStats> all, backend.ReadStats());
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<LearnedLog> learned_logs, ReadLearnedLogs(backend));
  Json tables = Json::array();
  for (const TableStats& stats : all) {
    Json learned = Json::array();
    for (const LearnedField& field : stats.learned_fields) {
      learned.push_back({{"path", field.path}, {"type", field.type.ToString()}});
    }
    tables.push_back(
        {{"table", stats.table},
         {"log", stats.log},
         {"rows", stats.rows},
         {"learned_fields", std::move(learned)},
         {"learned_columns", BudgetJson(learned_logs, stats.table)},
         {"rows_with_undeclared_fields", stats.rows_with_undeclared_fields},
         {"first", stats.first.has_value() ? Json(TimeText(*stats.first)) : Json()},
         {"last", stats.last.has_value() ? Json(TimeText(*stats.last)) : Json()},
         {"days", stats.days},
         {"bytes_on_disk", stats.bytes_on_disk},
         {"bytes_read", stats.bytes_read},
         {"loads", stats.loads},
         {"rejected_rows", stats.rejected_rows},
         {"rejected_event_bytes", stats.rejected_event_bytes},
         {"removed_rejected_events", stats.removed_rejected_events},
         {"clustered_rows", stats.clustered_rows},
         {"removed_rows", stats.removed_rows},
         {"removed_before", stats.removed_before.has_value() ? Json(TimeText(*stats.removed_before)) : Json()}});
  }
  return Json{{"tables", std::move(tables)}}.ToString();
}

absl::StatusOr<std::string> BackupJson(DuckDbBackend& backend, const std::string& target, const GiveUp& give_up) {
  CancellationSource stop;
  BackupRequest request;
  request.target = target;
  request.cancellation = stop.token();
  request.progress = [&] {
    if (give_up && give_up()) stop.Cancel();
  };
  LOGQUERY_ASSIGN_OR_RETURN(const BackupReport report, backend.Backup(request));
  return Json{{"target", target},
              {"files", report.files},
              {"bytes", report.bytes},
              {"rows", report.rows},
              {"loads_waited_ms", absl::ToInt64Milliseconds(report.held)},
              {"time_ms", absl::ToInt64Milliseconds(report.time)}}
      .ToString();
}

std::string FindingsJson(const std::vector<FolderFinding>& findings) {
  constexpr const char* kKinds[] = {"note", "warning", "error"};
  Json list = Json::array();
  for (const FolderFinding& finding : findings) {
    list.push_back({{"kind", kKinds[static_cast<int>(finding.kind)]},
                    {"what", finding.what},
                    {"to_do", finding.to_do},
                    {"repaired", finding.repaired}});
  }
  return Json{{"findings", std::move(list)}}.ToString();
}

absl::StatusOr<std::string> EraseJson(DuckDbBackend& backend, const std::string& folder, const ProjectToErase& erased) {
  EraseRequest request;
  request.project = erased.project;
  request.dry_run = erased.dry_run;
  request.cancellation = erased.cancellation;
  LOGQUERY_ASSIGN_OR_RETURN(const EraseReport report, backend.store().Erase(request));
  const SpoolContents spool = CountSpool(SpoolIn(folder));
  Json tables = Json::array();
  for (const EraseReport::Table& table : report.tables) {
    tables.push_back({{"table", table.table}, {"log", table.log}, {"rows", table.rows}});
  }
  return Json{{"project", erased.project},
              {"dry_run", erased.dry_run},
              {"rows", report.rows},
              {"tables", std::move(tables)},
              {"rejected_rows", report.rejected_rows},
              {"idempotency_keys", report.idempotency_keys},
              {"not_read",
               {{"rejected_rows_of_no_project", report.unknown_rejected_rows},
                {"spool_files_waiting", spool.waiting_files},
                {"spool_bytes_waiting", spool.waiting_bytes},
                {"spool_files_failed", spool.failed_files}}}}
      .ToString();
}

// Loads all files that are whole by now. A file that is not, or fails, stays and is counted.
absl::Status LoadSpool(const std::string& folder, LogStore& store) {
  std::error_code none;
  if (!std::filesystem::is_directory(SpoolIn(folder), none)) return absl::OkStatus();
  SpoolOptions options;
  options.folder = SpoolIn(folder);
  options.batch_time = absl::ZeroDuration();
  LOGQUERY_ASSIGN_OR_RETURN(const std::unique_ptr<Spool> spool, Spool::Open(options, &store));
  const auto done = [&] { return spool->state().files_loaded + spool->state().files_failed; };
  int64_t before = -1;
  while (done() > before) {
    before = done();
    spool->TakeReady().IgnoreError();  // its file stays, and is counted
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<DuckDbBackend>> OpenToWrite(const std::string& folder,
                                                           PackedRecords packed = PackedRecords::kOpenDays) {
  std::error_code unknown;  // opening the folder says why it can't be looked at
  // A mistyped name is not to become a new folder.
  if (!std::filesystem::exists(folder, unknown) && !unknown) return absl::NotFoundError("there is no folder " + folder);
  DuckDbOptions options;
  options.folder = folder;
  options.packed_records = packed;
  return OpenDuckDb(options);
}

absl::StatusOr<std::unique_ptr<DuckDbBackend>> OpenToRead(const std::string& folder) {
  DuckDbOptions options;
  options.folder = folder;
  options.read_only = true;
  return OpenDuckDb(options);
}

}  // namespace

FolderActions ActionsOn(DuckDbBackend& backend, const std::string& folder) {
  return {[&backend] { return StatsJson(backend); },
          [&backend](const std::string& target, const GiveUp& give_up) { return BackupJson(backend, target, give_up); },
          [&backend](bool read_rows) -> absl::StatusOr<std::string> {
            LOGQUERY_ASSIGN_OR_RETURN(const std::vector<FolderFinding> findings, backend.Check(read_rows));
            return FindingsJson(findings);
          },
          [&backend, folder](const ProjectToErase& erased) { return EraseJson(backend, folder, erased); }};
}

absl::StatusOr<std::string> FolderStats(const std::string& folder) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::unique_ptr<DuckDbBackend> backend, OpenToRead(folder));
  return StatsJson(*backend);
}

absl::StatusOr<std::string> BackUpFolder(const std::string& folder, const std::string& target) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::unique_ptr<DuckDbBackend> backend, OpenToRead(folder));
  return BackupJson(*backend, target, nullptr);
}

absl::StatusOr<int64_t> ClusterFolder(const std::string& folder, PackedRecords packed,
                                      const std::function<void(const std::string&)>& on_day) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::unique_ptr<DuckDbBackend> backend, OpenToWrite(folder, packed));
  ClusterRequest request;
  request.now = Clock::Real()->Now();
  request.on_day = [&](const ClusteredDay& day) { on_day(serving::ClusteredText(day)); };
  LOGQUERY_ASSIGN_OR_RETURN(const ClusterReport report, backend->store().Cluster(request));
  return report.rows;
}

absl::StatusOr<std::string> EraseInFolder(const std::string& folder, const ProjectToErase& erased) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::unique_ptr<DuckDbBackend> backend, OpenToWrite(folder));
  if (!erased.dry_run) LOGQUERY_RETURN_IF_ERROR(LoadSpool(folder, backend->store()));
  return EraseJson(*backend, folder, erased);
}

absl::StatusOr<std::string> ForgetInFolder(const ForgetFieldArguments& arguments) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::unique_ptr<DuckDbBackend> backend, OpenToWrite(arguments.data));
  ForgetRequest request{arguments.log, arguments.field};
  if (!arguments.project.empty()) request.project = arguments.project;
  request.dry_run = arguments.dry_run;
  LOGQUERY_ASSIGN_OR_RETURN(const ForgetReport report, ForgetFields(*backend, request));
  Json fields = Json::array();
  for (const ForgetReport::Field& field : report.fields) {
    fields.push_back({{"path", field.path}, {"type", field.type}, {"rows", field.rows}, {"freed", field.freed}});
  }
  return Json{{"log", arguments.log}, {"dry_run", arguments.dry_run}, {"fields", std::move(fields)}}.ToString();
}

absl::StatusOr<std::string> CheckDataFolder(const std::string& folder, bool repair, bool read_rows) {
  FolderCheckOptions options;
  options.folder = folder;
  options.repair = repair;
  options.read_rows = read_rows;
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<FolderFinding> findings, CheckFolder(options));
  return FindingsJson(findings);
}

absl::StatusOr<Exported> ExportLogs(const ExportJob& job) {
  ExportRequest request;
  request.folder = job.folder;
  request.target = job.target;
  request.logs = job.logs;
  request.from = job.from;
  request.to = job.to;
  request.database = job.database;
  request.layout = job.layout;
  request.memory_limit_bytes = job.memory_limit_bytes;
  request.on_file = [&job](const ExportedFile& file) {
    if (job.on_file) job.on_file(file.name, file.rows, file.before);
  };
  LOGQUERY_ASSIGN_OR_RETURN(const ExportReport report, ExportFolder(request));
  return Exported{report.files, report.rows, report.bytes, report.kept};
}

absl::StatusOr<Restored> RestoreFolder(const std::string& backup, const std::string& folder) {
  LOGQUERY_ASSIGN_OR_RETURN(const RestoreReport report, RestoreBackup({backup, folder}));
  return Restored{report.files, report.bytes, report.rows, report.made_at, report.time};
}

}  // namespace logquery::shim
