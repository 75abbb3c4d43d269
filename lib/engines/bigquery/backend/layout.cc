// Compares column by column, by declared type.
#include "lib/engines/bigquery/backend/layout.h"

#include <utility>

#include "lib/base/json/read.h"
#include "lib/base/json/value.h"
#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/engines/bigquery/backend/wire_schema.h"

namespace logquery::bigquery {
namespace {

using base::Json;
using base::StrAppend;
using base::StrCat;

class Mapper {
 public:
  Mapper(const Table& declared, const BigQueryTable& mapping, std::vector<std::string>& problems)
      : declared_(declared), mapping_(mapping), problems_(problems) {}

  MappedTable Run(std::string_view description) {
    MappedTable made;
    made.table = declared_;
    made.table.hot_columns.clear();
    made.table.learned_columns.clear();
    const Json json = base::TryReadJson(description).value_or(nullptr);
    const auto schema = json.is_object() ? json.find("schema") : json.end();
    if (schema == json.end()) return Problem("is described without a schema"), made;
    absl::StatusOr<std::vector<WireField>> fields = ParseWireSchema(*schema);
    if (!fields.ok()) return Problem(StrCat("is described with ", base::Message(fields.status()))), made;
    fields_ = *std::move(fields);
    for (const Field& column : declared_.columns) AddColumn(column, made.table);
    for (const auto& [ours, theirs] : mapping_.columns) CheckDeclared(ours);
    const std::string path = StrCat("`", mapping_.project, ".", mapping_.dataset, ".", mapping_.table, "`");
    made.table.storage_name = renames_ ? StrCat("(SELECT ", list_, " FROM ", path, " AS x)") : path;
    made.is_partitioned_by_time = IsPartitioned(json);
    return made;
  }

 private:
  void Problem(std::string_view what) {
    problems_.push_back(StrCat("the table ", mapping_.project, ".", mapping_.dataset, ".", mapping_.table, " for ",
                               declared_.name, " ", what));
  }

  std::string TheirName(const std::string& ours) const {
    const auto renamed = mapping_.columns.find(ours);
    return renamed == mapping_.columns.end() ? ours : renamed->second;
  }

  void CheckDeclared(const std::string& ours) {
    for (const Field& column : declared_.columns) {
      if (column.name == ours) return;
    }
    Problem(StrCat("is given a column for ", ours, ", which the schema does not declare"));
  }

  void AddColumn(const Field& column, Table& made) {
    const std::string name = TheirName(column.name);
    const int at = FindWireField(fields_, name);
    if (at < 0) return Problem(StrCat("has no column ", name));
    const WireField& field = fields_[static_cast<size_t>(at)];
    if (const std::string why = WhyNotRead(column.type, field, field.name); !why.empty()) return Problem(why);
    if (base::EqualsIgnoreCase(column.name, made.time_column) && !field.required) made.time_column.clear();
    renames_ = renames_ || !base::EqualsIgnoreCase(name, column.name);
    const emit::SqlDialect& dialect = emit::BigQuerySql();
    StrAppend(&list_, list_.empty() ? "" : ", ", "x.", dialect.Identifier(field.name), " AS ",
              dialect.Identifier(column.name));
  }

  // {"timePartitioning": {"type": "DAY", "field": "timestamp"}}.
  bool IsPartitioned(const Json& json) const {
    const auto partitioning = json.find("timePartitioning");
    if (partitioning == json.end() || !partitioning->is_object()) return false;
    const auto field = partitioning->find("field");
    return field != partitioning->end() && field->is_string() &&
           base::EqualsIgnoreCase(field->text(), TheirName(declared_.time_column));
  }

  const Table& declared_;
  const BigQueryTable& mapping_;
  std::vector<std::string>& problems_;
  std::vector<WireField> fields_;
  std::string list_;
  bool renames_ = false;
};

}  // namespace

MappedTable MapTable(const Table& declared, const BigQueryTable& mapping, std::string_view description,
                     std::vector<std::string>& problems) {
  return Mapper(declared, mapping, problems).Run(description);
}

}  // namespace logquery::bigquery
