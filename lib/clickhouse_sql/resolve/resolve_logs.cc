// The table `logs`: a union of all logs of the catalog, with the row's fields as one map.
//
// A key that a query reads by a literal is a hidden column of its own: the stored field where all logs that have the
// key store it in one type, otherwise its text. Nothing else of the record is read for it. Only a query that needs the
// whole map makes it, from the whole row.
#include <algorithm>

#include "lib/base/limits.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/model/all_logs.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::clickhouse_sql {

using base::StrCat;
using rewrite::ColumnRef;
using rewrite::FieldRef;
using rewrite::Project;
using rewrite::Scalar;
using rewrite::SetOperationPlan;
using rewrite::TableScan;

namespace {

// Finds values in the record of one row.
class RowReader {
 public:
  explicit RowReader(const TableScan& scan) : scan_(scan) {}

  // The stored value of a flattened key; nullptr: no declared or learned field has it.
  ScalarPtr Find(std::string_view key) const {
    ScalarPtr found = FindAtTop(key);
    if (found != nullptr) return found;
    const PlanColumn* metadata = ColumnNamed("metadata");
    if (metadata == nullptr || !metadata->type.is_record()) return nullptr;
    return FindIn(Element(std::make_unique<ColumnRef>(*metadata)), key, 0);
  }
  // A column of the row, not of its metadata.
  ScalarPtr FindAtTop(std::string_view key) const {
    if (key == "id" || key == "event_message" || key == "timestamp") return nullptr;
    for (const PlanColumn& column : scan_.columns) {
      if (column.name == "metadata") continue;
      if (column.name == key && !column.type.is_record()) return std::make_unique<ColumnRef>(column);
      if (!IsPrefix(column.name, key)) continue;
      if (ScalarPtr found = Below(std::make_unique<ColumnRef>(column), key.substr(column.name.size() + 1), 0))
        return found;
    }
    return nullptr;
  }
  const PlanColumn* ColumnNamed(std::string_view name) const {
    const auto found =
        std::find_if(scan_.columns.begin(), scan_.columns.end(), [&](const PlanColumn& c) { return c.name == name; });
    return found == scan_.columns.end() ? nullptr : &*found;
  }
  // The value at a path of names, NULL where a record of it is absent; nullptr: there is no such field.
  ScalarPtr At(const std::vector<std::string>& path) const {
    const PlanColumn* column = path.empty() ? nullptr : ColumnNamed(path[0]);
    if (column == nullptr) return nullptr;
    ScalarPtr value = std::make_unique<ColumnRef>(*column);
    for (size_t i = 1; i < path.size(); ++i) {
      if (value->type.is_record()) value = Element(std::move(value));
      const int field = value->type.is_struct() ? value->type.FindField(path[i]) : -1;
      if (field < 0) return nullptr;
      value = std::make_unique<FieldRef>(std::move(value), field);
    }
    return value;
  }

 private:
  static ScalarPtr Element(ScalarPtr record) { return rewrite::MakeElement(std::move(record)); }
  static bool IsPrefix(std::string_view name, std::string_view key) {
    return key.size() > name.size() + 1 && key.starts_with(name) && key[name.size()] == '.';
  }
  static ScalarPtr Below(ScalarPtr value, std::string_view rest, int depth) {
    if (value->type.is_record()) return FindIn(Element(std::move(value)), rest, depth + 1);
    return value->type.is_struct() ? FindIn(std::move(value), rest, depth + 1) : nullptr;
  }
  // A key may hold dots, so each field that begins it is tried.
  static ScalarPtr FindIn(ScalarPtr record, std::string_view key, int depth) {
    if (depth > base::kMaxNesting) return nullptr;
    const std::vector<Field> fields = record->type.fields();
    for (size_t i = 0; i < fields.size(); ++i) {
      const bool is_key = fields[i].name == key && !fields[i].type.is_record() && !fields[i].type.is_struct();
      if (!is_key && !IsPrefix(fields[i].name, key)) continue;
      ScalarPtr field = std::make_unique<FieldRef>(rewrite::Clone(*record), static_cast<int>(i));
      if (is_key) return field;
      if (ScalarPtr found = Below(std::move(field), key.substr(fields[i].name.size() + 1), depth)) return found;
    }
    return nullptr;
  }

