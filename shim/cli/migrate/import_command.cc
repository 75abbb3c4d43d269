// Reads Logflare's endpoints, writes the definitions that can be served, and lists what could not be converted.
#include "shim/cli/migrate/import_command.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/json/value.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/definitions/definition_files.h"
#include "lib/tools/import_logflare.h"
#include "lib/tools/own_logs_file.h"
#include "logquery/endpoint_registry.h"
#include "logquery/error.h"
#include "shim/cli/options/reporting.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;
using base::Json;
using base::StrCat;

constexpr int kWidth = 2'000;

absl::StatusOr<endpoint::TableNames> TablesOf(const std::vector<std::string>& options) {
  endpoint::TableNames tables;
  for (const std::string& option : options) {
    const size_t equals = option.find('=');
    if (equals == 0 || equals == option.npos || equals + 1 == option.size()) {
      return absl::InvalidArgumentError(
          StrCat("--table ", option, ": it is FROM=TO, such as cloudflare.logs.staging=cloudflare.logs.prod"));
    }
    tables.emplace_back(option.substr(0, equals), option.substr(equals + 1));
  }
  return tables;
}

absl::StatusOr<std::vector<std::string>> FilesAt(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return std::vector<std::string>{path};
  std::vector<std::string> files;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
    const std::string extension = entry->path().extension().string();
    if (extension == ".sql" || extension == ".json") files.push_back(entry->path().string());
  }
  if (error) return absl::NotFoundError(StrCat("can't read the folder ", path, ": ", error.message()));
  if (files.empty()) return absl::NotFoundError(StrCat("there is no endpoint (NAME.sql, or JSON) in ", path));
  std::sort(files.begin(), files.end());
  return files;
}

bool IsFileName(std::string_view name) {
  const auto may_stand = [](unsigned char c) { return absl::ascii_isalnum(c) || c == '.' || c == '-' || c == '_'; };
  constexpr size_t kMost = 200;
  return !name.empty() && name.size() <= kMost && name.front() != '.' && name != "schema" &&
         std::all_of(name.begin(), name.end(), may_stand);
}

class Import {
 public:
  Import(const ImportArguments& arguments, endpoint::TableNames tables, std::shared_ptr<const EndpointRegistry> none,
         const Terminal& terminal)
      : arguments_(arguments), tables_(std::move(tables)), none_(std::move(none)), terminal_(terminal) {}

  absl::Status Take(const std::string& file) {
    LOGQUERY_ASSIGN_OR_RETURN(const std::string text, endpoint::ReadDefinitionFile(file));
    const std::vector<Endpoint> built_in = Endpoint::BuiltIn();
    if (fs::path(file).extension() == ".sql") {
      return Write(file, endpoint::ImportSql(fs::path(file).stem().string(), text, tables_, built_in));
    }
    std::vector<std::string> problems;
    for (const endpoint::ImportedDefinition& one : endpoint::ImportApi(text, tables_, built_in, problems)) {
      LOGQUERY_RETURN_IF_ERROR(Write(file, one));
    }
    for (const std::string& problem : problems) Refuse(file, problem);
    return absl::OkStatus();
  }

  const Json& written() const { return written_; }
  const Json& refused() const { return refused_; }

 private:
  // Prints a note about something that was not imported, or not wholly; with --json it is in the report.
  void Note(const std::string& line) {
    if (PrintsNotes(arguments_.reporting)) terminal_.err << OneLine(line, kWidth) << "\n";
  }
  void Refuse(const std::string& what, const std::string& why) {
    refused_.push_back({{"what", what}, {"reason", why}});
    Note(StrCat(what, ": ", why));
  }

  absl::Status Write(const std::string& file, const endpoint::ImportedDefinition& one) {
    const std::string what = one.name.empty() ? file : StrCat(file, ": ", one.name);
    std::string problem = one.problems.empty() ? ProblemOf(one) : base::Join(one.problems, "; ");
    if (!problem.empty()) {
      Refuse(what, StrCat("not imported: ", problem));
      return absl::OkStatus();
    }
    const std::string stem = (fs::path(arguments_.folder) / one.name).string();
    for (const auto& [path, text] : {std::pair(stem + ".json", &one.json), std::pair(stem + ".sql", &one.sql)}) {
      LOGQUERY_RETURN_IF_ERROR(WriteNew(path, *text));
    }
    written_.push_back({{"endpoint", one.name}, {"file", stem + ".json"}, {"not_taken_over", one.notes}});
    if (PrintsNotes(arguments_.reporting)) {
      terminal_.out << OneLine(StrCat(one.name, "  ", stem, ".json"), kWidth) << "\n";
    }
    for (const std::string& note : one.notes) Note(StrCat(what, ": imported, without ", note));
    return absl::OkStatus();
  }

