// One SELECT. Aliases may be read in every clause and win over columns, so each is resolved where it is read first, and
// copied from there on.
#include <algorithm>

#include "lib/base/limits.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalar_equal.h"
#include "lib/rewrite/scalars.h"

namespace logquery::clickhouse_sql {

using base::StrCat;
using rewrite::ColumnRef;
using rewrite::Project;

namespace {

// In a filter NULL is FALSE: `IFNULL(x, FALSE)` under AND and OR is x, which may be compared in storage.
void Loosen(ScalarPtr& condition) {
  if (rewrite::IsCallOf(*condition, "$and") || rewrite::IsCallOf(*condition, "$or")) {
    for (ScalarPtr& part : rewrite::As<rewrite::FunctionCall>(*condition).arguments) Loosen(part);
    return;
  }
  if (!rewrite::IsCallOf(*condition, "IFNULL")) return;
  auto& arguments = rewrite::As<rewrite::FunctionCall>(*condition).arguments;
  if (!arguments[1]->type.is(TypeKind::kBool) || !rewrite::IsFalseOrNull(*arguments[1])) return;
  ScalarPtr inner = std::move(arguments[0]);
  condition = std::move(inner);
  Loosen(condition);
}

}  // namespace

absl::Status Resolver::ApplyWhere(const Expr* condition, SelectScope& scope) {
  if (condition == nullptr) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*condition, scope));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr scalar, ToBool(std::move(value), condition->span));
  AddArrayJoins(scope);
  Loosen(scalar);
  PruneLogs(*scalar, scope.rows);
  std::vector<ScalarPtr> staying;
  for (ScalarPtr& conjunct : rewrite::TakeConjuncts(std::move(scalar))) {
    if (!PushIntoLogs(*conjunct, scope.rows, in_definition_)) staying.push_back(std::move(conjunct));
  }
  if (!staying.empty())
    scope.rows.plan = std::make_unique<rewrite::Filter>(std::move(scope.rows.plan), And(std::move(staying)));
  return absl::OkStatus();
}

// arrayJoin(x) multiplies the rows where it stands: its element is a column from then on.
void Resolver::AddArrayJoins(SelectScope& scope) {
  for (auto& [array, column] : scope.array_joins) {
    if (array == nullptr) continue;
    auto unnest = std::make_unique<rewrite::Unnest>(std::move(scope.rows.plan));
    unnest->columns = unnest->input->columns;
    unnest->columns.push_back(column);
    unnest->elements.push_back(column);
    unnest->arrays.push_back(Same(array));
    array = nullptr;
    scope.rows.plan = std::move(unnest);
  }
}

absl::Status Resolver::ApplyArrayJoin(const Select& select, SelectScope& scope) {
  if (select.array_join.empty()) return absl::OkStatus();
  if (select.left_array_join) return Error(select.array_join[0]->span, "LEFT ARRAY JOIN is not supported");
  auto unnest = std::make_unique<rewrite::Unnest>(nullptr);
  std::vector<RelColumn> added;
  for (const ExprPtr& expr : select.array_join) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveKind(*expr, scope));
    if (!value.type.Is(ChKind::kArray))
      return Error(expr->span, StrCat("ARRAY JOIN wants an array, not ", value.type.ToString()));
    const std::string name = !expr->alias.empty() ? expr->alias : CanonicalText(*expr);
    const ChType element = value.type.parts[0];
    const PlanColumn column = NewColumn(name, element.PlanType());
    unnest->elements.push_back(column);
    if (!unnest->arrays.empty()) {
      unnest->arrays[0] = OfSameLength(std::move(unnest->arrays[0]), value.scalar, "ARRAY JOIN");
    }
    unnest->arrays.push_back(std::move(value.scalar));
    added.push_back({"", name, column, element});
  }
  unnest->input = std::move(scope.rows.plan);
  unnest->columns = unnest->input->columns;
  for (RelColumn& column : added) {
    unnest->columns.push_back(column.column);
    const auto same = [&](const RelColumn& c) { return c.name == column.name; };
    scope.rows.columns.erase(std::remove_if(scope.rows.columns.begin(), scope.rows.columns.end(), same),
                             scope.rows.columns.end());
    scope.rows.columns.push_back(std::move(column));
  }
  scope.rows.plan = std::move(unnest);
  return absl::OkStatus();
}

