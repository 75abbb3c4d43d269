// Walks a plan from the root with the set of columns that are read above, and removes all others.
#include <algorithm>

#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/passes/subplans.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::rewrite {
namespace {

void Prune(Plan& plan, const ColumnSet& required);

ColumnSet AllColumns(const Plan& plan) {
  ColumnSet ids;
  for (const PlanColumn& column : plan.columns) ids.insert(column.id);
  return ids;
}

// Adds what the node's own scalars refer to, in subqueries too, and prunes those.
void AddOwnReferences(Plan& plan, ColumnSet& required) {
  VisitOwnScalars(plan, [&](const Scalar& scalar) {
    if (const ColumnRef* column = If<ColumnRef>(&scalar)) required.insert(column->id);
  });
  ForEachSubplan(plan, [](PlanPtr& subplan) { Prune(*subplan, AllColumns(*subplan)); });
}

template <typename Column>
void KeepRequired(std::vector<Column>& columns, const ColumnSet& required) {
  columns.erase(std::remove_if(columns.begin(), columns.end(),
                               [&](const auto& each) {
                                 if constexpr (std::is_same_v<Column, PlanColumn>)
                                   return !required.contains(each.id);
                                 else
                                   return !required.contains(each.column.id);
                               }),
                columns.end());
}

// A node that is asked for nothing keeps one column, so that its rows can still be written and counted.
void KeepOne(const std::vector<PlanColumn>& columns, ColumnSet& required) {
  if (columns.empty()) return;
  for (const PlanColumn& column : columns) {
    if (required.contains(column.id)) return;
  }
  auto cheap =
      std::find_if(columns.begin(), columns.end(), [](const PlanColumn& c) { return c.type.is(TypeKind::kTimestamp); });
  required.insert((cheap != columns.end() ? *cheap : columns.front()).id);
}

void PruneScan(Plan& plan, ColumnSet required) {
  KeepOne(plan.columns, required);
  TableScan* table = If<TableScan>(&plan);
  CteScan* cte = If<CteScan>(&plan);
  std::vector<PlanColumn> columns;
  std::vector<std::string> storage;
  std::vector<int> ordinals;
  for (size_t i = 0; i < plan.columns.size(); ++i) {
    if (!required.contains(plan.columns[i].id)) continue;
    columns.push_back(plan.columns[i]);
    if (table != nullptr) storage.push_back(table->storage[i]);
    if (cte != nullptr) ordinals.push_back(cte->ordinals[i]);
  }
  plan.columns = std::move(columns);
  if (table != nullptr) table->storage = std::move(storage);
  if (cte != nullptr) cte->ordinals = std::move(ordinals);
}

void PruneProject(Project& project, ColumnSet required) {
  KeepOne(project.columns, required);
  KeepRequired(project.columns, required);
  KeepRequired(project.computed, AllColumns(project));
  ColumnSet below = AllColumns(project);
  AddOwnReferences(project, below);
  Prune(*project.input, below);
}

void PruneAggregate(Aggregate& aggregate, ColumnSet required) {
  KeepOne(aggregate.columns, required);
  for (const Computed& key : aggregate.keys) required.insert(key.column.id);
  KeepRequired(aggregate.columns, required);
  KeepRequired(aggregate.calls, required);
  KeepRequired(aggregate.groupings, required);
  ColumnSet below;
  AddOwnReferences(aggregate, below);
  Prune(*aggregate.input, below);
}

void PruneWindow(Window& window, ColumnSet required) {
  KeepRequired(window.calls, required);
  AddOwnReferences(window, required);
  Prune(*window.input, required);
  window.columns = window.input->columns;
  for (const Window::Call& call : window.calls) window.columns.push_back(call.column);
}

void Prune(Plan& plan, const ColumnSet& required) {
  switch (plan.kind) {
    case PlanKind::kSingleRow:
      return;
    case PlanKind::kTableScan:
    case PlanKind::kCteScan:
      return PruneScan(plan, required);
    case PlanKind::kProject:
      return PruneProject(As<Project>(plan), required);
    case PlanKind::kAggregate:
      return PruneAggregate(As<Aggregate>(plan), required);
    case PlanKind::kWindow:
      return PruneWindow(As<Window>(plan), required);
    case PlanKind::kSetOperation:
      ForEachInput(plan, [](PlanPtr& input) { Prune(*input, AllColumns(*input)); });
      return;
    case PlanKind::kWith:
      for (WithEntry& entry : As<With>(plan).entries) Prune(*entry.plan, AllColumns(*entry.plan));
      Prune(*As<With>(plan).body, required);
      return;
    case PlanKind::kFilter:
    case PlanKind::kJoin:
    case PlanKind::kUnnest:
    case PlanKind::kSort:
    case PlanKind::kLimit:
      break;
  }
  ColumnSet below = required;
  AddOwnReferences(plan, below);
  ForEachInput(plan, [&](PlanPtr& input) { Prune(*input, below); });
}

}  // namespace

absl::Status PruneColumns(const PassContext&, QueryPlan& query) {
  Prune(*query.root, AllColumns(*query.root));
  RefreshColumns(*query.root);
  return absl::OkStatus();
}

}  // namespace logquery::rewrite
