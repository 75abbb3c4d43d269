#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/rewrite/coercion.h"
#include "lib/rewrite/resolver_impl.h"
#include "lib/sql/text_error.h"

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

Join::Type JoinTypeOf(sql::JoinItem::Type type) {
  switch (type) {
    case sql::JoinItem::Type::kComma:
    case sql::JoinItem::Type::kCross:
      return Join::Type::kCross;
    case sql::JoinItem::Type::kInner:
      return Join::Type::kInner;
    case sql::JoinItem::Type::kLeft:
      return Join::Type::kLeft;
    case sql::JoinItem::Type::kRight:
      return Join::Type::kRight;
    case sql::JoinItem::Type::kFull:
      return Join::Type::kFull;
  }
  return Join::Type::kInner;
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
      return MakeUnnest(std::move(parts), std::make_unique<SingleRow>(), outer);
    }
    case sql::FromKind::kSubquery: {
      const auto& subquery = sql::As<sql::SubqueryItem>(item);
      LOGQUERY_ASSIGN_OR_RETURN(Named named, ResolveQuery(*subquery.query, outer));
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
    return MakeUnnest(std::move(parts), std::make_unique<SingleRow>(), outer);
  }
  if (item.with_offset) return Error(item.span, "WITH OFFSET goes with an array, not with a table");
  std::string alias = item.alias ? item.alias->text : LastPart(name);
  if (item.path.size() == 1) {
    if (const CteInfo* cte = FindCte(name)) return ScanCte(*cte, alias, outer);
  }
  const Table* table = in_sandbox_ || options_.catalog == nullptr ? nullptr : options_.catalog->Find(name);
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
    return Error(place, StrCat("the table ", name, " can't be read here; there are ", list),
                 sql::NearestNames(name, names));
  }
  if (options_.catalog != nullptr) {
    for (const Table& table : options_.catalog->tables()) names.push_back(table.name);
  }
  return Error(place, StrCat("unknown table ", name), sql::NearestNames(name, names));
}

absl::StatusOr<Resolver::FromResult> Resolver::ScanTable(const sql::TableItem&, const Table& table,
                                                         const std::string& alias, const Scope* outer) {
  auto scan = std::make_unique<TableScan>(&table);
  FromResult result{nullptr, Scope(outer)};
  RangeVariable range{alias, std::nullopt, {}};
  for (const Field& column : table.columns) {
    scan->columns.push_back(NewColumn(column.name, column.type));
    scan->storage.push_back(column.name);
    range.columns.push_back({column.name, scan->columns.back()});
  }
  result.scope.columns = range.columns;
  result.scope.ranges.push_back(std::move(range));
  result.plan = std::move(scan);
  return result;
}

absl::StatusOr<Resolver::FromResult> Resolver::ScanCte(const CteInfo& cte, const std::string& alias,
                                                       const Scope* outer) {
  auto scan = std::make_unique<CteScan>(cte.id);
  Named named;
  for (size_t i = 0; i < cte.columns.size(); ++i) {
    scan->columns.push_back(NewColumn(cte.columns[i].name, cte.columns[i].type));
    scan->ordinals.push_back(static_cast<int>(i));
    named.columns.push_back({scan->columns.back().name, scan->columns.back()});
  }
  named.is_value_table = cte.is_value_table;
  named.plan = std::move(scan);
  return FromNamed(std::move(named), alias, outer);
}

