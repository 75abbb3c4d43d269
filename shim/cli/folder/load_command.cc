// The command load: assigns files to tables by their names, loads them, and prints progress and a summary.
#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/tools/own_logs_file.h"
#include "logquery/catalog.h"
#include "logquery/clock.h"
#include "shim/cli/folder/folder_stats.h"
#include "shim/cli/folder/load_notes.h"
#include "shim/cli/folder/loading.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/options/nearest_names.h"
#include "shim/cli/options/packed_records_option.h"
#include "shim/cli/options/progress_line.h"
#include "shim/cli/options/reporting.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;

// "logs/edge_logs.ndjson.gz" → "edge_logs"; empty for a name that is not of that form.
std::string LogNameOf(const std::string& file) {
  fs::path name = fs::path(file).filename();
  if (name.extension() == ".gz" || name.extension() == ".zst") name = name.stem();
  return name.extension() == ".ndjson" || name.extension() == ".jsonl" ? name.stem().string() : "";
}

absl::StatusOr<std::string> TableOf(const Catalog& catalog, std::string_view name) {
  std::vector<std::string> names;
  for (const Table& table : catalog.tables()) {
    if (base::EqualsIgnoreCase(table.name, name) || base::EqualsIgnoreCase(table.log, name)) return table.name;
    names.push_back(table.name);
    if (table.log != table.name) names.push_back(table.log);
  }
  return absl::InvalidArgumentError(base::StrCat(
      "there is no log ", name, DidYouMean(name, names), "\nThe logs: ", base::Join(names, ", "),
      "\nTo declare a log of your own by its rows: logquery schema --infer FILE --out schema.json, and load "
      "with --schema schema.json"));
}

// `others` gets the files that look like logs and are of none.
absl::StatusOr<std::vector<std::string>> FilesInFolder(const std::string& folder, const Catalog& catalog,
                                                       std::vector<std::string>& others) {
  std::error_code error;
  std::vector<std::string> files;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = LogNameOf(entry->path().string());
    if (!name.empty()) (TableOf(catalog, name).ok() ? files : others).push_back(entry->path().string());
  }
  if (error) return absl::NotFoundError(base::StrCat("can't read the folder ", folder, ": ", error.message()));
  if (files.empty())
    return absl::NotFoundError(base::StrCat("there is no file of a log, such as edge_logs.ndjson, in ", folder));
  std::sort(files.begin(), files.end());
  return files;
}

absl::StatusOr<FilesOfTables> SortByTable(const LoadArguments& arguments, const Catalog& catalog,
                                          std::vector<std::string>& others) {
  FilesOfTables sorted;
  for (const std::string& argument : arguments.files) {
    std::vector<std::string> files = {argument};
    std::error_code ignored;
    if (argument != "-" && !fs::exists(argument, ignored)) {
      return absl::NotFoundError(base::StrCat("there is no such file: ", argument));
    }
    if (fs::is_directory(argument, ignored)) {
      if (arguments.source != "auto") {
        return absl::InvalidArgumentError(base::StrCat(argument,
                                                       " is a folder: its files are told apart by their names, "
                                                       "without --source"));
      }
      LOGQUERY_ASSIGN_OR_RETURN(files, FilesInFolder(argument, catalog, others));
    }
    for (std::string& file : files) {
      const std::string name = arguments.source == "auto" ? LogNameOf(file) : arguments.source;
      if (name.empty()) {
        return absl::InvalidArgumentError(base::StrCat(file, " does not say which log it is of; --source does"));
      }
      LOGQUERY_ASSIGN_OR_RETURN(const std::string table, TableOf(catalog, name));
      if (sorted.empty() || sorted.back().first != table) sorted.emplace_back(table, std::vector<std::string>());
      sorted.back().second.push_back(std::move(file));
    }
  }
  return sorted;
}

std::string TotalText(const LoadTotals& totals) {
  std::string text =
      base::StrCat(Counted(totals.rows, "row"), " accepted, ", WithCommas(totals.rejected_rows), " rejected");
  if (totals.duplicate_rows > 0) base::StrAppend(&text, ", ", WithCommas(totals.duplicate_rows), " there already");
  base::StrAppend(&text, "; ", Counted(totals.files_loaded, "file"), " loaded");
  if (!totals.files_without_rows.empty()) {
    base::StrAppend(&text, ", ", WithCommas(static_cast<int64_t>(totals.files_without_rows.size())), " without rows");
  }
  if (!totals.files_skipped.empty()) base::StrAppend(&text, ", ", totals.files_skipped.size(), " skipped");
  base::StrAppend(&text, ", ", Counted(totals.learned_fields.size(), "field"), " learned, ",
                  totals.undeclared_fields.size(), " not in columns; ", BytesText(totals.bytes), " in ",
                  DurationText(totals.time));
  if (totals.rows > 0 && totals.time > absl::ZeroDuration()) {
    const double rate = static_cast<double>(totals.rows) / absl::ToDoubleSeconds(totals.time);
    base::StrAppend(&text, " (", WithCommas(static_cast<int64_t>(rate)), " rows/s)");
  }
  if (!totals.rejected_folder.empty()) base::StrAppend(&text, "; rejected rows are in ", totals.rejected_folder);
  return text;
}

