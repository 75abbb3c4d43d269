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

void AddKeys(const Expr& expr, WantedKeys& wanted) {
  const auto is_map = [](const Expr& e) { return e.kind == ExprKind::kName && e.path.back() == "log_attributes"; };
  if (expr.kind == ExprKind::kStar) wanted.star = true;
  if (is_map(expr)) wanted.whole = true;
  const bool look_up = expr.kind == ExprKind::kCall && (expr.text == "arrayElement" || expr.text == "mapContains") &&
                       expr.args.size() == 2;
  if (look_up && is_map(*expr.args[0]) && expr.args[1]->kind == ExprKind::kString) {
    wanted.keys.insert(expr.args[1]->text);
    return;
  }
  for (const auto* list : {&expr.args, &expr.params}) {
    for (const ExprPtr& arg : *list) {
      const bool counts = arg->kind == ExprKind::kStar && expr.kind == ExprKind::kCall;  // count(*)
      if (!counts) AddKeys(*arg, wanted);
    }
  }
  if (expr.over == nullptr) return;
  for (const ExprPtr& part : expr.over->partition_by) AddKeys(*part, wanted);
  for (const OrderItem& item : expr.over->order_by) AddKeys(*item.value, wanted);
}

WantedKeys KeysOf(const Select& select) {
  WantedKeys wanted;
  std::function<void(const From&)> add_from = [&](const From& from) {
    if (from.on != nullptr) AddKeys(*from.on, wanted);
    if (from.left != nullptr) add_from(*from.left);
    if (from.right != nullptr) add_from(*from.right);
  };
  if (select.from != nullptr) add_from(*select.from);
  for (const auto* list : {&select.items, &select.group_by, &select.limit_by, &select.array_join}) {
    for (const ExprPtr& expr : *list) AddKeys(*expr, wanted);
  }
  for (const auto* expr : {&select.prewhere, &select.where, &select.having, &select.qualify}) {
    if (*expr != nullptr) AddKeys(**expr, wanted);
  }
  for (const OrderItem& item : select.order_by) AddKeys(*item.value, wanted);
  return wanted;
}

absl::Status Resolver::AddAliases(const Expr& expr, SelectScope& scope) {
  if (!expr.alias.empty()) {
    const auto [known, added] = scope.aliases.emplace(expr.alias, &expr);
    if (!added && CanonicalText(*known->second) != CanonicalText(expr)) {
      return Error(expr.alias_span, StrCat("the alias ", expr.alias, " is given to two expressions"));
    }
  }
  for (const auto* list : {&expr.args, &expr.params}) {
    for (const ExprPtr& arg : *list) LOGQUERY_RETURN_IF_ERROR(AddAliases(*arg, scope));
  }
  return absl::OkStatus();
}

absl::Status Resolver::CollectAliases(const Select& select, SelectScope& scope) {
  if (!select.with.empty()) {
    names_.emplace_back();
    for (const WithItem& item : select.with) {
      if (!in_definition_ && item.query != nullptr && definition_ != nullptr) {
        const std::vector<std::string> taken = EntriesOf(*definition_->query);
        if (std::find(taken.begin(), taken.end(), item.name) != taken.end()) {
          return Error(item.span, StrCat("WITH can't define ", item.name, ", which is the name of a table here"));
        }
      }
      Named named;
      named.query = item.query.get();
      named.value = item.value.get();
      if (item.value != nullptr) AddKeys(*item.value, keys_of_with_);
      if (!names_.back().emplace(item.name, std::move(named)).second)
        return Error(item.span, StrCat("WITH defines ", item.name, " twice"));
    }
  }
  for (const ExprPtr& item : select.items) LOGQUERY_RETURN_IF_ERROR(AddAliases(*item, scope));
  for (const auto* expr : {&select.prewhere, &select.where, &select.having}) {
    if (*expr != nullptr) LOGQUERY_RETURN_IF_ERROR(AddAliases(**expr, scope));
  }
  for (const ExprPtr& key : select.group_by) LOGQUERY_RETURN_IF_ERROR(AddAliases(*key, scope));
  return absl::OkStatus();
}

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