absl::StatusOr<Resolver::FromResult> Resolver::FromNamed(Named named, const std::string& alias, const Scope* outer) {
  FromResult result{std::move(named.plan), Scope(outer)};
  RangeVariable range{alias, std::nullopt, {}};
  if (named.is_value_table) {
    range.value = named.columns[0].column;
    result.scope.columns = NamesOfValue(named.columns[0].column, alias);
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
    if (name.field < 0 && seen.insert(name.column.id).second) continue;
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

// ---- joins

absl::StatusOr<Resolver::FromResult> Resolver::ResolveJoin(const sql::JoinItem& item, const Scope* outer,
                                                           FromResult* left) {
  LOGQUERY_ASSIGN_OR_RETURN(FromResult resolved, ResolveFrom(*item.left, outer, left));
  return JoinWith(item, std::move(resolved), outer);
}

absl::StatusOr<Resolver::FromResult> Resolver::JoinWith(const sql::JoinItem& item, FromResult left,
                                                        const Scope* outer) {
  using Type = sql::JoinItem::Type;
  bool array = item.right->kind == sql::FromKind::kUnnest || IsArrayPath(*item.right, left.scope);
  if (array && item.type != Type::kRight && item.type != Type::kFull && item.columns.empty()) {
    return JoinUnnest(item, std::move(left), outer);
  }
  LOGQUERY_ASSIGN_OR_RETURN(FromResult right, ResolveFrom(*item.right, outer, nullptr));
  for (const RangeVariable& range : right.scope.ranges) {
    for (const RangeVariable& other : left.scope.ranges) {
      if (base::EqualsIgnoreCase(range.name, other.name)) {
        return Error(item.right->span, StrCat("the alias ", range.name, " is used twice in this FROM clause"));
      }
    }
  }
  if (!item.columns.empty()) return JoinUsing(item, std::move(left), std::move(right), outer);
  bool wants_condition = item.type != Type::kComma && item.type != Type::kCross;
  if (wants_condition && item.on == nullptr) {
    return Error(item.right->span, "this JOIN needs a condition: ON … or USING (…); for all pairs write CROSS JOIN");
  }
  FromResult result{nullptr, Scope(outer)};
  result.scope.Append(left.scope);
  result.scope.Append(right.scope);
  ScalarPtr condition;
  if (item.on != nullptr) {
    ExprContext context{&result.scope, "ON", nullptr, false, nullptr, false};
    LOGQUERY_ASSIGN_OR_RETURN(condition, ResolveBool(*item.on, context));
  }
  Join::Type type = JoinTypeOf(item.type);
  result.plan = std::make_unique<Join>(type, std::move(left.plan), std::move(right.plan), std::move(condition));
  return result;
}

absl::StatusOr<Resolver::FromResult> Resolver::JoinUsing(const sql::JoinItem& item, FromResult left, FromResult right,
                                                         const Scope* outer) {
  std::vector<ScalarPtr> equalities;
  std::vector<VisibleName> merged;
  std::vector<std::pair<VisibleName, VisibleName>> pairs;
  for (const sql::Identifier& name : item.columns) {
    Scope::Found l = left.scope.FindHere(name.text), r = right.scope.FindHere(name.text);
    if (l.ambiguous || r.ambiguous) return Error(name.span, StrCat("the column ", name.text, " of USING is ambiguous"));
    if (l.column == nullptr || r.column == nullptr) {
      const Scope& lacking = l.column == nullptr ? left.scope : right.scope;
      return Error(name.span,
                   StrCat("USING wants ", name.text, " on both sides; the ",
                          std::string_view(l.column == nullptr ? "left" : "right"), " one has none"),
                   sql::NearestNames(name.text, lacking.Names()));
    }
    pairs.emplace_back(*l.column, *r.column);
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr equal, MakeCall("$equal", NameToScalar(*l.column, name.span),
                                                        NameToScalar(*r.column, name.span), name.span));
    equalities.push_back(std::move(equal));
  }
  ScalarPtr condition = std::move(equalities[0]);
  if (equalities.size() > 1) {
    equalities[0] = std::move(condition);
    LOGQUERY_ASSIGN_OR_RETURN(condition, MakeCall("$and", std::move(equalities), item.span));
  }
  FromResult result{nullptr, Scope(outer)};
  Join::Type type = JoinTypeOf(item.type);
  result.plan = std::make_unique<Join>(type, std::move(left.plan), std::move(right.plan), std::move(condition));
  auto project = std::make_unique<Project>(nullptr);
  for (size_t i = 0; i < pairs.size(); ++i) {
    const auto& [l, r] = pairs[i];
    if (type != Join::Type::kFull && type != Join::Type::kRight) {
      merged.push_back(l);
      continue;
    }
    std::vector<ScalarPtr> both;
    both.push_back(NameToScalar(l, item.columns[i].span));
    both.push_back(NameToScalar(r, item.columns[i].span));
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, MakeCall("COALESCE", std::move(both), item.columns[i].span));
    PlanColumn column = NewColumn(l.name, value->type);
    project->computed.push_back({column, std::move(value)});
    merged.push_back({l.name, column});
  }
  if (!project->computed.empty()) {
    project->columns = result.plan->columns;
    for (const Computed& computed : project->computed) project->columns.push_back(computed.column);
    project->input = std::move(result.plan);
    result.plan = std::move(project);
  }
  auto is_merged = [&](const VisibleName& name) {
    return std::any_of(item.columns.begin(), item.columns.end(),
                       [&](const sql::Identifier& column) { return base::EqualsIgnoreCase(column.text, name.name); });
  };
  result.scope.columns = std::move(merged);
  for (Scope* scope : {&left.scope, &right.scope}) {
    for (const VisibleName& name : scope->columns) {
      if (!is_merged(name)) result.scope.columns.push_back(name);
    }
    result.scope.ranges.insert(result.scope.ranges.end(), scope->ranges.begin(), scope->ranges.end());
  }
  return result;
}

// ---- arrays

