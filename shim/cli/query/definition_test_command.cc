// The command test: runs the cases of a folder's definitions; each file's rows have their own data folder.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "lib/base/json/read.h"
#include "lib/base/json/value.h"
#include "lib/base/nearest_names.h"
#include "lib/base/read_to_end.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/definitions/definition_files.h"
#include "lib/tools/own_logs_file.h"
#include "logquery/catalog.h"
#include "logquery/query_service.h"
#include "shim/cli/folder/loading.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/options/reporting.h"
#include "shim/cli/query/case_names.h"
#include "shim/cli/query/definition_cases.h"
#include "shim/cli/query/junit.h"
#include "shim/cli/query/row_diff.h"
#include "shim/cli/query/row_key.h"
#include "shim/cli/serve/deployment_options.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;
using base::Json;
using base::StrCat;

// A folder that goes when it is no longer needed.
class TemporaryFolder {
 public:
  static absl::StatusOr<std::unique_ptr<TemporaryFolder>> Make() {
    std::error_code error;
    std::string path = (fs::temp_directory_path(error) / "logquery-test-XXXXXX").string();
    if (error || mkdtemp(path.data()) == nullptr) {
      return absl::UnavailableError(StrCat("can't make a folder for the rows: ", std::string_view(strerror(errno))));
    }
    return std::unique_ptr<TemporaryFolder>(new TemporaryFolder(std::move(path)));
  }
  ~TemporaryFolder() {
    std::error_code ignored;  // what is left of it harms nobody
    fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  const std::string path_;
};

absl::StatusOr<const Table*> TableOf(const Catalog& catalog, const std::string& log) {
  std::vector<std::string> names;
  for (const Table& table : catalog.tables()) {
    if (base::EqualsIgnoreCase(table.name, log) || base::EqualsIgnoreCase(table.log, log)) return &table;
    names.push_back(table.log);
  }
  return absl::InvalidArgumentError(
      StrCat("rows: there is no log ", log, base::DidYouMean(base::NearestNames(log, names))));
}

// The load's message about a file's line, said of the row of the cases: "row 4 of edge_logs: timestamp is eleven, …". The file is
// gone when it is read.
std::string OfRow(const std::string& rejected, const FilesOfTables& files) {
  for (const auto& [table, paths] : files) {
    const std::string begin = paths[0] + ":";
    const size_t colon = rejected.find(':', begin.size());
    if (!rejected.starts_with(begin) || colon == std::string::npos) continue;
    return StrCat("row ", rejected.substr(begin.size(), colon - begin.size()), " of ", table, rejected.substr(colon));
  }
  return rejected;
}

// Puts the rows into `folder`/data, which has the logs that the folder `definitions` declares too. `sql` has the folder's
// queries.
absl::Status LoadRows(const DefinitionCases& cases, const std::string& definitions, std::string_view sql,
                      const std::string& folder) {
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, endpoint::AddOwnLogs(Catalog::DeclaredLogs(), "", definitions));
  LOGQUERY_ASSIGN_OR_RETURN(endpoint::OwnLogsFile own, endpoint::ReadOwnLogsFile("", definitions));
  LoadJob job;
  job.own_logs_json = std::move(own.json);
  job.own_logs_source = std::move(own.path);
  job.folder = folder + "/data";
  job.progress = [](const std::string&, int64_t, int64_t, int64_t) {};
  std::vector<std::pair<std::string, std::string>> logs = cases.logs;
  if (logs.empty()) logs.emplace_back("edge_logs", "");  // a data folder without rows
  for (const auto& [log, lines] : logs) {
    LOGQUERY_ASSIGN_OR_RETURN(const Table* const table, TableOf(catalog, log));
    if (const absl::Status names = CheckRowNames(*table, lines, sql); !names.ok()) {
      return absl::InvalidArgumentError(StrCat("rows: ", base::Message(names)));
    }
    const std::string file = StrCat(folder, "/", table->name, ".ndjson");
    std::ofstream stream(file, std::ios::binary);
    stream << lines;
    if (!stream.flush()) return absl::UnavailableError(StrCat("can't write ", file));
    job.files.push_back({table->name, {file}});
  }
  LoadTotals totals;
  LOGQUERY_RETURN_IF_ERROR(LoadLogs(job, totals));
  if (totals.rejected_rows == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(StrCat("rows: ", OfRow(totals.first_rejected.front(), job.files)));
}

// The rows, where one is equal to one of `actual`, in that one's form.
std::vector<std::string> InFormOf(const std::vector<std::string>& actual, std::vector<std::string> rows) {
  std::map<std::string, std::string> texts;
  for (const std::string& row : actual) texts.emplace(RowKey(row), row);
  for (std::string& row : rows) {
    const auto same = texts.find(RowKey(row));
    if (same != texts.end()) row = same->second;
  }
  return rows;
}

struct Outcome {
  std::string failure;  // empty: passed
  std::optional<CaseUpdate> update;
};

class CasesFile {
 public:
  // `sql` has the queries of all definitions; it and the arguments are borrowed.
  CasesFile(const DefinitionTestArguments& arguments, std::string_view sql, std::string path, std::string endpoint)
      : arguments_(arguments), sql_(sql), path_(std::move(path)), endpoint_(std::move(endpoint)) {}