  const TableScan& scan_;
};

// The text of a stored value, as the flattening writes it; NULL if it is NULL, or an empty list.
ScalarPtr FlatText(ScalarPtr value) {
  switch (value->type.kind()) {
    case TypeKind::kString:
      return value;
    case TypeKind::kFloat64:
      return Call("$ch.float_text", Type::String(), std::move(value));
    case TypeKind::kArray: {
      ScalarPtr length = Call("ARRAY_LENGTH", Type::Int64(), Same(value));
      ScalarPtr filled = Call("$greater", Type::Bool(), std::move(length), Number(0));
      ScalarPtr text = Call("TO_JSON_STRING", Type::String(), std::move(value));
      return If(std::move(filled), std::move(text), NullOf(Type::String()));
    }
    case TypeKind::kJson: {
      ScalarPtr text = Call("TO_JSON_STRING", Type::String(), Same(value));
      std::vector<ScalarPtr> parts;
      parts.push_back(Text("{\"v\":"));
      parts.push_back(std::move(text));
      parts.push_back(Text("}"));
      ScalarPtr map = Call("$ch.attributes", Type::String(), Call("$concat", Type::String(), std::move(parts)));
      return Call("NULLIF", Type::String(), Call("$ch.map_get", Type::String(), std::move(map), Text("v")), Text(""));
    }
    default:
      return CastTo(std::move(value), Type::String());
  }
}

bool IsStoredAsIs(const Type& type) {
  return type.is(TypeKind::kString) || type.is(TypeKind::kInt64) || type.is(TypeKind::kBool) ||
         type.is(TypeKind::kFloat64);
}

ScalarPtr Severity(const RowReader& row, std::string_view log) {
  if (model::IsAlwaysInfo(log)) return Text("INFO");
  std::vector<ScalarPtr> found;
  for (const std::vector<std::string>& path : model::SeverityPaths()) {
    ScalarPtr value = row.At(path);
    if (value != nullptr && value->type.is(TypeKind::kString)) found.push_back(std::move(value));
  }
  if (found.empty()) return Text("INFO");
  ScalarPtr first = found.size() == 1 ? std::move(found[0]) : Call("COALESCE", Type::String(), std::move(found));
  ScalarPtr upper = Call("$ch.ascii_upper", Type::String(), std::move(first));
  std::vector<ScalarPtr> known;
  known.push_back(Same(upper));
  for (const std::string_view severity : model::kSeverities) known.push_back(Text(std::string(severity)));
  return If(Call("$in", Type::Bool(), std::move(known)), std::move(upper), Text("INFO"));
}

// The column of a log's times; nullptr: the table holds no log rows. An engine elsewhere need not say which it is.
const Field* TimeColumn(const Table& table) {
  const std::string_view name = table.time_column.empty() ? "timestamp" : std::string_view(table.time_column);
  const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                  [&](const Field& f) { return f.name == name && f.type.is(TypeKind::kTimestamp); });
  return found == table.columns.end() ? nullptr : &*found;
}

std::unique_ptr<TableScan> ScanAll(const Table& table, rewrite::QueryPlan& query) {
  auto scan = std::make_unique<TableScan>(&table);
  for (const Field& column : table.columns) {
    scan->columns.push_back(query.NewColumn(column.name, column.type));
    scan->storage.push_back(column.name);
  }
  return scan;
}

}  // namespace

// One log of the union, before its columns are those of the union.
struct Resolver::Branch {
  PlanPtr scan;
  std::string source;
  std::vector<ScalarPtr> values;  // id, timestamp, event_message, severity_text, source, project
  std::vector<ScalarPtr> stored;  // of each wanted key; nullptr: the log has none
  ScalarPtr map;                  // nullptr: it is not wanted
};

