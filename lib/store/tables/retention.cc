// Deletes rows by age or by day. fair_cut.cc decides which days go by size.
#include "lib/store/tables/retention.h"

#include "absl/strings/str_cat.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/tables/books.h"
#include "lib/store/tables/change_books.h"
#include "lib/store/tables/clustering.h"

namespace logquery::store {
namespace {

constexpr absl::Duration kDay = absl::Hours(24);

absl::StatusOr<int64_t> Delete(duckdb_connection connection, const Table& table, const std::string& condition) {
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows deleted,
      duckdb::Query(connection, base::StrCat("DELETE FROM ", duckdb::QuoteName(table.name), " WHERE ", condition)));
  return duckdb::NumberIn(deleted.empty() ? "" : deleted[0][0]);
}

// `before`: InfiniteFuture if it says nothing about the rows that are left.
absl::Status BookRemoval(duckdb_connection connection, const Table& table, absl::Time before, int64_t rows,
                         const std::string& reason) {
  const std::string time = before == absl::InfiniteFuture() ? "NULL" : duckdb::TimeSql(before);
  return duckdb::Query(
             connection,
             base::StrCat("INSERT INTO logquery.removals VALUES ($1, now()::TIMESTAMP, ", time, ", $2::BIGINT, $3)"),
             {table.name, absl::StrCat(rows), reason})
      .status();
}

}  // namespace

absl::StatusOr<std::vector<absl::Time>> StepsBefore(duckdb_connection connection, const Table& table,
                                                    absl::Time before) {
  const std::string time = duckdb::QuoteName(table.time_column);
  // Rows without a time stay.
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows days,
      duckdb::Query(connection, base::StrCat("SELECT DISTINCT epoch_us(date_trunc('day', ", time, ")) FROM ",
                                             duckdb::QuoteName(table.name), " WHERE ", time, " < ",
                                             duckdb::TimeSql(before), " ORDER BY 1")));
  std::vector<absl::Time> steps;
  for (const std::vector<std::string>& day : days) {
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t begin, duckdb::NumberIn(day[0]));
    steps.push_back(absl::FromUnixMicros(begin) + kDay);
  }
  if (!steps.empty()) steps.back() = before;
  return steps;
}

absl::StatusOr<int64_t> RemoveBefore(duckdb_connection connection, const Table& table, absl::Time before) {
  const std::string condition = base::StrCat(duckdb::QuoteName(table.time_column), " < ", duckdb::TimeSql(before));
  LOGQUERY_ASSIGN_OR_RETURN(const RowChange change, ProjectsWhere(connection, table, condition));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t rows, Delete(connection, table, condition));
  if (rows == 0) return rows;
  LOGQUERY_RETURN_IF_ERROR(ForgetClustered(connection, table.name, before));
  LOGQUERY_RETURN_IF_ERROR(BookRemoval(connection, table, before, rows, "age"));
  LOGQUERY_RETURN_IF_ERROR(BookChange(connection, table.name, change).status());
  return rows;
}

absl::StatusOr<int64_t> RemoveDay(duckdb_connection connection, const Table& table,
                                  const std::optional<std::string>& project, absl::Time day, absl::Time now) {
  const std::string time = duckdb::QuoteName(table.time_column);
  const std::string owner = table.project_path.empty() ? "NULL::VARCHAR" : ProjectSql(table);
  LOGQUERY_ASSIGN_OR_RETURN(const std::string owned, OwnerCondition(owner, project));
  const std::string condition = base::StrCat(owned, " AND ", time, " >= ", duckdb::TimeSql(day), " AND ", time, " < ",
                                             duckdb::TimeSql(day + kDay));
  LOGQUERY_RETURN_IF_ERROR(ForgetClusteredRows(connection, table, condition));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t rows, Delete(connection, table, condition));
  if (rows == 0) return rows;
  const absl::Time before = day > now + kDay ? absl::InfiniteFuture() : day + kDay;
  LOGQUERY_RETURN_IF_ERROR(BookRemoval(connection, table, before, rows, "size"));
  RowChange change;
  if (project.has_value()) {
    change.Add(*project);
  } else {
    change.AddUnowned();
  }
  LOGQUERY_RETURN_IF_ERROR(BookChange(connection, table.name, change).status());
  return rows;
}

absl::StatusOr<Removed> ReadRemoved(duckdb_connection connection, const std::string& table) {
  LOGQUERY_ASSIGN_OR_RETURN(const bool books, HasBooks(connection, "removals"));
  Removed removed;
  if (!books) return removed;
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows rows,
                            duckdb::Query(connection,
                                          "SELECT coalesce(sum(row_count), 0)::BIGINT, epoch_us(max(before)) FROM "
                                          "logquery.removals WHERE table_name = $1",
                                          {table}));
  LOGQUERY_ASSIGN_OR_RETURN(removed.rows, duckdb::NumberIn(rows[0][0]));
  if (!rows[0][1].empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t before, duckdb::NumberIn(rows[0][1]));
    removed.before = absl::FromUnixMicros(before);
  }
  return removed;
}

}  // namespace logquery::store
