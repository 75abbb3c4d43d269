// Writes one WITH entry for each log. Entries that a query does not read are not planned.
#include "lib/endpoint/definitions/all_logs_endpoint.h"

#include <string>
#include <utility>

#include "lib/base/back_quoted.h"
#include "lib/base/strings.h"
#include "lib/endpoint/definitions/log_entry_names.h"
#include "lib/model/all_logs.h"

namespace logquery::endpoint {
namespace {

using base::BackQuoted;
using base::StrAppend;

constexpr char kClickHouse[] = "WITH logs AS (SELECT * FROM logs) SELECT count() AS row_count FROM logs";
constexpr char kClickHouseOfProject[] =
    "WITH logs AS (SELECT * FROM logs WHERE project = {project:String}) SELECT count() AS row_count FROM logs";

std::string BigQueryText(const Catalog& catalog) {
  base::StringSet names;
  std::string entries;
  for (const Table& log : catalog.tables()) {
    if (model::HoldsAllLogs(log)) continue;
    const std::string name = LogEntryName(log);
    // Two logs whose names differ only in characters that need quotes: the first one has the name.
    if (!names.insert(base::ToLower(name)).second) continue;
    StrAppend(&entries, entries.empty() ? "WITH\n" : ",\n", BackQuoted(name), " AS (SELECT * FROM ",
              BackQuoted(log.name), ")");
  }
  return entries + "\nSELECT 1 AS one";
}

}  // namespace

absl::StatusOr<Endpoint> MakeAllLogsEndpoint(const Catalog& catalog, const AllLogsOptions& options) {
  if (catalog.tables().empty()) return absl::NotFoundError("there are no logs to query");
  Endpoint made;
  made.id = "5b7a3f0d-6d1c-4e0e-9f57-2f4c1be90d35";
  made.name = "query";
  made.language = options.language;
  made.max_rows = options.max_rows;
  made.query_sandboxing = true;
  if (options.language == QueryLanguage::kBigQuery) {
    made.query = BigQueryText(catalog);
    return made;
  }
  made.query = options.of_project ? kClickHouseOfProject : kClickHouse;
  if (options.of_project) {
    Parameter project;
    project.name = "project";
    project.required = true;
    made.parameters.push_back(std::move(project));
  }
  return made;
}

}  // namespace logquery::endpoint
