#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "lib/base/status_macros.h"
#include "lib/rewrite/coercion.h"
#include "lib/rewrite/resolver_impl.h"
#include "lib/rewrite/scalar_equal.h"
#include "lib/sql/text_error.h"

namespace logquery::rewrite {

using base::StrCat;

// A SELECT on its way: what each clause has become, until FinishSelect puts the nodes together.
struct Resolver::SelectParts {
  struct Item {
    std::string name;
    ScalarPtr value;
  };
  struct Order {
    int item = -1;     // the SELECT list's item, or
    ScalarPtr hidden;  // an expression that is not in it
    OrderKey key;      // without value
  };
  explicit SelectParts(const Scope* outer) : from{nullptr, Scope(outer)} {}

  FromResult from;
  ColumnSet from_columns;
  SelectState state;
  std::vector<Item> items;
  std::vector<Alias> aliases;
  std::vector<Computed> keys;
  std::vector<std::vector<int>> grouping_sets;
  bool aggregated = false;
  ScalarPtr having;
  ScalarPtr qualify;
  std::vector<Order> order;

  ExprContext Context(const char* clause, bool windows) {
    return {&from.scope, clause, &state, windows, &aliases, false};
  }
};

absl::StatusOr<Named> Resolver::ResolveSelect(const sql::Select& select, const Scope* outer,
                                              const std::vector<sql::OrderItem>* order_by) {
  SelectParts parts(outer);
  parts.state.windows_named = &select.windows;
  if (select.from != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(parts.from, ResolveFrom(*select.from, outer, nullptr));
  } else {
    parts.from.plan = std::make_unique<SingleRow>();
  }
  for (const PlanColumn& column : parts.from.plan->columns) parts.from_columns.insert(column.id);
  if (select.where != nullptr) {
    ExprContext context{&parts.from.scope, "WHERE", nullptr, false, nullptr, false};
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition, ResolveBool(*select.where, context));
    parts.from.plan = std::make_unique<Filter>(std::move(parts.from.plan), std::move(condition));
  }
  ExprContext items{&parts.from.scope, "SELECT", &parts.state, true, nullptr, false};
  LOGQUERY_RETURN_IF_ERROR(ResolveItems(select.items, items, parts));
  for (const SelectParts::Item& item : parts.items) {
    if (!item.name.empty()) parts.aliases.push_back({item.name, item.value.get()});
  }
  if (select.group_by) LOGQUERY_RETURN_IF_ERROR(ResolveGroupBy(*select.group_by, parts));
  if (select.having != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(parts.having, ResolveBool(*select.having, parts.Context("HAVING", false)));
  }
  if (select.qualify != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(parts.qualify, ResolveBool(*select.qualify, parts.Context("QUALIFY", true)));
  }
  if (order_by != nullptr) LOGQUERY_RETURN_IF_ERROR(ResolveOrderBy(*order_by, parts));
  parts.aggregated = select.group_by || select.having != nullptr || !parts.state.aggregates.empty() ||
                     !parts.state.grouping_arguments.empty();
  return FinishSelect(select, parts);
}

// ---- the SELECT list

absl::Status Resolver::ResolveItems(const std::vector<sql::SelectItem>& items, const ExprContext& context,
                                    SelectParts& parts) {
  for (const sql::SelectItem& item : items) {
    if (item.is_star) {
      LOGQUERY_RETURN_IF_ERROR(ExpandStar(item, context, parts));
      continue;
    }
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(*item.expr, context));
    parts.items.push_back({item.alias ? item.alias->text : ImplicitName(*item.expr), std::move(value)});
  }
  return absl::OkStatus();
}

