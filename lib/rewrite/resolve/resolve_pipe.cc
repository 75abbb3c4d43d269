// Resolves pipe syntax: each operator takes the preceding relation, with its names, and produces another one.
//
// Source: GoogleSQL's "Pipe query syntax". EXTEND, SET, DROP and RENAME change what `*` stands for; range variables
// keep naming the same columns. SELECT, AGGREGATE and set operations leave no range variable.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/rewrite/resolve/select_parts.h"
#include "lib/sql/text_error.h"

namespace logquery::rewrite {

using base::StrCat;

absl::StatusOr<Named> Resolver::ResolvePipes(const sql::Query& query, const Scope* outer,
                                             std::vector<WithEntry>& entries) {
  LOGQUERY_ASSIGN_OR_RETURN(PipeState state, BeginPipes(query, outer));
  for (const sql::PipeOperator& pipe : query.pipes) {
    if (pipe.kind == sql::PipeKind::kWith) {
      LOGQUERY_RETURN_IF_ERROR(ResolveEntries(pipe.with, false, outer, entries));
    } else {
      LOGQUERY_RETURN_IF_ERROR(ResolvePipe(pipe, state, outer));
    }
  }
  if (!state.value) return ToNamed(std::move(state.from), query.pipes.back().span);
  Named named;
  named.is_value_table = true;
  named.columns = {{"", *state.value}};
  auto project = std::make_unique<Project>(std::move(state.from.plan));
  project->columns = {*state.value};
  named.plan = std::move(project);
  return named;
}

// FROM keeps its range variables for the operators behind it; any other query has none.
absl::StatusOr<Resolver::PipeState> Resolver::BeginPipes(const sql::Query& query, const Scope* outer) {
  const auto* from = sql::If<sql::FromBody>(query.body.get());
  if (from != nullptr && query.order_by.empty() && query.limit == nullptr && query.offset == nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(FromResult resolved, ResolveFrom(*from->from, outer, nullptr));
    return PipeState{std::move(resolved), std::nullopt};
  }
  LOGQUERY_ASSIGN_OR_RETURN(Named named, ResolveCore(query, outer));
  std::optional<PlanColumn> value;
  if (named.is_value_table) value = named.columns[0].column;
  LOGQUERY_ASSIGN_OR_RETURN(FromResult resolved, FromNamed(std::move(named), "", outer));
  return PipeState{std::move(resolved), std::move(value)};
}

absl::Status Resolver::ResolvePipe(const sql::PipeOperator& pipe, PipeState& state, const Scope* outer) {
  using Kind = sql::PipeKind;
  switch (pipe.kind) {
    case Kind::kWhere:
      return PipeWhere(pipe, state);
    case Kind::kOrderBy:
      return PipeOrderBy(pipe, state);
    case Kind::kLimit: {
      LOGQUERY_ASSIGN_OR_RETURN(state.from.plan,
                                ApplyLimit(std::move(state.from.plan), pipe.limit.get(), pipe.offset.get()));
      return absl::OkStatus();
    }
    case Kind::kAs:
      return PipeAs(pipe, state);
    case Kind::kSelect:
      return PipeSelect(pipe, state, outer);
    default:
      break;
  }
  // After this operator a row no longer has the single value that it had.
  state.value.reset();
  switch (pipe.kind) {
    case Kind::kExtend:
    case Kind::kWindow:
      return PipeExtend(pipe, state, outer);
    case Kind::kSet:
      return PipeSet(pipe, state, outer);
    case Kind::kDrop:
      return PipeDrop(pipe, state);
    case Kind::kRename:
      return PipeRename(pipe, state);
    case Kind::kAggregate:
      return PipeAggregate(pipe, state, outer);
    case Kind::kDistinct:
      return PipeDistinct(pipe, state);
    case Kind::kSetOperation:
      return PipeSetOperation(pipe, state, outer);
    case Kind::kJoin: {
      LOGQUERY_ASSIGN_OR_RETURN(state.from, JoinWith(sql::As<sql::JoinItem>(*pipe.from), std::move(state.from), outer));
      return absl::OkStatus();
    }
    case Kind::kPivot: {
      LOGQUERY_ASSIGN_OR_RETURN(state.from,
                                ResolvePivot(sql::As<sql::PivotItem>(*pipe.from), std::move(state.from), outer));
      return absl::OkStatus();
    }
    case Kind::kUnpivot: {
      LOGQUERY_ASSIGN_OR_RETURN(state.from,
                                ResolveUnpivot(sql::As<sql::UnpivotItem>(*pipe.from), std::move(state.from), outer));
      return absl::OkStatus();
    }
    case Kind::kWhere:
    case Kind::kOrderBy:
    case Kind::kLimit:
    case Kind::kAs:
    case Kind::kSelect:
    case Kind::kWith:
      break;
  }
  return absl::InternalError("a pipe operator of no kind");
}

// Window functions in the operator's expressions are computed below it; aggregates belong to |> AGGREGATE.
absl::Status Resolver::FinishPipeExprs(SelectState& select, sql::Span span, PlanPtr& plan) {
  if (!select.aggregates.empty() || !select.grouping_arguments.empty()) {
    return Error(span, "an aggregate function in pipe syntax stands in |> AGGREGATE, or has OVER (…)");
  }
  plan = AddWindows(std::move(plan), select);
  return absl::OkStatus();
}

absl::Status Resolver::PipeWhere(const sql::PipeOperator& pipe, PipeState& state) {
  SelectState select;
  ExprContext context{&state.from.scope, "|> WHERE", &select, true, nullptr, false};
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition, ResolveBool(*pipe.expr, context));
  LOGQUERY_RETURN_IF_ERROR(FinishPipeExprs(select, pipe.span, state.from.plan));
  state.from.plan = std::make_unique<Filter>(std::move(state.from.plan), std::move(condition));
  return absl::OkStatus();
}

