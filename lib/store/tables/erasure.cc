// Counts and deletes a project's rows, and keeps the books of removals, of clustering and of changes right.
#include "lib/store/tables/erasure.h"

#include "absl/strings/str_cat.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/tables/change_books.h"
#include "lib/store/tables/clustering.h"
#include "lib/store/tables/table_layout.h"

namespace logquery::store {
namespace {

absl::StatusOr<std::string> OfProject(const Table& table, const std::string& project) {
  return OwnerCondition(ProjectSql(table), project);
}

}  // namespace

absl::StatusOr<int64_t> CountProject(duckdb_connection connection, const Table& table, const std::string& project) {
  if (table.project_path.empty()) return 0;
  LOGQUERY_ASSIGN_OR_RETURN(const std::string condition, OfProject(table, project));
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection,
                    base::StrCat("SELECT count(*) FROM ", duckdb::QuoteName(table.name), " WHERE ", condition)));
  return duckdb::NumberIn(rows.empty() ? "" : rows[0][0]);
}

absl::StatusOr<int64_t> RemoveProject(duckdb_connection connection, const Table& table, const std::string& project) {
  if (table.project_path.empty()) return 0;
  LOGQUERY_ASSIGN_OR_RETURN(const std::string condition, OfProject(table, project));
  LOGQUERY_RETURN_IF_ERROR(ForgetClusteredRows(connection, table, condition));
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows deleted,
      duckdb::Query(connection, base::StrCat("DELETE FROM ", duckdb::QuoteName(table.name), " WHERE ", condition)));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t rows, duckdb::NumberIn(deleted.empty() ? "" : deleted[0][0]));
  LOGQUERY_RETURN_IF_ERROR(ForgetProject(connection, table.name, project, rows));
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
