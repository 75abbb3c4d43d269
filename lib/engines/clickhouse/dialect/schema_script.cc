// Creates tables that are ordered by project and time, with records as JSON text and extra columns for the most queried
// fields.
#include "lib/engines/clickhouse/dialect/schema_script.h"

#include "lib/base/strings.h"
#include "lib/engines/clickhouse/dialect/texts.h"

namespace logquery::emit {
namespace {

using base::StrAppend;
using base::StrCat;

// The type that a column holds values of the declared type in.
std::string PlainType(const Type& type) { return type.is(TypeKind::kDate) ? "Date32" : ClickHouseType(type); }

std::string ColumnText(const Table& table, const Field& column) {
  const std::string name = StrCat("  ", ClickHouseIdentifier(column.name), " ");
  if (column.name == table.time_column) return StrCat(name, PlainType(column.type), " CODEC(Delta, ZSTD)");
  if (column.type.is_record() || column.type.is_struct() || column.type.is_array()) {
    return StrCat(name, "Nullable(String) CODEC(ZSTD(3))");
  }
  if (table.project_path == model::FieldPath{column.name}) return StrCat(name, "LowCardinality(Nullable(String))");
  return StrCat(name, "Nullable(", PlainType(column.type), ")");
}

std::string HotText(const Table& table, const HotColumn& hot) {
  const std::string name = StrCat("  ", ClickHouseIdentifier(hot.column), " ");
  if (hot.holds == HotColumn::Holds::kPresence) return StrCat(name, "Bool");
  if (hot.path == table.project_path) return StrCat(name, "LowCardinality(Nullable(String))");
  return StrCat(name, "Nullable(", PlainType(*model::FieldType(table.columns, hot.path)), ")");
}

// Returns the sorting key of the rows: project, time and id.
std::string OrderText(const Table& table, const std::vector<HotColumn>& hot) {
  std::vector<std::string> keys;
  if (table.project_path.size() == 1) keys.push_back(ClickHouseIdentifier(table.project_path[0]));
  for (const HotColumn& column : hot) {
    if (column.holds == HotColumn::Holds::kValue && column.path == table.project_path &&
        table.project_path.size() > 1) {
      keys.push_back(ClickHouseIdentifier(column.column));
    }
  }
  if (!table.time_column.empty()) keys.push_back(ClickHouseIdentifier(table.time_column));
  return keys.empty() ? "tuple()" : StrCat("(", base::Join(keys, ", "), ")");
}

void AddTable(const ScriptTable& made, const SchemaScriptOptions& options, std::string& script) {
  const Table& table = *made.declared;
  StrAppend(&script, "\nCREATE TABLE ", ClickHouseIdentifier(options.database), ".", ClickHouseIdentifier(made.name),
            " (\n");
  for (size_t i = 0; i < table.columns.size(); ++i) {
    StrAppend(&script, ColumnText(table, table.columns[i]),
              i + 1 < table.columns.size() || !made.hot.empty() ? ",\n" : "");
  }
  if (!made.hot.empty())
    StrAppend(&script, "  -- Filled by who writes, with the values of these fields of the record.\n");
  for (size_t i = 0; i < made.hot.size(); ++i) {
    StrAppend(&script, HotText(table, made.hot[i]), i + 1 < made.hot.size() ? ",\n" : "");
  }
  StrAppend(&script, "\n) ENGINE = MergeTree\n");
  if (!table.time_column.empty()) {
    const std::string time = ClickHouseIdentifier(table.time_column);
    StrAppend(&script, "PARTITION BY toDate(", time, ")\n");
    // A project's rows lie together and newest rows are found without sorting.
    StrAppend(&script, "ORDER BY ", OrderText(table, made.hot), "\n");
    if (options.days > 0) StrAppend(&script, "TTL toDate(", time, ") + INTERVAL ", options.days, " DAY\n");
  } else {
    StrAppend(&script, "ORDER BY ", OrderText(table, made.hot), "\n");
  }
  StrAppend(&script, "SETTINGS allow_nullable_key = 1;\n");
}

}  // namespace

std::string ClickHouseReader(const SchemaScriptOptions& options) {
  const std::string reader = ClickHouseIdentifier(options.reader);
  return StrCat(
      "\n-- It reads these tables and nothing else: no file(), url() or other source, which SELECT alone does not "
      "allow.\n"
      "CREATE USER ",
      reader, " IDENTIFIED WITH sha256_password BY 'change this' SETTINGS readonly = 2;\nGRANT SELECT ON ",
      ClickHouseIdentifier(options.database), ".* TO ", reader, ";\n");
}

SchemaScript ClickHouseSchema(const model::SchemaFile& file, const SchemaScriptOptions& options) {
  SchemaScript script;
  const std::string database = ClickHouseIdentifier(options.database);
  script.text = StrCat(
      "-- Logs in ClickHouse. Run this once:\n"
      "--     logquery schema --dialect clickhouse | clickhouse-client --multiquery\n"
      "-- Rows are ordered by project and time, so that a project's rows lie together and its newest ones are found "
      "without sorting.\n"
      "-- A partition is a day: conditions on the time leave whole ones out, and old ones go at once. Records are JSON "
      "text.\n"
      "CREATE DATABASE ",
      database, ";\n");
  for (size_t i = 0; i < file.tables.size(); ++i) {
    script.tables.push_back(
        {&file.tables[i], ScriptTableName(file.tables[i]), ScriptHotColumns(file.tables[i], file.hot[i])});
    AddTable(script.tables.back(), options, script.text);
  }
  script.text += ClickHouseReader(options);
  return script;
}

}  // namespace logquery::emit
