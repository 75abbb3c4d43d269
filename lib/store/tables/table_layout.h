// The layout of a log's table in the folder's database: the declared columns, and additional stored columns.
//
//   declared columns              as in the schema, records as STRUCT
//   "metadata.request.path"       a hot value: the value at the path, NULL if a record on the path is NULL
//   "?metadata.request"           a presence flag: BOOL, never NULL
//   learned columns               undeclared fields of rows: see learned_fields.h
//   "_undeclared"                 JSON text of fields without a column, with their nesting; mostly NULL
//   ":metadata"                   a packed record (lib/backend/packed_records.h): the whole record once more, as bytes; NULL in
//                                 most rows of closed days, and in those of a logquery that does not pack records
#ifndef LOGQUERY_LIB_STORE_TABLES_TABLE_LAYOUT_H_
#define LOGQUERY_LIB_STORE_TABLES_TABLE_LAYOUT_H_

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/model/schema_file.h"
#include "logquery/catalog.h"

namespace logquery::store {

inline constexpr char kUndeclaredColumn[] = "_undeclared";

struct StoredColumn {
  enum class Role { kDeclared, kHotValue, kPresence, kUndeclared, kPackedRecord, kLearnedValue, kLearnedPresence };
  std::string name;
  Type type;
  Role role = Role::kDeclared;
  model::FieldPath path;  // of a hot or learned value, of a presence flag, or of a packed record
  // For a learned column: the projects whose rows it is for, by TableLayout::projects. A column without a project gets
  // no values.
  bool is_everyones = false;
  std::vector<bool> owners = {};
  bool casts = false;  // it takes every value that casts to its type, as a declared field does

  bool is_packed() const { return role == Role::kPackedRecord; }
  bool is_presence() const { return role == Role::kPresence || role == Role::kLearnedPresence; }
};

struct TableLayout {
  Table table;  // as in the catalog, including hot columns
  std::vector<StoredColumn> columns;
  std::map<std::string, size_t, std::less<>> projects = {};  // numbers of those that own learned columns
  // STRING columns that are filled if a row lacks them; ignored if the table has no such column.
  std::string id_column = "id";
  std::string message_column = "event_message";
};

// Returns one layout for each table of `schema`, in its order.
std::vector<TableLayout> MakeLayouts(const model::SchemaFile& schema);

// Returns the column's definition in SQL, such as `"id" VARCHAR`.
std::string ColumnSql(const StoredColumn& column);

// Returns its "CREATE TABLE …" statement.
std::string CreateTableSql(const TableLayout& layout);

// Returns the expression for the project of a row; empty: the table has none.
std::string ProjectSql(const Table& table);

// Returns the condition that `owner`, an expression for the project of a row, is `project`; nullopt: NULL.
absl::StatusOr<std::string> OwnerCondition(const std::string& owner, const std::optional<std::string>& project);

// Returns the expression that computes the column's value from declared columns, for columns added to existing rows.
std::string DerivedSql(const StoredColumn& column);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_TABLE_LAYOUT_H_