absl::Status Resolver::ExpandStar(const sql::SelectItem& item, const ExprContext& context, SelectParts& parts) {
  std::vector<SelectParts::Item> expanded;
  const sql::PathExpr* path = sql::If<sql::PathExpr>(item.expr.get());
  Scope::Found found;
  if (path != nullptr && path->names.size() == 1) found = context.scope->Find(path->names[0].text);
  if (item.expr == nullptr || (found.range != nullptr && !found.ambiguous && !found.range->value)) {
    const std::vector<VisibleName>& columns = item.expr == nullptr ? context.scope->columns : found.range->columns;
    if (columns.empty()) return Error(item.span, "* stands for nothing here: there is no FROM clause");
    for (const VisibleName& column : columns) expanded.push_back({column.name, NameToScalar(column, item.span)});
  } else {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr base, ResolveExpr(*item.expr, context));
    if (!base->type.is_struct()) {
      return Error(item.span, StrCat(".* wants a STRUCT or a table, not a value of type ", base->type.ToString()));
    }
    for (size_t i = 0; i < base->type.fields().size(); ++i) {
      expanded.push_back({base->type.fields()[i].name, std::make_unique<FieldRef>(Clone(*base), static_cast<int>(i))});
      expanded.back().value->span = item.span;
    }
  }
  std::vector<std::string> names;
  for (const SelectParts::Item& each : expanded) names.push_back(each.name);
  auto has = [&](const sql::Identifier& name) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& each) { return base::EqualsIgnoreCase(each, name.text); });
  };
  for (const sql::Identifier& name : item.except) {
    if (!has(name))
      return Error(name.span, StrCat("EXCEPT: * has no column ", name.text), sql::NearestNames(name.text, names));
  }
  for (const sql::SelectItem::Replacement& replacement : item.replace) {
    const sql::Identifier& name = replacement.name;
    if (!has(name))
      return Error(name.span, StrCat("REPLACE: * has no column ", name.text), sql::NearestNames(name.text, names));
  }
  size_t before = parts.items.size();
  for (SelectParts::Item& each : expanded) {
    auto same = [&](const sql::Identifier& name) { return base::EqualsIgnoreCase(each.name, name.text); };
    if (std::any_of(item.except.begin(), item.except.end(), same)) continue;
    for (const sql::SelectItem::Replacement& replacement : item.replace) {
      if (!same(replacement.name)) continue;
      LOGQUERY_ASSIGN_OR_RETURN(each.value, ResolveExpr(*replacement.value, context));
    }
    parts.items.push_back(std::move(each));
  }
  if (parts.items.size() == before) return Error(item.span, "EXCEPT leaves nothing of *");
  return absl::OkStatus();
}

// ---- GROUP BY

absl::StatusOr<int> Resolver::ResolveKey(const sql::Expr& expr, SelectParts& parts) {
  ScalarPtr value;
  const auto* literal = sql::If<sql::Literal>(&expr);
  std::string name = ImplicitName(expr);
  if (literal != nullptr && literal->form == sql::Literal::Form::kInteger) {
    int64_t place = std::atoll(literal->text.c_str());
    if (place < 1 || place > static_cast<int64_t>(parts.items.size())) {
      return Error(expr.span,
                   StrCat("GROUP BY ", literal->text, ": the SELECT list has ", parts.items.size(), " columns"));
    }
    value = Clone(*parts.items[place - 1].value);
    name = parts.items[place - 1].name;
  } else {
    ExprContext context = parts.Context("GROUP BY", false);
    context.state = nullptr;
    LOGQUERY_ASSIGN_OR_RETURN(value, ResolveExpr(expr, context));
  }
  for (ColumnId id : ReferencedColumns(*value)) {
    if (parts.state.own.count(id) > 0) {
      return Error(expr.span, "GROUP BY can't hold an aggregate or window function, by its alias or ordinal neither");
    }
  }
  if (!IsGroupable(value->type)) {
    return Error(expr.span, StrCat("can't group by a value of type ", value->type.ToString()));
  }
  for (size_t i = 0; i < parts.keys.size(); ++i) {
    if (Equal(*parts.keys[i].value, *value)) return static_cast<int>(i);
  }
  PlanColumn column = NewColumn(name, value->type);
  parts.keys.push_back({column, std::move(value)});
  return static_cast<int>(parts.keys.size() - 1);
}

absl::Status Resolver::GroupByAll(SelectParts& parts) {
  for (const SelectParts::Item& item : parts.items) {
    bool own = false;
    for (ColumnId id : ReferencedColumns(*item.value)) own = own || parts.state.own.count(id) > 0;
    if (own || item.value->kind == ScalarKind::kConstant) continue;
    parts.keys.push_back({NewColumn(item.name, item.value->type), Clone(*item.value)});
  }
  return absl::OkStatus();
}

