// Creates the table by SQL, and adds the rows with DuckDB's appender.
#include "lib/store/create_table.h"

#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/bind.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/errors.h"
#include "lib/engines/duckdb/dialect/types.h"
#include "lib/store/backend_impl.h"

namespace logquery::store {
namespace {

std::string CreateSql(const std::string& name, const Schema& columns) {
  std::string sql = base::StrCat("CREATE OR REPLACE TABLE ", duckdb::QuoteName(name), " (");
  for (size_t i = 0; i < columns.size(); ++i) {
    base::StrAppend(&sql, i == 0 ? "" : ", ", duckdb::QuoteName(columns[i].name), " ",
                    emit::DuckDbType(columns[i].type));
  }
  return sql + ")";
}

absl::Status AppenderError(duckdb_appender appender) {
  const char* error = duckdb_appender_error(appender);
  return duckdb::ErrorFromDuckDb(error == nullptr ? "the appender failed" : error);
}

absl::Status AppendRow(duckdb_appender appender, const Schema& columns, const std::vector<Value>& row) {
  if (row.size() != columns.size()) {
    return absl::InvalidArgumentError(base::StrCat("a row of ", base::Counted(row.size(), "value"), " for ",
                                                   base::Counted(columns.size(), "column")));
  }
  for (const Value& value : row) {
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ValueHandle handle, duckdb::ToDuckDb(value));
    if (duckdb_append_value(appender, handle.get()) != DuckDBSuccess) return AppenderError(appender);
  }
  return duckdb_appender_end_row(appender) == DuckDBSuccess ? absl::OkStatus() : AppenderError(appender);
}

absl::Status AppendRows(duckdb_connection connection, const std::string& name, const Schema& columns,
                        const std::vector<std::vector<Value>>& rows) {
  duckdb::AppenderHandle appender;
  if (duckdb_appender_create(connection, nullptr, name.c_str(), appender.out()) != DuckDBSuccess) {
    return AppenderError(appender.get());
  }
  for (const std::vector<Value>& row : rows) LOGQUERY_RETURN_IF_ERROR(AppendRow(appender.get(), columns, row));
  return duckdb_appender_close(appender.get()) == DuckDBSuccess ? absl::OkStatus() : AppenderError(appender.get());
}

}  // namespace

absl::Status CreateTable(DuckDbBackend& backend, const std::string& name, const Schema& columns,
                         const std::vector<std::vector<Value>>& rows) {
  auto& impl = static_cast<DuckDbBackendImpl&>(backend);
  LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<duckdb::Engine::State> state, impl.engine().Use());
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state->database.Connect());
  // DuckDB has no table without columns; GoogleSQL's cases have.
  if (columns.empty()) return absl::InvalidArgumentError(base::StrCat("table ", name, " has no columns"));
  LOGQUERY_RETURN_IF_ERROR(duckdb::Run(connection.get(), CreateSql(name, columns)));
  const duckdb::DataVersion::Change change(&state->database.version(), duckdb::DataVersion::Kind::kMoves);
  if (const absl::Status status = AppendRows(connection.get(), name, columns, rows); !status.ok()) {
    duckdb::Run(connection.get(), "DROP TABLE " + duckdb::QuoteName(name)).IgnoreError();
    impl.tables().Remove(name);
    return status;
  }
  Table table;
  table.name = name;
  table.columns = columns;
  impl.tables().Put(std::move(table));
  return absl::OkStatus();
}

absl::Status DropTable(DuckDbBackend& backend, const std::string& name) {
  auto& impl = static_cast<DuckDbBackendImpl&>(backend);
  if (!impl.tables().Remove(name)) return absl::NotFoundError(base::StrCat("there is no table ", name));
  LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<duckdb::Engine::State> state, impl.engine().Use());
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state->database.Connect());
  return duckdb::Run(connection.get(), "DROP TABLE " + duckdb::QuoteName(name));
}

}  // namespace logquery::store
