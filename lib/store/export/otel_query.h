// The rows of a log as the table of all logs has them (lib/model/all_logs.h), for exports of the layout "otel".
#ifndef LOGQUERY_LIB_STORE_EXPORT_OTEL_QUERY_H_
#define LOGQUERY_LIB_STORE_EXPORT_OTEL_QUERY_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/civil_time.h"
#include "logquery/catalog.h"

namespace logquery::store {

// Returns whether the table has a column of times, without which its rows are no log's.
bool HasTimes(const Table& table);

// A SELECT of the engine's for the rows of `table`, of that day in UTC where it is given. Its columns are those of the table of all
// logs, with the attributes as a MAP of texts. `catalog` has the table.
absl::StatusOr<std::string> OtelExportSql(const Catalog& catalog, const Table& table,
                                          std::optional<absl::CivilDay> day);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_EXPORT_OTEL_QUERY_H_
