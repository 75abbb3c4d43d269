// Reads, adds and widens learned columns in the records and in the tables.
#include "lib/store/learn/learned_books.h"

#include <optional>
#include <utility>

#include "lib/backend/duckdb/database.h"
#include "lib/backend/duckdb/engine_types.h"
#include "lib/backend/duckdb/small_query.h"
#include "lib/base/json.h"
#include "lib/base/status_macros.h"
#include "lib/emit/duckdb/types.h"
#include "lib/store/rows/json_reader.h"
#include "nlohmann/json.hpp"

namespace logquery::store {
namespace {

std::string PathText(const model::FieldPath& path) {
  std::string text = "[";
  for (const std::string& name : path) {
    if (text.size() > 1) text += ',';
    AppendJsonString(name, text);
  }
  return text + "]";
}

absl::StatusOr<LearnedColumn> ReadColumn(const std::vector<std::string>& row) {
  const auto damaged = [&] {
    return absl::DataLossError(
        base::StrCat("the books of learned fields have no path or type of ", row[0], ".", row[1]));
  };
  LOGQUERY_ASSIGN_OR_RETURN(const nlohmann::ordered_json path, base::ParseJson("path", row[2]));
  const std::optional<Type> type = LearnedType(row[3]);
  if (!path.is_array() || path.empty() || !type.has_value()) return damaged();
  LearnedColumn column{{}, row[1], *type, row[4] == "true"};
  for (const nlohmann::ordered_json& name : path) {
    if (!name.is_string()) return damaged();
    column.path.push_back(name.get<std::string>());
  }
  return column;
}

absl::Status Widen(duckdb_connection connection, const std::string& table, const LearnedColumn& before,
                   const LearnedColumn& now) {
  const std::string alter = base::StrCat("ALTER TABLE ", duckdb::QuoteName(table));
  LOGQUERY_RETURN_IF_ERROR(duckdb::Run(
      connection,
      base::StrCat(alter, " ALTER COLUMN ", duckdb::QuoteName(before.column), " TYPE ", emit::DuckDbType(now.type))));
  LOGQUERY_RETURN_IF_ERROR(duckdb::Run(
      connection,
      base::StrCat(alter, " RENAME COLUMN ", duckdb::QuoteName(before.column), " TO ", duckdb::QuoteName(now.column))));
  return duckdb::Query(
             connection,
             "UPDATE logquery.learned SET column_name = $1, type = $2 WHERE table_name = $3 AND column_name = $4",
             {now.column, now.type.ToString(), table, before.column})
      .status();
}

absl::Status Add(duckdb_connection connection, const std::string& table, const LearnedColumn& column) {
  // The default is FALSE, written as a number: DuckDB 1.5 takes the word for an expression and runs three statements in
  // place of one, with a change of its configuration between them, which is locked.
  LOGQUERY_RETURN_IF_ERROR(duckdb::Run(
      connection,
      base::StrCat("ALTER TABLE ", duckdb::QuoteName(table), " ADD COLUMN ", duckdb::QuoteName(column.column), " ",
                   emit::DuckDbType(column.type), column.presence ? " DEFAULT 0" : "")));
  return duckdb::Query(
             connection, "INSERT INTO logquery.learned VALUES ($1, $2, $3, $4, $5::BOOLEAN)",
             {table, column.column, PathText(column.path), column.type.ToString(), column.presence ? "true" : "false"})
      .status();
}

}  // namespace

absl::StatusOr<base::StringMap<std::vector<LearnedColumn>>> ReadLearned(duckdb_connection connection) {
  base::StringMap<std::vector<LearnedColumn>> learned;
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows books,
      duckdb::Query(connection,
                    "SELECT 1 FROM duckdb_tables() WHERE schema_name = 'logquery' AND table_name = 'learned'"));
  if (books.empty()) return learned;
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection,
                    "SELECT table_name, column_name, path, type, presence FROM logquery.learned ORDER BY rowid"));
  for (const std::vector<std::string>& row : rows) {
    LOGQUERY_ASSIGN_OR_RETURN(LearnedColumn column, ReadColumn(row));
    learned[row[0]].push_back(std::move(column));
  }
  return learned;
}

absl::Status ApplyLearned(duckdb_connection connection, const std::string& table,
                          const std::vector<LearnedColumn>& learned, const LearnedChange& change) {
  for (const LearnedChange::Widened& widened : change.widened) {
    LOGQUERY_RETURN_IF_ERROR(Widen(connection, table, learned[widened.column], widened.now));
  }
  for (const LearnedColumn& column : change.added) LOGQUERY_RETURN_IF_ERROR(Add(connection, table, column));
  return absl::OkStatus();
}

absl::StatusOr<bool> HasWideIntegers(duckdb_connection connection, const std::string& table,
                                     const LearnedColumn& column) {
  const std::string name = duckdb::QuoteName(column.column);
  const std::string values = column.type.is_array() ? base::StrCat("unnest(", name, ")") : name;
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection, base::StrCat("SELECT max(abs(v::HUGEINT)) > 9007199254740992 FROM (SELECT ", values,
                                             " AS v FROM ", duckdb::QuoteName(table), ")")));
  return !rows.empty() && rows[0][0] == "true";
}

}  // namespace logquery::store
