// The views read fields out of the map by their flattened names, with the types that the schema declares. A text that is not of the
// type, which only other programs write, is NULL.
#include <algorithm>
#include <iterator>
#include <utility>

#include "lib/base/strings.h"
#include "lib/engines/clickhouse/dialect/schema_script.h"
#include "lib/engines/clickhouse/dialect/texts.h"

namespace logquery::emit {
namespace {

using base::StrAppend;
using base::StrCat;
using model::FieldPath;

constexpr char kMap[] = "x.log_attributes";

bool IsScalar(const Type& type) {
  return type.is(TypeKind::kString) || type.is(TypeKind::kInt64) || type.is(TypeKind::kFloat64) ||
         type.is(TypeKind::kBool);
}

// Returns whether the texts of the map hold values of the type without loss.
bool IsHeld(const Type& type) {
  if (type.is_record()) {
    return std::all_of(type.fields().begin(), type.fields().end(),
                       [](const Field& field) { return IsHeld(field.type); });
  }
  return IsScalar(type) || (type.is_array() && IsScalar(type.element()));
}

std::string At(const std::string& key) { return StrCat(kMap, "[", ClickHouseQuoted(key), "]"); }
std::string Has(const std::string& key) { return StrCat("mapContains(", kMap, ", ", ClickHouseQuoted(key), ")"); }

// The value of a key by its type, NULL where it is absent.
std::string ValueOf(const std::string& key, const Type& type) {
  if (type.is(TypeKind::kInt64)) return StrCat("toInt64OrNull(", At(key), ")");
  if (type.is(TypeKind::kFloat64)) return StrCat("toFloat64OrNull(", At(key), ")");
  if (type.is(TypeKind::kBool)) {
    return StrCat("multiIf(", At(key), " = 'true', true, ", At(key), " = 'false', false, NULL)");
  }
  return StrCat("if(", Has(key), ", ", At(key), ", NULL)");
}

// The value as JSON; empty where it is absent.
std::string JsonOf(const std::string& key, const Type& type);

std::string MemberOf(const std::string& name, const std::string& json) {
  const std::string quoted = ClickHouseQuoted(StrCat("\"", name, "\":"));
  return StrCat("arrayStringConcat(arrayMap(j -> if(j = '', '', concat(", quoted, ", j)), [", json, "]))");
}

// Returns whether a record below these keys is there: its keys begin with `prefix`, or it is an empty record.
std::string IsThere(const std::string& key) {
  return StrCat("(arrayExists(k -> startsWith(k, ", ClickHouseQuoted(key + "."), "), mapKeys(", kMap, ")) OR ", At(key),
                " = '{}')");
}

std::string RecordJson(const std::string& prefix, const Type& record) {
  std::string members;
  for (const Field& field : record.fields()) {
    StrAppend(&members, members.empty() ? "" : ", ", MemberOf(field.name, JsonOf(prefix + field.name, field.type)));
  }
  return StrCat("concat('{', arrayStringConcat(arrayFilter(m -> m != '', [", members, "]), ','), '}')");
}

std::string JsonOf(const std::string& key, const Type& type) {
  if (type.is_record()) return StrCat("if(", IsThere(key), ", ", RecordJson(key + ".", type), ", '')");
  if (type.is(TypeKind::kInt64)) return StrCat("ifNull(toString(toInt64OrNull(", At(key), ")), '')");
  if (type.is(TypeKind::kFloat64)) return StrCat("if(isFinite(toFloat64OrNull(", At(key), ")), ", At(key), ", '')");
  if (type.is(TypeKind::kBool)) return StrCat("if(", At(key), " IN ('true', 'false'), ", At(key), ", '')");
  if (type.is_array()) return StrCat("if(startsWith(", At(key), ", '['), ", At(key), ", '')");
  return StrCat("if(", Has(key), ", toJSONString(", At(key), "), '')");
}

// The fields of `metadata` come up to the top of the map; those of other records stay below its name.
std::string KeyOf(const FieldPath& path) {
  const bool is_above = path.size() > 1 && path[0] == "metadata";
  return base::Join({path.begin() + (is_above ? 1 : 0), path.end()}, ".");
}

class View {
 public:
  View(const Table& table, std::string database) : table_(table), database_(std::move(database)) {
    declaration_.table = table.name;
    for (const Field& column : table.columns) {
      if (column.type.is_record()) AddPaths({column.name}, column.type);
    }
    made_ = {&table, ScriptTableName(table), ScriptHotColumns(table, declaration_)};
  }

  const ScriptTable& made() const { return made_; }

  std::string Text() const {
    std::string list;
    const auto add = [&](const std::string& value, std::string_view name) {
      StrAppend(&list, list.empty() ? "" : ",\n", "  ", value, " AS ", ClickHouseIdentifier(name));
    };
    for (const Field& column : table_.columns) add(ColumnText(column), column.name);
    for (const HotColumn& hot : made_.hot) add(HotText(hot), hot.column);
    const std::string log = table_.log.empty() ? table_.name : table_.log;
    return StrCat("CREATE VIEW ", ClickHouseIdentifier(database_), ".", ClickHouseIdentifier(made_.name),
                  " AS SELECT\n", list, "\nFROM ", ClickHouseIdentifier(database_), ".", kOtelTable,
                  " AS x\nWHERE x.source = ", ClickHouseQuoted(log), ";\n");
  }

