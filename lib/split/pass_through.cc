// Follows the result's columns down to the scan of the fragment.
#include "lib/split/pass_through.h"

#include <algorithm>

#include "lib/rewrite/project_columns.h"

namespace logquery::split {
namespace {

using rewrite::As;
using rewrite::ColumnId;
using rewrite::If;
using rewrite::Plan;
using rewrite::PlanColumn;
using rewrite::PlanKind;

// The rest sorts the rows of a limited fragment again, by the same keys. A fragment has its order up to its projections.
bool KeepsOrder(const Fragment& fragment) {
  const Plan* node = fragment.plan.root.get();
  while (node->kind == PlanKind::kProject) node = As<rewrite::Project>(*node).input.get();
  return node->kind == PlanKind::kLimit && As<rewrite::Limit>(*node).input->kind == PlanKind::kSort;
}

// False: one of the columns is computed here.
bool FollowInto(const rewrite::Project& project, std::vector<ColumnId>& columns) {
  for (ColumnId& column : columns) {
    const std::optional<ColumnId> below = rewrite::ColumnBelow(project, column);
    if (!below.has_value()) return false;
    column = *below;
  }
  return true;
}

std::optional<std::vector<size_t>> PlacesIn(const Plan& scan, const std::vector<ColumnId>& columns) {
  std::vector<size_t> places;
  for (const ColumnId column : columns) {
    const auto found = std::find_if(scan.columns.begin(), scan.columns.end(),
                                    [&](const PlanColumn& each) { return each.id == column; });
    if (found == scan.columns.end()) return std::nullopt;
    places.push_back(static_cast<size_t>(found - scan.columns.begin()));
  }
  return places;
}

}  // namespace

std::optional<std::vector<size_t>> PassThrough(const SplitPlan& split) {
  if (split.fragments.size() != 1 || !split.fragments[0].reason.empty()) return std::nullopt;
  std::vector<ColumnId> columns;
  for (const PlanColumn& column : split.rest.root->columns) columns.push_back(column.id);
  const Plan* node = split.rest.root.get();
  while (node->kind != PlanKind::kTableScan) {
    if (node->kind == PlanKind::kSort && KeepsOrder(split.fragments[0])) {
      node = As<rewrite::Sort>(*node).input.get();
    } else if (node->kind == PlanKind::kProject && FollowInto(As<rewrite::Project>(*node), columns)) {
      node = As<rewrite::Project>(*node).input.get();
    } else {
      return std::nullopt;
    }
  }
  return PlacesIn(*node, columns);
}

}  // namespace logquery::split
