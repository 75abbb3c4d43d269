// Queries and writes the table logquery.loads.
#include "lib/store/tables/load_books.h"

#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/backend/small_query.h"

namespace logquery::store {

absl::StatusOr<std::optional<LoadEntry>> FindLoad(duckdb_connection connection, const std::string& table,
                                                  const std::string& key) {
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection,
                    "SELECT file, row_count, rejected_rows, duplicate_rows, bytes, rejected_name FROM logquery.loads"
                    " WHERE digest = $1 AND table_name = $2",
                    {key, table}));
  if (rows.empty()) return std::nullopt;
  LoadEntry entry;
  entry.key = key;
  entry.name = rows[0][0];
  if (!absl::SimpleAtoi(rows[0][1], &entry.rows) || !absl::SimpleAtoi(rows[0][2], &entry.rejected_rows) ||
      !absl::SimpleAtoi(rows[0][3], &entry.duplicate_rows) || !absl::SimpleAtoi(rows[0][4], &entry.bytes)) {
    return absl::DataLossError("the entry of a load has no number of rows");
  }
  entry.rejected_name = rows[0][5];
  return entry;
}

absl::Status LoadFilter::Fill(duckdb_connection connection) {
  if (filled_) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows rows,
                            duckdb::Query(connection, "SELECT table_name, digest FROM logquery.loads"));
  seen_.reserve(rows.size());
  for (const std::vector<std::string>& row : rows) Add(row[0], row[1]);
  filled_ = true;
  return absl::OkStatus();
}

absl::Status AddLoad(duckdb_connection connection, const std::string& table, const LoadEntry& entry) {
  return duckdb::Query(
             connection,
             "INSERT INTO logquery.loads VALUES ($1, $2, $3, now()::TIMESTAMP, $4::BIGINT, $5::BIGINT, $6::BIGINT, "
             "$7::BIGINT, $8)",
             {entry.key, table, entry.name, absl::StrCat(entry.rows), absl::StrCat(entry.rejected_rows),
              absl::StrCat(entry.duplicate_rows), absl::StrCat(entry.bytes), entry.rejected_name})
      .status();
}

absl::Status RemoveLoad(duckdb_connection connection, const std::string& table, const std::string& key) {
  return duckdb::Query(connection, "DELETE FROM logquery.loads WHERE digest = $1 AND table_name = $2", {key, table})
      .status();
}

absl::StatusOr<base::StringSet> ReadRejectedNames(duckdb_connection connection) {
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection, "SELECT rejected_name FROM logquery.loads WHERE rejected_name <> ''"));
  base::StringSet names;
  for (const std::vector<std::string>& row : rows) names.insert(row[0]);
  return names;
}

}  // namespace logquery::store
