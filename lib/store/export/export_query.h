// The columns of exported files, and the queries that give their rows: each declared column, then the fields that tables in engines
// elsewhere have as columns of their own, then columns that the rows have brought. Records, arrays and JSON are JSON text.
#ifndef LOGQUERY_LIB_STORE_EXPORT_EXPORT_QUERY_H_
#define LOGQUERY_LIB_STORE_EXPORT_EXPORT_QUERY_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/civil_time.h"
#include "logquery/catalog.h"

namespace logquery::store {

// A SELECT of the engine's for the rows of `table`, of that day in UTC where it is given. `hot` are paths of the table, and what
// the columns are called that hold them. `catalog` has the table.
absl::StatusOr<std::string> ExportSql(const Catalog& catalog, const Table& table, const std::vector<HotColumn>& hot,
                                      std::optional<absl::CivilDay> day);

// A query in GoogleSQL without parameters, in the engine's SQL.
absl::StatusOr<std::string> TranslateForExport(const Catalog& catalog, const std::string& sql);

// The beginning of the day as a literal of GoogleSQL.
std::string MidnightText(absl::CivilDay day);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_EXPORT_EXPORT_QUERY_H_