absl::Status Resolver::ResolveGroupBy(const sql::GroupBy& group_by, SelectParts& parts) {
  if (group_by.all) return GroupByAll(parts);
  std::vector<std::vector<int>> sets = {{}};
  bool plain = true;
  for (const sql::GroupItem& item : group_by.items) {
    std::vector<std::vector<int>> more;
    LOGQUERY_RETURN_IF_ERROR(ResolveGroupItem(item, parts, more));
    plain = plain && item.kind == sql::GroupItem::Kind::kExpr;
    std::vector<std::vector<int>> product;
    if (sets.size() * more.size() > 4096) return Error(item.span, "more than 4096 grouping sets");
    for (const std::vector<int>& a : sets) {
      for (const std::vector<int>& b : more) {
        product.push_back(a);
        product.back().insert(product.back().end(), b.begin(), b.end());
      }
    }
    sets = std::move(product);
  }
  if (!plain) parts.grouping_sets = std::move(sets);
  return absl::OkStatus();
}

absl::Status Resolver::ResolveGroupItem(const sql::GroupItem& item, SelectParts& parts,
                                        std::vector<std::vector<int>>& sets) {
  using Kind = sql::GroupItem::Kind;
  if (item.kind == Kind::kGroupingSets) {
    for (const sql::GroupItem& set : item.sets) LOGQUERY_RETURN_IF_ERROR(ResolveGroupItem(set, parts, sets));
    return absl::OkStatus();
  }
  if (item.kind == Kind::kExpr && item.expr != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(int key, ResolveKey(*item.expr, parts));
    sets.push_back({key});
    return absl::OkStatus();
  }
  std::vector<std::vector<int>> entries;
  for (const std::vector<sql::ExprPtr>& list : item.lists) {
    entries.emplace_back();
    for (const sql::ExprPtr& expr : list) {
      LOGQUERY_ASSIGN_OR_RETURN(int key, ResolveKey(*expr, parts));
      entries.back().push_back(key);
    }
  }
  if (item.kind == Kind::kEmpty || item.kind == Kind::kExpr) {
    sets.push_back(entries.empty() ? std::vector<int>() : entries[0]);
    return absl::OkStatus();
  }
  size_t n = entries.size();
  if (item.kind == Kind::kCube && n > 12) return Error(item.span, "CUBE of more than 12 expressions");
  size_t count = item.kind == Kind::kCube ? size_t{1} << n : n + 1;
  for (size_t i = 0; i < count; ++i) {
    std::vector<int> set;
    for (size_t e = 0; e < n; ++e) {
      bool in = item.kind == Kind::kCube ? ((i >> (n - 1 - e)) & 1) == 0 : e < n - i;
      if (in) set.insert(set.end(), entries[e].begin(), entries[e].end());
    }
    sets.push_back(std::move(set));
  }
  return absl::OkStatus();
}

// From the FROM clause's columns to those of the grouped rows.
absl::Status Resolver::ReplaceKeys(ScalarPtr& scalar, const SelectParts& parts) {
  for (const Computed& key : parts.keys) {
    if (!Equal(*scalar, *key.value)) continue;
    sql::Span span = scalar->span;
    scalar = std::make_unique<ColumnRef>(key.column);
    scalar->span = span;
    return absl::OkStatus();
  }
  if (const ColumnRef* column = If<ColumnRef>(scalar.get())) {
    if (!parts.from_columns.contains(column->id)) return absl::OkStatus();
    std::string written(text_.substr(scalar->span.begin, scalar->span.end - scalar->span.begin));
    if (written.empty() || written == "*") written = column->name;
    return Error(scalar->span, StrCat(written, " is neither in GROUP BY nor aggregated"));
  }
  if (FieldRef* field = If<FieldRef>(scalar.get())) {
    // The whole path is what the reader knows, so an error is about it.
    if (field->base->kind == ScalarKind::kColumn || field->base->kind == ScalarKind::kField) {
      field->base->span = field->span;
    }
  }
  for (ChildSlot child : Children(*scalar)) {
    LOGQUERY_RETURN_IF_ERROR(child.scalar != nullptr ? ReplaceKeys(*child.scalar, parts)
                                                     : ReplaceInPlan(**child.plan, parts));
  }
  return absl::OkStatus();
}

absl::Status Resolver::ReplaceInPlan(Plan& plan, const SelectParts& parts) {
  absl::Status status;
  ForEachOwnScalar(plan, [&](ScalarPtr& scalar) {
    if (status.ok() && scalar != nullptr) status = ReplaceKeys(scalar, parts);
  });
  ForEachInput(plan, [&](PlanPtr& input) {
    if (status.ok()) status = ReplaceInPlan(*input, parts);
  });
  return status;
}

