// BigQuery loads the files from a bucket into tables of the files' form, and makes records of their JSON text from there.
#include "lib/engines/bigquery/dialect/load_script.h"

#include "lib/base/strings.h"
#include "lib/emit/dialects.h"

namespace logquery::emit {
namespace {

using base::StrAppend;
using base::StrCat;

std::string Name(std::string_view name) { return GoogleSql().Identifier(name); }

std::string ValueText(const Type& type, const std::string& json, const std::string& path);

std::string Cast(const Type& type, const std::string& text) {
  return type.is(TypeKind::kString) ? text : StrCat("CAST(", text, " AS ", type.ToString(), ")");
}

std::string FieldsText(const Type& type, const std::string& json, const std::string& path) {
  std::string fields;
  for (const Field& field : type.fields()) {
    StrAppend(&fields, fields.empty() ? "" : ", ", ValueText(field.type, json, StrCat(path, ".", field.name)), " AS ",
              Name(field.name));
  }
  return StrCat("STRUCT(", fields, ")");
}

// Returns the value at `path` of the JSON text, whose records are arrays of one object or none.
std::string ValueText(const Type& type, const std::string& json, const std::string& path) {
  if (type.is_record()) {
    const std::string element = path + "[0]";
    return StrCat("IF(JSON_QUERY(", json, ", '", element, "') IS NULL, [], [", FieldsText(type, json, element), "])");
  }
  if (type.is_struct()) return FieldsText(type, json, path);
  if (type.is_array()) {
    const Type& element = type.element();
    const std::string value = element.is_struct() ? FieldsText(element, "e", "$") : Cast(element, "JSON_VALUE(e, '$')");
    return StrCat("ARRAY(SELECT ", value, " FROM UNNEST(JSON_QUERY_ARRAY(", json, ", '", path,
                  "')) AS e WITH OFFSET AS o ORDER BY o)");
  }
  if (type.is(TypeKind::kJson)) return StrCat("PARSE_JSON(JSON_QUERY(", json, ", '", path, "'))");
  return Cast(type, StrCat("JSON_VALUE(", json, ", '", path, "')"));
}

// The column of the file as the table has it.
std::string ColumnText(const Field& column) {
  const std::string name = Name(column.name);
  const Type& type = column.type;
  if (type.is_array() || type.is_struct()) return ValueText(type, name, "$");
  if (type.is(TypeKind::kJson)) return StrCat("PARSE_JSON(", name, ")");
  if (type.is(TypeKind::kBigNumeric) || type.is(TypeKind::kInterval)) return Cast(type, name);
  return name;
}

}  // namespace

std::string BigQueryLoad(const LoadScriptOptions& options) {
  std::string script =
      "-- Loads this export into the tables of `logquery schema --dialect bigquery`. Run it once, with the name of a "
      "bucket of "
      "yours:\n"
      "--     gcloud storage cp --recursive . gs://BUCKET/export\n"
      "--     sed s/BUCKET/my-bucket/ load_bigquery.sql | bq query --use_legacy_sql=false\n";
  for (const ScriptTable& table : options.tables) {
    const std::string place = StrCat(Name(options.database), ".", Name(table.name));
    const std::string loaded = StrCat(Name(options.database), ".", Name(table.name + "_export"));
    std::string columns, values;
    for (const Field& column : table.declared->columns) {
      StrAppend(&columns, columns.empty() ? "" : ", ", Name(column.name));
      const std::string name = Name(column.name), value = ColumnText(column);
      StrAppend(&values, values.empty() ? "  " : ",\n  ", value, value == name ? "" : StrCat(" AS ", name));
    }
    StrAppend(&script, "\nLOAD DATA OVERWRITE ", loaded,
              "\nFROM FILES (format = 'PARQUET', uris = ['gs://BUCKET/export/", table.name, "/*.parquet']);\n",
              "INSERT INTO ", place, " (", columns, ")\nSELECT\n", values, "\nFROM ", loaded, ";\nDROP TABLE ", loaded,
              ";\n");
  }
  return script;
}

}  // namespace logquery::emit
