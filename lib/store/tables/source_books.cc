// Joins the records with those of changes, which know the projects that have had rows in a log.
#include "lib/store/tables/source_books.h"

#include <utility>

#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/tables/books.h"

namespace logquery::store {

absl::Status BookSource(duckdb_connection connection, const std::string& table,
                        const std::optional<std::string>& project) {
  LOGQUERY_RETURN_IF_ERROR(ForgetSource(connection, table));
  if (!project.has_value()) {
    return duckdb::Query(connection, "INSERT INTO logquery.sources VALUES ($1, NULL)", {table}).status();
  }
  return duckdb::Query(connection, "INSERT INTO logquery.sources VALUES ($1, $2)", {table, *project}).status();
}

absl::Status ForgetSource(duckdb_connection connection, const std::string& table) {
  return duckdb::Query(connection, "DELETE FROM logquery.sources WHERE table_name = $1", {table}).status();
}

absl::Status ForgetMaker(duckdb_connection connection, const std::string& project) {
  return duckdb::Query(connection, "UPDATE logquery.sources SET project = NULL WHERE project = $1", {project}).status();
}

absl::StatusOr<std::vector<SourceLog>> ReadSources(duckdb_connection connection,
                                                   const std::optional<std::string>& project) {
  std::vector<SourceLog> sources;
  LOGQUERY_ASSIGN_OR_RETURN(const bool books, HasBooks(connection, "sources"));
  if (!books) return sources;
  absl::StatusOr<duckdb::TextRows> rows =
      project.has_value()
          ? duckdb::Query(connection,
                          "SELECT table_name, coalesce(project = $1, false) OR table_name IN (SELECT table_name FROM"
                          " logquery.changes WHERE kind = 'project' AND project = $1) FROM logquery.sources",
                          {*project})
          : duckdb::Query(connection, "SELECT table_name, project IS NULL FROM logquery.sources");
  if (!rows.ok()) return rows.status();
  for (std::vector<std::string>& row : *rows) sources.push_back({std::move(row[0]), row[1] == "true"});
  return sources;
}

}  // namespace logquery::store