absl::Status Resolver::ReplaceInWindows(SelectParts& parts) {
  for (Window::Call& window : parts.state.windows) {
    for (ScalarPtr& argument : window.call.arguments) LOGQUERY_RETURN_IF_ERROR(ReplaceKeys(argument, parts));
    for (ScalarPtr& partition : window.partition_by) LOGQUERY_RETURN_IF_ERROR(ReplaceKeys(partition, parts));
    for (OrderKey& key : window.order_by) LOGQUERY_RETURN_IF_ERROR(ReplaceKeys(key.value, parts));
    for (OrderKey& key : window.call.order_by) LOGQUERY_RETURN_IF_ERROR(ReplaceKeys(key.value, parts));
  }
  return absl::OkStatus();
}

absl::Status Resolver::ReplaceKeysIfAggregated(ScalarPtr& scalar, const SelectParts& parts) {
  return parts.aggregated && scalar != nullptr ? ReplaceKeys(scalar, parts) : absl::OkStatus();
}

absl::Status Resolver::ApplyAggregate(SelectParts& parts) {
  for (SelectParts::Item& item : parts.items) LOGQUERY_RETURN_IF_ERROR(ReplaceKeys(item.value, parts));
  for (SelectParts::Order& order : parts.order) LOGQUERY_RETURN_IF_ERROR(ReplaceKeysIfAggregated(order.hidden, parts));
  LOGQUERY_RETURN_IF_ERROR(ReplaceKeysIfAggregated(parts.having, parts));
  LOGQUERY_RETURN_IF_ERROR(ReplaceKeysIfAggregated(parts.qualify, parts));
  LOGQUERY_RETURN_IF_ERROR(ReplaceInWindows(parts));
  for (auto& [column, argument] : parts.state.grouping_arguments) {
    int found = -1;
    for (size_t i = 0; i < parts.keys.size(); ++i) {
      if (Equal(*parts.keys[i].value, *argument)) found = static_cast<int>(i);
    }
    if (found < 0) return Error(argument->span, "GROUPING wants one of the expressions of GROUP BY");
    parts.state.groupings.push_back({column, found});
  }
  auto aggregate = std::make_unique<Aggregate>(std::move(parts.from.plan));
  for (Computed& key : parts.keys) aggregate->columns.push_back(key.column);
  for (Aggregate::Call& call : parts.state.aggregates) aggregate->columns.push_back(call.column);
  for (Aggregate::Grouping& grouping : parts.state.groupings) aggregate->columns.push_back(grouping.column);
  aggregate->keys = std::move(parts.keys);
  aggregate->calls = std::move(parts.state.aggregates);
  aggregate->groupings = std::move(parts.state.groupings);
  aggregate->grouping_sets = std::move(parts.grouping_sets);
  parts.from.plan = std::move(aggregate);
  return absl::OkStatus();
}

void Resolver::ApplyWindows(SelectParts& parts) {
  if (parts.state.windows.empty()) return;
  auto window = std::make_unique<Window>(std::move(parts.from.plan));
  window->columns = window->input->columns;
  for (Window::Call& call : parts.state.windows) window->columns.push_back(call.column);
  window->calls = std::move(parts.state.windows);
  parts.from.plan = std::move(window);
}

// ---- ORDER BY

absl::StatusOr<ScalarPtr> Resolver::ResolveOrderExpr(const sql::Expr& expr, SelectParts& parts) {
  return ResolveExpr(expr, parts.Context("ORDER BY", true));
}

absl::Status Resolver::ResolveOrderBy(const std::vector<sql::OrderItem>& items, SelectParts& parts) {
  for (const sql::OrderItem& item : items) {
    SelectParts::Order order;
    const auto* literal = sql::If<sql::Literal>(item.expr.get());
    if (literal != nullptr && literal->form == sql::Literal::Form::kInteger) {
      int64_t place = std::atoll(literal->text.c_str());
      if (place < 1 || place > static_cast<int64_t>(parts.items.size())) {
        return Error(item.expr->span,
                     StrCat("ORDER BY ", literal->text, ": the SELECT list has ", parts.items.size(), " columns"));
      }
      order.item = static_cast<int>(place - 1);
      LOGQUERY_RETURN_IF_ERROR(CheckOrder(item, *parts.items[order.item].value));
    } else {
      LOGQUERY_ASSIGN_OR_RETURN(order.hidden, ResolveOrderExpr(*item.expr, parts));
      LOGQUERY_RETURN_IF_ERROR(CheckOrder(item, *order.hidden));
      for (size_t i = 0; i < parts.items.size() && order.item < 0; ++i) {
        if (Equal(*parts.items[i].value, *order.hidden)) order.item = static_cast<int>(i);
      }
      if (order.item >= 0) order.hidden = nullptr;
    }
    order.key = MakeKey(item, nullptr);
    parts.order.push_back(std::move(order));
  }
  return absl::OkStatus();
}

