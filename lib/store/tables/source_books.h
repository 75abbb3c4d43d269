// Records of the logs that sources made by being written to: which project's token made each.
#ifndef LOGQUERY_LIB_STORE_TABLES_SOURCE_BOOKS_H_
#define LOGQUERY_LIB_STORE_TABLES_SOURCE_BOOKS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "logquery/store/duckdb_backend.h"

namespace logquery::store {

// `project`: NULL if a token of all projects made it.
inline constexpr char kMakeSourceBooks[] =
    "CREATE TABLE IF NOT EXISTS logquery.sources(table_name VARCHAR, project VARCHAR)";

// Records that a token of this project makes the log; nullopt: a token of all projects.
absl::Status BookSource(duckdb_connection connection, const std::string& table,
                        const std::optional<std::string>& project);

// The log is an operator's from now on.
absl::Status ForgetSource(duckdb_connection connection, const std::string& table);

// Forgets which logs the project has made, but not that sources made them.
absl::Status ForgetMaker(duckdb_connection connection, const std::string& project);

// See DuckDbBackend::ReadSources. Also works for folders without these records.
absl::StatusOr<std::vector<SourceLog>> ReadSources(duckdb_connection connection,
                                                   const std::optional<std::string>& project);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_SOURCE_BOOKS_H_
