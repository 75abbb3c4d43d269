// Writes the definition as its two files would be written by hand.
#include "lib/endpoint/definitions/own_logs_endpoint.h"

#include <algorithm>
#include <string>

#include "lib/base/back_quoted.h"
#include "lib/base/strings.h"
#include "lib/endpoint/definitions/log_entry_names.h"

namespace logquery::endpoint {
namespace {

using base::BackQuoted;
using base::StrAppend;
using base::StrCat;

constexpr char kDefinition[] = R"({
  "id": "0e8c4f52-9b7d-4c1a-8e36-d1f0a2b47c19",
  "name": "my.logs",
  "description": "Rows of your own logs. With sql: a SELECT over each of them by its name. Without sql: how many rows each log has, and from when.",
  "max_rows": 1000,
  "caching": "disabled",
  "query_sandboxing": true,
  "parameters": [
    {"name": "project", "type": "STRING", "description": "Only rows of this project, in logs that have a project."},
    {"name": "iso_timestamp_start", "type": "TIMESTAMP", "description": "Only rows later than this ISO 8601 time.", "examples": ["2026-01-31T08:00:00Z"]},
    {"name": "iso_timestamp_end", "type": "TIMESTAMP", "description": "Only rows up to this ISO 8601 time, itself included."}
  ]
})";

// Records are arrays of one struct.
std::string ProjectCondition(const std::vector<std::string>& path) {
  std::string from, column = "t";
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    const std::string record = StrCat("r", i);
    StrAppend(&from, from.empty() ? "" : ", ", "UNNEST(", column, ".", BackQuoted(path[i]), ") AS ", record);
    column = record;
  }
  const std::string is_it = StrCat(column, ".", BackQuoted(path.back()), " = @project");
  return from.empty() ? is_it : StrCat("EXISTS (SELECT 1 FROM ", from, " WHERE ", is_it, ")");
}

std::string Entry(const std::string& name, const Table& log) {
  const std::string time = StrCat("t.", BackQuoted(log.time_column));
  std::string sql = StrCat(BackQuoted(name), " AS (\n  SELECT t.*\n  FROM ", BackQuoted(log.name), " AS t\n  WHERE (",
                           "@iso_timestamp_start IS NULL OR ", time, " > @iso_timestamp_start)\n    AND (",
                           "@iso_timestamp_end IS NULL OR ", time, " <= @iso_timestamp_end)\n");
  if (!log.project_path.empty()) {
    StrAppend(&sql, "    AND (@project IS NULL OR ", ProjectCondition(log.project_path), ")\n");
  }
  return sql + ")";
}

std::string Summary(const std::string& name, const Table& log) {
  const std::string time = BackQuoted(log.time_column);
  return StrCat("SELECT '", name, "' AS log, COUNT(*) AS row_count, MIN(", time, ") AS oldest, MAX(", time,
                ") AS newest FROM ", BackQuoted(name));
}

}  // namespace

absl::StatusOr<Endpoint> MakeOwnLogsEndpoint(const std::vector<Table>& logs) {
  base::StringSet names;
  std::string entries, of_projects, of_all;
  for (const Table& log : logs) {
    const std::string name = LogEntryName(log);
    // Two logs whose names differ in such characters alone: the first one has the name.
    if (log.time_column.empty() || !names.insert(base::ToLower(name)).second) continue;
    StrAppend(&entries, entries.empty() ? "WITH\n" : ",\n", Entry(name, log));
    std::string& summary = log.project_path.empty() ? of_all : of_projects;
    StrAppend(&summary, summary.empty() ? "" : "\nUNION ALL\n", Summary(name, log));
  }
  const std::string& summary = of_projects.empty() ? of_all : of_projects;
  return Endpoint::FromJson("my.logs, which own logs have", kDefinition,
                            StrCat(entries, "\nSELECT * FROM (\n", summary, "\n)\nORDER BY log"));
}

}  // namespace logquery::endpoint
