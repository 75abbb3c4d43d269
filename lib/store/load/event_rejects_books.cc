// The books of rejected events: tables of the folder's database that name the files and count what was removed.
#include "lib/store/load/event_rejects_books.h"

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/tables/books.h"

namespace logquery::store {

using Entry = EventRejects::Entry;

absl::StatusOr<std::vector<Entry>> ReadRejectsBook(duckdb_connection connection) {
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection,
                    "SELECT number, table_name, name, row_count, row_bytes, reason_bytes, epoch_us(first_at), "
                    "epoch_us(last_at), coalesce(project, '') FROM (FROM logquery.rejected_events "
                    // Folders of older versions don't have the column, and may be open for reading only.
                    "UNION ALL BY NAME SELECT NULL::VARCHAR AS project WHERE false) ORDER BY number"));
  std::vector<Entry> files;
  for (const std::vector<std::string>& row : rows) {
    Entry file;
    LOGQUERY_ASSIGN_OR_RETURN(file.number, duckdb::NumberIn(row[0]));
    file.table = row[1];
    file.name = row[2];
    LOGQUERY_ASSIGN_OR_RETURN(file.rows, duckdb::NumberIn(row[3]));
    LOGQUERY_ASSIGN_OR_RETURN(file.row_bytes, duckdb::NumberIn(row[4]));
    LOGQUERY_ASSIGN_OR_RETURN(file.reason_bytes, duckdb::NumberIn(row[5]));
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t first, duckdb::NumberIn(row[6]));
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t last, duckdb::NumberIn(row[7]));
    file.first = absl::FromUnixMicros(first);
    file.last = absl::FromUnixMicros(last);
    file.project = row[8];
    files.push_back(std::move(file));
  }
  return files;
}

absl::StatusOr<int64_t> CountRemovedRejects(duckdb_connection connection) {
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection, "SELECT coalesce(sum(row_count), 0)::BIGINT FROM logquery.rejected_removals"));
  return duckdb::NumberIn(rows.empty() ? "" : rows[0][0]);
}

absl::Status UnbookRejects(duckdb_connection connection, const Entry& file) {
  return duckdb::Query(connection, "DELETE FROM logquery.rejected_events WHERE number = $1::BIGINT",
                       {absl::StrCat(file.number)})
      .status();
}

absl::Status BookRejects(duckdb_connection connection, const Entry& file) {
  LOGQUERY_RETURN_IF_ERROR(UnbookRejects(connection, file));
  return duckdb::Query(connection,
                       base::StrCat("INSERT INTO logquery.rejected_events VALUES ($1::BIGINT, $2, $3, $4::BIGINT, "
                                    "$5::BIGINT, $6::BIGINT, ",
                                    duckdb::TimeSql(file.first), ", ", duckdb::TimeSql(file.last), ", $7)"),
                       {absl::StrCat(file.number), file.table, file.name, absl::StrCat(file.rows),
                        absl::StrCat(file.row_bytes), absl::StrCat(file.reason_bytes), file.project})
      .status();
}

absl::Status BookRemovedRejects(duckdb_connection connection, const Entry& file) {
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows changed,
                            duckdb::Query(connection,
                                          "UPDATE logquery.rejected_removals SET row_count = row_count + $2::BIGINT "
                                          "WHERE table_name = $1",
                                          {file.table, absl::StrCat(file.rows)}));
  if (!changed.empty() && changed[0][0] != "0") return absl::OkStatus();
  return duckdb::Query(connection, "INSERT INTO logquery.rejected_removals VALUES ($1, $2::BIGINT)",
                       {file.table, absl::StrCat(file.rows)})
      .status();
}

absl::StatusOr<RejectedOfTable> ReadRejectedOf(duckdb_connection connection, const std::string& table) {
  RejectedOfTable rejected;
  LOGQUERY_ASSIGN_OR_RETURN(const bool books, HasBooks(connection, "rejected_events"));
  if (!books) return rejected;
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection,
                    "SELECT (SELECT coalesce(sum(row_bytes + reason_bytes), 0)::BIGINT FROM logquery.rejected_events "
                    "WHERE table_name = $1), (SELECT coalesce(sum(row_count), 0)::BIGINT FROM "
                    "logquery.rejected_removals WHERE table_name = $1)",
                    {table}));
  if (rows.empty()) return absl::InternalError("the books of rejected events gave no row");
  LOGQUERY_ASSIGN_OR_RETURN(rejected.bytes, duckdb::NumberIn(rows[0][0]));
  LOGQUERY_ASSIGN_OR_RETURN(rejected.removed, duckdb::NumberIn(rows[0][1]));
  return rejected;
}

}  // namespace logquery::store
