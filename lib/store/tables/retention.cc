// Estimates the size of a row from the table's blocks on disk.
#include "lib/store/tables/retention.h"

#include "absl/strings/str_cat.h"
#include "lib/backend/duckdb/engine_types.h"
#include "lib/backend/duckdb/small_query.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/store/tables/books.h"
#include "lib/store/tables/clustering.h"

namespace logquery::store {
namespace {

constexpr absl::Duration kDay = absl::Hours(24);

struct Day {
  absl::Time begin;
  int64_t rows = 0;
};

// Days that have rows, in UTC, the oldest first.
absl::StatusOr<std::vector<Day>> DaysOf(duckdb_connection connection, const Table& table, const std::string& where) {
  const std::string time = duckdb::QuoteName(table.time_column);
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection, base::StrCat("SELECT epoch_us(date_trunc('day', ", time, ")), count(*) FROM ",
                                             duckdb::QuoteName(table.name), where, " GROUP BY 1 ORDER BY 1")));
  std::vector<Day> days;
  for (const std::vector<std::string>& row : rows) {
    if (row[0].empty()) continue;  // rows without a time stay
    Day day;
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t begin, duckdb::NumberIn(row[0]));
    LOGQUERY_ASSIGN_OR_RETURN(day.rows, duckdb::NumberIn(row[1]));
    day.begin = absl::FromUnixMicros(begin);
    days.push_back(day);
  }
  return days;
}

// What a row takes on the disk, of those that the file holds: also of rows that are gone but whose place is not free yet.
absl::StatusOr<double> BytesOfRow(duckdb_connection connection, const Table& table) {
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(
          connection,
          base::StrCat("SELECT count(DISTINCT block_id) * (SELECT block_size FROM pragma_database_size() WHERE"
                       " database_name = current_database()), coalesce(sum(count) FILTER (column_name = $1 AND"
                       " segment_type <> 'VALIDITY'), 0)::BIGINT FROM pragma_storage_info(",
                       duckdb::QuoteText(duckdb::QuoteName(table.name)), ") WHERE persistent"),
          {table.time_column}));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t bytes, duckdb::NumberIn(rows[0][0]));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t stored, duckdb::NumberIn(rows[0][1]));
  return stored == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(stored);
}

}  // namespace

absl::StatusOr<std::vector<absl::Time>> StepsBefore(duckdb_connection connection, const Table& table,
                                                    absl::Time before) {
  LOGQUERY_ASSIGN_OR_RETURN(
      const std::vector<Day> days,
      DaysOf(connection, table,
             base::StrCat(" WHERE ", duckdb::QuoteName(table.time_column), " < ", duckdb::TimeSql(before))));
  std::vector<absl::Time> steps;
  for (const Day& day : days) steps.push_back(day.begin + kDay);
  if (!steps.empty()) steps.back() = before;
  return steps;
}

absl::StatusOr<std::optional<absl::Time>> CutToFit(duckdb_connection connection, const Table& table,
                                                   int64_t max_bytes) {
  LOGQUERY_ASSIGN_OR_RETURN(const double bytes_of_row, BytesOfRow(connection, table));
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<Day> days, DaysOf(connection, table, ""));
  double bytes = 0;
  for (size_t i = days.size(); i-- > 0;) {
    bytes += bytes_of_row * static_cast<double>(days[i].rows);
    if (bytes > static_cast<double>(max_bytes) && i + 1 < days.size()) return days[i + 1].begin;
  }
  return std::nullopt;
}

absl::StatusOr<int64_t> RemoveBefore(duckdb_connection connection, const Table& table, absl::Time before,
                                     std::string_view reason) {
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows deleted,
      duckdb::Query(connection, base::StrCat("DELETE FROM ", duckdb::QuoteName(table.name), " WHERE ",
                                             duckdb::QuoteName(table.time_column), " < ", duckdb::TimeSql(before))));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t rows, duckdb::NumberIn(deleted.empty() ? "" : deleted[0][0]));
  if (rows == 0) return rows;
  LOGQUERY_RETURN_IF_ERROR(ForgetClustered(connection, table.name, before));
  LOGQUERY_RETURN_IF_ERROR(duckdb::Query(connection,
                                         base::StrCat("INSERT INTO logquery.removals VALUES ($1, now()::TIMESTAMP, ",
                                                      duckdb::TimeSql(before), ", $2::BIGINT, $3)"),
                                         {table.name, absl::StrCat(rows), std::string(reason)})
                               .status());
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
