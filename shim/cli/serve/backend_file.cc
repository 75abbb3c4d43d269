// Parses a backend file strictly: anything unknown is an error with its place.
#include "shim/cli/serve/backend_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "lib/base/json_fields.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "shim/cli/serve/engine.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;

absl::StatusOr<std::string> ReadText(const std::string& file) {
  std::error_code error;
  // Anything else, such as a pipe that nothing writes to, could be read without an end.
  if (!fs::is_regular_file(file, error)) {
    return absl::NotFoundError(
        base::StrCat("--backend ", file, ": ", error ? error.message() : std::string("it is not a file")));
  }
  std::ifstream stream(file, std::ios::binary);
  std::string text(kMaxBackendFile + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream.eof() && stream.fail()) return absl::NotFoundError(base::StrCat("--backend ", file, ": can't be read"));
  text.resize(static_cast<size_t>(stream.gcount()));
  if (text.size() <= kMaxBackendFile) return text;
  return absl::InvalidArgumentError(base::StrCat("--backend ", file, ": is longer than ", kMaxBackendFile, " bytes"));
}

absl::Status ReadFile(const std::string& file, ServiceArguments& arguments) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::string text, ReadText(file));
  return base::ReadFields(file, text, [&](base::JsonFields& fields) {
    arguments.engine = fields.Text("engine");
    if (!fields.ok()) return;
    const absl::StatusOr<const Engine*> engine = FindEngine(arguments.engine);
    if (!engine.ok()) return fields.FailWith("engine", engine.status());
    (*engine)->read_settings(fields, fs::path(file).parent_path().string(), arguments);
  });
}

}  // namespace

absl::Status ReadBackend(ServiceArguments& arguments) {
  if (arguments.backend.empty()) {
    if (arguments.data.empty()) {
      return absl::InvalidArgumentError(
          "say what to answer from: --data DIR names a data folder, --backend FILE an engine with its settings");
    }
    return FindEngine(arguments.engine).status();
  }
  if (!arguments.data.empty()) {
    return absl::InvalidArgumentError(base::StrCat("--backend ", arguments.backend, " and --data ", arguments.data,
                                                   " exclude each other: the file says which folder the engine opens"));
  }
  return ReadFile(arguments.backend, arguments);
}

absl::StatusOr<BackendTables> TablesOf(const std::string& file) {
  if (file.empty()) {
    Capabilities embedded;
    embedded.dialect = Dialect::kDuckDb;
    return BackendTables{Catalog::DeclaredLogs(), std::move(embedded)};
  }
  ServiceArguments arguments;
  arguments.backend = file;
  LOGQUERY_RETURN_IF_ERROR(ReadBackend(arguments));
  LOGQUERY_ASSIGN_OR_RETURN(const OpenedEngine engine, OpenEngine(arguments, /*read_only=*/true));
  LOGQUERY_ASSIGN_OR_RETURN(Catalog catalog, engine.backend->ReadCatalog());
  return BackendTables{std::move(catalog), engine.backend->capabilities()};
}

}  // namespace logquery::shim
