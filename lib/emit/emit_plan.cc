// Writes the nodes that are added to the current SELECT: scans, projections, filters, sorts, limits.
#include <algorithm>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/emit/emitter_impl.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {

using rewrite::As;
using rewrite::If;
using rewrite::Plan;
using rewrite::PlanKind;

namespace {

// Becomes text that may be written many times.
bool IsCheap(const rewrite::Scalar& scalar) {
  const rewrite::Scalar* at = &scalar;
  while (true) {
    if (const auto* field = If<rewrite::FieldRef>(at)) {
      at = field->base.get();
    } else if (const auto* call = If<rewrite::FunctionCall>(at)) {
      const std::string_view name = call->overload->row->name;
      if (name != "$element" && name != "$present") return false;
      at = call->arguments[0].get();
    } else {
      return at->kind == rewrite::ScalarKind::kColumn || at->kind == rewrite::ScalarKind::kConstant ||
             at->kind == rewrite::ScalarKind::kParameter;
    }
  }
}

// `time >= @p` and the like, of the scan's time.
bool BoundsTime(const rewrite::TableScan& scan, const rewrite::Scalar& condition) {
  const auto* call = If<rewrite::FunctionCall>(&condition);
  if (call == nullptr || call->arguments.size() != 2) return false;
  const std::string_view name = call->overload->row->name;
  if (name != "$less" && name != "$less_or_equal" && name != "$greater" && name != "$greater_or_equal") return false;
  const auto is_time = [&](const rewrite::Scalar& scalar) {
    const auto* column = If<rewrite::ColumnRef>(&scalar);
    if (column == nullptr) return false;
    for (size_t i = 0; i < scan.columns.size(); ++i) {
      if (scan.columns[i].id == column->id) return base::EqualsIgnoreCase(scan.storage[i], scan.table->time_column);
    }
    return false;
  };
  const auto is_known = [](const rewrite::Scalar& scalar) {
    return scalar.kind == rewrite::ScalarKind::kConstant || scalar.kind == rewrite::ScalarKind::kParameter;
  };
  return (is_time(*call->arguments[0]) && is_known(*call->arguments[1])) ||
         (is_known(*call->arguments[0]) && is_time(*call->arguments[1]));
}

}  // namespace

absl::StatusOr<Select> Emitter::Build(const Plan& plan, bool ordered) {
  switch (plan.kind) {
    case PlanKind::kSingleRow:
      return Select();
    case PlanKind::kTableScan:
      return BuildScan(As<rewrite::TableScan>(plan));
    case PlanKind::kCteScan:
      return BuildCteScan(As<rewrite::CteScan>(plan));
    case PlanKind::kWith:
      return BuildWith(As<rewrite::With>(plan), ordered);
    case PlanKind::kProject:
      return BuildProject(As<rewrite::Project>(plan), ordered);
    case PlanKind::kFilter:
      return BuildFilter(As<rewrite::Filter>(plan), ordered);
    case PlanKind::kJoin:
      return BuildJoin(As<rewrite::Join>(plan));
    case PlanKind::kUnnest:
      return BuildUnnest(As<rewrite::Unnest>(plan), ordered);
    case PlanKind::kAggregate:
      return BuildAggregate(As<rewrite::Aggregate>(plan));
    case PlanKind::kWindow:
      return BuildWindow(As<rewrite::Window>(plan));
    case PlanKind::kSetOperation:
      return BuildSetOperation(As<rewrite::SetOperationPlan>(plan));
    case PlanKind::kSort:
      return BuildSort(As<rewrite::Sort>(plan), ordered);
    case PlanKind::kLimit:
      return BuildLimit(As<rewrite::Limit>(plan), ordered);
  }
  return absl::InternalError("a plan node of no kind");
}

absl::StatusOr<Select> Emitter::BuildScan(const rewrite::TableScan& scan) {
  Select select;
  const std::string alias = NewTableName();
  select.from = base::StrCat(dialect_.TableName(*scan.table), " AS ", alias);
  select.scan = {&scan, alias, select.from, {}};
  for (size_t i = 0; i < scan.columns.size(); ++i) {
    if (!needed_.contains(scan.columns[i].id)) continue;
    LOGQUERY_ASSIGN_OR_RETURN(Text text, dialect_.StoredColumn(scan, i, alias));
    select.known[scan.columns[i].id] = {std::move(text), false};
  }
  return select;
}

absl::StatusOr<Select> Emitter::BuildProject(const rewrite::Project& project, bool ordered) {
  LOGQUERY_ASSIGN_OR_RETURN(Select select, Build(*project.input, ordered));
  std::vector<const rewrite::Computed*> needed;
  rewrite::ColumnSet referenced;
  bool costs = false;
  for (const rewrite::Computed& computed : project.computed) {
    if (!needed_.contains(computed.column.id)) continue;
    needed.push_back(&computed);
    for (ColumnId id : rewrite::ReferencedColumns(*computed.value)) referenced.insert(id);
    costs = costs || !IsCheap(*computed.value);
  }
  // Rows that LIMIT leaves out must not be computed, because they may fail.
  if (select.IsLimited() && costs) Wrap(select, project.input->columns);
  WrapIfRefers(select, project.input->columns, referenced);
  for (const rewrite::Computed* computed : needed) {
    LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarText(select, *computed->value));
    // A column of a query around this one becomes one of this: what a call is over says whose call it is.
    const rewrite::ColumnSet own = rewrite::ReferencedColumns(*computed->value);
    const bool inlined =
        text.IsSimple() && std::all_of(own.begin(), own.end(), [&](ColumnId id) { return select.known.contains(id); });
    select.known[computed->column.id] = {std::move(text), !inlined};
  }
  return select;
}

