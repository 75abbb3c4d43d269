// FROM: the entries of WITH clauses, the definition's entries, subqueries and joins.
#include <algorithm>

#include "lib/base/limits.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/model/all_logs.h"
#include "lib/sql/text_error.h"
#include "logquery/error.h"

namespace logquery::clickhouse_sql {

using base::StrCat;
using rewrite::ColumnRef;

absl::StatusOr<Relation> Resolver::ResolveFrom(const From& from, const WantedKeys& wanted) {
  switch (from.kind) {
    case From::Kind::kTable:
      return ResolveTable(from, wanted);
    case From::Kind::kSubquery: {
      LOGQUERY_ASSIGN_OR_RETURN(Relation rows, ResolveQuery(*from.query, nullptr));
      for (RelColumn& column : rows.columns) column.table = from.alias;
      rows.logs = nullptr;
      return rows;
    }
    case From::Kind::kJoin:
      return ResolveJoin(from, wanted);
  }
  return absl::InternalError("unknown FROM item");
}

absl::StatusOr<Relation> Resolver::ResolveTable(const From& from, const WantedKeys& wanted) {
  const std::string alias = from.alias.empty() ? from.name : from.alias;
  const auto named = [&](Relation rows) {
    for (RelColumn& column : rows.columns) column.table = alias;
    return rows;
  };
  for (size_t i = names_.size(); i-- > 0;) {
    const auto found = names_[i].find(from.name);
    if (found == names_[i].end() || found->second.query == nullptr || found->second.resolving) continue;
    if (in_definition_) {
      // Read anew, with the keys that this reference wants.
      found->second.resolving = true;
      absl::StatusOr<Relation> rows = ResolveQuery(*found->second.query, &wanted);
      names_[i].find(from.name)->second.resolving = false;
      LOGQUERY_RETURN_IF_ERROR(rows.status());
      return named(AddEntry(from.name, *std::move(rows), false));
    }
    LOGQUERY_ASSIGN_OR_RETURN(Relation rows, ReadEntry(from.name, found->second, from));
    return named(std::move(rows));
  }
  if (in_definition_ && from.name == "logs") {
    LOGQUERY_ASSIGN_OR_RETURN(Relation rows, ReadLogs(wanted));
    return named(std::move(rows));
  }
  if (!in_definition_ && definition_ != nullptr) {
    const std::vector<std::string> readable = EntriesOf(*definition_->query);
    const auto hidden = [&](const std::string& name) {
      return std::find(definition_->private_names.begin(), definition_->private_names.end(), name) !=
             definition_->private_names.end();
    };
    for (const WithItem& item : definition_->query->parts[0].select->with) {
      if (item.query == nullptr || item.name != from.name || hidden(item.name)) continue;
      LOGQUERY_ASSIGN_OR_RETURN(Relation rows, ReadDefinition(item.name, *item.query, wanted));
      return named(std::move(rows));
    }
  }
  return UnknownTable(from);
}

absl::Status Resolver::UnknownTable(const From& from) const {
  std::vector<std::string> names;
  for (const Names& level : names_) {
    for (const auto& [name, item] : level) {
      if (item.query != nullptr) names.push_back(name);
    }
  }
  if (definition_ != nullptr && !in_definition_) {
    for (const std::string& name : EntriesOf(*definition_->query)) names.push_back(name);
  }
  if (in_definition_) names.emplace_back("logs");
  for (const Table& table : options_.catalog->tables()) {
    const bool is_log = table.log == from.name || table.name == from.name;
    if (!is_log || model::HoldsAllLogs(table)) continue;
    const std::string log = table.log.empty() ? table.name : table.log;
    return Error(from.span,
                 StrCat("the table ", from.name, " can't be read here; write FROM logs WHERE source = '", log, "'"));
  }
  absl::Status error =
      Error(from.span, StrCat("the table ", from.name, " does not exist here; there is ", base::Join(names, ", ")),
            sql::NearestNames(from.name, names));
  return in_definition_ ? sql::WithReason(std::move(error), ErrorReason::kUnknownTable) : error;
}

// Resolves the entry of a caller's WITH when it is read first. It sees the entries before it.
absl::StatusOr<Relation> Resolver::ReadEntry(const std::string& name, Named& named, const From& from) {
  if (named.entry < 0) {
    named.resolving = true;
    absl::StatusOr<Relation> rows = ResolveQuery(*named.query, nullptr);
    named.resolving = false;
    LOGQUERY_RETURN_IF_ERROR(rows.status());
    rewrite::WithEntry entry;
    entry.id = query_->next_cte++;
    entry.name = name;
    entry.plan = std::move(rows->plan);
    named.entry = entry.id;
    named.columns = std::move(rows->columns);
    entries_.push_back(std::move(entry));
  }
  if (++entry_count_ > base::kMaxColumns) return Error(from.span, "WITH entries are read too often");
  return ScanEntry(named.entry, named.columns);
}

// Each reference to an entry of the definition has a copy of its own, with the keys that it reads.
absl::StatusOr<Relation> Resolver::ReadDefinition(const std::string& name, const Query& query,
                                                  const WantedKeys& wanted) {
  if (use_ != nullptr && std::find(use_->tables.begin(), use_->tables.end(), name) == use_->tables.end())
    use_->tables.push_back(name);
  const std::string_view text = text_;
  text_ = definition_->text;
  in_definition_ = true;
  rewrite::SandboxUse* const use = use_;
  use_ = nullptr;
  std::vector<Names> names;
  names.swap(names_);
  names_.emplace_back();
  for (const WithItem& item : definition_->query->parts[0].select->with) {
    if (item.query.get() == &query) break;
    Named entry;
    entry.query = item.query.get();
    entry.value = item.value.get();
    names_[0][item.name] = std::move(entry);
  }
  absl::StatusOr<Relation> rows = ResolveQuery(query, &wanted);
  names_.swap(names);
  use_ = use;
  in_definition_ = false;
  text_ = text;
  LOGQUERY_RETURN_IF_ERROR(rows.status());
  return AddEntry(name, *std::move(rows), true);
}

// Makes the rows a WITH entry, and reads it. The union of logs below stays known, with the reader's columns.
Relation Resolver::AddEntry(const std::string& name, Relation rows, bool endpoint) {
  rewrite::WithEntry entry;
  entry.id = query_->next_cte++;
  entry.name = name;
  entry.endpoint = endpoint;
  std::shared_ptr<LogsView> view = rows.logs;
  std::vector<size_t> shown(rows.columns.size(), SIZE_MAX);
  for (size_t i = 0; view != nullptr && i < rows.columns.size(); ++i) {
    const auto found = view->shown.find(rows.columns[i].column.id);
    if (found != view->shown.end()) shown[i] = found->second;
  }
  entry.plan = std::move(rows.plan);
  const int id = entry.id;
  entries_.push_back(std::move(entry));
  Relation scan = ScanEntry(id, rows.columns);
  if (view == nullptr) return scan;
  view->shown.clear();
  for (size_t i = 0; i < shown.size(); ++i) {
    if (shown[i] != SIZE_MAX) view->shown[scan.columns[i].column.id] = shown[i];
  }
  scan.logs = std::move(view);
  return scan;
}

Relation Resolver::ScanEntry(int id, const std::vector<RelColumn>& columns) {
  auto scan = std::make_unique<rewrite::CteScan>(id);
  Relation rows;
  for (size_t i = 0; i < columns.size(); ++i) {
    RelColumn column = columns[i];
    column.column = NewColumn(column.column.name, column.column.type);
    scan->columns.push_back(column.column);
    scan->ordinals.push_back(static_cast<int>(i));
    rows.columns.push_back(std::move(column));
  }
  rows.plan = std::move(scan);
  return rows;
}

// Columns of rows that an outer join did not find have their types' defaults.
Relation Resolver::FillAbsent(Relation rows, size_t begin, size_t end) {
  auto project = std::make_unique<rewrite::Project>(std::move(rows.plan));
  for (size_t i = 0; i < rows.columns.size(); ++i) {
    RelColumn& column = rows.columns[i];
    if (i >= begin && i < end && !column.type.nullable && column.role == RelColumn::Role::kPlain) {
      ScalarPtr filled = IfNull(std::make_unique<ColumnRef>(column.column), DefaultOf(column.type));
      column.column = NewColumn(column.column.name, column.column.type);
      project->computed.push_back({column.column, std::move(filled)});
    }
    project->columns.push_back(column.column);
  }
  rows.plan = std::move(project);
  return rows;
}

// The columns of USING, in both sides. The column of a join below is the one without a table.
absl::StatusOr<std::vector<std::pair<RelColumn, RelColumn>>> Resolver::UsingColumns(const From& from,
                                                                                    const Relation& left,
                                                                                    const Relation& right) const {
  std::vector<std::pair<RelColumn, RelColumn>> pairs;
  for (const std::string& name : from.using_names) {
    const auto find = [&](const Relation& side) {
      const RelColumn* found = nullptr;
      for (const RelColumn& column : side.columns) {
        if (column.name == name && column.role != RelColumn::Role::kAttribute && (found == nullptr || column.merged))
          found = &column;
      }
      return found;
    };
    const RelColumn *a = find(left), *b = find(right);
    if (a == nullptr || b == nullptr)
      return Error(from.using_span, StrCat("USING: the column ", name, " does not exist on both sides"));
    pairs.emplace_back(*a, *b);
  }
  return pairs;
}

// A column of USING without a table's name is that of the side which has the row.
absl::StatusOr<Relation> Resolver::MergeUsing(const From& from, Relation rows,
                                              const std::vector<std::pair<RelColumn, RelColumn>>& pairs) {
  auto project = std::make_unique<rewrite::Project>(std::move(rows.plan));
  project->columns = project->input->columns;
  for (const auto& [a, b] : pairs) {
    LOGQUERY_ASSIGN_OR_RETURN(const ChType type, Common({&a.type, &b.type}, from.using_span));
    LOGQUERY_ASSIGN_OR_RETURN(Ex x, Convert(ReadColumn(a), type, from.using_span));
    LOGQUERY_ASSIGN_OR_RETURN(Ex y, Convert(ReadColumn(b), type, from.using_span));
    ScalarPtr value = from.join == From::Join::kRight ? std::move(y.scalar) : std::move(x.scalar);
    if (from.join == From::Join::kFull) value = IfNull(std::move(value), std::move(y.scalar));
    RelColumn merged{"", a.name, NewColumn(a.name, type.PlanType()), type};
    merged.merged = true;
    project->computed.push_back({merged.column, std::move(value)});
    project->columns.push_back(merged.column);
    rows.columns.push_back(std::move(merged));
  }
  rows.plan = std::move(project);
  return rows;
}

absl::StatusOr<Relation> Resolver::ResolveJoin(const From& from, const WantedKeys& wanted) {
  LOGQUERY_ASSIGN_OR_RETURN(Relation left, ResolveFrom(*from.left, wanted));
  LOGQUERY_ASSIGN_OR_RETURN(Relation right, ResolveFrom(*from.right, wanted));
  const size_t middle = left.columns.size();
  std::vector<ScalarPtr> conditions;
  LOGQUERY_ASSIGN_OR_RETURN(const auto pairs, UsingColumns(from, left, right));
  for (const auto& [a, b] : pairs) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex equal, Compare("equals", ReadColumn(a), ReadColumn(b), from.using_span));
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition, ToBool(std::move(equal), from.using_span));
    conditions.push_back(std::move(condition));
  }
  Relation rows;
  rows.columns = left.columns;
  rows.columns.insert(rows.columns.end(), right.columns.begin(), right.columns.end());
  if (from.on != nullptr) {
    SelectScope scope;
    scope.rows.columns = rows.columns;
    LOGQUERY_ASSIGN_OR_RETURN(Ex on, ResolveExpr(*from.on, scope));
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition, ToBool(std::move(on), from.on->span));
    conditions.push_back(std::move(condition));
  }
  using Type = rewrite::Join::Type;
  const Type types[] = {Type::kInner, Type::kLeft, Type::kRight, Type::kFull, Type::kCross};
  rows.plan =
      std::make_unique<rewrite::Join>(types[static_cast<size_t>(from.join)], std::move(left.plan),
                                      std::move(right.plan), conditions.empty() ? nullptr : And(std::move(conditions)));
  const size_t end = rows.columns.size();
  if (!pairs.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(rows, MergeUsing(from, std::move(rows), pairs));
  }
  const bool fills_left = from.join == From::Join::kRight || from.join == From::Join::kFull;
  const bool fills_right = from.join == From::Join::kLeft || from.join == From::Join::kFull;
  if (!fills_left && !fills_right) return rows;
  return FillAbsent(std::move(rows), fills_left ? 0 : middle, fills_right ? end : middle);
}

std::vector<std::string> EntriesOf(const Query& definition) {
  std::vector<std::string> names;
  if (definition.parts.empty() || definition.parts[0].select == nullptr) return names;
  for (const WithItem& item : definition.parts[0].select->with) {
    if (item.query != nullptr) names.push_back(item.name);
  }
  return names;
}

}  // namespace logquery::clickhouse_sql