absl::Status Resolver::PipeOrderBy(const sql::PipeOperator& pipe, PipeState& state) {
  SelectState select;
  ExprContext context{&state.from.scope, "|> ORDER BY", &select, true, nullptr, false};
  std::vector<OrderKey> keys;
  for (const sql::OrderItem& item : pipe.order_by) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(*item.expr, context));
    if (value->kind == ScalarKind::kConstant && value->type.is(TypeKind::kInt64)) {
      return Error(item.expr->span, "|> ORDER BY takes no places of columns; write the column's name");
    }
    LOGQUERY_RETURN_IF_ERROR(CheckOrder(item, *value));
    keys.push_back(MakeKey(item, std::move(value)));
  }
  LOGQUERY_RETURN_IF_ERROR(FinishPipeExprs(select, pipe.span, state.from.plan));
  state.from.plan = std::make_unique<Sort>(std::move(state.from.plan), std::move(keys));
  return absl::OkStatus();
}

absl::Status Resolver::PipeAs(const sql::PipeOperator& pipe, PipeState& state) {
  RangeVariable range{pipe.names[0].text, state.value, {}};
  if (!state.value) range.columns = state.from.scope.columns;
  state.from.scope.ranges = {std::move(range)};
  return absl::OkStatus();
}

absl::Status Resolver::PipeSelect(const sql::PipeOperator& pipe, PipeState& state, const Scope* outer) {
  sql::Select select;
  select.span = pipe.span;
  select.distinct = pipe.distinct;
  select.as = pipe.as;
  SelectParts parts(outer);
  parts.state.windows_named = &pipe.windows;
  parts.from = std::move(state.from);
  ExprContext context{&parts.from.scope, "|> SELECT", &parts.state, true, nullptr, false};
  LOGQUERY_RETURN_IF_ERROR(ResolveItems(pipe.items, context, parts));
  LOGQUERY_RETURN_IF_ERROR(FinishPipeExprs(parts.state, pipe.span, parts.from.plan));
  LOGQUERY_ASSIGN_OR_RETURN(Named named, FinishSelect(select, parts));
  state.value.reset();
  if (named.is_value_table) state.value = named.columns[0].column;
  LOGQUERY_ASSIGN_OR_RETURN(state.from, FromNamed(std::move(named), "", outer));
  return absl::OkStatus();
}

