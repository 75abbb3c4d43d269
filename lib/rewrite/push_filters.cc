// Moves conditions down to the scans that they are about: through projections that only hand columns on, sorts, and to
// the side of a join that they concern. An engine does much of this itself, but not across what it materialises.
#include <utility>
#include <vector>

#include "lib/rewrite/pass.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::rewrite {
namespace {

bool Gives(const Plan& plan, const ColumnSet& columns) {
  for (ColumnId id : columns) {
    bool there = false;
    for (const PlanColumn& column : plan.columns) there = there || column.id == id;
    if (!there) return false;
  }
  return true;
}

// Only the columns that belong to this node: those of queries around it are everywhere.
ColumnSet OwnReferences(const Scalar& condition, const Plan& plan) {
  ColumnSet own;
  ColumnSet referenced = ReferencedColumns(condition);
  for (const PlanColumn& column : plan.columns) {
    if (referenced.contains(column.id)) own.insert(column.id);
  }
  return own;
}

bool HasSubquery(const Scalar& scalar) {
  bool found = false;
  VisitScalars(scalar, [&](const Scalar& part) { found = found || part.kind == ScalarKind::kSubquery; });
  return found;
}

void PushInto(PlanPtr& node, ScalarPtr condition);

void PushIntoJoin(PlanPtr& node, ScalarPtr condition) {
  Join& join = As<Join>(*node);
  ColumnSet own = OwnReferences(*condition, join);
  bool left_kept = join.type == Join::Type::kCross || join.type == Join::Type::kInner || join.type == Join::Type::kLeft;
  bool right_kept =
      join.type == Join::Type::kCross || join.type == Join::Type::kInner || join.type == Join::Type::kRight;
  if (left_kept && Gives(*join.left, own)) return PushInto(join.left, std::move(condition));
  if (right_kept && Gives(*join.right, own)) return PushInto(join.right, std::move(condition));
  PutFilter(node, std::move(condition));
}

void PushInto(PlanPtr& node, ScalarPtr condition) {
  switch (node->kind) {
    case PlanKind::kFilter:
      return PushInto(As<Filter>(*node).input, std::move(condition));
    case PlanKind::kSort:
      return PushInto(As<Sort>(*node).input, std::move(condition));
    case PlanKind::kJoin:
      return PushIntoJoin(node, std::move(condition));
    case PlanKind::kProject: {
      Project& project = As<Project>(*node);
      if (!Gives(*project.input, OwnReferences(*condition, project))) break;
      return PushInto(project.input, std::move(condition));
    }
    case PlanKind::kUnnest: {
      Unnest& unnest = As<Unnest>(*node);
      if (!Gives(*unnest.input, OwnReferences(*condition, unnest))) break;
      return PushInto(unnest.input, std::move(condition));
    }
    case PlanKind::kSingleRow:
    case PlanKind::kTableScan:
    case PlanKind::kCteScan:
    case PlanKind::kWith:
    case PlanKind::kAggregate:
    case PlanKind::kWindow:
    case PlanKind::kSetOperation:
    case PlanKind::kLimit:
      break;
  }
  PutFilter(node, std::move(condition));
}

}  // namespace

absl::Status PushFilters(const PassContext&, QueryPlan& query) {
  absl::Status status = RewritePlans(query.root, [](PlanPtr& node) {
    Filter* filter = If<Filter>(node.get());
    if (filter == nullptr) return absl::OkStatus();
    // A condition that may fail on a row must not see rows that another one would have kept from it; conditions of one
    // WHERE stay together in their order, and an engine may order them anyway, as BigQuery's may.
    std::vector<ScalarPtr> conjuncts = TakeConjuncts(std::move(filter->condition));
    PlanPtr input = std::move(filter->input);
    std::vector<ScalarPtr> staying;
    for (ScalarPtr& conjunct : conjuncts) {
      if (HasSubquery(*conjunct))
        staying.push_back(std::move(conjunct));
      else
        PushInto(input, std::move(conjunct));
    }
    if (!staying.empty()) input = std::make_unique<Filter>(std::move(input), MakeAnd(std::move(staying)));
    node = std::move(input);
    return absl::OkStatus();
  });
  RefreshColumns(*query.root);
  return status;
}

}  // namespace logquery::rewrite
