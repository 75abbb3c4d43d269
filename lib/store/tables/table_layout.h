// How a log's table lies in the folder's database: the declared columns, and what is kept beside them.
//
//   declared columns              as the schema has them, records as STRUCT
//   "metadata.request.path"       a hot value: what the path holds, NULL where any record on the way is
//   "?metadata.request"           a presence flag: BOOL, never NULL
//   learned columns               what rows had beyond the declared fields: see learned_fields.h
//   "_undeclared"                 JSON text of what there is no column for, nested as it was; mostly NULL
#ifndef LOGQUERY_LIB_STORE_TABLES_TABLE_LAYOUT_H_
#define LOGQUERY_LIB_STORE_TABLES_TABLE_LAYOUT_H_

#include <string>
#include <vector>

#include "lib/model/schema_file.h"
#include "logquery/catalog.h"

namespace logquery::store {

inline constexpr char kUndeclaredColumn[] = "_undeclared";

struct StoredColumn {
  enum class Role { kDeclared, kHotValue, kPresence, kUndeclared, kLearnedValue, kLearnedPresence };
  std::string name;
  Type type;
  Role role = Role::kDeclared;
  model::FieldPath path;  // of a hot or learned value, or of a presence flag

  bool is_presence() const { return role == Role::kPresence || role == Role::kLearnedPresence; }
};

struct TableLayout {
  Table table;  // as the catalog shows it, hot columns included
  std::vector<StoredColumn> columns;
  // STRING columns that are filled where a row lacks them; they count where the table has them.
  std::string id_column = "id";
  std::string message_column = "event_message";
};

// One for each table of `schema`, in its order.
std::vector<TableLayout> MakeLayouts(const model::SchemaFile& schema);

// "CREATE TABLE …" for it.
std::string CreateTableSql(const TableLayout& layout);

// The expression that says whose row it is; empty: nothing does.
std::string ProjectSql(const Table& table);

// The expression that gives the column's value from the declared ones: for columns that are added to rows there are.
std::string DerivedSql(const StoredColumn& column);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_TABLE_LAYOUT_H_
