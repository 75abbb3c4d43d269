// Creates tables in Logflare's form: each record is an array of one element, tables are partitioned by day and
// clustered by project.
#include "lib/engines/bigquery/dialect/schema_script.h"

#include "lib/base/strings.h"
#include "lib/emit/dialects.h"

namespace logquery::emit {
namespace {

using base::StrAppend;
using base::StrCat;

std::string Name(std::string_view name) { return GoogleSql().Identifier(name); }

std::string TypeText(const Type& type, const std::string& indent) {
  if (type.is_array()) return StrCat("ARRAY<", TypeText(type.element(), indent), ">");
  if (!type.is_record() && !type.is_struct()) return type.ToString();
  std::string fields;
  for (const Field& field : type.fields()) {
    StrAppend(&fields, fields.empty() ? "\n" : ",\n", indent, "  ", Name(field.name), " ",
              TypeText(field.type, indent + "  "));
  }
  return StrCat(type.is_record() ? "ARRAY<STRUCT<" : "STRUCT<", fields, type.is_record() ? ">>" : ">");
}

void AddTable(const Table& table, const std::string& name, const SchemaScriptOptions& options, std::string& script) {
  StrAppend(&script, "\nCREATE TABLE ", Name(options.database), ".", Name(name), " (\n");
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const Field& column = table.columns[i];
    StrAppend(&script, "  ", Name(column.name), " ", TypeText(column.type, "  "),
              column.name == table.time_column ? " NOT NULL" : "", i + 1 < table.columns.size() ? ",\n" : "\n");
  }
  StrAppend(&script, ")");
  if (!table.time_column.empty()) StrAppend(&script, "\nPARTITION BY DATE(", Name(table.time_column), ")");
  // Only columns can be clustered by, not a project inside a record.
  if (table.project_path.size() == 1) StrAppend(&script, "\nCLUSTER BY ", Name(table.project_path[0]));
  if (options.days > 0 && !table.time_column.empty()) {
    StrAppend(&script, "\nOPTIONS (partition_expiration_days = ", options.days, ")");
  }
  StrAppend(&script, ";\n");
}

}  // namespace

SchemaScript BigQuerySchema(const model::SchemaFile& file, const SchemaScriptOptions& options) {
  SchemaScript script;
  script.text = StrCat(
      "-- Logs in BigQuery, as Logflare lays them out. Run this once:\n"
      "--     logquery schema --dialect bigquery | bq query --use_legacy_sql=false\n"
      "-- A partition is a day: a query pays for the days of its window alone. Rows of a project lie together in it.\n"
      "CREATE SCHEMA ",
      Name(options.database), ";\n");
  for (const Table& table : file.tables) {
    script.tables.push_back({&table, ScriptTableName(table), {}});
    AddTable(table, script.tables.back().name, options, script.text);
  }
  StrAppend(&script.text,
            "\n-- The service account that logquery runs as reads the dataset, and may start queries "
            "(bigquery.jobUser, by project).\n",
            "GRANT `roles/bigquery.dataViewer` ON SCHEMA ", Name(options.database),
            " TO \"serviceAccount:", options.reader, "\";\n");
  return script;
}

}  // namespace logquery::emit