// Conditions on computed columns of the select list are added last, because only they need the SELECT to be wrapped.
absl::Status Emitter::AddConjuncts(Select& select, const Conjuncts& conjuncts, const Columns& columns) {
  Conjuncts waiting;
  for (const rewrite::Scalar* conjunct : conjuncts) {
    const rewrite::ColumnSet referenced = rewrite::ReferencedColumns(*conjunct);
    if (std::any_of(referenced.begin(), referenced.end(), [&](ColumnId id) { return select.IsComputed(id); })) {
      waiting.push_back(conjunct);
      continue;
    }
    // In a subquery, the join would conflict with the engine's own decorrelation.
    const bool may_join = dialect_.HasSemiJoins() && scopes_.empty();
    if (const std::optional<SemiJoin> join = may_join ? AsSemiJoin(*conjunct) : std::nullopt) {
      LOGQUERY_RETURN_IF_ERROR(AddSemiJoin(select, *join, columns));
      continue;
    }
    LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarText(select, *conjunct));
    if (select.scan && BoundsTime(*select.scan->node, *conjunct)) select.scan->time_bounds.push_back(text.sql);
    select.where.push_back(std::move(text.sql));
  }
  if (waiting.empty()) return absl::OkStatus();
  Wrap(select, columns);
  return AddConjuncts(select, waiting, columns);
}

absl::StatusOr<Select> Emitter::BuildFilter(const rewrite::Filter& filter, bool ordered) {
  LOGQUERY_ASSIGN_OR_RETURN(Select select, Build(*filter.input, ordered));
  const bool before = select.stage == Select::Stage::kOpen || select.stage == Select::Stage::kExpanded;
  if (select.IsLimited() || !before) Wrap(select, filter.columns);
  LOGQUERY_RETURN_IF_ERROR(AddConjuncts(select, rewrite::ConjunctsOf(*filter.condition), filter.columns));
  return select;
}

absl::Status Emitter::AddSortKey(Select& select, const rewrite::OrderKey& key) {
  const auto* ref = If<rewrite::ColumnRef>(key.value.get());
  if (ref != nullptr && select.IsComputed(ref->id)) {
    select.order.push_back({ref->id, "", key.descending, key.nulls_first});
    return absl::OkStatus();
  }
  LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarText(select, *key.value));
  // A constant sorts nothing, and would be taken for a place in the select list.
  if (text.kind == Text::Kind::kConstant) return absl::OkStatus();
  if (std::string nan = dialect_.NanTest(key.value->type, text.sql); !nan.empty()) {
    select.order.push_back({std::nullopt, std::move(nan), !key.descending, key.nulls_first});
  }
  SortKey sort{std::nullopt, std::move(text.sql), key.descending, key.nulls_first};
  if (ref != nullptr && select.known.contains(ref->id)) sort.column = ref->id;
  select.order.push_back(std::move(sort));
  return absl::OkStatus();
}

absl::StatusOr<Select> Emitter::BuildSort(const rewrite::Sort& sort, bool ordered) {
  LOGQUERY_ASSIGN_OR_RETURN(Select select, Build(*sort.input, false));
  if (!ordered) return select;
  if (select.IsLimited() || select.stage == Select::Stage::kExpanded) Wrap(select, sort.columns);
  rewrite::ColumnSet referenced;
  for (const rewrite::OrderKey& key : sort.keys) {
    // A computed column by its alias alone needs no derived table.
    const bool alias =
        key.value->kind == rewrite::ScalarKind::kColumn && dialect_.NanTest(key.value->type, "x").empty();
    if (alias) continue;
    for (ColumnId id : rewrite::ReferencedColumns(*key.value)) referenced.insert(id);
  }
  WrapIfRefers(select, sort.columns, referenced);
  select.order.clear();
  for (const rewrite::OrderKey& key : sort.keys) LOGQUERY_RETURN_IF_ERROR(AddSortKey(select, key));
  return select;
}

absl::StatusOr<std::string> Emitter::Count(const rewrite::Scalar& scalar) {
  if (const auto* constant = If<rewrite::Constant>(&scalar)) {
    if (constant->type.is(TypeKind::kInt64) && !constant->value.is_null()) {
      return base::StrCat(constant->value.int64_value());
    }
  }
  LOGQUERY_ASSIGN_OR_RETURN(Text text, Scalar(scalar));
  return dialect_.RowCount(text.sql);
}

absl::StatusOr<Select> Emitter::BuildLimit(const rewrite::Limit& limit, bool ordered) {
  LOGQUERY_ASSIGN_OR_RETURN(Select select, Build(*limit.input, true));
  std::optional<int64_t> value;
  if (const auto* constant = If<rewrite::Constant>(limit.limit.get())) {
    if (!constant->value.is_null()) value = constant->value.int64_value();
  }
  if (select.limit_value.has_value() && value.has_value() && limit.offset == nullptr) {
    select.limit_value = std::min(*select.limit_value, *value);
    select.limit = base::StrCat(*select.limit_value);
    select.order_ends = !ordered;
    return select;
  }
  if (select.IsLimited() || select.stage == Select::Stage::kExpanded) Wrap(select, limit.columns);
  if (limit.limit != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(select.limit, Count(*limit.limit));
    select.limit_value = value;
  }
  if (limit.offset != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(select.offset, Count(*limit.offset));
  }
  select.order_ends = !ordered;
  return select;
}

}  // namespace logquery::emit
