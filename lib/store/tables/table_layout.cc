// Derives a table's stored columns from its declaration.
#include "lib/store/tables/table_layout.h"

#include <utility>

#include "lib/backend/packed_records.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/dialect/types.h"

namespace logquery::store {
namespace {

TableLayout MakeLayout(const Table& table, const model::HotDeclaration& hot) {
  TableLayout layout;
  layout.table = table;
  for (const Field& field : table.columns) layout.columns.push_back({field.name, field.type, {}, {}});
  const auto add_hot = [&](const model::FieldPath& path, std::string name, Type type, bool is_value) {
    layout.table.hot_columns.push_back({path, name, is_value ? HotColumn::Holds::kValue : HotColumn::Holds::kPresence});
    layout.columns.push_back({std::move(name), std::move(type),
                              is_value ? StoredColumn::Role::kHotValue : StoredColumn::Role::kPresence, path});
  };
  for (const model::FieldPath& path : hot.values) {
    add_hot(path, base::Join(path, "."), *model::FieldType(table.columns, path), true);
  }
  for (const model::FieldPath& path : hot.presence) {
    add_hot(path, base::StrCat("?", base::Join(path, ".")), Type::Bool(), false);
  }
  layout.columns.push_back({kUndeclaredColumn, Type::String(), StoredColumn::Role::kUndeclared, {}});
  for (const Field& field : table.columns) {
    if (!backend::IsWorthPacking(field.type)) continue;
    // No declared or learned field has a column of this name.
    std::string name = base::StrCat(":", field.name);
    layout.table.packed_records.push_back({field.name, name});
    layout.columns.push_back({std::move(name), Type::Bytes(), StoredColumn::Role::kPackedRecord, {field.name}});
  }
  return layout;
}

}  // namespace

std::vector<TableLayout> MakeLayouts(const model::SchemaFile& schema) {
  std::vector<TableLayout> layouts;
  for (size_t i = 0; i < schema.tables.size(); ++i) {
    layouts.push_back(MakeLayout(schema.tables[i], schema.hot[i]));
    layouts.back().id_column = schema.logs[i].id_column;
    layouts.back().message_column = schema.logs[i].message_column;
  }
  return layouts;
}

std::string ColumnSql(const StoredColumn& column) {
  // Packed records are compressed already, each by itself, so that one can be read without those around it.
  return base::StrCat(duckdb::QuoteName(column.name), " ", emit::DuckDbType(column.type),
                      column.is_packed() ? " USING COMPRESSION uncompressed" : "");
}

std::string CreateTableSql(const TableLayout& layout) {
  std::string sql = base::StrCat("CREATE TABLE ", duckdb::QuoteName(layout.table.name), " (");
  for (const StoredColumn& column : layout.columns) {
    base::StrAppend(&sql, &column == &layout.columns.front() ? "" : ", ", ColumnSql(column));
  }
  return sql + ")";
}

std::string ProjectSql(const Table& table) {
  for (const HotColumn& hot : table.hot_columns) {
    if (hot.holds == HotColumn::Holds::kValue && hot.path == table.project_path) return duckdb::QuoteName(hot.column);
  }
  std::string path;
  for (const std::string& name : table.project_path) {
    base::StrAppend(&path, path.empty() ? "" : ".", duckdb::QuoteName(name));
  }
  return path;
}

absl::StatusOr<std::string> OwnerCondition(const std::string& owner, const std::optional<std::string>& project) {
  if (!project.has_value()) return owner + " IS NULL";
  LOGQUERY_ASSIGN_OR_RETURN(const std::string name, emit::DuckDbString(*project));
  return base::StrCat(owner, " = ", name);
}

std::string DerivedSql(const StoredColumn& column) {
  std::string path;
  for (const std::string& name : column.path) base::StrAppend(&path, path.empty() ? "" : ".", duckdb::QuoteName(name));
  switch (column.role) {
    case StoredColumn::Role::kHotValue:
      return path;
    case StoredColumn::Role::kPresence:
      return path + " IS NOT NULL";
    case StoredColumn::Role::kDeclared:
    case StoredColumn::Role::kUndeclared:
    case StoredColumn::Role::kPackedRecord:
    case StoredColumn::Role::kLearnedValue:
    case StoredColumn::Role::kLearnedPresence:
      break;
  }
  return "NULL";
}

}  // namespace logquery::store