base::Json TotalJson(const LoadTotals& totals) {
  return {{"rows", totals.rows},
          {"rejected_rows", totals.rejected_rows},
          {"duplicate_rows", totals.duplicate_rows},
          {"rejected_before", totals.rejected_before},
          {"bytes", totals.bytes},
          {"files_loaded", totals.files_loaded},
          {"files_without_rows", totals.files_without_rows},
          {"files_skipped", totals.files_skipped},
          {"learned_fields", totals.learned_fields},
          {"widened_fields", totals.widened_fields},
          {"undeclared_fields", totals.undeclared_fields},
          {"first_rejected", totals.first_rejected},
          {"rejected_by_reason", ReasonsJson(totals.rejected_by_reason)},
          {"rejected_folder", totals.rejected_folder},
          {"time_ms", absl::ToInt64Milliseconds(totals.time)}};
}

// Looks into the folder only for names that nothing else declares.
absl::StatusOr<FilesOfTables> FindFiles(const LoadArguments& arguments, std::vector<std::string>& others) {
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog declared,
                            endpoint::AddOwnLogs(Catalog::DeclaredLogs(), arguments.schema, ""));
  absl::StatusOr<FilesOfTables> files = SortByTable(arguments, declared, others);
  if (files.ok() && others.empty()) return files;
  const absl::StatusOr<Catalog> known = LogsOfFolder(declared, arguments.data);
  // The folder may declare the names that nothing else does. If all are right, it says why when it is loaded into.
  if (!known.ok() && absl::IsInvalidArgument(files.status())) return known.status();
  if (!known.ok()) return files;
  others.clear();
  return SortByTable(arguments, *known, others);
}

}  // namespace

int RunLoad(const LoadArguments& arguments, const Terminal& terminal) {
  std::vector<std::string> others;
  absl::StatusOr<FilesOfTables> files = FindFiles(arguments, others);
  if (!files.ok()) return Fail(terminal, files.status());
  absl::StatusOr<endpoint::OwnLogsFile> own = endpoint::ReadOwnLogsFile(arguments.schema, "");
  if (!own.ok()) return Fail(terminal, own.status());
  const absl::StatusOr<PackedRecords> packed = ParsePackedRecords(arguments.packed_records);
  if (!packed.ok()) return Fail(terminal, packed.status());
  std::sort(others.begin(), others.end());
  const bool notes = PrintsNotes(arguments.reporting);
  for (const std::string& other : others) {
    if (notes) terminal.err << "  skipped, as it is of no log: " << OneLine(other, 300) << "\n";
  }
  std::error_code error;
  const fs::path parent = fs::path(arguments.data).lexically_normal().parent_path();
  if (!parent.empty()) fs::create_directories(parent, error);
  if (error)
    return Fail(terminal,
                absl::UnavailableError(base::StrCat("can't make the folder ", parent.string(), ": ", error.message())));
  ProgressLine line(terminal, notes);
  LoadJob job;
  job.folder = arguments.data;
  job.files = *std::move(files);
  job.timestamp_unit = arguments.timestamp_unit;
  job.dedupe_by_id = arguments.dedupe == "id";
  job.again = arguments.again;
  job.packed_records = *packed;
  job.own_logs_json = std::move(own->json);
  job.own_logs_source = std::move(own->path);
  job.progress = [&line](const std::string& file, int64_t rows, int64_t done, int64_t total) {
    line.Show(fs::path(file).filename().string(), rows, done, total);
  };
  LoadTotals totals;
  const absl::Status status = LoadLogs(job, totals);
  line.Clear();
  if (notes) PrintLoadNotes(totals, terminal);
  if (status.ok() || totals.files_loaded > 0 || !totals.files_without_rows.empty()) {
    PrintReport(arguments.reporting, TotalText(totals), TotalJson(totals), terminal);
  }
  if (!status.ok()) {
    Fail(terminal, status);
    return kExitFailed;
  }
  return totals.rejected_rows > 0 || totals.rejected_before > 0 ? kExitSomeRejected : kExitOk;
}

}  // namespace logquery::shim
