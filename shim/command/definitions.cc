#include "shim/command/definitions.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;

absl::StatusOr<std::string> ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file) return absl::NotFoundError(base::StrCat("can't read ", path.string()));
  return text;
}

absl::StatusOr<std::vector<fs::path>> FilesOf(const std::string& folder, std::string_view extension) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() == extension) files.push_back(entry->path());
  }
  if (error) return absl::NotFoundError(base::StrCat("can't read the folder ", folder, ": ", error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

absl::StatusOr<std::vector<Endpoint>> ReadDefinitions(const std::string& folder) {
  std::vector<Endpoint> endpoints;
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<fs::path> settings, FilesOf(folder, ".json"));
  for (const fs::path& path : settings) {
    fs::path query = path;
    query.replace_extension(".sql");
    LOGQUERY_ASSIGN_OR_RETURN(const std::string json, ReadFile(path));
    const absl::StatusOr<std::string> sql = ReadFile(query);
    if (!sql.ok()) {
      return absl::InvalidArgumentError(
          base::StrCat(path.string(), " has no ", query.filename().string(), " beside it"));
    }
    LOGQUERY_ASSIGN_OR_RETURN(Endpoint endpoint, Endpoint::FromJson(path.string(), json, *sql));
    endpoints.push_back(std::move(endpoint));
  }
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<fs::path> queries, FilesOf(folder, ".sql"));
  for (fs::path path : queries) {
    const std::string name = path.string();
    if (!fs::exists(path.replace_extension(".json"))) {
      return absl::InvalidArgumentError(base::StrCat(name, " has no ", path.filename().string(), " beside it"));
    }
  }
  if (endpoints.empty()) return absl::NotFoundError(base::StrCat("there is no definition (NAME.json) in ", folder));
  return endpoints;
}

absl::StatusOr<std::vector<Endpoint>> AllDefinitions(const std::string& folder) {
  std::vector<Endpoint> endpoints = Endpoint::BuiltIn();
  if (folder.empty()) return endpoints;
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<Endpoint> further, ReadDefinitions(folder));
  std::move(further.begin(), further.end(), std::back_inserter(endpoints));
  return endpoints;
}

}  // namespace logquery::shim
