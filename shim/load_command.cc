#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/sql/text_error.h"
#include "logquery/catalog.h"
#include "logquery/clock.h"
#include "shim/commands.h"
#include "shim/compose.h"
#include "shim/display.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;

// A table's name and the files for it, in the order of the command line.
using FilesOfTable = std::vector<std::pair<std::string, std::vector<std::string>>>;

// "logs/edge_logs.ndjson.gz" → "edge_logs"; empty for a name that is not of that form.
std::string LogNameOf(const std::string& file) {
  fs::path name = fs::path(file).filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.extension() == ".ndjson" || name.extension() == ".jsonl" ? name.stem().string() : "";
}

absl::StatusOr<std::string> TableOf(const Catalog& catalog, std::string_view name) {
  std::vector<std::string> names;
  for (const Table& table : catalog.tables()) {
    if (base::EqualsIgnoreCase(table.name, name) || base::EqualsIgnoreCase(table.log, name)) return table.name;
    names.push_back(table.name);
    names.push_back(table.log);
  }
  return absl::InvalidArgumentError(base::StrCat("there is no log ", name,
                                                 sql::DidYouMean(sql::NearestNames(name, names)),
                                                 "\nThe logs: ", base::Join(names, ", ")));
}

absl::StatusOr<std::vector<std::string>> FilesInFolder(const std::string& folder, const Catalog& catalog) {
  std::error_code error;
  std::vector<std::string> files;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = LogNameOf(entry->path().string());
    if (!name.empty() && TableOf(catalog, name).ok()) files.push_back(entry->path().string());
  }
  if (error) return absl::NotFoundError(base::StrCat("can't read the folder ", folder, ": ", error.message()));
  if (files.empty()) return absl::NotFoundError(base::StrCat("there is no file of a log, such as edge_logs.ndjson, in ", folder));
  std::sort(files.begin(), files.end());
  return files;
}