absl::Status Resolver::ResolveKeys(const Select& select, SelectScope& scope) {
  const auto add = [&](Ex value, const std::string& name, Span span) -> absl::Status {
    value = Plain(std::move(value));
    if (value.type.Is(ChKind::kMap) || value.type.Is(ChKind::kArray) || value.type.Is(ChKind::kTuple)) {
      if (!value.type.Is(ChKind::kMap))
        return Error(span, StrCat("GROUP BY a value of type ", value.type.ToString(), " is not supported"));
    }
    if (rewrite::If<rewrite::Constant>(value.scalar.get()) != nullptr) return absl::OkStatus();
    for (const rewrite::Computed& key : scope.keys) {
      if (rewrite::Equal(*key.value, *value.scalar)) return absl::OkStatus();
    }
    scope.keys.push_back({NewColumn(name, value.scalar->type), std::move(value.scalar)});
    return absl::OkStatus();
  };
  if (select.grouping == Grouping::kAll) {
    for (const ExprPtr& item : select.items) {
      scope.clause = SelectScope::Clause::kGroups;
      const size_t calls = scope.calls.size();
      LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*item, scope));
      bool aggregated = scope.calls.size() > calls;
      rewrite::VisitScalars(*value.scalar, [&](const rewrite::Scalar& part) {
        const ColumnRef* column = rewrite::If<ColumnRef>(&part);
        aggregated = aggregated || (column != nullptr && scope.made.contains(column->id));
      });
      if (!aggregated) LOGQUERY_RETURN_IF_ERROR(add(std::move(value), "key", item->span));
    }
    return absl::OkStatus();
  }
  for (const ExprPtr& expr : select.group_by) {
    const Expr* source = expr.get();
    const bool is_ordinal =
        expr->kind == ExprKind::kNumber && expr->text.find_first_not_of("0123456789") == std::string::npos;
    if (is_ordinal) {
      const size_t ordinal = expr->text.size() > 4 ? 0 : static_cast<size_t>(std::stoi(expr->text));
      if (ordinal < 1 || ordinal > select.items.size())
        return Error(expr->span, StrCat("there is no column ", expr->text, " in SELECT"));
      source = select.items[ordinal - 1].get();
    }
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*source, scope));
    LOGQUERY_RETURN_IF_ERROR(add(std::move(value), "key", expr->span));
  }
  AddArrayJoins(scope);
  return absl::OkStatus();
}

// Replaces what equals a key of GROUP BY by the key's column.
absl::Status Resolver::ReplaceKeys(ScalarPtr& scalar, SelectScope& scope, Span span) {
  for (const rewrite::Computed& key : scope.keys) {
    if (!rewrite::Equal(*key.value, *scalar)) continue;
    scalar = std::make_unique<ColumnRef>(key.column);
    return absl::OkStatus();
  }
  if (const ColumnRef* column = rewrite::If<ColumnRef>(scalar.get())) {
    const auto is_input = [&](const PlanColumn& c) { return c.id == column->id; };
    const auto& columns = scope.rows.plan->columns;
    if (std::any_of(columns.begin(), columns.end(), is_input)) {
      return Error(span, StrCat("the column ", column->name, " is neither in GROUP BY nor inside of an aggregate"));
    }
    return absl::OkStatus();
  }
  absl::Status status;
  rewrite::ForEachChild(*scalar, [&](const rewrite::ChildSlot& child) {
    if (child.scalar != nullptr && *child.scalar != nullptr && status.ok())
      status = ReplaceKeys(*child.scalar, scope, span);
  });
  return status;
}

absl::StatusOr<std::vector<Resolver::SortKey>> Resolver::ResolveOrder(const Select& select,
                                                                      const std::vector<Item>& items,
                                                                      SelectScope& scope) {
  std::vector<SortKey> keys;
  if (select.order_by_all) {
    for (const Item& item : items) keys.push_back({Copy(item.value), item.span, select.order_all_descending, false});
  }
  for (const OrderItem& item : select.order_by) {
    if (item.with_fill) return Error(item.value->span, "WITH FILL is not supported");
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveOrdinal(*item.value, items, scope));
    if (value.type.Is(ChKind::kMap) || value.type.Is(ChKind::kArray))
      return Error(item.value->span, StrCat("ORDER BY a value of type ", value.type.ToString(), " is not supported"));
    keys.push_back({std::move(value), item.value->span, item.descending, item.nulls_first.value_or(false)});
  }
  return keys;
}

absl::Status Resolver::BuildGroups(SelectScope& scope, const Select& select) {
  auto aggregate = std::make_unique<rewrite::Aggregate>(std::move(scope.rows.plan));
  for (rewrite::Computed& key : scope.keys) {
    aggregate->keys.push_back({key.column, Same(key.value)});
    aggregate->columns.push_back(key.column);
  }
  for (rewrite::Aggregate::Call& call : scope.calls) {
    aggregate->columns.push_back(call.column);
    aggregate->calls.push_back(std::move(call));
  }
  const size_t size = scope.keys.size();
  if (select.grouping == Grouping::kRollup) {
    for (size_t n = size + 1; n-- > 0;) {
      std::vector<int> set;
      for (size_t i = 0; i < n; ++i) set.push_back(static_cast<int>(i));
      aggregate->grouping_sets.push_back(std::move(set));
    }
  }
  if (select.grouping == Grouping::kCube) {
    constexpr size_t kMostCubed = 6;
    if (size > kMostCubed) return Error(select.group_by[0]->span, "CUBE has more than 6 keys");
    for (size_t bits = size_t{1} << size; bits-- > 0;) {
      std::vector<int> set;
      for (size_t i = 0; i < size; ++i) {
        if ((bits >> i & 1) != 0) set.push_back(static_cast<int>(i));
      }
      aggregate->grouping_sets.push_back(std::move(set));
    }
  }
  scope.rows.plan = std::move(aggregate);
  return absl::OkStatus();
}