  // Why it can't be served; empty: it can.
  std::string ProblemOf(const endpoint::ImportedDefinition& one) const {
    if (!IsFileName(one.name)) {
      return StrCat("its name ", base::QuotedText(one.name),
                    " can't be a file's name, which may have letters, digits, dots, - and _; rename it in the file "
                    "that is imported: callers can go on using its UUID");
    }
    const absl::StatusOr<Endpoint> definition = Endpoint::FromJson(one.name + ".json", one.json, one.sql);
    if (!definition.ok()) return std::string(base::Message(definition.status()));
    const auto served = none_->With({*definition});
    if (served.ok()) return "";
    const std::string message(base::Message(served.status()));
    // A source of one's own has no table here until a schema declares it.
    return GetErrorDetails(served.status()).reason == ErrorReason::kUnknownTable
               ? StrCat(message,
                        "; --table OLD=NEW reads another one in its place, and --schema FILE declares logs of your own")
               : message;
  }

  // Writes a new file. An existing file stays, and is an error unless it is the same.
  static absl::Status WriteNew(const std::string& path, const std::string& text) {
    std::error_code error;
    if (fs::exists(fs::symlink_status(path, error))) {
      const absl::StatusOr<std::string> there = endpoint::ReadDefinitionFile(path);
      if (there.ok() && *there == text) return absl::OkStatus();
      return absl::AlreadyExistsError(
          StrCat(path, " is there already, with other content: move it away, or say another --dir"));
    }
    std::ofstream stream(path, std::ios::binary);
    stream << text;
    stream.close();
    return stream ? absl::OkStatus() : absl::UnavailableError(StrCat("can't write ", path));
  }

  const ImportArguments& arguments_;
  const endpoint::TableNames tables_;
  const std::shared_ptr<const EndpointRegistry> none_;  // the catalog without an endpoint
  const Terminal& terminal_;
  Json written_ = Json::array();
  Json refused_ = Json::array();
};

absl::StatusOr<Import> MakeImport(const ImportArguments& arguments, const Terminal& terminal) {
  LOGQUERY_ASSIGN_OR_RETURN(endpoint::TableNames tables, TablesOf(arguments.tables));
  std::error_code error;
  fs::create_directories(arguments.folder, error);
  if (error) return absl::UnavailableError(StrCat("can't make the folder ", arguments.folder, ": ", error.message()));
  LOGQUERY_ASSIGN_OR_RETURN(Catalog catalog,
                            endpoint::AddOwnLogs(Catalog::DeclaredLogs(), arguments.schema, arguments.folder));
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<const EndpointRegistry> none,
                            EndpointRegistry::Create({}, std::move(catalog)));
  return Import(arguments, std::move(tables), std::move(none), terminal);
}

}  // namespace

int RunImport(const ImportArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<std::vector<std::string>> files = FilesAt(arguments.path);
  if (!files.ok()) return Fail(terminal, files.status());
  absl::StatusOr<Import> import = MakeImport(arguments, terminal);
  if (!import.ok()) return Fail(terminal, import.status());
  for (const std::string& file : *files) {
    if (const absl::Status taken = import->Take(file); !taken.ok()) {
      Fail(terminal, taken);
      return kExitFailed;
    }
  }
  const size_t written = import->written().size(), refused = import->refused().size();
  PrintReport(arguments.reporting,
              StrCat(written, written == 1 ? " endpoint" : " endpoints", " imported",
                     refused > 0 ? StrCat(", ", refused, " not") : ""),
              {{"imported", import->written()}, {"refused", import->refused()}}, terminal);
  return refused > 0 ? kExitSomeRejected : kExitOk;
}

}  // namespace logquery::shim
