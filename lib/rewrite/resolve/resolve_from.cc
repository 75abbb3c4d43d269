// Resolves FROM: tables and WITH entries become scans, with the names that they make visible.
#include <algorithm>

#include "lib/base/limits.h"
#include "lib/base/status_macros.h"
#include "lib/rewrite/resolve/coercion.h"
#include "lib/rewrite/resolve/resolve_observer.h"
#include "lib/rewrite/resolve/resolver_impl.h"
#include "lib/sql/text_error.h"
#include "logquery/error.h"

namespace logquery::rewrite {
namespace {

using base::StrCat;

std::string DottedName(const std::vector<sql::Identifier>& path) {
  std::string name;
  for (const sql::Identifier& part : path) base::StrAppend(&name, name.empty() ? "" : ".", part.text);
  return name;
}

// A table's name in its own FROM clause when no alias is given: the last part.
std::string LastPart(const std::string& name) {
  size_t dot = name.rfind('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

}  // namespace

absl::StatusOr<Resolver::FromResult> Resolver::ResolveFrom(const sql::FromItem& item, const Scope* outer,
                                                           FromResult* left) {
  switch (item.kind) {
    case sql::FromKind::kTable:
      return ResolveTable(sql::As<sql::TableItem>(item), outer, left);
    case sql::FromKind::kUnnest: {
      Scope nothing(outer);
      LOGQUERY_ASSIGN_OR_RETURN(UnnestParts parts, ResolveUnnestParts(item, nothing));
      return MakeUnnest(item, std::move(parts), std::make_unique<SingleRow>(), outer);
    }
    case sql::FromKind::kSubquery: {
      const auto& subquery = sql::As<sql::SubqueryItem>(item);
      LOGQUERY_ASSIGN_OR_RETURN(Named named, ResolveQuery(*subquery.query, outer));
      Report(item, "", false, named.columns);
      return FromNamed(std::move(named), item.alias ? item.alias->text : "", outer);
    }
    case sql::FromKind::kJoin:
      return ResolveJoin(sql::As<sql::JoinItem>(item), outer, left);
    case sql::FromKind::kTableFunction: {
      const auto& function = sql::As<sql::TableFunctionItem>(item);
      return Error(item.span, StrCat("table functions are not allowed: ", DottedName(function.name), "(…)"));
    }
    case sql::FromKind::kPivot: {
      const auto& pivot = sql::As<sql::PivotItem>(item);
      LOGQUERY_ASSIGN_OR_RETURN(FromResult input, ResolveFrom(*pivot.input, outer, left));
      return ResolvePivot(pivot, std::move(input), outer);
    }
    case sql::FromKind::kUnpivot: {
      const auto& unpivot = sql::As<sql::UnpivotItem>(item);
      LOGQUERY_ASSIGN_OR_RETURN(FromResult input, ResolveFrom(*unpivot.input, outer, left));
      return ResolveUnpivot(unpivot, std::move(input), outer);
    }
  }
  return absl::InternalError("unknown kind of FROM item");
}

const CteInfo* Resolver::FindCte(std::string_view name) const {
  for (auto it = ctes_.rbegin(); it != ctes_.rend(); ++it) {
    if (!it->hidden && base::EqualsIgnoreCase(it->name, name)) return &*it;
  }
  return nullptr;
}

absl::StatusOr<Resolver::FromResult> Resolver::ResolveTable(const sql::TableItem& item, const Scope* outer,
                                                            FromResult* left) {
  std::string name = DottedName(item.path);
  Scope nothing(outer);
  const Scope& visible = left != nullptr ? left->scope : nothing;
  if (IsArrayPath(item, visible)) {
    LOGQUERY_ASSIGN_OR_RETURN(UnnestParts parts, ResolveUnnestParts(item, visible));
    return MakeUnnest(item, std::move(parts), std::make_unique<SingleRow>(), outer);
  }
  if (item.with_offset) return Error(item.span, "WITH OFFSET goes with an array, not with a table");
  std::string alias = item.alias ? item.alias->text : LastPart(name);
  if (item.path.size() == 1) {
    if (const CteInfo* cte = FindCte(name)) return ScanCte(item, *cte, alias, outer);
  }
  const Table* table = in_sandbox_ || options_.catalog == nullptr ? nullptr : options_.catalog->Find(name);
  if (table == nullptr && !in_sandbox_ && options_.find_view != nullptr) {
    const absl::StatusOr<const View*> view = options_.find_view(name);
    if (!view.ok()) {
      // An error of the view's own says where it is.
      return GetErrorDetails(view.status()).source.empty() ? At(item.span, view.status()) : view.status();
    }
    if (*view != nullptr) return ReadView(item, **view, alias, outer);
  }
  if (table == nullptr) return UnknownTable(item, name);
  return ScanTable(item, *table, alias, outer);
}

absl::Status Resolver::UnknownTable(const sql::TableItem& item, const std::string& name) {
  sql::Span place = {item.path.front().span.begin, item.path.back().span.end};
  std::vector<std::string> names;
  for (const CteInfo& cte : ctes_) {
    if (!cte.hidden) names.push_back(cte.name);
  }
  if (in_sandbox_) {
    std::string list;
    for (const std::string& known : names) base::StrAppend(&list, list.empty() ? "" : ", ", known);
    // A definition names the table that a log is stored in; a caller names the log.
    const Table* const stored = options_.catalog == nullptr ? nullptr : options_.catalog->Find(name);
    const bool has_entry = stored != nullptr && std::any_of(names.begin(), names.end(), [&](const std::string& known) {
                             return base::EqualsIgnoreCase(known, stored->log);
                           });
    if (has_entry) {
      return Error(place, StrCat("the table ", name, " can't be read here; its rows are those of ", stored->log),
                   {stored->log});
    }
    return Error(place, StrCat("the table ", name, " can't be read here; there are ", list),
                 sql::NearestNames(name, names));
  }
  if (options_.catalog != nullptr) {
    for (const Table& table : options_.catalog->tables()) {
      if (base::EqualsIgnoreCase(table.log, name)) {
        return sql::WithReason(
            Error(place,
                  StrCat("unknown table ", name, ": that is the name of a log, whose table is `", table.name, "`"),
                  {table.name}),
            ErrorReason::kUnknownTable);
      }
      names.push_back(table.name);
    }
  }
  return sql::WithReason(Error(place, StrCat("unknown table ", name), sql::NearestNames(name, names)),
                         ErrorReason::kUnknownTable);
}

absl::StatusOr<Resolver::FromResult> Resolver::ScanTable(const sql::TableItem& item, const Table& table,
                                                         const std::string& alias, const Scope* outer) {
  LOGQUERY_RETURN_IF_ERROR(CountScanned(item.span, table.columns.size()));
  auto scan = std::make_unique<TableScan>(&table);
  FromResult result{nullptr, Scope(outer)};
  RangeVariable range{alias, std::nullopt, {}};
  scan->columns.reserve(table.columns.size());
  scan->storage.reserve(table.columns.size());
  range.columns.reserve(table.columns.size());
  for (const Field& column : table.columns) {
    scan->columns.push_back(NewColumn(column.name, column.type));
    scan->storage.push_back(column.name);
    range.columns.push_back({column.name, scan->columns.back()});
  }
  Report(item, "", false, range.columns);
  result.scope.columns = range.columns;
  result.scope.ranges.push_back(std::move(range));
  result.plan = std::move(scan);
  return result;
}

void Resolver::Report(const sql::FromItem& item, const std::string& entry, bool of_endpoint,
                      const std::vector<VisibleName>& names) {
  if (options_.observer == nullptr) return;
  std::vector<PlanColumn> columns;
  for (const VisibleName& name : names) {
    columns.push_back(name.column);
    columns.back().name = name.name;
  }
  options_.observer->OnRows(item, entry, of_endpoint, columns);
}

absl::Status Resolver::CountScanned(sql::Span place, size_t columns) {
  scanned_columns_ += columns;
  if (scanned_columns_ <= static_cast<size_t>(base::kMaxScannedColumns)) return absl::OkStatus();
  return Error(place, StrCat("the tables of all FROM clauses together have more than ", base::kMaxScannedColumns,
                             " columns; select fewer than * where columns meet"));
}

absl::StatusOr<Resolver::FromResult> Resolver::ScanCte(const sql::TableItem& item, const CteInfo& cte,
                                                       const std::string& alias, const Scope* outer) {
  LOGQUERY_RETURN_IF_ERROR(CountScanned(item.span, cte.columns.size()));
  if (cte.of_endpoint) NoteUse(&SandboxUse::tables, cte.name);
  auto scan = std::make_unique<CteScan>(cte.id);
  Named named;
  scan->columns.reserve(cte.columns.size());
  scan->ordinals.reserve(cte.columns.size());
  named.columns.reserve(cte.columns.size());
  for (size_t i = 0; i < cte.columns.size(); ++i) {
    scan->columns.push_back(NewColumn(cte.columns[i].name, cte.columns[i].type));
    scan->ordinals.push_back(static_cast<int>(i));
    named.columns.push_back({scan->columns.back().name, scan->columns.back()});
  }
  named.is_value_table = cte.is_value_table;
  Report(item, cte.name, cte.of_endpoint, named.columns);
  named.plan = std::move(scan);
  return FromNamed(std::move(named), alias, outer);
}

absl::StatusOr<Resolver::FromResult> Resolver::FromNamed(Named named, const std::string& alias, const Scope* outer) {
  FromResult result{std::move(named.plan), Scope(outer)};
  RangeVariable range{alias, std::nullopt, {}};
  if (named.is_value_table) {
    range.value = named.columns[0].column;
    result.scope.columns = NamesOfValue(named.columns[0].column, alias);
    ReadWithRow({{range.value->id}}, result.scope);
  } else {
    range.columns = named.columns;
    result.scope.columns = named.columns;
  }
  if (!alias.empty()) result.scope.ranges.push_back(std::move(range));
  return result;
}

void Resolver::Flatten(FromResult& from, sql::Span span) {
  auto project = std::make_unique<Project>(nullptr);
  ColumnSet seen;
  for (VisibleName& name : from.scope.columns) {
    if (name.field < 0 && !name.row && seen.insert(name.column.id)) continue;
    project->computed.push_back({NewColumn(name.name, name.type()), NameToScalar(name, span)});
    name = {name.name, project->computed.back().column};
  }
  if (project->computed.empty()) return;
  project->columns = from.plan->columns;
  for (const Computed& computed : project->computed) project->columns.push_back(computed.column);
  project->input = std::move(from.plan);
  from.plan = std::move(project);
}

Named Resolver::ToNamed(FromResult from, sql::Span span) {
  Flatten(from, span);
  auto project = std::make_unique<Project>(std::move(from.plan));
  for (const VisibleName& name : from.scope.columns) project->columns.push_back(name.column);
  return {std::move(project), std::move(from.scope.columns)};
}

}  // namespace logquery::rewrite