std::vector<rewrite::OrderKey> Resolver::MakeKeys(const std::vector<SortKey>& keys) {
  std::vector<rewrite::OrderKey> made;
  for (const SortKey& key : keys) {
    if (key.value.type.Is(ChKind::kFloat) && rewrite::If<rewrite::Constant>(key.value.scalar.get()) == nullptr) {
      // NaN stands beside NULL, at the end in both directions.
      ScalarPtr odd = IfNull(Call("IS_NAN", Type::Bool(), Same(key.value.scalar)), True(true));
      made.push_back({std::move(odd), key.nulls_first, false});
    }
    made.push_back({Same(key.value.scalar), key.descending, key.nulls_first});
  }
  return made;
}

absl::StatusOr<int64_t> Resolver::ResolveCount(const Expr& expr, std::string_view what, SelectScope& scope) {
  LOGQUERY_ASSIGN_OR_RETURN(const Ex value, ResolveExpr(expr, scope));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t count, WantInt(value, expr.span, what));
  if (count < 0) return Error(expr.span, StrCat(what, " must not be negative"));
  return count;
}

absl::StatusOr<PlanPtr> Resolver::ApplyLimits(const Select& select, PlanPtr plan,
                                              const std::vector<rewrite::OrderKey>& order, std::vector<ScalarPtr> by,
                                              SelectScope& scope) {
  const auto sorted = [&](PlanPtr input) -> PlanPtr {
    if (order.empty()) return input;
    std::vector<rewrite::OrderKey> keys;
    for (const rewrite::OrderKey& key : order) keys.push_back({Same(key.value), key.descending, key.nulls_first});
    return std::make_unique<rewrite::Sort>(std::move(input), std::move(keys));
  };
  // Keeps rows by their number in a window.
  const auto numbered = [&](const char* function, std::vector<ScalarPtr> partition, int64_t from, int64_t to) {
    auto window = std::make_unique<rewrite::Window>(std::move(plan));
    rewrite::Window::Call call;
    call.column = NewColumn("n", Type::Int64());
    call.call.overload = &rewrite::FindFunction(function)->overloads.front();
    call.partition_by = std::move(partition);
    for (const rewrite::OrderKey& key : order)
      call.order_by.push_back({Same(key.value), key.descending, key.nulls_first});
    const PlanColumn number = call.column;
    window->columns = window->input->columns;
    window->columns.push_back(number);
    window->calls.push_back(std::move(call));
    ScalarPtr within = Call("$between", Type::Bool(), std::make_unique<ColumnRef>(number), Number(from), Number(to));
    plan = std::make_unique<rewrite::Filter>(std::move(window), std::move(within));
  };
  if (!by.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t count, ResolveCount(*select.limit_by_count, "LIMIT … BY", scope));
    int64_t offset = 0;
    if (select.limit_by_offset != nullptr) {
      LOGQUERY_ASSIGN_OR_RETURN(offset, ResolveCount(*select.limit_by_offset, "OFFSET", scope));
    }
    numbered("ROW_NUMBER", std::move(by), offset + 1, offset > INT64_MAX - count ? INT64_MAX : offset + count);
  }
  if (select.with_ties) {
    if (order.empty()) return Error(select.limit->span, "WITH TIES wants ORDER BY");
    if (select.offset != nullptr) return Error(select.offset->span, "WITH TIES with OFFSET is not supported");
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t count, ResolveCount(*select.limit, "LIMIT", scope));
    numbered("RANK", {}, 1, count);
    return sorted(std::move(plan));
  }
  plan = sorted(std::move(plan));
  if (select.limit == nullptr && select.offset == nullptr) return plan;
  ScalarPtr limit, offset;
  if (select.limit != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t count, ResolveCount(*select.limit, "LIMIT", scope));
    limit = Number(count);
  }
  if (select.offset != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t count, ResolveCount(*select.offset, "OFFSET", scope));
    offset = Number(count);
  }
  return PlanPtr(std::make_unique<rewrite::Limit>(std::move(plan), std::move(limit), std::move(offset)));
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
  if (select.qualify != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*select.qualify, scope));
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition, ToBool(std::move(value), select.qualify->span));
    plan = std::make_unique<rewrite::Filter>(std::move(plan), std::move(condition));
  }
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
  AddArrayJoins(scope);
  const bool grouped = select.grouping != Grouping::kNone || !scope.calls.empty();
  if (grouped) {
    for (Item& item : items) LOGQUERY_RETURN_IF_ERROR(ReplaceKeys(item.value.scalar, scope, item.span));
    for (SortKey& key : order) LOGQUERY_RETURN_IF_ERROR(ReplaceKeys(key.value.scalar, scope, key.span));
    if (having != nullptr) LOGQUERY_RETURN_IF_ERROR(ReplaceKeys(having, scope, select.having->span));
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
        ChType type = String();
        if (std::none_of(scope.keys.begin(), scope.keys.end(), is_key) || !column.type.is(TypeKind::kString))
          type = NothingType();
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
