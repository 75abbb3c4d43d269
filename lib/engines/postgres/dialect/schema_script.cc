// Creates tables with a column for each declared column, records as jsonb, and an index that orders a project's newest
// rows.
#include "lib/engines/postgres/dialect/schema_script.h"

#include "lib/base/strings.h"
#include "lib/engines/postgres/dialect/texts.h"

namespace logquery::emit {
namespace {

using base::StrAppend;
using base::StrCat;

std::string ColumnText(const Table& table, const Field& column) {
  const bool is_json = column.type.is_record() || column.type.is_struct() || column.type.is_array();
  std::string text = StrCat("  ", PostgresIdentifier(column.name), " ", is_json ? "jsonb" : PostgresType(column.type));
  // Texts are compared by their bytes, as in GoogleSQL. An index with another collation would not be used.
  if (column.type.is(TypeKind::kString)) StrAppend(&text, " COLLATE \"C\"");
  if (column.name == table.time_column) StrAppend(&text, " NOT NULL");
  return text;
}

void AddTable(const Table& table, const std::string& name, const SchemaScriptOptions& options, std::string& script) {
  const std::string place = StrCat(PostgresIdentifier(options.database), ".", PostgresIdentifier(name));
  StrAppend(&script, "\nCREATE TABLE ", place, " (\n");
  for (size_t i = 0; i < table.columns.size(); ++i) {
    StrAppend(&script, ColumnText(table, table.columns[i]), i + 1 < table.columns.size() ? ",\n" : "\n");
  }
  StrAppend(&script, ");\n");
  if (table.time_column.empty()) return;
  const std::string time = PostgresIdentifier(table.time_column);
  if (table.project_path.size() == 1) {
    StrAppend(&script, "-- A project's newest rows, in their order: ", time,
              " is NOT NULL, so no place for NULL is asked for.\n", "CREATE INDEX ON ", place, " (",
              PostgresIdentifier(table.project_path[0]), ", ", time, " DESC);\n");
  } else {
    StrAppend(&script,
              "-- The project stands inside of a record, where no index is used; the time alone bounds what is read.\n",
              "CREATE INDEX ON ", place, " (", time, " DESC);\n");
  }
  if (options.days > 0) {
    StrAppend(&script, "-- Each day: DELETE FROM ", place, " WHERE ", time, " < now() - interval '", options.days,
              " days';\n");
  }
}

}  // namespace

SchemaScript PostgresSchema(const model::SchemaFile& file, const SchemaScriptOptions& options) {
  SchemaScript script;
  const std::string schema = PostgresIdentifier(options.database);
  const std::string reader = PostgresIdentifier(options.reader);
  script.text = StrCat(
      "-- Logs in PostgreSQL 13 or later. Run this once, as the tables' owner:\n"
      "--     logquery schema --dialect postgres | psql -v ON_ERROR_STOP=1 --single-transaction DATABASE\n"
      "CREATE SCHEMA ",
      schema, ";\n");
  for (const Table& table : file.tables) {
    script.tables.push_back({&table, ScriptTableName(table), {}});
    AddTable(table, script.tables.back().name, options, script.text);
  }
  StrAppend(&script.text, "\n-- It reads these tables and nothing else. Give it a password: \\password ", reader, "\n",
            "CREATE ROLE ", reader, " LOGIN CONNECTION LIMIT 20;\n", "GRANT USAGE ON SCHEMA ", schema, " TO ", reader,
            ";\n", "GRANT SELECT ON ALL TABLES IN SCHEMA ", schema, " TO ", reader, ";\n");
  return script;
}

}  // namespace logquery::emit