  // Adds each case's outcome. With `update`, the file is written with what the cases gave.
  absl::Status Run(std::vector<CaseOutcome>& outcomes) {
    std::ifstream file(path_, std::ios::binary);
    const absl::StatusOr<std::string> text = base::ReadToEnd(file);
    if (!text.ok()) return absl::NotFoundError(StrCat("can't read ", path_));
    LOGQUERY_ASSIGN_OR_RETURN(const DefinitionCases cases, ReadCases(path_, *text));
    LOGQUERY_ASSIGN_OR_RETURN(const std::unique_ptr<TemporaryFolder> folder, TemporaryFolder::Make());
    if (const absl::Status loaded = LoadRows(cases, arguments_.folder, sql_, folder->path()); !loaded.ok()) {
      return absl::Status(loaded.code(), StrCat(path_, ": ", base::Message(loaded)));
    }
    std::vector<CaseUpdate> updates;
    for (size_t i = 0; i < cases.cases.size(); ++i) {
      const DefinitionCase& one = cases.cases[i];
      LOGQUERY_RETURN_IF_ERROR(OpenAt(one.now, folder->path()));
      const absl::Duration begin = Clock::Real()->Monotonic();
      Outcome outcome = RunCase(one, i);
      const absl::Duration time = Clock::Real()->Monotonic() - begin;
      if (arguments_.update && outcome.update) {
        updates.push_back(*std::move(outcome.update));
        outcome.failure.clear();
      }
      outcomes.push_back({endpoint_, one.name, std::move(outcome.failure), time});
    }
    return updates.empty() ? absl::OkStatus() : Write(UpdatedCases(*text, updates));
  }

 private:
  // Has the service answer as if it were `now`.
  absl::Status OpenAt(const std::string& now, const std::string& folder) {
    if (deployment_ != nullptr && now == now_) return absl::OkStatus();
    deployment_.reset();
    ServiceArguments service;
    service.data = folder + "/data";
    service.endpoints = arguments_.folder;
    service.built_in = arguments_.built_in;
    service.now = now;
    absl::StatusOr<std::unique_ptr<Deployment>> opened = OpenToRead(service);
    if (!opened.ok()) return absl::Status(opened.status().code(), StrCat(path_, ": ", base::Message(opened.status())));
    deployment_ = *std::move(opened);
    now_ = now;
    return absl::OkStatus();
  }

