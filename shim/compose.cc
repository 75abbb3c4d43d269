#include "shim/compose.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "absl/time/time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/parameter_binder.h"

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
      return absl::InvalidArgumentError(base::StrCat(path.string(), " has no ", query.filename().string(), " beside it"));
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

absl::StatusOr<Composition> Compose(const ServiceArguments& arguments, const std::string& tokens) {
  Composition parts;
  parts.clock = Clock::Real();
  if (!arguments.now.empty()) {
    const absl::StatusOr<absl::Time> now = ParseTimestamp(arguments.now);
    if (!now.ok()) return absl::InvalidArgumentError(base::StrCat("--now: ", base::Message(now.status())));
    parts.fixed_clock = std::make_unique<FixedClock>(*now);
    parts.clock = parts.fixed_clock.get();
  }
  QueryServiceOptions options;
  LOGQUERY_ASSIGN_OR_RETURN(options.endpoints, AllDefinitions(arguments.endpoints));
  if (!tokens.empty()) {
    // Tokens expire by the machine's clock, whatever time the queries are told.
    LOGQUERY_ASSIGN_OR_RETURN(parts.authenticator, TokenFile::Open(tokens, Clock::Real()));
  }
  DuckDbOptions engine;
  engine.folder = arguments.data;
  engine.read_only = true;
  engine.memory_limit_bytes = arguments.memory_limit_mb * 1'000'000;
  engine.threads = arguments.engine_threads;
  LOGQUERY_ASSIGN_OR_RETURN(parts.backend, OpenDuckDb(engine));
  options.backend = parts.backend.get();
  options.authenticator = parts.authenticator.get();
  options.clock = parts.clock;
  options.time_limit = absl::Seconds(arguments.time_limit_seconds);
  LOGQUERY_ASSIGN_OR_RETURN(parts.service, QueryService::Create(std::move(options)));
  return parts;
}

absl::StatusOr<std::unique_ptr<DuckDbBackend>> OpenForLoading(const std::string& folder) {
  DuckDbOptions options;
  options.folder = folder;
  return OpenDuckDb(options);
}

}  // namespace logquery::shim
