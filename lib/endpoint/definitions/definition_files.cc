// Lists and reads a folder's files, with a limit on their size.
#include "lib/endpoint/definitions/definition_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/endpoint_folder.h"

namespace logquery::endpoint {
namespace {

namespace fs = std::filesystem;
using base::StrCat;

constexpr std::string_view kSettings = ".json";
constexpr std::string_view kQuery = ".sql";

absl::StatusOr<std::string> ReadText(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return absl::NotFoundError(StrCat("can't read ", path, ": it is no file"));
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(StrCat("can't read ", path, ": ", std::string_view(std::strerror(errno))));
  // One byte more than the file has shows that it grew, or that it is too long.
  const auto size = std::min<uintmax_t>(fs::file_size(path, error), static_cast<uintmax_t>(kMaxDefinitionBytes));
  if (error) return absl::NotFoundError(StrCat("can't read ", path, ": ", error.message()));
  std::string text(static_cast<size_t>(size) + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.eof() && file.fail()) return absl::NotFoundError(StrCat("can't read ", path));
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() <= size) return text;
  if (static_cast<int64_t>(size) < kMaxDefinitionBytes) {
    return absl::NotFoundError(StrCat("can't read ", path, ": it is being written to"));
  }
  return absl::InvalidArgumentError(StrCat(path, " is longer than ", kMaxDefinitionBytes, " bytes"));
}

absl::Status CantRead(const std::string& folder, const std::error_code& error) {
  std::error_code ignored;
  if (error == std::errc::no_such_file_or_directory) {
    return absl::NotFoundError(StrCat("can't read the folder ", folder, ": there is no such folder"));
  }
  if (error == std::errc::not_a_directory || (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored))) {
    return absl::InvalidArgumentError(StrCat(folder, " is a file; definitions are in a folder"));
  }
  const std::string message = StrCat("can't read the folder ", folder, ": ", error.message());
  if (error == std::errc::permission_denied) return absl::PermissionDeniedError(message);
  return absl::NotFoundError(message);
}

std::string WithoutEnd(const std::string& path, std::string_view end) {
  return path.substr(0, path.size() - end.size());
}

// Adds the definition whose settings, query or both are at `stem` with their endings.
void ReadPair(const std::string& stem, bool has_json, bool has_sql, DefinitionFiles& files) {
  DefinitionText text;
  text.name = fs::path(stem).filename().string();
  text.json_path = StrCat(stem, kSettings);
  text.sql_path = StrCat(stem, kQuery);
  const auto refuse = [&files](const std::string& path, absl::Status status) {
    files.problems.push_back({path, std::move(status)});
  };
  if (has_sql && StrCat(text.name, kSettings) == kSchemaFile) {
    return refuse(text.sql_path, absl::InvalidArgumentError(StrCat(
                                     text.sql_path, " can't be a definition's: ", kSchemaFile, " declares logs")));
  }
  if (!has_sql || !has_json) {
    const std::string& there = has_json ? text.json_path : text.sql_path;
    return refuse(there, absl::InvalidArgumentError(
                             StrCat(there, " has no ", text.name, has_json ? kQuery : kSettings, " beside it")));
  }
  absl::StatusOr<std::string> json = ReadText(text.json_path), sql = ReadText(text.sql_path);
  if (!json.ok()) refuse(text.json_path, json.status());
  if (!sql.ok()) refuse(text.sql_path, sql.status());
  if (!json.ok() || !sql.ok()) return;
  text.json = *std::move(json);
  text.sql = *std::move(sql);
  files.definitions.push_back(std::move(text));
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ListDefinitionFiles(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> paths;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::string path = entry->path().string();
    const bool is_one = (path.ends_with(kSettings) && !path.ends_with(kCasesSuffix)) || path.ends_with(kQuery);
    // Editors keep what is not saved yet in hidden files.
    if (is_one && !entry->path().filename().string().starts_with('.')) paths.push_back(std::move(path));
  }
  if (error) return CantRead(folder, error);
  std::sort(paths.begin(), paths.end());
  return paths;
}

absl::StatusOr<DefinitionFiles> ReadDefinitionFiles(const std::string& folder) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<std::string> paths, ListDefinitionFiles(folder));
  if (paths.empty()) return absl::NotFoundError(StrCat("there is no definition (NAME.json) in ", folder));
  std::vector<std::pair<std::string, bool>> halves;  // without the ending; whether it is the settings
  for (const std::string& path : paths) {
    const bool settings = path.ends_with(kSettings);
    halves.emplace_back(WithoutEnd(path, settings ? kSettings : kQuery), settings);
  }
  // Both halves of a definition come to stand side by side, the query first.
  std::sort(halves.begin(), halves.end());
  DefinitionFiles files;
  for (size_t i = 0; i < halves.size(); ++i) {
    const auto& [stem, settings] = halves[i];
    if (settings && StrCat(fs::path(stem).filename().string(), kSettings) == kSchemaFile) continue;
    const bool both = i + 1 < halves.size() && halves[i + 1].first == stem;
    ReadPair(stem, settings || both, !settings, files);
    if (both) ++i;
  }
  return files;
}

std::string SchemaFileOf(const std::string& folder) {
  std::string path = (fs::path(folder) / kSchemaFile).string();
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored)) ? path : "";
}

absl::StatusOr<std::string> ReadDefinitionFile(const std::string& path) { return ReadText(path); }

}  // namespace logquery::endpoint