 private:
  void AddPaths(const FieldPath& path, const Type& record) {
    declaration_.presence.push_back(path);
    for (const Field& field : record.fields()) {
      FieldPath below = path;
      below.push_back(field.name);
      if (field.type.is_record()) AddPaths(below, field.type);
      if (IsScalar(field.type)) declaration_.values.push_back(below);
    }
  }

  bool IsProject(const FieldPath& path) const { return path == table_.project_path; }

  std::string ColumnText(const Field& column) const {
    if (column.name == table_.time_column) return "x.timestamp";
    if (column.name == "id" || column.name == table_.id_column) return "x.id";
    if (column.name == "event_message") return "x.event_message";
    if (IsProject({column.name})) return "x.project";
    if (column.name == "metadata" && column.type.is_record()) {
      return StrCat("if(", MetadataIsThere(), ", ", RecordJson("", column.type), ", NULL)");
    }
    if (column.type.is_record()) return StrCat("nullIf(", JsonOf(column.name, column.type), ", '')");
    return ValueOf(column.name, column.type);
  }

  std::string HotText(const HotColumn& hot) const {
    if (hot.holds == HotColumn::Holds::kValue) {
      return IsProject(hot.path) ? "x.project" : ValueOf(KeyOf(hot.path), *model::FieldType(table_.columns, hot.path));
    }
    if (hot.path == FieldPath{"metadata"}) return StrCat("toBool(", MetadataIsThere(), ")");
    return StrCat("toBool(", IsThere(KeyOf(hot.path)), ")");
  }

  // Some key is not of the row's other columns.
  std::string MetadataIsThere() const {
    std::string names, prefixes;
    for (const Field& column : table_.columns) {
      if (column.name == "metadata") continue;
      StrAppend(&names, names.empty() ? "" : ", ", ClickHouseQuoted(column.name));
      if (column.type.is_record())
        StrAppend(&prefixes, " AND NOT startsWith(k, ", ClickHouseQuoted(column.name + "."), ")");
    }
    return StrCat("arrayExists(k -> k NOT IN (", names, ")", prefixes, ", mapKeys(", kMap, "))");
  }

  const Table& table_;
  const std::string database_;
  model::HotDeclaration declaration_;
  ScriptTable made_;
};

std::string TableText(const std::string& database, int days) {
  std::string text = StrCat("CREATE TABLE ", database, ".", kOtelTable, " (\n",
                            "  id String CODEC(ZSTD),\n"
                            "  timestamp DateTime64(9) CODEC(Delta, ZSTD),\n"
                            "  event_message String CODEC(ZSTD),\n"
                            "  severity_text LowCardinality(String),\n"
                            "  source LowCardinality(String),\n"
                            "  project LowCardinality(String),\n"
                            "  log_attributes Map(String, String) CODEC(ZSTD),\n"
                            "  INDEX by_id id TYPE bloom_filter GRANULARITY 4\n"
                            ") ENGINE = MergeTree\n"
                            "PARTITION BY toDate(timestamp, 'UTC')\n"
                            "ORDER BY (project, source, toDateTime(timestamp, 'UTC'), timestamp)\n");
  // A DateTime would wrap around in 2106.
  if (days > 0) StrAppend(&text, "TTL toDate(timestamp, 'UTC') + INTERVAL ", days, " DAY\n");
  return text.substr(0, text.size() - 1) + ";\n";
}

}  // namespace

AllLogsScript ClickHouseOtelSchema(const model::SchemaFile& file, const SchemaScriptOptions& options) {
  AllLogsScript script;
  script.table = kOtelTable;
  const std::string database = ClickHouseIdentifier(options.database);
  script.text = StrCat(
      "-- Logs in ClickHouse, all of them in one table. Run this once:\n"
      "--     logquery schema --dialect clickhouse --layout otel | clickhouse-client --multiquery\n"
      "-- Rows are ordered by project, log and second. All fields but the columns are texts in log_attributes, with "
      "dotted names.\n"
      "CREATE DATABASE ",
      database, ";\n\n", TableText(database, options.days),
      "\n-- A view for each log, for queries that read its fields by their types. It stores nothing.\n");
  for (const Table& table : file.tables) {
    const auto unheld = std::find_if(table.columns.begin(), table.columns.end(), [&](const Field& column) {
      return column.name != table.time_column && !IsHeld(column.type);
    });
    if (unheld != table.columns.end()) {
      StrAppend(&script.text, "\n-- ", ScriptTableName(table), " has no view: the map's texts do not hold ",
                unheld->name, " with its type.\n");
      continue;
    }
    const View view(table, options.database);
    StrAppend(&script.text, "\n", view.Text());
    script.views.push_back(view.made());
  }
  script.text += ClickHouseReader(options);
  return script;
}

}  // namespace logquery::emit
