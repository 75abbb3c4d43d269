// Reads what the command line says, has the rows imported, and prints what became of each source.
#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "lib/base/given_secret.h"
#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/tools/own_logs_file.h"
#include "shim/cli/folder/folder_stats.h"
#include "shim/cli/folder/load_notes.h"
#include "shim/cli/migrate/import_command.h"
#include "shim/cli/migrate/row_import.h"
#include "shim/cli/options/progress_line.h"
#include "shim/cli/options/reporting.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;
using base::StrCat;

constexpr int kWidth = 2'000;
constexpr size_t kShownRejects = 20;

absl::StatusOr<std::vector<std::pair<std::string, std::string>>> LogsOf(const std::vector<std::string>& options) {
  std::vector<std::pair<std::string, std::string>> logs;
  for (const std::string& option : options) {
    const size_t equals = option.rfind('=');
    if (equals == 0 || equals == option.npos || equals + 1 == option.size()) {
      return absl::InvalidArgumentError(StrCat("--source ", option, ": it is SOURCE=LOG, such as my.source=edge_logs"));
    }
    logs.emplace_back(option.substr(0, equals), option.substr(equals + 1));
  }
  return logs;
}

absl::StatusOr<RowImportJob> JobOf(const ImportRowsArguments& arguments) {
  RowImportJob job;
  job.dsn = arguments.dsn;
  job.schema = arguments.schema_on_server;
  job.folder = arguments.data;
  job.dry_run = arguments.dry_run;
  if (!arguments.password_file.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(job.password, base::ReadSecretFile(arguments.password_file));
  }
  LOGQUERY_ASSIGN_OR_RETURN(job.logs, LogsOf(arguments.sources));
  LOGQUERY_ASSIGN_OR_RETURN(endpoint::OwnLogsFile own, endpoint::ReadOwnLogsFile(arguments.schema, ""));
  job.own_logs_json = std::move(own.json);
  job.own_logs_source = std::move(own.path);
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog declared,
                            endpoint::AddOwnLogs(Catalog::DeclaredLogs(), arguments.schema, ""));
  LOGQUERY_ASSIGN_OR_RETURN(job.catalog, LogsOfFolder(declared, arguments.data));
  std::error_code error;
  const fs::path parent = fs::path(arguments.data).lexically_normal().parent_path();
  if (!parent.empty()) fs::create_directories(parent, error);
  if (error) return absl::UnavailableError(StrCat("can't make the folder ", parent.string(), ": ", error.message()));
  return job;
}

std::string LineOf(const ImportedSource& source, bool dry_run) {
  const std::string there = StrCat(Counted(source.rows_there, "row"), " of ", Counted(source.days, "day"));
  if (!source.problem.empty()) return StrCat(source.name, ": not imported: ", source.problem, "; it is ", source.table);
  if (dry_run) return StrCat(source.name, ": ", there, " would go into ", source.log);
  std::string line =
      StrCat(source.name, ": ", WithCommas(source.totals.rows), " of ", there, " imported into ", source.log);
  if (source.totals.rejected_rows > 0) line += StrCat(", ", WithCommas(source.totals.rejected_rows), " rejected");
  if (source.totals.duplicate_rows > 0)
    line += StrCat(", ", WithCommas(source.totals.duplicate_rows), " there already");
  if (source.days_before > 0) line += StrCat(", ", Counted(source.days_before, "day"), " imported before");
  return line;
}

void AddNew(const std::vector<std::string>& from, std::vector<std::string>& to) {
  for (const std::string& one : from) {
    if (std::find(to.begin(), to.end(), one) == to.end()) to.push_back(one);
  }
}

// The notes of all sources, each once; parts of a source repeat them.
LoadTotals Together(const std::vector<ImportedSource>& sources) {
  LoadTotals all;
  for (const ImportedSource& source : sources) {
    all.rows += source.totals.rows;
    all.rejected_rows += source.totals.rejected_rows;
    AddCounts(source.totals.rejected_by_reason, all.rejected_by_reason);
    AddNew(source.totals.learned_fields, all.learned_fields);
    AddNew(source.totals.widened_fields, all.widened_fields);
    AddNew(source.totals.undeclared_fields, all.undeclared_fields);
    for (const std::string& row : source.totals.first_rejected) {
      if (all.first_rejected.size() < kShownRejects) all.first_rejected.push_back(StrCat(source.name, ": ", row));
    }
    if (!source.totals.rejected_folder.empty()) all.rejected_folder = source.totals.rejected_folder;
  }
  return all;
}

base::Json JsonOf(const std::vector<ImportedSource>& sources, const LoadTotals& all) {
  base::Json list = base::Json::array();
  for (const ImportedSource& source : sources) {
    list.push_back({{"source", source.name},
                    {"table", source.table},
                    {"log", source.log},
                    {"problem", source.problem},
                    {"rows_there", source.rows_there},
                    {"days", source.days},
                    {"days_before", source.days_before},
                    {"rows", source.totals.rows},
                    {"rejected_rows", source.totals.rejected_rows},
                    {"rejected_by_reason", ReasonsJson(source.totals.rejected_by_reason)},
                    {"duplicate_rows", source.totals.duplicate_rows}});
  }
  return {{"sources", std::move(list)}, {"rejected_folder", all.rejected_folder}};
}

std::string TextOf(const RowImportReport& report, const LoadTotals& all, bool dry_run) {
  std::vector<std::string> lines;
  for (const ImportedSource& source : report.sources) {
    if (source.problem.empty()) lines.push_back(OneLine(LineOf(source, dry_run), kWidth));
  }
  if (!all.rejected_folder.empty())
    lines.push_back(OneLine(StrCat("rejected rows are in ", all.rejected_folder), kWidth));
  return base::Join(lines, "\n");
}

}  // namespace

int RunImportRows(const ImportRowsArguments& arguments, const Terminal& terminal) {
  absl::StatusOr<RowImportJob> job = JobOf(arguments);
  if (!job.ok()) return Fail(terminal, job.status());
  const bool notes = PrintsNotes(arguments.reporting);
  ProgressLine line(terminal, notes);
  job->progress = [&line](const ImportedSource& now, int64_t read) { line.Show(now.name, read, read, now.rows_there); };
  RowImportReport report;
  const absl::Status status = ImportRows(*job, report);
  line.Clear();
  const auto note = [&](const std::string& text) { terminal.err << OneLine(text, kWidth) << "\n"; };
  bool is_complete = true;
  for (const std::string& text : report.notes) {
    if (notes) note(StrCat("  ", text));
  }
  for (const ImportedSource& source : report.sources) {
    if (source.problem.empty()) continue;
    is_complete = false;
    if (!arguments.reporting.json) note(LineOf(source, arguments.dry_run));
  }
  const LoadTotals all = Together(report.sources);
  if (notes) PrintLoadNotes(all, terminal);
  const std::string text = TextOf(report, all, arguments.dry_run);
  if (arguments.reporting.json || !text.empty())
    PrintReport(arguments.reporting, text, JsonOf(report.sources, all), terminal);
  if (!status.ok()) return Fail(terminal, status);
  if (report.sources.empty()) note("there is no table of Logflare's, log_events_UUID, that this role sees");
  return is_complete && all.rejected_rows == 0 && !report.sources.empty() ? kExitOk : kExitSomeRejected;
}

}  // namespace logquery::shim
