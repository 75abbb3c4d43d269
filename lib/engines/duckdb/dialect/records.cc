// Reads fields of records that DuckDB stores in several columns, and assembles whole records.
#include "lib/engines/duckdb/dialect/records.h"

#include <utility>
#include <vector>

#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/dialect/types.h"

namespace logquery::emit {
namespace {

using base::StrCat;

std::string ColumnOf(std::string_view alias, std::string_view column) {
  return StrCat(alias, ".", DuckDbIdentifier(column));
}

// The learned columns of one of the table's columns; nullptr: it has none.
std::shared_ptr<const LearnedNode> LearnedOf(const Table& table, std::string_view name) {
  std::shared_ptr<LearnedNode> root;
  for (const HotColumn& column : table.learned_columns) {
    if (!base::EqualsIgnoreCase(column.path[0], name)) continue;
    if (root == nullptr) root = std::make_shared<LearnedNode>();
    LearnedNode* node = root.get();
    for (size_t i = 1; i < column.path.size(); ++i) {
      std::unique_ptr<LearnedNode>& below = node->fields[column.path[i]];
      if (below == nullptr) below = std::make_unique<LearnedNode>();
      node = below.get();
    }
    (column.holds == HotColumn::Holds::kPresence ? node->presence : node->value) = &column;
  }
  return root;
}

const LearnedNode* FieldOf(const LearnedNode& node, const std::string& name) {
  const auto found = node.fields.find(name);
  return found == node.fields.end() ? nullptr : found->second.get();
}

absl::StatusOr<Text> PutTogether(DuckDbRecord record, const Type& type) {
  Texts values;
  for (size_t i = 0; i < type.fields().size(); ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(const Text field, DuckDbRecordField(record, type, static_cast<int>(i)));
    values.push_back(field.ToSql());
  }
  LOGQUERY_ASSIGN_OR_RETURN(const Sql value, DuckDbStructPack(type, values));
  Text text{Cat("CASE WHEN ", record.presence, " THEN ", value, " END"), Text::Kind::kOther};
  text.facts.reads_column = true;
  text.record = std::make_shared<DuckDbRecord>(std::move(record));
  return text;
}

// `node` has no value of its own: it is that of a record.
absl::StatusOr<Text> RecordOf(const DuckDbRecord& around, std::shared_ptr<const LearnedNode> node, std::string stored,
                              const Type& type) {
  DuckDbRecord record;
  record.node = std::move(node);
  record.table = around.table;
  record.alias = around.alias;
  record.stored = std::move(stored);
  if (record.node->presence != nullptr) {
    record.stored.clear();
    record.presence = ColumnOf(record.alias, record.node->presence->column);
  } else {
    record.presence = StrCat(record.stored, " IS NOT NULL");
  }
  return PutTogether(std::move(record), type);
}

}  // namespace

absl::StatusOr<Text> DuckDbColumn(const Table& table, std::string_view name, std::string_view alias) {
  Text plain{ColumnOf(alias, name), Text::Kind::kPath};
  if (table.learned_columns.empty()) return plain;
  const Type* type = nullptr;
  for (const Field& column : table.columns) {
    if (base::EqualsIgnoreCase(column.name, name)) type = &column.type;
  }
  // A column that queries do not see stands for a path of its own.
  const std::shared_ptr<const LearnedNode> node = type == nullptr ? nullptr : LearnedOf(table, name);
  if (node == nullptr) return plain;
  if (node->value != nullptr) return Text{ColumnOf(alias, node->value->column), Text::Kind::kPath};
  DuckDbRecord around;
  around.table = &table;
  around.alias = alias;
  return RecordOf(around, node, plain.sql, *type);
}

const DuckDbRecord* DuckDbRecordOf(const Text& text) { return static_cast<const DuckDbRecord*>(text.record.get()); }

absl::StatusOr<Text> DuckDbRecordField(const DuckDbRecord& record, const Type& type, int index) {
  const Field& field = type.fields()[static_cast<size_t>(index)];
  const LearnedNode* const node = FieldOf(*record.node, field.name);
  if (node != nullptr && node->value != nullptr) {
    return Text{ColumnOf(record.alias, node->value->column), Text::Kind::kPath};
  }
  const std::string stored = StrCat(record.stored, ".", DuckDbIdentifier(DuckDbFieldName(type, index)));
  if (node == nullptr) return Text{stored, Text::Kind::kPath};
  return RecordOf(record, std::shared_ptr<const LearnedNode>(record.node, node), stored, field.type);
}

}  // namespace logquery::emit