bool Resolver::IsArrayPath(const sql::FromItem& item, const Scope& visible) const {
  const auto* table = sql::If<sql::TableItem>(&item);
  if (table == nullptr) return false;
  const std::string& first = table->path[0].text;
  if (table->path.size() > 1) {
    // `t.arr`, where t is in scope; a table of that dotted name is meant otherwise.
    return static_cast<bool>(visible.Find(first));
  }
  if (table->path[0].quoted && first.find('.') != std::string::npos) return false;
  bool is_table = FindCte(first) != nullptr ||
                  (!in_sandbox_ && options_.catalog != nullptr && options_.catalog->Find(first) != nullptr);
  if (is_table) return false;
  Scope::Found found = visible.FindHere(first);
  return found.column != nullptr && !found.ambiguous && found.column->type().is_array();
}

absl::StatusOr<Resolver::UnnestParts> Resolver::ResolveUnnestParts(const sql::FromItem& item, const Scope& visible) {
  ExprContext context{&visible, "FROM", nullptr, false, nullptr, false};
  UnnestParts parts;
  parts.span = item.span;
  if (const auto* table = sql::If<sql::TableItem>(&item)) {
    sql::PathExpr path;
    path.span = item.span;
    path.names = table->path;
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr array, ResolvePath(path, context));
    array->span = item.span;
    parts.arrays.push_back(std::move(array));
    parts.aliases.push_back(item.alias ? item.alias->text : table->path.back().text);
    if (table->with_offset) parts.offset_alias = table->offset_alias ? table->offset_alias->text : "offset";
  } else {
    const auto& unnest = sql::As<sql::UnnestItem>(item);
    if (unnest.mode != nullptr) return Unsupported(unnest.mode->span, "UNNEST's mode is not supported");
    for (const sql::UnnestItem::Array& array : unnest.arrays) {
      LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(*array.value, context));
      parts.arrays.push_back(std::move(value));
      const auto& alias = array.alias ? array.alias : unnest.arrays.size() == 1 ? item.alias : array.alias;
      parts.aliases.push_back(alias ? alias->text : "");
    }
    if (unnest.with_offset) parts.offset_alias = unnest.offset_alias ? unnest.offset_alias->text : "offset";
  }
  for (ScalarPtr& array : parts.arrays) {
    if (IsUntypedNull(*array)) {
      LOGQUERY_ASSIGN_OR_RETURN(array, CoerceAt(std::move(array), Type::Array(Type::Int64()), "UNNEST"));
    }
    if (!array->type.is_array()) {
      return Error(array->span, StrCat("UNNEST wants an array, not a value of type ", array->type.ToString()));
    }
  }
  return parts;
}

absl::StatusOr<Resolver::FromResult> Resolver::MakeUnnest(UnnestParts parts, PlanPtr input, const Scope* outer) {
  auto unnest = std::make_unique<Unnest>(std::move(input));
  unnest->columns = unnest->input->columns;
  FromResult result{nullptr, Scope(outer)};
  for (size_t i = 0; i < parts.arrays.size(); ++i) {
    PlanColumn element = NewColumn(parts.aliases[i], parts.arrays[i]->type.element());
    unnest->arrays.push_back(std::move(parts.arrays[i]));
    unnest->elements.push_back(element);
    unnest->columns.push_back(element);
    for (VisibleName& name : NamesOfValue(element, parts.aliases[i])) result.scope.columns.push_back(std::move(name));
    if (!parts.aliases[i].empty()) result.scope.ranges.push_back({parts.aliases[i], element, {}});
  }
  if (parts.offset_alias) {
    unnest->offset = NewColumn(*parts.offset_alias, Type::Int64());
    unnest->columns.push_back(*unnest->offset);
    result.scope.columns.push_back({*parts.offset_alias, *unnest->offset});
  }
  result.plan = std::move(unnest);
  return result;
}

absl::StatusOr<Resolver::FromResult> Resolver::JoinUnnest(const sql::JoinItem& item, FromResult left,
                                                          const Scope* outer) {
  LOGQUERY_ASSIGN_OR_RETURN(UnnestParts parts, ResolveUnnestParts(*item.right, left.scope));
  LOGQUERY_ASSIGN_OR_RETURN(FromResult made, MakeUnnest(std::move(parts), std::move(left.plan), outer));
  FromResult result{std::move(made.plan), Scope(outer)};
  result.scope.Append(left.scope);
  result.scope.Append(made.scope);
  ScalarPtr condition;
  if (item.on != nullptr) {
    ExprContext context{&result.scope, "ON", nullptr, false, nullptr, false};
    LOGQUERY_ASSIGN_OR_RETURN(condition, ResolveBool(*item.on, context));
  }
  const Constant* constant = If<Constant>(condition.get());
  if (constant != nullptr && !constant->value.is_null() && constant->value.bool_value()) condition = nullptr;
  Unnest& unnest = As<Unnest>(*result.plan);
  if (item.type == sql::JoinItem::Type::kLeft) {
    unnest.outer = true;
    unnest.condition = std::move(condition);
  } else if (condition != nullptr) {
    result.plan = std::make_unique<Filter>(std::move(result.plan), std::move(condition));
  }
  return result;
}

}  // namespace logquery::rewrite