absl::StatusOr<Resolver::Branch> Resolver::MakeBranch(const Table& table, const WantedKeys& wanted) {
  Branch branch;
  std::unique_ptr<TableScan> scan = ScanAll(table, *query_);
  const RowReader row(*scan);
  branch.source = table.log.empty() ? table.name : table.log;
  const auto text_of = [&](std::string_view name) -> ScalarPtr {
    const PlanColumn* column = row.ColumnNamed(name);
    if (column == nullptr || !column->type.is(TypeKind::kString)) return Text("");
    return IfNull(std::make_unique<ColumnRef>(*column), Text(""));
  };
  const PlanColumn* id = row.ColumnNamed(table.id_column.empty() ? "id" : table.id_column);
  const PlanColumn* time = row.ColumnNamed(TimeColumn(table)->name);
  branch.values.push_back(id != nullptr && id->type.is(TypeKind::kString) ? ScalarPtr(std::make_unique<ColumnRef>(*id))
                                                                          : Text(""));
  branch.values.push_back(std::make_unique<ColumnRef>(*time));
  branch.values.push_back(text_of("event_message"));
  branch.values.push_back(Severity(row, table.log));
  branch.values.push_back(Text(branch.source));
  ScalarPtr project = row.At(table.project_path.empty() ? std::vector<std::string>{"project"} : table.project_path);
  const bool is_text = project != nullptr && project->type.is(TypeKind::kString);
  branch.values.push_back(is_text ? IfNull(std::move(project), Text("")) : Text(""));
  for (const std::string& key : wanted.keys) branch.stored.push_back(row.Find(key));
  if (wanted.whole) {
    std::vector<Field> fields;
    std::vector<ScalarPtr> values;
    for (const PlanColumn& column : scan->columns) {
      if (column.name == "id" || column.name == "event_message" || column.name == "timestamp") continue;
      fields.push_back({column.name, column.type});
      values.push_back(std::make_unique<ColumnRef>(column));
    }
    ScalarPtr record = std::make_unique<rewrite::StructMake>(Type::Struct(std::move(fields)), std::move(values));
    ScalarPtr json = Call("TO_JSON_STRING", Type::String(), std::move(record));
    branch.map =
        Call("PARSE_JSON", Type::Json(), Text("exact"), Call("$ch.attributes", Type::String(), std::move(json)));
  }
  branch.scan = std::move(scan);
  return branch;
}

// A table of all logs is one branch whose rows name their logs.
absl::StatusOr<Resolver::Branch> Resolver::MakeWhole(const Table& table, const WantedKeys& wanted) {
  Branch branch;
  std::unique_ptr<TableScan> scan = ScanAll(table, *query_);
  const RowReader row(*scan);
  const PlanColumn* const map = row.ColumnNamed(model::kAttributesColumn);
  for (const std::string_view name :
       {std::string_view("id"), std::string_view("timestamp"), std::string_view("event_message"),
        model::kSeverityColumn, model::kSourceColumn, model::kProjectColumn}) {
    const PlanColumn* const column = row.ColumnNamed(name);
    if (column == nullptr || map == nullptr)
      return absl::InvalidArgumentError(StrCat("the table ", table.name, " of all logs has no column ", name));
    branch.values.push_back(std::make_unique<ColumnRef>(*column));
  }
  for (const std::string& key : wanted.keys) {
    branch.stored.push_back(
        Call("$ch.attribute", Type::String(), ScalarPtr(std::make_unique<ColumnRef>(*map)), Text(key)));
  }
  if (wanted.whole) branch.map = std::make_unique<ColumnRef>(*map);
  branch.source = table.name;
  branch.scan = std::move(scan);
  return branch;
}

