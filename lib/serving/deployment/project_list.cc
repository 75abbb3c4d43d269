// Writes one SELECT for each log, each of which reads the project and the time alone.
#include "lib/serving/deployment/project_list.h"

#include "lib/base/back_quoted.h"
#include "lib/base/strings.h"
#include "lib/endpoint/definitions/log_entry_names.h"
#include "lib/model/all_logs.h"

namespace logquery::serving {
namespace {

using base::BackQuoted;
using base::StrAppend;
using base::StrCat;

// Records are arrays of one struct.
std::string OfLog(const std::string& name, const Table& log, std::optional<int> days) {
  std::string from = StrCat(BackQuoted(name), " AS t"), column = "t";
  for (size_t i = 0; i + 1 < log.project_path.size(); ++i) {
    const std::string record = StrCat("r", i);
    StrAppend(&from, " CROSS JOIN UNNEST(", column, ".", BackQuoted(log.project_path[i]), ") AS ", record);
    column = record;
  }
  const std::string time = StrCat("t.", BackQuoted(log.time_column));
  const std::string where =
      days ? StrCat(" WHERE ", time, " >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL ", *days, " DAY)") : "";
  return StrCat("SELECT ", column, ".", BackQuoted(log.project_path.back()), " AS project, MAX(", time,
                ") AS newest FROM ", from, where, " GROUP BY 1");
}

}  // namespace

std::string ListProjectsSql(const Catalog& catalog, std::optional<int> days) {
  base::StringSet names;
  std::string logs;
  for (const Table& log : catalog.tables()) {
    if (model::HoldsAllLogs(log)) continue;
    const std::string name = endpoint::LogEntryName(log);
    // SQL reads the first one of two logs whose names differ only in characters that need quotes.
    if (!names.insert(base::ToLower(name)).second || log.project_path.empty() || log.time_column.empty()) continue;
    StrAppend(&logs, logs.empty() ? "" : "\nUNION ALL\n", OfLog(name, log, days));
  }
  if (logs.empty()) return "";
  return StrCat("SELECT project, MAX(newest) AS newest FROM (\n", logs,
                "\n) WHERE project IS NOT NULL GROUP BY project ORDER BY newest DESC, project LIMIT ",
                kMostListedProjects);
}

}  // namespace logquery::serving