absl::StatusOr<FilesOfTable> SortByTable(const LoadArguments& arguments, const Catalog& catalog) {
  FilesOfTable sorted;
  for (const std::string& argument : arguments.files) {
    std::vector<std::string> files = {argument};
    std::error_code ignored;
    if (fs::is_directory(argument, ignored)) {
      if (arguments.source != "auto") {
        return absl::InvalidArgumentError(base::StrCat(argument, " is a folder: its files are told apart by their names, "
                                                       "without --source"));
      }
      LOGQUERY_ASSIGN_OR_RETURN(files, FilesInFolder(argument, catalog));
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

TimestampUnit UnitOf(std::string_view text) {
  if (text == "s") return TimestampUnit::kSeconds;
  if (text == "ms") return TimestampUnit::kMilliseconds;
  return text == "ns" ? TimestampUnit::kNanoseconds : TimestampUnit::kMicroseconds;
}

// One line that is written over and over, on a terminal alone.
class ProgressLine {
 public:
  explicit ProgressLine(const Terminal& terminal) : terminal_(terminal) {}
  ~ProgressLine() { Clear(); }

  void Show(const LoadProgress& progress) {
    const absl::Duration now = Clock::Real()->Monotonic();
    if (progress.file != file_) {
      file_ = progress.file;
      begin_ = shown_ = now;
    }
    if (!terminal_.err_is_terminal || now - shown_ < absl::Milliseconds(100)) return;
    shown_ = now;
    const double seconds = absl::ToDoubleSeconds(now - begin_);
    std::string line = base::StrCat(fs::path(file_).filename().string(), "  ", WithCommas(progress.rows), " rows, ",
                                    WithCommas(static_cast<int64_t>(static_cast<double>(progress.rows) / seconds)), "/s");
    if (progress.bytes_total > 0 && progress.bytes_done > 0) {
      const double done = static_cast<double>(progress.bytes_done) / static_cast<double>(progress.bytes_total);
      line += base::StrCat(", ", static_cast<int>(done * 100), " %, ",
                           DurationText(absl::Seconds(seconds * (1 - done) / done)), " left");
    }
    terminal_.err << "\r\x1b[K" << OneLine(line, std::max(20, terminal_.columns - 1)) << std::flush;
    drawn_ = true;
  }
  void Clear() {
    if (std::exchange(drawn_, false)) terminal_.err << "\r\x1b[K" << std::flush;
  }

 private:
  const Terminal& terminal_;
  std::string file_;
  absl::Duration begin_;
  absl::Duration shown_;
  bool drawn_ = false;
};

void PrintNotes(const LoadReport& report, const Terminal& terminal) {
  for (const std::string& file : report.files_skipped) terminal.err << "  skipped, as it is there already: " << file << "\n";
  for (const std::string& field : report.undeclared_fields) terminal.err << "  kept, but not declared: " << field << "\n";
  for (const LoadReport::Rejected& row : report.first_rejected) {
    terminal.err << "  rejected: " << row.file << ":" << row.line << ": " << OneLine(row.reason, 200) << "\n";
  }
  const auto more = report.rejected_rows - static_cast<int64_t>(report.first_rejected.size());
  if (more > 0) terminal.err << "  rejected: " << WithCommas(more) << " more\n";
}

void PrintTotal(const LoadReport& report, const Terminal& terminal) {
  terminal.out << WithCommas(report.rows) << " rows accepted, " << WithCommas(report.rejected_rows) << " rejected";
  if (report.duplicate_rows > 0) terminal.out << ", " << WithCommas(report.duplicate_rows) << " there already";
  terminal.out << "; " << report.files_loaded << (report.files_loaded == 1 ? " file" : " files") << " loaded";
  if (!report.files_skipped.empty()) terminal.out << ", " << report.files_skipped.size() << " skipped";
  terminal.out << ", " << report.undeclared_fields.size() << " undeclared fields; " << BytesText(report.bytes) << " in "
               << DurationText(report.time);
  if (report.rows > 0 && report.time > absl::ZeroDuration()) {
    const double rate = static_cast<double>(report.rows) / absl::ToDoubleSeconds(report.time);
    terminal.out << " (" << WithCommas(static_cast<int64_t>(rate)) << " rows/s)";
  }
  if (!report.rejected_folder.empty()) terminal.out << "; rejected rows are in " << report.rejected_folder;
  terminal.out << "\n";
}

void AddTo(LoadReport& total, const LoadReport& report) {
  total.rows += report.rows;
  total.rejected_rows += report.rejected_rows;
  total.duplicate_rows += report.duplicate_rows;
  total.bytes += report.bytes;
  total.files_loaded += report.files_loaded;
  total.time += report.time;
  if (!report.rejected_folder.empty()) total.rejected_folder = report.rejected_folder;
  total.files_skipped.insert(total.files_skipped.end(), report.files_skipped.begin(), report.files_skipped.end());
  total.undeclared_fields.insert(total.undeclared_fields.end(), report.undeclared_fields.begin(),
                                 report.undeclared_fields.end());
}

}  // namespace

int RunLoad(const LoadArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<FilesOfTable> tables = SortByTable(arguments, Catalog::DeclaredLogs());
  if (!tables.ok()) return Fail(terminal, tables.status());
  const absl::StatusOr<std::unique_ptr<DuckDbBackend>> backend = OpenForLoading(arguments.data);
  if (!backend.ok()) return Fail(terminal, backend.status());

  LoadReport total;
  ProgressLine line(terminal);
  for (const auto& [table, files] : *tables) {
    LoadRequest request;
    request.table = table;
    request.files = files;
    request.timestamp_unit = UnitOf(arguments.timestamp_unit);
    request.dedupe_by_id = arguments.dedupe == "id";
    const absl::StatusOr<LoadReport> report =
        (*backend)->store().Load(request, [&line](const LoadProgress& progress) { line.Show(progress); });
    line.Clear();
    if (!report.ok()) {
      if (total.files_loaded > 0) PrintTotal(total, terminal);
      Fail(terminal, report.status());
      return kExitFailed;
    }
    PrintNotes(*report, terminal);
    AddTo(total, *report);
  }
  if (const absl::Status status = (*backend)->store().Checkpoint(); !status.ok()) return Fail(terminal, status);
  PrintTotal(total, terminal);
  return total.rejected_rows > 0 ? kExitSomeRejected : kExitOk;
}

}  // namespace logquery::shim
