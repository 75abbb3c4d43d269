// Reads a backend file strictly: what is not understood is an error that says where it stands.
#include "shim/command/backend_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "lib/base/json.h"
#include "lib/base/json_fields.h"
#include "lib/base/json_place.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "nlohmann/json.hpp"
#include "shim/engine.h"

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

// `field` is one that the file has, or one that the object lacks.
absl::Status At(const std::string& file, const std::string& text, const std::string& field,
                const absl::Status& status) {
  std::string_view problem = base::Message(status);
  if (problem.substr(0, 1) == " ") problem.remove_prefix(1);  // of the object: it has no name to begin with
  const std::string place = base::PlaceInText(text, base::OffsetOfKey(text, field));
  return absl::Status(status.code(), base::StrCat(file, " at ", place, ": ", problem));
}

absl::Status ReadFile(const std::string& file, ServiceArguments& arguments) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::string text, ReadText(file));
  LOGQUERY_ASSIGN_OR_RETURN(const nlohmann::ordered_json json, base::ParseJson(file, text));
  absl::Status status;
  base::JsonFields fields(json, "", status);
  arguments.engine = fields.Text("engine");
  if (!status.ok()) return At(file, text, fields.wrong_field(), status);
  const absl::StatusOr<const Engine*> engine = FindEngine(arguments.engine);
  if (!engine.ok()) return At(file, text, "engine", engine.status());
  (*engine)->read_settings(fields, arguments);
  fields.RefuseOthers();
  if (!status.ok()) return At(file, text, fields.wrong_field(), status);
  if (!arguments.data.empty()) arguments.data = (fs::path(file).parent_path() / arguments.data).string();
  return absl::OkStatus();
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
