// Parses a backend file strictly: anything unknown is an error with its place.
#include "logquery/serving/backend_file.h"

#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "lib/base/json_fields.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/serving/deployment/engines.h"

namespace logquery {
namespace {

namespace fs = std::filesystem;

absl::StatusOr<std::string> ReadText(const std::string& path) {
  std::error_code error;
  // Anything else, such as a pipe that nothing writes to, could be read without an end.
  if (!fs::is_regular_file(path, error)) {
    return absl::NotFoundError(base::StrCat(path, ": ", error ? error.message() : std::string("it is not a file")));
  }
  std::ifstream stream(path, std::ios::binary);
  std::string text(kMaxBackendFileBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream.eof() && stream.fail()) {
    return absl::NotFoundError(base::StrCat(path, ": can't be read"));
  }
  text.resize(static_cast<size_t>(stream.gcount()));
  if (text.size() <= kMaxBackendFileBytes) return text;
  return absl::InvalidArgumentError(base::StrCat(path, ": is longer than ", kMaxBackendFileBytes, " bytes"));
}

}  // namespace

absl::StatusOr<BackendOptions> ReadBackendFile(const std::string& path) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::string text, ReadText(path));
  return ParseBackendFile(text, path, fs::path(path).parent_path().string());
}

absl::StatusOr<BackendOptions> ParseBackendFile(std::string_view text, std::string_view source,
                                                const std::string& folder) {
  BackendOptions options;
  LOGQUERY_RETURN_IF_ERROR(base::ReadFields(source, text, [&](base::JsonFields& fields) {
    options.engine = fields.Text("engine");
    if (!fields.ok()) return;
    const absl::StatusOr<const serving::Engine*> engine = serving::FindEngine(options.engine);
    if (!engine.ok()) return fields.FailWith("engine", engine.status());
    (*engine)->read(fields, folder, options);
  }));
  return options;
}

absl::Status CheckEngine(std::string_view engine) { return serving::FindEngine(engine).status(); }

absl::StatusOr<OpenedBackend> OpenBackend(const BackendOptions& options, const BackendUse& use) {
  LOGQUERY_ASSIGN_OR_RETURN(const serving::Engine* const engine, serving::FindEngine(options.engine));
  return engine->open(options, use);
}

}  // namespace logquery
