// Reads and adds learned columns in the records and in the tables.
#include "lib/store/learn/learned_books.h"

#include <optional>
#include <utility>

#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/engines/duckdb/dialect/types.h"
#include "lib/store/rows/json_reader.h"
#include "lib/store/tables/books.h"

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
  LOGQUERY_ASSIGN_OR_RETURN(const base::Json path, base::ParseJson("path", row[2]));
  const std::optional<Type> type = LearnedType(row[3]);
  if (!path.is_array() || path.empty() || !type.has_value()) return damaged();
  LearnedColumn column{{}, row[1], *type, row[4] == "true"};
  for (const base::Json& name : path) {
    if (!name.is_string()) return damaged();
    column.path.push_back(name.get<std::string>());
  }
  return column;
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

absl::Status Book(duckdb_connection connection, const std::string& table, const std::string& column,
                  const std::string& standing, const std::string& project, const std::string& token = {}) {
  return duckdb::Query(connection, "INSERT INTO logquery.learned_by VALUES ($1, $2, $3, $4, $5)",
                       {table, column, standing, project, token})
      .status();
}

// A value moves if the type that it moves to gives it back.
absl::Status Move(duckdb_connection connection, const std::string& table, const LearnedColumn& from,
                  const LearnedColumn& to) {
  const std::string old_name = duckdb::QuoteName(from.column);
  const std::string new_name = duckdb::QuoteName(to.column);
  const std::string cast = base::StrCat("TRY_CAST(", old_name, " AS ", emit::DuckDbType(to.type), ")");
  return duckdb::Run(connection,
                     base::StrCat("UPDATE ", duckdb::QuoteName(table), " SET ", new_name, " = ", cast, ", ", old_name,
                                  " = NULL WHERE ", old_name, " IS NOT NULL AND ", new_name, " IS NULL AND TRY_CAST(",
                                  cast, " AS ", emit::DuckDbType(from.type), ") = ", old_name));
}

// Adds the standings to the columns, which `places` finds by their names.
absl::Status ReadStandings(duckdb_connection connection, base::StringMap<LearnedTable>* learned) {
  LOGQUERY_ASSIGN_OR_RETURN(const bool books, HasBooks(connection, "learned_by"));
  base::StringMap<base::StringMap<size_t>> places;
  base::StringMap<std::vector<bool>> has_standing;
  for (const auto& [table, columns] : *learned) {
    for (size_t i = 0; i < columns.columns.size(); ++i) places[table][columns.columns[i].column] = i;
    has_standing[table].resize(columns.columns.size());
  }
  duckdb::TextRows rows;
  if (books) {
    LOGQUERY_ASSIGN_OR_RETURN(const bool has_token, HasBookColumn(connection, "learned_by", "token"));
    const std::string token = has_token ? "coalesce(token, '')" : "''";
    LOGQUERY_ASSIGN_OR_RETURN(
        rows, duckdb::Query(connection, base::StrCat("SELECT table_name, column_name, standing, project, ", token,
                                                     " FROM logquery.learned_by ORDER BY rowid")));
  }
  for (const std::vector<std::string>& row : rows) {
    const auto place = places[row[0]].find(row[1]);
    if (place == places[row[0]].end()) {
      return absl::DataLossError(base::StrCat("the books of learned fields have no column ", row[0], ".", row[1]));
    }
    LearnedTable& table = (*learned)[row[0]];
    has_standing[row[0]][place->second] = true;
    if (row[2] == "superseded") {
      table.superseded.push_back(place->second);
    } else if (row[2] == "declared") {
      table.everyones.push_back(place->second);
      table.declared.push_back(place->second);
    } else {
      table.taught[row[3]].push_back(place->second);
      if (!row[4].empty()) table.lessons[row[4]].push_back({row[3], place->second});
    }
  }
  for (auto& [table, columns] : *learned) {
    std::vector<size_t> older;
    for (size_t i = 0; i < columns.columns.size(); ++i) {
      if (!has_standing[table][i]) older.push_back(i);
    }
    columns.everyones.insert(columns.everyones.begin(), older.begin(), older.end());
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<base::StringMap<LearnedTable>> ReadLearned(duckdb_connection connection) {
  base::StringMap<LearnedTable> learned;
  LOGQUERY_ASSIGN_OR_RETURN(const bool books, HasBooks(connection, "learned"));
  if (!books) return learned;
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection,
                    "SELECT table_name, column_name, path, type, presence FROM logquery.learned ORDER BY rowid"));
  for (const std::vector<std::string>& row : rows) {
    LOGQUERY_ASSIGN_OR_RETURN(LearnedColumn column, ReadColumn(row));
    learned[row[0]].columns.push_back(std::move(column));
  }
  LOGQUERY_RETURN_IF_ERROR(ReadStandings(connection, &learned));
  return learned;
}

absl::Status ApplyLearned(duckdb_connection connection, const std::string& table, const LearnedTable& learned,
                          const LearnedChange& change) {
  const auto column_at = [&](size_t index) -> const LearnedColumn& {
    const size_t before = learned.columns.size();
    return index < before ? learned.columns[index] : change.added[index - before];
  };
  for (const LearnedColumn& column : change.added) LOGQUERY_RETURN_IF_ERROR(Add(connection, table, column));
  for (const size_t index : change.superseded) {
    const std::string& column = column_at(index).column;
    LOGQUERY_RETURN_IF_ERROR(duckdb::Query(connection,
                                           "DELETE FROM logquery.learned_by WHERE table_name = $1 AND column_name = $2",
                                           {table, column})
                                 .status());
    LOGQUERY_RETURN_IF_ERROR(Book(connection, table, column, "superseded", ""));
  }
  for (const size_t index : change.declared) {
    LOGQUERY_RETURN_IF_ERROR(Book(connection, table, column_at(index).column, "declared", ""));
  }
  for (const LearnedChange::Taught& taught : change.taught) {
    const std::string& column = column_at(taught.column).column;
    LOGQUERY_RETURN_IF_ERROR(Book(connection, table, column, "taught", taught.project, taught.token));
  }
  for (const LearnedChange::Moved& moved : change.moved) {
    LOGQUERY_RETURN_IF_ERROR(Move(connection, table, column_at(moved.from), column_at(moved.to)));
  }
  return absl::OkStatus();
}

}  // namespace logquery::store