absl::StatusOr<Relation> Resolver::ReadLogs(const WantedKeys& wanted) {
  std::vector<Branch> branches;
  for (const Table& table : options_.catalog->tables()) {
    if (!model::HoldsAllLogs(table)) continue;
    LOGQUERY_ASSIGN_OR_RETURN(Branch branch, MakeWhole(table, wanted));
    branches.push_back(std::move(branch));
    return MakeView(std::move(branches), wanted);
  }
  for (const Table& table : options_.catalog->tables()) {
    if (TimeColumn(table) == nullptr) continue;
    LOGQUERY_ASSIGN_OR_RETURN(Branch branch, MakeBranch(table, wanted));
    branches.push_back(std::move(branch));
  }
  if (branches.empty()) return absl::InvalidArgumentError("there is no log that the table logs could show");
  return MakeView(std::move(branches), wanted);
}

Relation Resolver::MakeView(std::vector<Branch> branches, const WantedKeys& wanted) {
  Relation logs;
  const std::pair<const char*, ChType> plain[] = {
      {"id", String()},     {"timestamp", DateTime64(9)}, {"event_message", String()}, {"severity_text", String()},
      {"source", String()}, {"project", String()}};
  auto set = std::make_unique<SetOperationPlan>(sql::SetOperator::Kind::kUnion, false);
  for (const auto& [name, type] : plain) {
    logs.columns.push_back({"logs", name, NewColumn(name, type.PlanType()), type});
  }
  size_t at = 0;
  for (const std::string& key : wanted.keys) {
    std::optional<Type> stored;
    bool one_type = true;
    for (const Branch& branch : branches) {
      if (branch.stored[at] == nullptr) continue;
      const Type& type = branch.stored[at]->type;
      one_type = one_type && IsStoredAsIs(type) && (!stored || *stored == type);
      stored = type;
    }
    const Type type = one_type && stored ? *stored : Type::String();
    for (Branch& branch : branches) {
      ScalarPtr& value = branch.stored[at];
      if (value == nullptr)
        value = NullOf(type);
      else if (!one_type)
        value = FlatText(std::move(value));
    }
    const ChType ch = type.is(TypeKind::kInt64)     ? Int(64, true)
                      : type.is(TypeKind::kBool)    ? BoolType()
                      : type.is(TypeKind::kFloat64) ? Float64()
                                                    : String();
    logs.columns.push_back({"logs", "", NewColumn(key, type), ch.Nullable(), RelColumn::Role::kAttribute, key});
    ++at;
  }
  if (wanted.whole) {
    logs.columns.push_back(
        {"logs", "log_attributes", NewColumn("log_attributes", Type::Json()), MapType(), RelColumn::Role::kMap});
  }
  auto view = std::make_shared<LogsView>();
  for (Branch& branch : branches) {
    auto project = std::make_unique<Project>(std::move(branch.scan));
    std::vector<ScalarPtr> values = std::move(branch.values);
    for (ScalarPtr& value : branch.stored) values.push_back(std::move(value));
    if (branch.map != nullptr) values.push_back(std::move(branch.map));
    for (size_t i = 0; i < values.size(); ++i) {
      if (const ColumnRef* column = rewrite::If<ColumnRef>(values[i].get())) {
        // The scan's column itself, once: later passes follow it.
        const auto same = [&](const PlanColumn& c) { return c.id == column->id; };
        if (std::none_of(project->columns.begin(), project->columns.end(), same)) {
          project->columns.push_back(
              *std::find_if(project->input->columns.begin(), project->input->columns.end(), same));
          continue;
        }
      }
      project->computed.push_back(
          {NewColumn(logs.columns[i].column.name, logs.columns[i].column.type), std::move(values[i])});
      project->columns.push_back(project->computed.back().column);
    }
    view->sources.push_back(branch.source);
    set->inputs.push_back(std::move(project));
  }
  for (const RelColumn& column : logs.columns) {
    view->shown[column.column.id] = set->columns.size();
    set->columns.push_back(column.column);
  }
  view->time = 1;
  view->source = 4;
  view->project = 5;
  view->set = set.get();
  logs.plan = std::move(set);
  logs.logs = std::move(view);
  return logs;
}

}  // namespace logquery::clickhouse_sql