  Outcome RunCase(const DefinitionCase& one, size_t index) const {
    const auto registry = deployment_->service().registry();
    const RegisteredEndpoint* const endpoint = registry->Find(endpoint_);
    if (endpoint != nullptr) {
      const absl::Status names = CheckParameterNames(endpoint->definition(), one.parameters);
      if (!names.ok()) return {std::string(base::Message(names)), std::nullopt};
    }
    QueryRequest request;
    request.endpoint = endpoint_;
    request.parameters = one.parameters;
    request.redact_pii = one.redact_pii;
    const absl::StatusOr<QueryAnswer> answer = deployment_->service().Run(request);
    return answer.ok() ? CompareRows(one, index, *answer) : CompareError(one, index, answer.status());
  }

  static Outcome CompareRows(const DefinitionCase& one, size_t index, const QueryAnswer& answer) {
    std::string text = answer.body;
    if (answer.file != nullptr) return {"the answer is longer than a case may compare", std::nullopt};
    const Json body = base::TryReadJson(text).value_or(nullptr);
    std::vector<std::string> rows;
    for (const Json& row : body["result"]) rows.push_back(row.ToString());
    CaseUpdate update{index, false, body["result"].ToString()};
    if (one.error) {
      return {StrCat("expected the error ", one.error->status, "; got ", base::Counted(rows.size(), "row")),
              std::move(update)};
    }
    if (!one.rows) return {"has neither result nor error; --update writes what it gives", std::move(update)};
    // The actual rows are read so, too: two that are equal have one form.
    const std::vector<std::string> actual = InFormOf(rows, rows), expected = InFormOf(rows, *one.rows);
    if (expected == actual) return {};
    return {StrCat("expected ", base::Counted(expected.size(), "row"), ", got ", rows.size(), ":\n",
                   base::Join(DiffRows(expected, actual), "\n")),
            std::move(update)};
  }

  static Outcome CompareError(const DefinitionCase& one, size_t index, const absl::Status& status) {
    const std::string name = absl::StatusCodeToString(status.code());
    const std::string message(base::Message(status));
    CaseUpdate update{index, true, Json{{"status", name}, {"message", message}}.ToString()};
    if (one.error && one.error->status == name && message.find(one.error->message) != message.npos) return {};
    std::string failure;
    if (one.error) {
      failure = StrCat("expected the error\n- ", one.error->status, ": ", one.error->message, "\n+ ");
    } else {
      failure = "expected rows; got the error\n+ ";
    }
    return {StrCat(failure, name, ": ", message), std::move(update)};
  }

  // By rename, so that a full disk leaves the file as it was.
  absl::Status Write(const std::string& text) const {
    const std::string next = path_ + ".new";
    std::ofstream stream(next, std::ios::binary | std::ios::trunc);
    stream << text;
    stream.close();
    std::error_code error;
    if (stream) fs::rename(next, path_, error);
    if (stream && !error) return absl::OkStatus();
    fs::remove(next, error);
    return absl::UnavailableError(StrCat("can't write ", path_));
  }

