// Resolves the pipe operators that combine rows: AGGREGATE, DISTINCT, set operations.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/rewrite/resolve/coercion.h"
#include "lib/rewrite/resolve/select_parts.h"
#include "lib/sql/text_error.h"

namespace logquery::rewrite {

using base::StrCat;

absl::Status Resolver::AddPipeOrder(sql::Span span, bool descending, sql::NullsOrder nulls, size_t item,
                                    SelectParts& parts) {
  const Type& type = parts.items[item].value->type;
  if (!IsOrderable(type)) return Error(span, StrCat("can't order by a value of type ", type.ToString()));
  sql::OrderItem order;
  order.descending = descending;
  order.nulls = nulls;
  parts.order.push_back({static_cast<int>(item), nullptr, MakeKey(order, nullptr)});
  return absl::OkStatus();
}

// The keys come first, in the list of columns and in the order.
absl::Status Resolver::PipeGroupBy(const sql::GroupBy& group_by, SelectParts& parts) {
  if (group_by.all) return Unsupported({}, "GROUP BY ALL does not go with |> AGGREGATE");
  LOGQUERY_RETURN_IF_ERROR(ResolveGroupBy(group_by, parts));
  const bool plain = std::all_of(group_by.items.begin(), group_by.items.end(), [](const sql::GroupItem& item) {
    return item.kind == sql::GroupItem::Kind::kExpr && item.expr != nullptr;
  });
  if (!plain) {
    for (const Computed& key : parts.keys) parts.items.push_back({key.column.name, Clone(*key.value)});
    return absl::OkStatus();
  }
  std::vector<SelectParts::Item> items;
  for (const sql::GroupItem& item : group_by.items) {
    LOGQUERY_ASSIGN_OR_RETURN(int key, ResolveKey(*item.expr, parts));
    const Computed& found = parts.keys[static_cast<size_t>(key)];
    items.push_back({item.alias ? item.alias->text : found.column.name, Clone(*found.value)});
  }
  parts.items = std::move(items);
  for (size_t i = 0; i < group_by.items.size(); ++i) {
    const sql::GroupItem& item = group_by.items[i];
    if (!item.has_order && !group_by.and_order_by) continue;
    LOGQUERY_RETURN_IF_ERROR(AddPipeOrder(item.span, item.descending, item.nulls, i, parts));
  }
  return absl::OkStatus();
}

absl::Status Resolver::PipeAggregate(const sql::PipeOperator& pipe, PipeState& state, const Scope* outer) {
  SelectParts parts(outer);
  parts.aggregated = true;
  parts.from = std::move(state.from);
  for (const PlanColumn& column : parts.from.plan->columns) parts.from_columns.insert(column.id);
  if (pipe.group_by) LOGQUERY_RETURN_IF_ERROR(PipeGroupBy(*pipe.group_by, parts));
  ExprContext context{&parts.from.scope, "|> AGGREGATE", &parts.state, false, nullptr, false};
  for (const sql::SelectItem& item : pipe.items) {
    const size_t place = parts.items.size();
    LOGQUERY_RETURN_IF_ERROR(ResolveItem(item, context, parts));
    if (item.has_order) {
      LOGQUERY_RETURN_IF_ERROR(AddPipeOrder(item.span, item.descending, item.nulls, place, parts));
    }
  }
  sql::Select select;
  select.span = pipe.span;
  LOGQUERY_ASSIGN_OR_RETURN(Named named, FinishSelect(select, parts));
  LOGQUERY_ASSIGN_OR_RETURN(state.from, FromNamed(std::move(named), "", outer));
  return absl::OkStatus();
}

// ---- rows of several

// A range variable goes on naming those of its columns that are still there.
absl::Status Resolver::PipeDistinct(const sql::PipeOperator& pipe, PipeState& state) {
  Flatten(state.from, pipe.span);
  auto distinct = std::make_unique<Aggregate>(std::move(state.from.plan));
  ColumnMap replaced;
  for (VisibleName& name : state.from.scope.columns) {
    if (!IsGroupable(name.column.type)) {
      return Error(pipe.span, StrCat("|> DISTINCT can't compare values of type ", name.column.type.ToString()));
    }
    const PlanColumn column = NewColumn(name.name, name.column.type);
    distinct->keys.push_back({column, std::make_unique<ColumnRef>(name.column)});
    distinct->columns.push_back(column);
    replaced.try_emplace(name.column.id, column.id);
    name.column = column;
  }
  for (RangeVariable& range : state.from.scope.ranges) {
    std::vector<VisibleName> kept;
    for (VisibleName& name : range.columns) {
      const auto found = replaced.find(name.column.id);
      if (found == replaced.end() || name.field >= 0) continue;
      name.column.id = found->second;
      kept.push_back(std::move(name));
    }
    range.columns = std::move(kept);
    range.value.reset();
  }
  state.from.plan = std::move(distinct);
  return absl::OkStatus();
}

absl::Status Resolver::PipeSetOperation(const sql::PipeOperator& pipe, PipeState& state, const Scope* outer) {
  std::vector<Named> inputs;
  Spans spans = {pipe.span};
  inputs.push_back(ToNamed(std::move(state.from), pipe.span));
  for (const sql::QueryPtr& query : pipe.queries) {
    LOGQUERY_ASSIGN_OR_RETURN(Named named, ResolveQuery(*query, outer));
    inputs.push_back(std::move(named));
    spans.push_back(query->span);
  }
  LOGQUERY_ASSIGN_OR_RETURN(Named named, ResolveSetOperation(pipe.set_operator, std::move(inputs), spans));
  LOGQUERY_ASSIGN_OR_RETURN(state.from, FromNamed(std::move(named), "", outer));
  return absl::OkStatus();
}

}  // namespace logquery::rewrite