absl::Status Resolver::ExpandStar(const Expr& star, SelectScope& scope, std::vector<Item>& items) {
  bool found = false;
  for (const RelColumn& column : scope.rows.columns) {
    if (!star.path.empty() && column.table != star.path[0]) continue;
    const auto replaces = [&](const RelColumn& other) {
      return other.merged && !column.merged && other.name == column.name;
    };
    // The columns of USING come once.
    if (star.path.empty() && std::any_of(scope.rows.columns.begin(), scope.rows.columns.end(), replaces)) continue;
    found = true;
    Item item{column, {std::make_unique<ColumnRef>(column.column), column.type}, star.span};
    items.push_back(std::move(item));
  }
  return found ? absl::OkStatus() : Error(star.span, "* has no columns here");
}

absl::StatusOr<std::vector<Resolver::Item>> Resolver::ResolveItems(const Select& select, SelectScope& scope) {
  std::vector<Item> items;
  for (const ExprPtr& expr : select.items) {
    if (expr->kind == ExprKind::kStar) {
      LOGQUERY_RETURN_IF_ERROR(ExpandStar(*expr, scope, items));
      continue;
    }
    const bool column_name = expr->kind == ExprKind::kName;
    const std::string name = !expr->alias.empty() ? expr->alias
                             : column_name        ? expr->path.back()
                                                  : CanonicalText(*expr);
    absl::StatusOr<Ex> value =
        expr->alias.empty() ? ResolveKind(*expr, scope) : ResolveAlias(expr->alias, *expr, scope);
    LOGQUERY_RETURN_IF_ERROR(value.status());
    if (value->type.Is(ChKind::kInterval)) return Error(expr->span, "an interval can't be a column of the result");
    Item item;
    item.value = Plain(*std::move(value));
    item.column = {"", name, {}, item.value.type};
    item.span = expr->span;
    items.push_back(std::move(item));
  }
  return items;
}

absl::StatusOr<Ex> Resolver::ResolveOrdinal(const Expr& expr, const std::vector<Item>& items, SelectScope& scope) {
  const bool is_ordinal = expr.kind == ExprKind::kNumber && expr.alias.empty() &&
                          expr.text.find_first_not_of("0123456789") == std::string::npos;
  if (!is_ordinal) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(expr, scope));
    return Plain(std::move(value));
  }
  const size_t ordinal = expr.text.size() > 4 ? 0 : static_cast<size_t>(std::stoi(expr.text));
  if (ordinal < 1 || ordinal > items.size())
    return Error(expr.span, StrCat("there is no column ", expr.text, " in SELECT"));
  return Copy(items[ordinal - 1].value);
}

