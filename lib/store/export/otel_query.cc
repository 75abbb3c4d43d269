// GoogleSQL gives the columns and the row's other fields as JSON; our own functions in the engine flatten these, by the same
// rules by which ClickHouse SQL reads a log (lib/clickhouse_sql/resolve/resolve_logs.cc).
#include "lib/store/export/otel_query.h"

#include <algorithm>
#include <vector>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/model/all_logs.h"
#include "lib/model/schema_file.h"
#include "lib/store/export/export_query.h"

namespace logquery::store {
namespace {

using base::StrAppend;
using base::StrCat;

std::string Quoted(std::string_view name) { return emit::GoogleSql().Identifier(name); }

std::string TimeName(const Table& table) { return table.time_column.empty() ? "timestamp" : table.time_column; }

// Reads texts at paths, whose records are joined where they are first needed.
class Paths {
 public:
  explicit Paths(const Table& table) : table_(table) {}

  // The text at the path, NULL where it is absent; empty: there is no such text.
  std::string TextAt(const model::FieldPath& path) {
    const Type* const type = model::FieldType(table_.columns, path);
    if (type == nullptr || !type->is(TypeKind::kString)) return "";
    return StrCat(AliasOf({path.begin(), path.end() - 1}), ".", Quoted(path.back()));
  }
  const std::string& joins() const { return joins_; }

 private:
  std::string AliasOf(const model::FieldPath& path) {
    if (path.empty()) return "t";
    const std::string key = base::Join(path, "\n");
    if (const auto found = std::find(joined_.begin(), joined_.end(), key); found != joined_.end()) {
      return StrCat("r", found - joined_.begin() + 1);
    }
    const std::string above = AliasOf({path.begin(), path.end() - 1});
    joined_.push_back(key);
    std::string alias = StrCat("r", joined_.size());
    StrAppend(&joins_, " LEFT JOIN UNNEST(", above, ".", Quoted(path.back()), ") AS ", alias);
    return alias;
  }

  const Table& table_;
  std::string joins_;
  std::vector<std::string> joined_;
};

std::string OrEmpty(const std::string& text) { return text.empty() ? "''" : StrCat("IFNULL(", text, ", '')"); }

std::string LevelOf(const Table& table, Paths& paths) {
  std::vector<std::string> levels;
  if (!model::IsAlwaysInfo(table.log)) {
    for (const model::FieldPath& path : model::SeverityPaths()) {
      if (std::string text = paths.TextAt(path); !text.empty()) levels.push_back(std::move(text));
    }
  }
  return levels.empty() ? "'INFO'" : StrCat("COALESCE(", base::Join(levels, ", "), ", 'INFO')");
}

// The fields of the row that have no column, as a STRUCT.
std::string OtherFields(const Table& table) {
  std::string fields;
  for (const Field& column : table.columns) {
    if (column.name == "id" || column.name == "event_message" || column.name == "timestamp") continue;
    StrAppend(&fields, fields.empty() ? "" : ", ", "t.", Quoted(column.name), " AS ", Quoted(column.name));
  }
  return fields.empty() ? "'{}'" : StrCat("TO_JSON_STRING(STRUCT(", fields, "))");
}

std::string GoogleSqlFor(const Table& table, std::optional<absl::CivilDay> day) {
  Paths paths(table);
  const std::string time = StrCat("t.", Quoted(TimeName(table)));
  const model::FieldPath id = {table.id_column.empty() ? "id" : table.id_column};
  const model::FieldPath project =
      table.project_path.empty() ? model::FieldPath{std::string(model::kProjectColumn)} : table.project_path;
  const std::string values =
      base::Join(std::vector<std::string>{OrEmpty(paths.TextAt(id)), time, OrEmpty(paths.TextAt({"event_message"})),
                                          LevelOf(table, paths), OrEmpty(paths.TextAt(project)), OtherFields(table)},
                 ", ");
  std::string text = StrCat("SELECT ", values, " FROM ", Quoted(table.name), " AS t", paths.joins());
  if (day.has_value()) {
    StrAppend(&text, " WHERE ", time, " >= ", MidnightText(*day), " AND ", time, " < ", MidnightText(*day + 1));
  }
  return text;
}

}  // namespace

bool HasTimes(const Table& table) {
  return std::any_of(table.columns.begin(), table.columns.end(), [&](const Field& column) {
    return column.name == TimeName(table) && column.type.is(TypeKind::kTimestamp);
  });
}

absl::StatusOr<std::string> OtelExportSql(const Catalog& catalog, const Table& table,
                                          std::optional<absl::CivilDay> day) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::string rows, TranslateForExport(catalog, GoogleSqlFor(table, day)));
  std::string severities;
  for (const std::string_view severity : model::kSeverities) {
    StrAppend(&severities, severities.empty() ? "" : ", ", duckdb::QuoteText(severity));
  }
  const std::string source = duckdb::QuoteText(table.log.empty() ? table.name : table.log);
  return StrCat("SELECT id, time::TIMESTAMPTZ AS timestamp, event_message, CASE WHEN level IN (", severities,
                ") THEN level ELSE 'INFO' END AS ", model::kSeverityColumn, ", ", source, " AS ", model::kSourceColumn,
                ", project AS ", model::kProjectColumn,
                ", MAP(list_slice(parts, 1, len(parts) // 2), list_slice(parts, len(parts) // 2 + 1, len(parts))) AS ",
                model::kAttributesColumn,
                " FROM (SELECT id, time, event_message, lq_ch_ascii_upper(level) AS level, project, "
                "lq_ch_attribute_parts(fields) AS parts FROM (",
                rows, ") AS e(id, time, event_message, level, project, fields))");
}

}  // namespace logquery::store
