// The rows are asked for in GoogleSQL and translated, so that an exported record is what a query sees of it, with the fields that
// were learned. The budget for large values is left out: it is for callers' queries, and a row that is stored is exported.
#include "lib/store/export/export_query.h"

#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/time/time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/emit/emitter.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/model/schema_file.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/parser.h"

namespace logquery::store {
namespace {

using base::StrAppend;
using base::StrCat;

std::string Quoted(std::string_view name) { return emit::GoogleSql().Identifier(name); }

struct Column {
  std::string name;
  std::string value;  // in GoogleSQL
  bool is_time = false;
};

// The value as a type that a file has.
Column ColumnOf(std::string name, const std::string& value, const Type& type) {
  if (type.is_record() || type.is_struct() || type.is_array() || type.is(TypeKind::kJson)) {
    return {std::move(name), StrCat("TO_JSON_STRING(", value, ")")};
  }
  if (type.is(TypeKind::kBigNumeric) || type.is(TypeKind::kInterval)) {
    return {std::move(name), StrCat("CAST(", value, " AS STRING)")};
  }
  return {std::move(name), value, type.is(TypeKind::kTimestamp)};
}

// The table with the records below which fields are read.
class Query {
 public:
  explicit Query(const Table& table) : table_(table), from_(StrCat(" FROM ", Quoted(table.name), " AS t")) {}

  void AddDeclaredAndHot(const std::vector<HotColumn>& hot) {
    const size_t learned = FirstLearned();
    for (size_t i = 0; i < learned; ++i) AddColumn(table_.columns[i]);
    for (const HotColumn& each : hot) {
      const std::string below =
          StrCat(AliasOf({each.path.begin(), each.path.end() - 1}), ".", Quoted(each.path.back()));
      if (each.holds == HotColumn::Holds::kPresence) {
        Add({each.column, StrCat("IFNULL(ARRAY_LENGTH(", below, ") > 0, FALSE)")});
      } else {
        Add(ColumnOf(each.column, below, *model::FieldType(table_.columns, each.path)));
      }
    }
    for (size_t i = learned; i < table_.columns.size(); ++i) AddColumn(table_.columns[i]);
  }

  std::string Text(std::optional<absl::CivilDay> day) const {
    std::string values;
    for (const Column& column : columns_) StrAppend(&values, values.empty() ? "" : ", ", column.value);
    std::string text = StrCat("SELECT ", values, from_);
    if (!day.has_value()) return text;
    const std::string time = StrCat("t.", Quoted(table_.time_column));
    return StrCat(text, " WHERE ", time, " >= ", MidnightText(*day), " AND ", time, " < ", MidnightText(*day + 1));
  }

  const std::vector<Column>& columns() const { return columns_; }

 private:
  // Columns that rows brought stand after those that are declared.
  size_t FirstLearned() const {
    size_t first = table_.columns.size();
    for (const HotColumn& learned : table_.learned_columns) {
      for (size_t i = 0; i < first; ++i) {
        if (table_.columns[i].name == learned.path[0] && learned.path.size() == 1) first = i;
      }
    }
    return first;
  }

  void AddColumn(const Field& field) { Add(ColumnOf(field.name, StrCat("t.", Quoted(field.name)), field.type)); }

  // Names in a file differ in more than their case.
  void Add(Column column) {
    std::string key = absl::AsciiStrToLower(column.name);
    while (!names_.emplace(key, true).second) {
      column.name.insert(0, "learned_");
      key.insert(0, "learned_");
    }
    columns_.push_back(std::move(column));
  }

  // Returns the alias of the record at that path, which is joined where it is first needed.
  std::string AliasOf(const std::vector<std::string>& path) {
    if (path.empty()) return "t";
    const std::string key = base::Join(path, "\n");
    if (const auto found = aliases_.find(key); found != aliases_.end()) return found->second;
    const std::string above = AliasOf({path.begin(), path.end() - 1});
    std::string alias = StrCat("r", aliases_.size() + 1);
    StrAppend(&from_, " LEFT JOIN UNNEST(", above, ".", Quoted(path.back()), ") AS ", alias);
    aliases_.emplace(key, alias);
    return alias;
  }

  const Table& table_;
  std::string from_;
  std::vector<Column> columns_;
  std::map<std::string, bool> names_;
  std::map<std::string, std::string> aliases_;
};

}  // namespace

std::string MidnightText(absl::CivilDay day) {
  return StrCat("TIMESTAMP '", absl::FormatCivilTime(day), " 00:00:00+00'");
}

absl::StatusOr<std::string> TranslateForExport(const Catalog& catalog, const std::string& sql) {
  LOGQUERY_ASSIGN_OR_RETURN(const auto parsed, sql::ParseQuery(sql, {}));
  rewrite::ResolveOptions options;
  options.catalog = &catalog;
  LOGQUERY_ASSIGN_OR_RETURN(rewrite::QueryPlan plan, rewrite::Resolve(*parsed, sql, options));
  std::vector<rewrite::Pass> passes;
  for (const rewrite::Pass& pass : emit::PassesOf(emit::DuckDbSql())) {
    if (std::string_view(pass.name) != "bound_growth") passes.push_back(pass);
  }
  LOGQUERY_RETURN_IF_ERROR(rewrite::RunPasses(passes, {}, plan));
  LOGQUERY_ASSIGN_OR_RETURN(emit::EmittedQuery emitted, emit::Emit(plan, emit::DuckDbSql()));
  if (!emitted.slots.empty()) return absl::InternalError("an export has parameters");
  return std::move(emitted.text);
}

absl::StatusOr<std::string> ExportSql(const Catalog& catalog, const Table& table, const std::vector<HotColumn>& hot,
                                      std::optional<absl::CivilDay> day) {
  Query query(table);
  query.AddDeclaredAndHot(hot);
  LOGQUERY_ASSIGN_OR_RETURN(const std::string rows, TranslateForExport(catalog, query.Text(day)));
  std::string values, names;
  for (size_t i = 0; i < query.columns().size(); ++i) {
    const Column& column = query.columns()[i];
    const std::string inner = StrCat("c", i + 1);
    StrAppend(&names, i == 0 ? "" : ", ", inner);
    // A file says of a time whether it is one in UTC.
    StrAppend(&values, i == 0 ? "" : ", ", "e.", inner, column.is_time ? "::TIMESTAMPTZ" : "", " AS ",
              duckdb::QuoteName(column.name));
  }
  return StrCat("SELECT ", values, " FROM (", rows, ") AS e(", names, ")");
}

}  // namespace logquery::store