// Windows, projection, DISTINCT, order and limits above the rows or groups.
absl::StatusOr<Relation> Resolver::BuildRows(const Select& select, std::vector<Item> items, std::vector<SortKey> keys,
                                             SelectScope& scope) {
  PlanPtr plan = std::move(scope.rows.plan);
  if (!scope.windows.empty()) {
    auto window = std::make_unique<rewrite::Window>(std::move(plan));
    window->columns = window->input->columns;
    for (rewrite::Window::Call& call : scope.windows) {
      window->columns.push_back(call.column);
      window->calls.push_back(std::move(call));
    }
    plan = std::move(window);
  }
  if (scope.qualify != nullptr) plan = std::make_unique<rewrite::Filter>(std::move(plan), std::move(scope.qualify));
  Relation rows;
  rows.logs = std::move(scope.rows.logs);
  auto project = std::make_unique<Project>(std::move(plan));
  for (Item& item : items) {
    const ColumnRef* read = rewrite::If<ColumnRef>(item.value.scalar.get());
    const auto is_there = [&](const PlanColumn& c) { return read != nullptr && c.id == read->id; };
    const auto& below = project->input->columns;
    const auto same = std::find_if(below.begin(), below.end(), is_there);
    const bool repeated = std::any_of(project->columns.begin(), project->columns.end(), is_there);
    if (read != nullptr && same != below.end() && !repeated) {
      item.column.column = *same;
    } else {
      item.column.column = NewColumn(item.column.name, item.value.scalar->type);
      project->computed.push_back({item.column.column, Same(item.value.scalar)});
    }
    project->columns.push_back(item.column.column);
    rows.columns.push_back(item.column);
  }
  // Sort keys are columns below the sort: items where they are equal, otherwise columns that are left out at the end.
  const auto column_of = [&](ScalarPtr value) -> ScalarPtr {
    if (rewrite::If<rewrite::Constant>(value.get()) != nullptr) return value;
    for (const Item& item : items) {
      if (rewrite::Equal(*item.value.scalar, *value)) return std::make_unique<ColumnRef>(item.column.column);
    }
    const PlanColumn column = NewColumn("key", value->type);
    project->computed.push_back({column, std::move(value)});
    project->columns.push_back(column);
    return std::make_unique<ColumnRef>(column);
  };
  const size_t shown = rows.columns.size();
  for (SortKey& key : keys) key.value.scalar = column_of(std::move(key.value.scalar));
  std::vector<ScalarPtr> by;
  for (const ExprPtr& expr : select.limit_by) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveOrdinal(*expr, items, scope));
    if (!scope.keys.empty()) LOGQUERY_RETURN_IF_ERROR(ReplaceKeys(value.scalar, scope, expr->span));
    by.push_back(column_of(std::move(value.scalar)));
  }
  const bool extra = project->columns.size() > shown;
  if (select.distinct && extra)
    return Error(select.span, "with DISTINCT, ORDER BY and LIMIT BY may only read what SELECT has");
  plan = std::move(project);
  if (select.distinct) {
    const std::vector<RelColumn> before = rows.columns;
    rows.plan = std::move(plan);
    LOGQUERY_ASSIGN_OR_RETURN(rows, Distinct(std::move(rows)));
    rows.logs = nullptr;
    plan = std::move(rows.plan);
    rewrite::ColumnMap renamed;
    for (size_t i = 0; i < before.size(); ++i) renamed[before[i].column.id] = rows.columns[i].column.id;
    for (SortKey& key : keys) rewrite::RenameReferences(key.value.scalar, renamed);
    for (ScalarPtr& key : by) rewrite::RenameReferences(key, renamed);
  }
  for (const OrderItem& item : select.order_by) {
    if (!item.with_fill) continue;
    if (keys.size() != 1 || !by.empty() || select.with_ties || plan->columns.size() > shown)
      return Error(item.value->span,
                   "WITH FILL is only supported for one key of ORDER BY, which is a column of SELECT");
    LOGQUERY_ASSIGN_OR_RETURN(plan, FillRows(item, std::move(plan), rows.columns, keys[0], scope));
    rows.logs = nullptr;
  }
  LOGQUERY_ASSIGN_OR_RETURN(plan, ApplyLimits(select, std::move(plan), MakeKeys(keys), std::move(by), scope));
  if (plan->columns.size() > shown) {
    auto last = std::make_unique<Project>(std::move(plan));
    for (const RelColumn& column : rows.columns) last->columns.push_back(column.column);
    plan = std::move(last);
  }
  rows.plan = std::move(plan);
  return rows;
}

