// Resolves a SELECT: its list, including `*`, and builds the plan of its clauses in their order.
#include <algorithm>

#include "lib/base/limits.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/rewrite/evaluate_once.h"
#include "lib/rewrite/resolve/coercion.h"
#include "lib/rewrite/resolve/select_parts.h"
#include "lib/rewrite/scalar_equal.h"
#include "lib/rewrite/type_size.h"
#include "lib/sql/text_error.h"

namespace logquery::rewrite {

using base::StrCat;

namespace {

bool Gives(const Plan& plan, ColumnId id) {
  return std::any_of(plan.columns.begin(), plan.columns.end(), [&](const PlanColumn& c) { return c.id == id; });
}

}  // namespace

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
    ExprContext context{&parts.from.scope, "WHERE", nullptr, false, nullptr, false, &select.items};
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

// An expression that is written several times must not become large: nested, it would double with every level.
absl::Status Resolver::CheckRepeatable(const Scalar& scalar, size_t times, sql::Span span) const {
  constexpr int64_t kMaxNodes = 2'000;
  const int64_t nodes = CountNodes(scalar) * static_cast<int64_t>(times);
  if (nodes <= kMaxNodes) return absl::OkStatus();
  return Error(span, StrCat("this expression would be repeated here, with ", nodes, " parts in all, more than the ",
                            kMaxNodes, " allowed; compute it in a subquery of FROM, and name its column here"));
}

// ---- the SELECT list

absl::Status Resolver::ResolveItems(const std::vector<sql::SelectItem>& items, const ExprContext& context,
                                    SelectParts& parts) {
  parts.items.reserve(items.size());
  for (const sql::SelectItem& item : items) LOGQUERY_RETURN_IF_ERROR(ResolveItem(item, context, parts));
  return absl::OkStatus();
}

absl::Status Resolver::ResolveItem(const sql::SelectItem& item, const ExprContext& context, SelectParts& parts) {
  if (item.is_star) return ExpandStar(item, context, parts);
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(*item.expr, context));
  parts.items.push_back({item.alias ? item.alias->text : ImplicitName(*item.expr), std::move(value)});
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
    base = ElementOfOwnRecord(std::move(base));
    if (!base->type.is_struct()) {
      return Error(item.span, StrCat(".* wants a STRUCT or a table, not a value of type ", base->type.ToString()));
    }
    LOGQUERY_RETURN_IF_ERROR(CheckRepeatable(*base, base->type.fields().size(), item.span));
    for (size_t i = 0; i < base->type.fields().size(); ++i) {
      expanded.push_back({base->type.fields()[i].name, ReadField(Clone(*base), static_cast<int>(i), item.span)});
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
  if (parts.items.size() > static_cast<size_t>(base::kMaxColumns)) {
    return Error(item.span, StrCat("with what * stands for the list has more than ", base::kMaxColumns, " columns"));
  }
  if (parts.items.size() == before) return Error(item.span, "EXCEPT leaves nothing of *");
  return absl::OkStatus();
}

// ---- windows

PlanPtr Resolver::AddWindows(PlanPtr input, SelectState& state) {
  if (state.windows.empty()) return input;
  auto window = std::make_unique<Window>(std::move(input));
  window->columns = window->input->columns;
  for (Window::Call& call : state.windows) window->columns.push_back(call.column);
  window->calls = std::move(state.windows);
  return window;
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
        return Error(item.expr->span, StrCat("ORDER BY ", literal->text, ": the SELECT list has ",
                                             base::Counted(parts.items.size(), "column")));
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

// The columns of SELECT DISTINCT's rows; ORDER BY is then over these.
absl::StatusOr<std::vector<PlanColumn>> Resolver::DistinctColumns(SelectParts& parts) {
  std::vector<PlanColumn> columns;
  for (const SelectParts::Item& item : parts.items) {
    if (!IsGroupable(item.value->type)) {
      return Error(item.value->span, StrCat("DISTINCT can't compare values of type ", item.value->type.ToString()));
    }
    columns.push_back(NewColumn(item.name, item.value->type));
  }
  for (SelectParts::Order& order : parts.order) {
    if (order.hidden != nullptr) LOGQUERY_RETURN_IF_ERROR(ReplaceItems(order.hidden, parts, columns));
  }
  return columns;
}

// The same value as the SELECT list shows it, or as a field of a STRUCT that it shows; else nullptr.
ScalarPtr Resolver::ShownAs(const Scalar& scalar, const SelectParts& parts, const std::vector<PlanColumn>& columns) {
  for (size_t i = 0; i < parts.items.size(); ++i) {
    const Scalar& item = *parts.items[i].value;
    if (Equal(scalar, item)) return std::make_unique<ColumnRef>(columns[i]);
    const StructMake* made = If<StructMake>(&item);
    for (size_t f = 0; made != nullptr && f < made->fields.size(); ++f) {
      if (!Equal(scalar, *made->fields[f])) continue;
      return std::make_unique<FieldRef>(std::make_unique<ColumnRef>(columns[i]), static_cast<int>(f));
    }
  }
  return nullptr;
}

absl::Status Resolver::ReplaceItems(ScalarPtr& scalar, const SelectParts& parts,
                                    const std::vector<PlanColumn>& columns) {
  if (ScalarPtr shown = ShownAs(*scalar, parts, columns)) {
    shown->span = scalar->span;
    scalar = std::move(shown);
    return absl::OkStatus();
  }
  const ColumnRef* column = If<ColumnRef>(scalar.get());
  const bool hidden = column != nullptr && Gives(*parts.from.plan, column->id);
  if (hidden || scalar->kind == ScalarKind::kSubquery) {
    return Error(scalar->span, "with SELECT DISTINCT, ORDER BY can only use what the SELECT list shows");
  }
  for (ChildSlot child : Children(*scalar)) {
    if (child.scalar != nullptr) LOGQUERY_RETURN_IF_ERROR(ReplaceItems(*child.scalar, parts, columns));
  }
  return absl::OkStatus();
}

absl::StatusOr<Named> Resolver::FinishSelect(const sql::Select& select, SelectParts& parts) {
  if (parts.aggregated) LOGQUERY_RETURN_IF_ERROR(ApplyAggregate(parts));
  if (parts.having != nullptr) {
    parts.from.plan = std::make_unique<Filter>(std::move(parts.from.plan), std::move(parts.having));
  }
  parts.from.plan = AddWindows(std::move(parts.from.plan), parts.state);
  if (parts.qualify != nullptr) {
    parts.from.plan = std::make_unique<Filter>(std::move(parts.from.plan), std::move(parts.qualify));
  }
  std::vector<PlanColumn> distinct_columns;
  if (select.distinct) {
    LOGQUERY_ASSIGN_OR_RETURN(distinct_columns, DistinctColumns(parts));
  }
  auto project = std::make_unique<Project>(std::move(parts.from.plan));
  ColumnSet given;
  for (const PlanColumn& column : project->input->columns) given.insert(column.id);
  Named named;
  auto add = [&](const std::string& name, ScalarPtr value) {
    PlanColumn column;
    const ColumnRef* ref = If<ColumnRef>(value.get());
    if (ref != nullptr && given.contains(ref->id)) {
      column = {ref->id, name, ref->type};
    } else {
      column = NewColumn(name, value->type);
      project->computed.push_back({column, std::move(value)});
    }
    project->columns.push_back(column);
    return column;
  };
  for (SelectParts::Item& item : parts.items) {
    named.columns.push_back({item.name, add(item.name, std::move(item.value))});
  }
  std::vector<OrderKey> keys;
  std::vector<int> places;
  for (SelectParts::Order& order : parts.order) {
    places.push_back(order.item);
    if (order.item < 0 && select.distinct) {
      order.key.value = std::move(order.hidden);
    } else if (order.item < 0) {
      order.key.value = std::make_unique<ColumnRef>(add("", std::move(order.hidden)));
    }
    keys.push_back(std::move(order.key));
  }
  named.plan = std::move(project);
  if (select.distinct) {
    auto distinct = std::make_unique<Aggregate>(std::move(named.plan));
    for (size_t i = 0; i < named.columns.size(); ++i) {
      VisibleName& name = named.columns[i];
      const PlanColumn& column = distinct_columns[i];
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
  if (const absl::Status size = CheckTypeSize(type); !size.ok()) return Error(select.span, base::Message(size));
  PlanColumn column = NewColumn("", type);
  project->computed.push_back({column, std::make_unique<StructMake>(type, std::move(values))});
  project->columns = {column};
  value.columns = {{"", column}};
  value.plan = std::move(project);
  return value;
}

}  // namespace logquery::rewrite