  const DefinitionTestArguments& arguments_;
  const std::string_view sql_;
  const std::string path_;
  const std::string endpoint_;
  std::unique_ptr<Deployment> deployment_;
  std::string now_;
};

// The files of cases and the endpoints that they are of, in the order of their names. `sql` gets the queries.
absl::StatusOr<std::vector<std::pair<std::string, std::string>>> FindCases(const DefinitionTestArguments& arguments,
                                                                           std::string& sql) {
  LOGQUERY_ASSIGN_OR_RETURN(const endpoint::DefinitionFiles files, endpoint::ReadDefinitionFiles(arguments.folder));
  if (!files.problems.empty()) return files.problems.front().status;
  std::map<std::string, std::string> names;  // of endpoints, by their files' names
  for (const endpoint::DefinitionText& text : files.definitions) {
    LOGQUERY_ASSIGN_OR_RETURN(const Endpoint definition, Endpoint::FromJson(text.json_path, text.json, text.sql));
    names.emplace(text.name, definition.name);
    base::StrAppend(&sql, text.sql, "\n");
  }
  std::vector<std::pair<std::string, std::string>> found;
  std::error_code error;
  for (fs::directory_iterator entry(arguments.folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string path = entry->path().string(), file = entry->path().filename().string();
    if (!file.ends_with(endpoint::kCasesSuffix) || file.starts_with('.')) continue;
    const auto name = names.find(file.substr(0, file.size() - endpoint::kCasesSuffix.size()));
    if (name == names.end()) return absl::InvalidArgumentError(StrCat(path, " has no definition beside it"));
    found.emplace_back(path, name->second);
  }
  if (error) return absl::NotFoundError(StrCat("can't read the folder ", arguments.folder, ": ", error.message()));
  std::sort(found.begin(), found.end());
  std::vector<std::string> known;
  for (const auto& [path, name] : found) known.push_back(name);
  for (const std::string& wanted : arguments.names) {
    if (std::find(known.begin(), known.end(), wanted) != known.end()) continue;
    return absl::InvalidArgumentError(
        StrCat("there are no cases of a definition ", wanted, base::DidYouMean(base::NearestNames(wanted, known))));
  }
  if (found.empty()) return absl::NotFoundError(StrCat("there are no cases (NAME.cases.json) in ", arguments.folder));
  return found;
}

// With --quiet only the cases that failed, which are errors; with --json nothing, as the report has all.
void PrintOutcomes(const std::vector<CaseOutcome>& outcomes, const Reporting& reporting, const Terminal& terminal) {
  constexpr int kWidth = 2'000;
  if (reporting.json) return;
  const bool colours = terminal.colours && terminal.out_is_terminal;
  std::ostream& out = terminal.out;
  std::string suite;
  for (const CaseOutcome& outcome : outcomes) {
    if (reporting.quiet && outcome.failure.empty()) continue;
    if (outcome.suite != suite) out << OneLine(outcome.suite, kWidth) << "\n";
    suite = outcome.suite;
    out << "  "
        << (outcome.failure.empty() ? Painted(colours, Colour::kGreen, "ok") + "    "
                                    : Painted(colours, Colour::kRed, "FAIL") + "  ")
        << OneLine(outcome.name, kWidth) << "\n";
    for (std::string_view rest = outcome.failure; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      out << "        " << OneLine(line, kWidth) << "\n";
    }
  }
}

Json OutcomesJson(const std::vector<CaseOutcome>& outcomes, int64_t failed) {
  Json cases = Json::array();
  for (const CaseOutcome& outcome : outcomes) {
    cases.push_back({{"endpoint", outcome.suite},
                     {"name", outcome.name},
                     {"passed", outcome.failure.empty()},
                     {"failure", outcome.failure}});
  }
  return {{"cases", std::move(cases)}, {"failed", failed}};
}

}  // namespace

int RunDefinitionTests(const DefinitionTestArguments& arguments, const Terminal& terminal) {
  std::string sql;
  const auto found = FindCases(arguments, sql);
  if (!found.ok()) return Fail(terminal, found.status());
  std::vector<CaseOutcome> outcomes;
  for (const auto& [path, name] : *found) {
    const std::vector<std::string>& wanted = arguments.names;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) continue;
    if (const absl::Status ran = CasesFile(arguments, sql, path, name).Run(outcomes); !ran.ok()) {
      PrintOutcomes(outcomes, arguments.reporting, terminal);
      return Fail(terminal, ran);
    }
  }
  PrintOutcomes(outcomes, arguments.reporting, terminal);
  const auto failed = std::count_if(outcomes.begin(), outcomes.end(), [](const auto& o) { return !o.failure.empty(); });
  PrintReport(arguments.reporting,
              StrCat(outcomes.size(), outcomes.size() == 1 ? " case, " : " cases, ", failed, " failed"),
              OutcomesJson(outcomes, failed), terminal);
  if (!arguments.junit.empty()) {
    std::ofstream file(arguments.junit, std::ios::binary | std::ios::trunc);
    file << JUnitXml(outcomes);
    if (!file.flush()) return Fail(terminal, absl::UnavailableError(StrCat("can't write ", arguments.junit)));
  }
  return failed == 0 ? kExitOk : kExitFindings;
}

}  // namespace logquery::shim
