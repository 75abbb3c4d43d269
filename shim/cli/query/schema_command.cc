// `logquery schema`: prints the statements that create the logs' tables in a remote engine, a backend file for them, or the
// declaration of a log by its rows.
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <istream>
#include <string>
#include <system_error>
#include <utility>

#include "lib/base/read_to_end.h"
#include "lib/base/strings.h"
#include "lib/tools/engine_schema.h"
#include "lib/tools/infer_schema.h"
#include "shim/cli/options/commands.h"
#include "shim/observe/display.h"

namespace logquery::shim {

std::vector<std::string> SchemaDialects() { return endpoint::SchemaEngines(); }

namespace {

constexpr int64_t kMostLines = 20'000;

// "logs/app-logs.2026.ndjson" → "app_logs"; what stands in front of the first dot.
std::string LogNameOf(const std::string& file) {
  std::string name = std::filesystem::path(file).filename().string();
  name.resize(std::min(name.find('.'), name.size()));
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

// Reads a line without its end; false: there is none. Of a line that is longer than a row may be, the rest is passed over.
bool ReadLine(std::istream& in, std::string& line) {
  line.clear();
  for (int c = in.get(); c != std::istream::traits_type::eof(); c = in.get()) {
    if (c == '\n') return true;
    if (line.size() <= endpoint::SchemaInference::kLongestRow) line += static_cast<char>(c);
  }
  return !line.empty();
}

absl::Status AddRows(const std::string& file, std::istream& in, endpoint::SchemaInference& inference) {
  inference.BeginFile(file);
  std::string line;
  for (bool is_first = true; inference.lines() < kMostLines && ReadLine(in, line); is_first = false) {
    if (is_first && (line.starts_with("\x1f\x8b") || line.starts_with("\x28\xb5\x2f\xfd"))) {
      return absl::InvalidArgumentError(base::StrCat(file, " is packed: unpack it first, as in `zcat ", file,
                                                     " | logquery schema --infer - --log NAME`"));
    }
    inference.Add(line);
  }
  return absl::OkStatus();
}

// AlreadyExists: the file is there with another text; it stays. A file that is empty is written anew.
absl::Status WriteSchema(const std::string& path, const std::string& text, const Terminal& terminal) {
  std::error_code error;
  if (std::filesystem::exists(path, error)) {
    std::ifstream file(path, std::ios::binary);
    const absl::StatusOr<std::string> there = base::ReadToEnd(file);
    if (there.ok() && *there == text) {
      terminal.err << "  " << OneLine(path, 300) << " is there already, with this text\n";
      return absl::OkStatus();
    }
    if (!there.ok() || there->find_first_not_of(" \t\r\n") != std::string::npos) {
      return absl::AlreadyExistsError(base::StrCat("--out ", path,
                                                   " is there already, with another text; it stays: remove it, "
                                                   "or write into another file"));
    }
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error)
    return absl::UnavailableError(base::StrCat("can't make the folder ", folder.string(), ": ", error.message()));
  // Readers of the file see all of it, or none.
  const std::string written = path + ".new";
  errno = 0;
  std::ofstream file(written, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (file.fail()) {
    const std::string reason = errno == 0 ? "the disk may be full" : strerror(errno);
    std::filesystem::remove(written, error);
    return absl::UnavailableError(base::StrCat("can't write ", path, ": ", reason));
  }
  std::filesystem::rename(written, path, error);
  if (!error) {
    terminal.err << "  wrote " << OneLine(path, 300) << "\n";
    return absl::OkStatus();
  }
  const std::string reason = error.message();
  std::filesystem::remove(written, error);
  return absl::UnavailableError(base::StrCat("can't write ", path, ": ", reason));
}

int RunInfer(const SchemaArguments& arguments, const Terminal& terminal) {
  endpoint::InferOptions options;
  options.log = arguments.log.empty() && arguments.infer[0] != "-" ? LogNameOf(arguments.infer[0]) : arguments.log;
  options.time = arguments.time;
  options.project = arguments.project;
  if (options.log.empty()) {
    return Fail(terminal, absl::InvalidArgumentError(
                              "--log is missing: rows of standard input do not say which log they are of"));
  }
  endpoint::SchemaInference inference(options);
  for (const std::string& name : arguments.infer) {
    std::ifstream file;
    if (name != "-") file.open(name, std::ios::binary);
    std::error_code ignored;
    if (name != "-" && (!file || std::filesystem::is_directory(name, ignored))) {
      return Fail(terminal, absl::NotFoundError(
                                base::StrCat("--infer ", name, ": there is no such file, or it may not be read")));
    }
    const absl::Status added = AddRows(name, name == "-" ? terminal.in : file, inference);
    if (!added.ok()) return Fail(terminal, added);
  }
  const absl::StatusOr<endpoint::InferredSchema> schema = inference.Finish();
  if (!schema.ok()) return Fail(terminal, schema.status());
  const bool to_file = !arguments.out.empty() && arguments.out != "-";
  if (!to_file) terminal.out << schema->json;
  terminal.err << "  by " << (inference.lines() == kMostLines ? "the first " : "") << Counted(inference.rows(), "row")
               << "\n";
  for (const std::string& note : schema->notes) terminal.err << "  " << OneLine(note, 300) << "\n";
  if (!to_file) return kExitOk;
  const absl::Status written = WriteSchema(arguments.out, schema->json, terminal);
  return written.ok() ? kExitOk : Fail(terminal, written);
}

}  // namespace

int RunSchema(const SchemaArguments& arguments, const Terminal& terminal) {
  if (!arguments.infer.empty()) return RunInfer(arguments, terminal);
  if (arguments.dialect.empty()) {
    return Fail(terminal, absl::InvalidArgumentError(base::StrCat("--dialect is missing: it is one of ",
                                                                  base::Join(SchemaDialects(), ", "),
                                                                  "; or --infer FILE, for a log of your own")));
  }
  endpoint::EngineSchemaOptions options;
  options.engine = arguments.dialect;
  options.database = arguments.database;
  options.reader = arguments.reader;
  options.days = arguments.days;
  options.layout = arguments.layout;
  if (!arguments.schema.empty()) {
    std::ifstream file(arguments.schema, std::ios::binary);
    absl::StatusOr<std::string> text = base::ReadToEnd(file);
    if (!text.ok()) {
      return Fail(terminal, absl::NotFoundError(base::StrCat("--schema ", arguments.schema,
                                                             ": there is no such file, or it may not be read")));
    }
    options.schema_source = arguments.schema;
    options.schema_json = *std::move(text);
  }
  const absl::StatusOr<endpoint::EngineSchema> schema = endpoint::MakeEngineSchema(options);
  if (!schema.ok()) return Fail(terminal, schema.status());
  if (arguments.backend_file && schema->backend_file.empty()) {
    return Fail(terminal, absl::UnimplementedError(base::StrCat("logquery does not query ", arguments.dialect,
                                                                " yet, so there is no backend file for it")));
  }
  terminal.out << (arguments.backend_file ? schema->backend_file : schema->script);
  return kExitOk;
}

}  // namespace logquery::shim
