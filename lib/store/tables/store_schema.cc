// Creates missing tables and records, and compares existing ones with the schema.
#include "lib/store/tables/store_schema.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/learn/learned_books.h"
#include "lib/store/load/event_rejects.h"
#include "lib/store/tables/booked_type.h"
#include "lib/store/tables/change_books.h"
#include "lib/store/tables/clock_books.h"
#include "lib/store/tables/clustering.h"
#include "lib/store/tables/dictionary_books.h"
#include "lib/store/tables/event_books.h"
#include "lib/store/tables/source_books.h"
#include "lib/store/tables/table_marks.h"

namespace logquery::store {
namespace {

constexpr char kMakeBooks[] =
    "CREATE SCHEMA IF NOT EXISTS logquery;"
    "CREATE TABLE IF NOT EXISTS logquery.columns("
    "table_name VARCHAR, column_name VARCHAR, sql_type VARCHAR, derived BOOLEAN);"
    "CREATE TABLE IF NOT EXISTS logquery.loads("
    "digest VARCHAR, table_name VARCHAR, file VARCHAR, loaded_at TIMESTAMP, row_count BIGINT, rejected_rows BIGINT,"
    "duplicate_rows BIGINT, bytes BIGINT, rejected_name VARCHAR);"
    "CREATE TABLE IF NOT EXISTS logquery.removals("
    "table_name VARCHAR, removed_at TIMESTAMP, before TIMESTAMP, row_count BIGINT, reason VARCHAR)";

using Learned = base::StringMap<LearnedTable>;

// Returns whether the schema declares the field itself, or a non-record on the path to it.
bool IsDeclared(const Table& table, const model::FieldPath& path) {
  model::FieldPath part;
  for (const std::string& name : path) {
    part.push_back(name);
    const Type* const type = model::FieldType(table.columns, part);
    if (type == nullptr) return false;
    if (!type->is_record()) return true;
  }
  return true;
}

// Rows may have had a field that is declared now. Its column would have to become another one.
absl::Status CheckLearned(const TableLayout& layout, const LearnedTable& learned) {
  for (const LearnedColumn& column : learned.columns) {
    if (!IsDeclared(layout.table, column.path)) continue;
    return absl::FailedPreconditionError(
        base::StrCat("the schema declares ", layout.table.name, ".", base::Join(column.path, "."),
                     ", which the folder has learned as ", column.presence ? "a record" : column.type.ToString(),
                     " from its rows: leave it undeclared, or give it back first (logquery forget-field)"));
  }
  return absl::OkStatus();
}

const LearnedTable& LearnedOf(const Learned& learned, const std::string& table) {
  static const auto* const none = new LearnedTable;
  const auto found = learned.find(table);
  return found == learned.end() ? *none : found->second;
}

struct KnownColumn {
  std::string sql_type;
  bool derived = false;
};
using KnownColumns = std::map<std::string, KnownColumn>;
using KnownTables = std::map<std::string, KnownColumns>;

absl::StatusOr<KnownTables> ReadBooks(duckdb_connection connection) {
  KnownTables tables;
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection, "SELECT table_name, column_name, sql_type, derived FROM logquery.columns"));
  for (const std::vector<std::string>& row : rows) tables[row[0]][row[1]] = {row[2], row[3] == "true"};
  return tables;
}

bool IsDerived(const StoredColumn& column) { return column.role != StoredColumn::Role::kDeclared; }

absl::Status CheckType(const TableLayout& layout, const StoredColumn& column, const KnownColumn& known) {
  if (known.sql_type == BookedType(column.type)) return absl::OkStatus();
  return absl::FailedPreconditionError(base::StrCat(
      "the schema declares ", layout.table.name, ".", column.name, " as ", DeclaredTypeText(column.type),
      ", but the folder has it as ", BookedTypeText(known.sql_type), ": a declared field never changes its type"));
}

absl::Status BookColumn(duckdb_connection connection, const TableLayout& layout, const StoredColumn& column) {
  return duckdb::Query(connection, "INSERT INTO logquery.columns VALUES ($1, $2, $3, $4::BOOLEAN)",
                       {layout.table.name, column.name, BookedType(column.type), IsDerived(column) ? "true" : "false"})
      .status();
}

absl::Status AddColumn(duckdb_connection connection, const TableLayout& layout, const StoredColumn& column) {
  const std::string table = duckdb::QuoteName(layout.table.name);
  LOGQUERY_RETURN_IF_ERROR(
      duckdb::Run(connection, base::StrCat("ALTER TABLE ", table, " ADD COLUMN ", ColumnSql(column))));
  if (const std::string value = DerivedSql(column); value != "NULL") {
    LOGQUERY_RETURN_IF_ERROR(
        duckdb::Run(connection, base::StrCat("UPDATE ", table, " SET ", duckdb::QuoteName(column.name), " = ", value)));
  }
  return BookColumn(connection, layout, column);
}

absl::Status DropColumn(duckdb_connection connection, const TableLayout& layout, const std::string& column) {
  LOGQUERY_RETURN_IF_ERROR(duckdb::Run(connection, base::StrCat("ALTER TABLE ", duckdb::QuoteName(layout.table.name),
                                                                " DROP COLUMN ", duckdb::QuoteName(column))));
  return duckdb::Query(connection, "DELETE FROM logquery.columns WHERE table_name = $1 AND column_name = $2",
                       {layout.table.name, column})
      .status();
}