absl::Status Resolver::PipeExtend(const sql::PipeOperator& pipe, PipeState& state, const Scope* outer) {
  SelectParts parts(outer);
  parts.state.windows_named = &pipe.windows;
  parts.from = std::move(state.from);
  ExprContext context{&parts.from.scope, "|> EXTEND", &parts.state, true, nullptr, false};
  LOGQUERY_RETURN_IF_ERROR(ResolveItems(pipe.items, context, parts));
  LOGQUERY_RETURN_IF_ERROR(FinishPipeExprs(parts.state, pipe.span, parts.from.plan));
  state.from = std::move(parts.from);
  auto project = std::make_unique<Project>(std::move(state.from.plan));
  project->columns = project->input->columns;
  for (SelectParts::Item& item : parts.items) {
    PlanColumn column = NewColumn(item.name, item.value->type);
    project->columns.push_back(column);
    project->computed.push_back({column, std::move(item.value)});
    state.from.scope.columns.push_back({item.name, column});
  }
  state.from.plan = std::move(project);
  return absl::OkStatus();
}

absl::StatusOr<VisibleName*> Resolver::FindPipeColumn(const sql::Identifier& name, const char* clause,
                                                      PipeState& state) {
  VisibleName* found = nullptr;
  std::vector<std::string> names;
  for (VisibleName& column : state.from.scope.columns) {
    names.push_back(column.name);
    if (!base::EqualsIgnoreCase(column.name, name.text)) continue;
    if (found != nullptr) return Error(name.span, StrCat("the column ", name.text, " is ambiguous: there are several"));
    found = &column;
  }
  if (found == nullptr) {
    return Error(name.span, StrCat(std::string_view(clause), ": there is no column ", name.text),
                 sql::NearestNames(name.text, names));
  }
  return found;
}

// All expressions see the columns as they were before.
absl::Status Resolver::PipeSet(const sql::PipeOperator& pipe, PipeState& state, const Scope* outer) {
  SelectParts parts(outer);
  ExprContext context{&state.from.scope, "|> SET", &parts.state, true, nullptr, false};
  LOGQUERY_RETURN_IF_ERROR(ResolveItems(pipe.items, context, parts));
  LOGQUERY_RETURN_IF_ERROR(FinishPipeExprs(parts.state, pipe.span, state.from.plan));
  auto project = std::make_unique<Project>(std::move(state.from.plan));
  project->columns = project->input->columns;
  base::NameSet set;
  for (size_t i = 0; i < pipe.items.size(); ++i) {
    const sql::Identifier& name = *pipe.items[i].alias;
    if (!set.insert(name.text).second) return Error(name.span, StrCat("the column ", name.text, " is set twice"));
    LOGQUERY_ASSIGN_OR_RETURN(VisibleName * target, FindPipeColumn(name, "|> SET", state));
    PlanColumn column = NewColumn(target->name, parts.items[i].value->type);
    project->columns.push_back(column);
    project->computed.push_back({column, std::move(parts.items[i].value)});
    *target = {target->name, column};
  }
  state.from.plan = std::move(project);
  return absl::OkStatus();
}

absl::Status Resolver::PipeDrop(const sql::PipeOperator& pipe, PipeState& state) {
  for (const sql::Identifier& name : pipe.names) {
    LOGQUERY_ASSIGN_OR_RETURN(VisibleName * column, FindPipeColumn(name, "|> DROP", state));
    state.from.scope.columns.erase(state.from.scope.columns.begin() + (column - state.from.scope.columns.data()));
  }
  if (state.from.scope.columns.empty()) return Error(pipe.span, "|> DROP leaves no column");
  return absl::OkStatus();
}

// Each old name is looked up before any new one is assigned.
absl::Status Resolver::PipeRename(const sql::PipeOperator& pipe, PipeState& state) {
  std::vector<VisibleName*> columns;
  for (const sql::Identifier& name : pipe.names) {
    LOGQUERY_ASSIGN_OR_RETURN(VisibleName * column, FindPipeColumn(name, "|> RENAME", state));
    if (std::find(columns.begin(), columns.end(), column) != columns.end()) {
      return Error(name.span, StrCat("the column ", name.text, " is renamed twice"));
    }
    columns.push_back(column);
  }
  for (size_t i = 0; i < columns.size(); ++i) columns[i]->name = pipe.new_names[i].text;
  return absl::OkStatus();
}

}  // namespace logquery::rewrite