absl::StatusOr<Relation> Resolver::ResolveSelect(const Select& select, const WantedKeys* wanted) {
  SelectScope scope;
  scope.select = &select;
  const size_t levels = names_.size();
  LOGQUERY_RETURN_IF_ERROR(CollectAliases(select, scope));
  WantedKeys keys = KeysOf(select);
  for (const WantedKeys* more : {&static_cast<const WantedKeys&>(keys_of_with_), keys.star ? wanted : nullptr}) {
    if (more == nullptr) continue;
    keys.keys.insert(more->keys.begin(), more->keys.end());
    keys.whole = keys.whole || more->whole;
  }
  if (keys.star && wanted == nullptr) keys.whole = true;
  if (select.from != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(scope.rows, ResolveFrom(*select.from, keys));
  } else {
    scope.rows.plan = std::make_unique<rewrite::SingleRow>();
  }
  LOGQUERY_RETURN_IF_ERROR(ApplyArrayJoin(select, scope));
  LOGQUERY_RETURN_IF_ERROR(ApplyWhere(select.prewhere.get(), scope));
  LOGQUERY_RETURN_IF_ERROR(ApplyWhere(select.where.get(), scope));
  LOGQUERY_RETURN_IF_ERROR(ResolveKeys(select, scope));
  scope.clause = SelectScope::Clause::kGroups;
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<Item> items, ResolveItems(select, scope));
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<SortKey> order, ResolveOrder(select, items, scope));
  ScalarPtr having;
  if (select.having != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*select.having, scope));
    LOGQUERY_ASSIGN_OR_RETURN(having, ToBool(std::move(value), select.having->span));
  }
  // QUALIFY comes before the windows are made, because it may have some of its own.
  if (select.qualify != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*select.qualify, scope));
    LOGQUERY_ASSIGN_OR_RETURN(scope.qualify, ToBool(std::move(value), select.qualify->span));
  }
  AddArrayJoins(scope);
  const bool grouped = select.grouping != Grouping::kNone || !scope.calls.empty();
  if (grouped) {
    for (Item& item : items) LOGQUERY_RETURN_IF_ERROR(ReplaceKeys(item.value.scalar, scope, item.span));
    for (SortKey& key : order) LOGQUERY_RETURN_IF_ERROR(ReplaceKeys(key.value.scalar, scope, key.span));
    if (having != nullptr) LOGQUERY_RETURN_IF_ERROR(ReplaceKeys(having, scope, select.having->span));
    if (scope.qualify != nullptr) LOGQUERY_RETURN_IF_ERROR(ReplaceKeys(scope.qualify, scope, select.qualify->span));
    for (rewrite::Window::Call& call : scope.windows) {
      for (ScalarPtr& argument : call.call.arguments)
        LOGQUERY_RETURN_IF_ERROR(ReplaceKeys(argument, scope, select.span));
      for (ScalarPtr& part : call.partition_by) LOGQUERY_RETURN_IF_ERROR(ReplaceKeys(part, scope, select.span));
      for (rewrite::OrderKey& key : call.order_by) LOGQUERY_RETURN_IF_ERROR(ReplaceKeys(key.value, scope, select.span));
    }
    LOGQUERY_RETURN_IF_ERROR(BuildGroups(scope, select));
    const bool sets = select.grouping == Grouping::kRollup || select.grouping == Grouping::kCube;
    if (sets) {
      // A key that is rolled up has its type's default.
      Relation groups;
      groups.plan = std::move(scope.rows.plan);
      for (const PlanColumn& column : groups.plan->columns) {
        const auto is_key = [&](const rewrite::Computed& key) { return key.column.id == column.id; };
        const auto key = std::find_if(scope.keys.begin(), scope.keys.end(), is_key);
        const ChType type =
            key == scope.keys.end() ? NothingType() : scope.key_types[static_cast<size_t>(key - scope.keys.begin())];
        groups.columns.push_back({"", column.name, column, type});
      }
      const std::vector<RelColumn> before = groups.columns;
      const size_t columns = groups.columns.size();
      groups = FillAbsent(std::move(groups), 0, columns);
      scope.rows.plan = std::move(groups.plan);
      rewrite::ColumnMap renamed;
      for (size_t i = 0; i < before.size(); ++i) renamed[before[i].column.id] = groups.columns[i].column.id;
      for (Item& item : items) rewrite::RenameReferences(item.value.scalar, renamed);
      for (SortKey& key : order) rewrite::RenameReferences(key.value.scalar, renamed);
      if (having != nullptr) rewrite::RenameReferences(having, renamed);
      if (scope.qualify != nullptr) rewrite::RenameReferences(scope.qualify, renamed);
    }
    scope.rows.logs = nullptr;
  } else if (having != nullptr && select.group_by.empty()) {
    return Error(select.having->span, "HAVING wants GROUP BY or an aggregate");
  }
  if (having != nullptr)
    scope.rows.plan = std::make_unique<rewrite::Filter>(std::move(scope.rows.plan), std::move(having));
  absl::StatusOr<Relation> rows = BuildRows(select, std::move(items), std::move(order), scope);
  names_.resize(levels);
  return rows;
}

}  // namespace logquery::clickhouse_sql