const StoredColumn* FindColumn(const TableLayout& layout, const std::string& name) {
  for (const StoredColumn& column : layout.columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

absl::Status EnsureTable(duckdb_connection connection, const TableLayout& layout, const KnownTables& books) {
  const auto known = books.find(layout.table.name);
  if (known == books.end()) {
    LOGQUERY_RETURN_IF_ERROR(duckdb::Run(connection, CreateTableSql(layout)));
    for (const StoredColumn& column : layout.columns) {
      LOGQUERY_RETURN_IF_ERROR(BookColumn(connection, layout, column));
    }
    return absl::OkStatus();
  }
  for (const auto& [name, column] : known->second) {
    if (column.derived && FindColumn(layout, name) == nullptr) {
      LOGQUERY_RETURN_IF_ERROR(DropColumn(connection, layout, name));
    }
  }
  for (const StoredColumn& column : layout.columns) {
    if (const auto there = known->second.find(column.name); there != known->second.end()) {
      LOGQUERY_RETURN_IF_ERROR(CheckType(layout, column, there->second));
    } else {
      LOGQUERY_RETURN_IF_ERROR(AddColumn(connection, layout, column));
    }
  }
  return absl::OkStatus();
}

// Makes the columns of the fields that are declared of built-in logs and that no row has brought.
absl::Status EnsureFurther(duckdb_connection connection, const FolderSchema& schema, const Learned& learned) {
  for (const model::FurtherFields& further : schema.own.further) {
    const TableLayout* const layout = schema.Find(further.table);
    if (layout == nullptr) continue;  // other logs stand in for the built-in ones
    const LearnedTable& known = LearnedOf(learned, layout->table.name);
    LOGQUERY_ASSIGN_OR_RETURN(const LearnedChange change, DecideDeclared(further.fields, *layout, known));
    LOGQUERY_RETURN_IF_ERROR(ApplyLearned(connection, layout->table.name, known, change));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status EnsureTables(duckdb_connection connection, const FolderSchema& schema,
                          absl::FunctionRef<absl::Status(duckdb::Transaction& transaction)> commit) {
  LOGQUERY_ASSIGN_OR_RETURN(duckdb::Transaction transaction, duckdb::Transaction::Begin(connection));
  LOGQUERY_RETURN_IF_ERROR(duckdb::Run(connection, kMakeBooks));
  LOGQUERY_RETURN_IF_ERROR(duckdb::Run(connection, kMakeLearnedBooks));
  LOGQUERY_RETURN_IF_ERROR(duckdb::Run(connection, kMakeClusterBooks));
  LOGQUERY_RETURN_IF_ERROR(duckdb::Run(connection, kMakeEventBooks));
  LOGQUERY_RETURN_IF_ERROR(duckdb::Run(connection, kMakeRejectBooks));
  LOGQUERY_RETURN_IF_ERROR(duckdb::Run(connection, kMakeChangeBooks));
  LOGQUERY_RETURN_IF_ERROR(duckdb::Run(connection, kMakeSourceBooks));
  LOGQUERY_RETURN_IF_ERROR(duckdb::Run(connection, kMakeDictionaryBooks));
  LOGQUERY_RETURN_IF_ERROR(EnsureReceiptKey(connection));
  LOGQUERY_RETURN_IF_ERROR(EnsureClock(connection));
  LOGQUERY_ASSIGN_OR_RETURN(const KnownTables books, ReadBooks(connection));
  LOGQUERY_ASSIGN_OR_RETURN(const Learned learned, ReadLearned(connection));
  for (const TableLayout& layout : schema.layouts) {
    LOGQUERY_RETURN_IF_ERROR(CheckLearned(layout, LearnedOf(learned, layout.table.name)));
    LOGQUERY_RETURN_IF_ERROR(EnsureTable(connection, layout, books));
    const bool was_there = books.find(layout.table.name) != books.end();
    LOGQUERY_RETURN_IF_ERROR(EnsureChangeBooks(connection, layout.table.name, /*has_rows=*/was_there));
  }
  LOGQUERY_RETURN_IF_ERROR(EnsureFurther(connection, schema, learned));
  LOGQUERY_RETURN_IF_ERROR(WriteOwnLogs(connection, schema.own));
  return commit(transaction);
}

absl::StatusOr<std::vector<LiveTable>> ReadTables(duckdb_connection connection,
                                                  const std::vector<TableLayout>& layouts) {
  const absl::StatusOr<KnownTables> books = ReadBooks(connection);
  if (!books.ok()) return absl::FailedPreconditionError("the folder's logs.duckdb is no database of logs");
  LOGQUERY_ASSIGN_OR_RETURN(const Learned learned, ReadLearned(connection));
  std::vector<LiveTable> tables;
  for (const TableLayout& layout : layouts) {
    LOGQUERY_RETURN_IF_ERROR(CheckLearned(layout, LearnedOf(learned, layout.table.name)));
    const auto known = books->find(layout.table.name);
    if (known == books->end()) continue;
    for (const StoredColumn& column : layout.columns) {
      const auto there = known->second.find(column.name);
      if (there != known->second.end()) {
        LOGQUERY_RETURN_IF_ERROR(CheckType(layout, column, there->second));
      } else if (!IsDerived(column)) {
        return absl::FailedPreconditionError(
            base::StrCat("the folder has no column ", layout.table.name, ".", column.name,
                         " yet, which the schema declares: open it for writing once, so that the column is made"));
      }
    }
    Table table = layout.table;
    std::vector<HotColumn>& hot = table.hot_columns;
    const auto is_missing = [&](const HotColumn& column) { return known->second.count(column.column) == 0; };
    hot.erase(std::remove_if(hot.begin(), hot.end(), is_missing), hot.end());
    std::erase_if(table.packed_records,
                  [&](const PackedRecord& packed) { return known->second.count(packed.column) == 0; });
    tables.push_back(MakeLiveTable(table, LearnedOf(learned, layout.table.name)));
  }
  return tables;
}

}  // namespace logquery::store
