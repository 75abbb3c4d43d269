// Adds projections to plans.
#include "lib/engines/duckdb/dialect/projections.h"

#include <cstddef>
#include <memory>
#include <utility>

namespace logquery::emit {

using rewrite::As;
using rewrite::Computed;
using rewrite::Plan;
using rewrite::PlanColumn;
using rewrite::PlanKind;
using rewrite::PlanPtr;
using rewrite::Project;

void AddColumns(PlanPtr& input, std::vector<Computed> computed) {
  auto project = std::make_unique<Project>(std::move(input));
  project->columns = project->input->columns;
  project->may_hold_subqueries = project->input->may_hold_subqueries;
  for (const Computed& each : computed) project->columns.push_back(each.column);
  project->computed = std::move(computed);
  input = std::move(project);
}

void ShowOnly(PlanPtr& node, std::vector<PlanColumn> columns) {
  const bool may_hold_subqueries = node->may_hold_subqueries;
  auto project = std::make_unique<Project>(std::move(node));
  project->columns = std::move(columns);
  project->may_hold_subqueries = may_hold_subqueries;
  node = std::move(project);
}

void ComputeBelow(PlanPtr& node, PlanPtr& input, std::vector<Computed> computed) {
  const size_t passed_on = input->columns.size();
  AddColumns(input, std::move(computed));
  if (node->kind == PlanKind::kProject || node->kind == PlanKind::kAggregate) return;
  std::vector<PlanColumn> columns = node->columns;
  node->columns = input->columns;
  node->columns.insert(node->columns.end(), columns.begin() + static_cast<std::ptrdiff_t>(passed_on), columns.end());
  ShowOnly(node, std::move(columns));
}

PlanPtr* OnlyInput(Plan& node) {
  switch (node.kind) {
    case PlanKind::kProject:
      return &As<Project>(node).input;
    case PlanKind::kFilter:
      return &As<rewrite::Filter>(node).input;
    case PlanKind::kUnnest:
      return &As<rewrite::Unnest>(node).input;
    case PlanKind::kAggregate:
      return &As<rewrite::Aggregate>(node).input;
    case PlanKind::kWindow:
      return &As<rewrite::Window>(node).input;
    case PlanKind::kSort:
      return &As<rewrite::Sort>(node).input;
    case PlanKind::kSingleRow:
    case PlanKind::kTableScan:
    case PlanKind::kCteScan:
    case PlanKind::kWith:
    case PlanKind::kJoin:
    case PlanKind::kSetOperation:
    case PlanKind::kLimit:
      return nullptr;
  }
  return nullptr;
}

}  // namespace logquery::emit
