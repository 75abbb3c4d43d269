// Counts and deletes a project's rows, and keeps the books of removals and of clustering right.
#include "lib/store/tables/erasure.h"

#include "absl/strings/str_cat.h"
#include "lib/backend/duckdb/engine_types.h"
#include "lib/backend/duckdb/small_query.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/store/tables/table_layout.h"

namespace logquery::store {
namespace {

std::string RowsOf(const Table& table) {
  return base::StrCat(" FROM ", duckdb::QuoteName(table.name), " WHERE ", ProjectSql(table), " = $1");
}

// What the books have as put in order is without these rows from now on, or a day would look as if none had come since.
absl::Status BookClustered(duckdb_connection connection, const Table& table, const std::string& project) {
  if (table.time_column.empty()) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows stretches,
      duckdb::Query(connection, "SELECT epoch_us(begin), epoch_us(until) FROM logquery.clustered WHERE table_name = $1",
                    {table.name}));
  const std::string time = duckdb::QuoteName(table.time_column);
  for (const std::vector<std::string>& stretch : stretches) {
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t begin_us, duckdb::NumberIn(stretch[0]));
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t until_us, duckdb::NumberIn(stretch[1]));
    const std::string begin = duckdb::TimeSql(absl::FromUnixMicros(begin_us));
    const std::string until = duckdb::TimeSql(absl::FromUnixMicros(until_us));
    LOGQUERY_RETURN_IF_ERROR(
        duckdb::Query(connection,
                      base::StrCat("UPDATE logquery.clustered SET row_count = greatest(0, row_count - (SELECT count(*)",
                                   RowsOf(table), " AND ", time, " >= ", begin, " AND ", time, " < ", until,
                                   ")) WHERE table_name = $2 AND begin = ", begin, " AND until = ", until),
                      {project, table.name})
            .status());
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<int64_t> CountProject(duckdb_connection connection, const Table& table, const std::string& project) {
  if (table.project_path.empty()) return 0;
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows rows,
                            duckdb::Query(connection, base::StrCat("SELECT count(*)", RowsOf(table)), {project}));
  return duckdb::NumberIn(rows.empty() ? "" : rows[0][0]);
}

absl::StatusOr<int64_t> RemoveProject(duckdb_connection connection, const Table& table, const std::string& project) {
  if (table.project_path.empty()) return 0;
  LOGQUERY_RETURN_IF_ERROR(BookClustered(connection, table, project));
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows deleted,
                            duckdb::Query(connection, base::StrCat("DELETE", RowsOf(table)), {project}));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t rows, duckdb::NumberIn(deleted.empty() ? "" : deleted[0][0]));
  if (rows == 0) return rows;
  LOGQUERY_RETURN_IF_ERROR(
      duckdb::Query(connection,
                    "INSERT INTO logquery.removals VALUES ($1, now()::TIMESTAMP, NULL, $2::BIGINT, 'erasure')",
                    {table.name, absl::StrCat(rows)})
          .status());
  return rows;
}

absl::StatusOr<std::vector<RejectingLoad>> ReadRejectingLoads(duckdb_connection connection) {
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection, "SELECT table_name, rejected_name FROM logquery.loads WHERE rejected_name <> ''"));
  std::vector<RejectingLoad> loads;
  for (const std::vector<std::string>& row : rows) loads.push_back({row[0], row[1]});
  return loads;
}

}  // namespace logquery::store
