// Runs statements through the C API and reads single values of their results.
#include "lib/engines/duckdb/backend/small_query.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/engines/duckdb/backend/errors.h"

namespace logquery::duckdb {

absl::StatusOr<TextRows> Query(duckdb_connection connection, const std::string& sql,
                               const std::vector<std::string>& texts) {
  StatementHandle statement;
  if (duckdb_prepare(connection, sql.c_str(), statement.out()) != DuckDBSuccess) {
    return ErrorFromDuckDb(duckdb_prepare_error(statement.get()));
  }
  for (size_t i = 0; i < texts.size(); ++i) {
    duckdb_bind_varchar_length(statement.get(), i + 1, texts[i].data(), texts[i].size());
  }
  Result result;
  if (duckdb_execute_prepared(statement.get(), result.out()) != DuckDBSuccess) return ErrorFromDuckDb(result.error());
  TextRows rows(duckdb_row_count(result.get()));
  for (size_t row = 0; row < rows.size(); ++row) {
    for (idx_t column = 0; column < duckdb_column_count(result.get()); ++column) {
      char* const text = duckdb_value_varchar(result.get(), column, row);
      rows[row].emplace_back(text == nullptr ? "" : text);
      duckdb_free(text);
    }
  }
  return rows;
}

absl::StatusOr<int64_t> NumberIn(const std::string& text) {
  int64_t number = 0;
  if (!absl::SimpleAtoi(text, &number)) return absl::InternalError("a count is no number: " + text);
  return number;
}

std::string TimeSql(absl::Time time) { return absl::StrCat("make_timestamp(", absl::ToUnixMicros(time), ")"); }

absl::StatusOr<Transaction> Transaction::Begin(duckdb_connection connection) {
  LOGQUERY_RETURN_IF_ERROR(Run(connection, "BEGIN TRANSACTION"));
  return Transaction(connection);
}

Transaction::~Transaction() {
  // The transaction may have ended by itself, after an error.
  if (connection_ != nullptr) Run(connection_, "ROLLBACK").IgnoreError();
}

absl::Status Transaction::Commit() {
  LOGQUERY_RETURN_IF_ERROR(Run(connection_, "COMMIT"));
  connection_ = nullptr;
  return absl::OkStatus();
}

}  // namespace logquery::duckdb
