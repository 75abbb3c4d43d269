// Resolves GROUP BY, and replaces its keys in the rest of the SELECT.
#include <algorithm>

#include "lib/base/limits.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/rewrite/evaluate_once.h"
#include "lib/rewrite/passes/may_raise.h"
#include "lib/rewrite/resolve/coercion.h"
#include "lib/rewrite/resolve/select_parts.h"
#include "lib/rewrite/scalar_equal.h"
#include "lib/sql/text_error.h"

namespace logquery::rewrite {

using base::StrCat;

namespace {

constexpr size_t kMaxGroupingSets = 4'096;

bool IsAlias(const sql::Expr& expr, const std::vector<Alias>& aliases) {
  const auto* path = sql::If<sql::PathExpr>(&expr);
  return path != nullptr && path->names.size() == 1 &&
         std::any_of(aliases.begin(), aliases.end(),
                     [&](const Alias& alias) { return base::EqualsIgnoreCase(alias.name, path->names[0].text); });
}

}  // namespace

// The item shows the key's value, and so does its alias in the clauses behind.
void Resolver::ShowKey(size_t place, const PlanColumn& key, SelectParts& parts) {
  SelectParts::Item& item = parts.items[place];
  ScalarPtr shown = std::make_unique<ColumnRef>(key);
  for (Alias& alias : parts.aliases) {
    if (alias.value == item.value.get()) alias.value = shown.get();
  }
  item.value = std::move(shown);
}

// The first item of the SELECT list with this alias; -1: none has it.
int Resolver::ItemNamed(std::string_view name, const SelectParts& parts) {
  for (size_t i = 0; i < parts.items.size(); ++i) {
    if (base::EqualsIgnoreCase(parts.items[i].name, name)) return static_cast<int>(i);
  }
  return -1;
}

absl::StatusOr<int> Resolver::ResolveKey(const sql::Expr& expr, SelectParts& parts) {
  ScalarPtr value;
  const auto* literal = sql::If<sql::Literal>(&expr);
  const bool shown = literal != nullptr || IsAlias(expr, parts.aliases);
  std::string name = ImplicitName(expr);
  int item = shown && literal == nullptr ? ItemNamed(name, parts) : -1;
  if (literal != nullptr && literal->form == sql::Literal::Form::kInteger) {
    int64_t place = std::atoll(literal->text.c_str());
    if (place < 1 || place > static_cast<int64_t>(parts.items.size())) {
      return Error(expr.span, StrCat("GROUP BY ", literal->text, ": the SELECT list has ",
                                     base::Counted(parts.items.size(), "column")));
    }
    item = static_cast<int>(place - 1);
    value = Clone(*parts.items[place - 1].value);
    name = parts.items[place - 1].name;
  } else {
    // An alias is visible here only by itself, not inside an expression.
    ExprContext context = parts.Context("GROUP BY", false);
    context.state = nullptr;
    if (expr.kind != sql::ExprKind::kPath) context.aliases = nullptr;
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
    if (!Equal(*parts.keys[i].value, *value)) continue;
    if (shown) parts.shown_keys.insert(parts.keys[i].column.id);
    return static_cast<int>(i);
  }
  if (parts.keys.size() >= static_cast<size_t>(base::kMaxColumns)) {
    return Error(expr.span, StrCat("more than ", base::kMaxColumns, " expressions in GROUP BY"));
  }
  PlanColumn column = NewColumn(name, value->type);
  if (shown) parts.shown_keys.insert(column.id);
  // A volatile key equals nothing, not even the item that it stands for; that shows the group's value all the same.
  if (item >= 0 && !Equal(*value, *value)) ShowKey(static_cast<size_t>(item), column, parts);
  parts.keys.push_back({column, std::move(value)});
  return static_cast<int>(parts.keys.size() - 1);
}

absl::Status Resolver::GroupByAll(SelectParts& parts) {
  for (size_t i = 0; i < parts.items.size(); ++i) {
    const SelectParts::Item& item = parts.items[i];
    bool own = false;
    for (ColumnId id : ReferencedColumns(*item.value)) own = own || parts.state.own.count(id) > 0;
    if (own || item.value->kind == ScalarKind::kConstant) continue;
    parts.keys.push_back({NewColumn(item.name, item.value->type), Clone(*item.value)});
    const Computed& key = parts.keys.back();
    if (!Equal(*key.value, *key.value)) ShowKey(i, key.column, parts);
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
    if (sets.size() * more.size() > kMaxGroupingSets) {
      return Error(item.span, StrCat("more than ", kMaxGroupingSets, " grouping sets"));
    }
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
  if (count > kMaxGroupingSets) return Error(item.span, StrCat("more than ", kMaxGroupingSets, " grouping sets"));
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

// Returns whether all columns of the expression are grouping keys themselves. With grouping sets the expression is then
// computed from these keys, which are NULL where they are rolled up, even if it is a key as well. The exception is a
// key that GROUP BY names by an alias or position of the SELECT list.
bool Resolver::IsMadeOfKeys(const Scalar& scalar, const SelectParts& parts) const {
  if (parts.grouping_sets.empty() || scalar.kind == ScalarKind::kColumn) return false;
  const ColumnSet referenced = ReferencedColumns(scalar);
  return !referenced.empty() && std::all_of(referenced.begin(), referenced.end(), [&](ColumnId id) {
    return std::any_of(parts.keys.begin(), parts.keys.end(), [&](const Computed& key) {
      const ColumnRef* column = If<ColumnRef>(key.value.get());
      return column != nullptr && column->id == id;
    });
  });
}

// Replaces the FROM clause's columns by those of the grouped rows.
absl::Status Resolver::ReplaceKeys(ScalarPtr& scalar, const SelectParts& parts) {
  const bool made_of_keys = IsMadeOfKeys(*scalar, parts);
  for (const Computed& key : parts.keys) {
    if (!Equal(*scalar, *key.value)) continue;
    if (made_of_keys && !parts.shown_keys.contains(key.column.id)) continue;
    sql::Span span = scalar->span;
    scalar = std::make_unique<ColumnRef>(key.column);
    scalar->span = span;
    return absl::OkStatus();
  }
  if (const ColumnRef* column = If<ColumnRef>(scalar.get())) {
    if (!parts.from_columns.contains(column->id)) return absl::OkStatus();
    std::string written(text_.substr(scalar->span.begin, scalar->span.end - scalar->span.begin));
    if (written.empty() || written == "*") written = column->name;
    return Error(
        scalar->span,
        StrCat(written, " is neither in GROUP BY nor aggregated; add it there, or write ANY_VALUE(", written, ")"));
  }
  if (FieldRef* field = If<FieldRef>(scalar.get())) {
    // The whole path is what the reader knows, so an error is about it.
    if (field->base->kind == ScalarKind::kColumn || field->base->kind == ScalarKind::kField) {
      field->base->span = field->span;
    }
  }
  for (ChildSlot child : Children(*scalar)) {
    // The 1 of `1 + COUNT(*)` is no key that is rolled up, whatever is grouped by.
    if (child.scalar != nullptr && !parts.grouping_sets.empty() && IsRowIndependent(**child.scalar)) continue;
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
  LOGQUERY_RETURN_IF_ERROR(ApplyHavingModifiers(*aggregate));
  parts.from.plan = std::move(aggregate);
  return absl::OkStatus();
}

// MAX(x HAVING MAX y) aggregates the rows whose y is the group's maximum: a window function computes the maximum, and a
// filter selects the rows. ANY_VALUE with HAVING goes to the engine unchanged, unless y may be NaN, which is not equal
// to itself.
absl::Status Resolver::ApplyHavingModifiers(Aggregate& aggregate) {
  auto window = std::make_unique<Window>(nullptr);
  for (Aggregate::Call& each : aggregate.calls) {
    AggregateCall& call = each.call;
    if (call.having == nullptr) continue;
    const sql::Span span = call.having->span;
    if (!IsSmall(*call.having)) {
      ComputeInProjection(aggregate.input, call.having, NewColumn("having", call.having->type));
    }
    const bool any_value = std::string_view(call.overload->row->name) == "ANY_VALUE";
    if (any_value && !call.having->type.is(TypeKind::kFloat64)) continue;
    if (!aggregate.grouping_sets.empty()) {
      return Unsupported(span, "HAVING MAX and HAVING MIN with grouping sets are not supported");
    }
    Window::Call extreme;
    extreme.call.arguments.push_back(Clone(*call.having));
    Type type;
    LOGQUERY_ASSIGN_OR_RETURN(extreme.call.overload, PickOverload(*FindFunction(call.having_max ? "MAX" : "MIN"),
                                                                  extreme.call.arguments, type, span));
    for (const Computed& key : aggregate.keys) extreme.partition_by.push_back(Clone(*key.value));
    if (call.filter != nullptr) extreme.partition_by.push_back(Clone(*call.filter));
    extreme.column = NewColumn("extreme", type);
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr chosen, MakeCall("$equal", std::move(call.having),
                                                         std::make_unique<ColumnRef>(extreme.column), span));
    call.having = nullptr;
    if (call.filter != nullptr) {
      LOGQUERY_ASSIGN_OR_RETURN(chosen, MakeCall("$and", std::move(call.filter), std::move(chosen), span));
    }
    call.filter = std::move(chosen);
    window->calls.push_back(std::move(extreme));
  }
  if (window->calls.empty()) return absl::OkStatus();
  window->columns = aggregate.input->columns;
  for (const Window::Call& call : window->calls) window->columns.push_back(call.column);
  window->input = std::move(aggregate.input);
  aggregate.input = std::move(window);
  return absl::OkStatus();
}

}  // namespace logquery::rewrite