// ---- putting it together

absl::StatusOr<Named> Resolver::FinishSelect(const sql::Select& select, SelectParts& parts) {
  if (parts.aggregated) LOGQUERY_RETURN_IF_ERROR(ApplyAggregate(parts));
  if (parts.having != nullptr) {
    parts.from.plan = std::make_unique<Filter>(std::move(parts.from.plan), std::move(parts.having));
  }
  ApplyWindows(parts);
  if (parts.qualify != nullptr) {
    parts.from.plan = std::make_unique<Filter>(std::move(parts.from.plan), std::move(parts.qualify));
  }
  auto project = std::make_unique<Project>(std::move(parts.from.plan));
  Named named;
  auto add = [&](const std::string& name, ScalarPtr value) {
    PlanColumn column;
    if (const ColumnRef* ref = If<ColumnRef>(value.get())) {
      column = {ref->id, name, ref->type};
    } else {
      column = NewColumn(name, value->type);
      project->computed.push_back({column, std::move(value)});
    }
    project->columns.push_back(column);
    return column;
  };
  for (SelectParts::Item& item : parts.items) {
    if (select.distinct && !IsGroupable(item.value->type)) {
      return Error(item.value->span, StrCat("DISTINCT can't compare values of type ", item.value->type.ToString()));
    }
    named.columns.push_back({item.name, add(item.name, std::move(item.value))});
  }
  std::vector<OrderKey> keys;
  std::vector<int> places;
  for (SelectParts::Order& order : parts.order) {
    places.push_back(order.item);
    if (order.item < 0) {
      if (select.distinct) {
        return Error(order.hidden->span, "with SELECT DISTINCT, ORDER BY can only use what the SELECT list shows");
      }
      order.key.value = std::make_unique<ColumnRef>(add("", std::move(order.hidden)));
    }
    keys.push_back(std::move(order.key));
  }
  named.plan = std::move(project);
  if (select.distinct) {
    auto distinct = std::make_unique<Aggregate>(std::move(named.plan));
    for (VisibleName& name : named.columns) {
      PlanColumn column = NewColumn(name.name, name.column.type);
      distinct->keys.push_back({column, std::make_unique<ColumnRef>(name.column)});
      distinct->columns.push_back(column);
      name.column = column;
    }
    named.plan = std::move(distinct);
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    if (places[i] >= 0) keys[i].value = std::make_unique<ColumnRef>(named.columns[places[i]].column);
  }
  if (!keys.empty()) named.plan = std::make_unique<Sort>(std::move(named.plan), std::move(keys));
  if (select.as == sql::Select::As::kRow) return named;
  return AsStruct(select, std::move(named));
}

absl::StatusOr<Named> Resolver::AsStruct(const sql::Select& select, Named row) {
  Named value;
  value.is_value_table = true;
  if (select.as == sql::Select::As::kValue) {
    if (row.columns.size() != 1) {
      return Error(select.span, StrCat("SELECT AS VALUE wants one column, not ", row.columns.size()));
    }
    value.columns = {{"", row.columns[0].column}};
    value.plan = std::move(row.plan);
    return value;
  }
  std::vector<Field> fields;
  std::vector<ScalarPtr> values;
  for (const VisibleName& column : row.columns) {
    fields.push_back({column.name, column.column.type});
    values.push_back(std::make_unique<ColumnRef>(column.column));
  }
  auto project = std::make_unique<Project>(std::move(row.plan));
  Type type = Type::Struct(std::move(fields));
  PlanColumn column = NewColumn("", type);
  project->computed.push_back({column, std::make_unique<StructMake>(type, std::move(values))});
  project->columns = {column};
  value.columns = {{"", column}};
  value.plan = std::move(project);
  return value;
}

}  // namespace logquery::rewrite
