// Adds the place of rows to scans as one more column.
#include "lib/rewrite/passes/new_rows.h"

#include <memory>
#include <utility>
#include <vector>

#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::rewrite {
namespace {

// `place > @above_place`. One bound alone: with two, an engine may not skip rows by their place.
ScalarPtr IsNew(const PlanColumn& place) {
  std::vector<ScalarPtr> sides;
  sides.push_back(std::make_unique<ColumnRef>(place));
  sides.push_back(std::make_unique<ParameterRef>(kAbovePlace, Type::Int64()));
  return MakeTypedCall("$greater", Type::Bool(), std::move(sides));
}

}  // namespace

PlanColumn AddPlace(const std::string& place, TableScan& scan, QueryPlan& plan) {
  PlanColumn column = plan.NewColumn("place", Type::Int64());
  scan.columns.push_back(column);
  scan.storage.push_back(place);
  return column;
}

bool ScansOnceWithPlaces(const QueryPlan& plan) {
  int scans = 0;
  bool has_places = true;
  VisitPlans(*plan.root, [&](const Plan& node) {
    const auto* scan = If<TableScan>(&node);
    if (scan == nullptr) return;
    ++scans;
    has_places = has_places && scan->table->has_row_places;
  });
  return scans == 1 && has_places;
}

bool MayMergeNewRows(const QueryPlan& plan) {
  if (!plan.newest || !plan.newest->page || !ScansOnceWithPlaces(plan)) return false;
  bool row_by_row = true;
  VisitScalars(*plan.root,
               [&](const Scalar& scalar) { row_by_row = row_by_row && scalar.kind != ScalarKind::kSubquery; });
  return row_by_row;
}

void AnyOrder(QueryPlan& plan) {
  const ScalarPtr limit = std::make_unique<Constant>(Value::Int64(plan.newest->rows + 1));
  const absl::Status done = RewritePlans(plan.root, [&](PlanPtr& node) {
    if (auto* sort = If<Sort>(node.get())) node = std::move(sort->input);
    if (auto* most = If<Limit>(node.get()); most != nullptr && most->limit != nullptr) most->limit = Clone(*limit);
    return absl::OkStatus();
  });
  done.IgnoreError();  // the callback never fails
}

void OnlyNewRows(const std::string& place, QueryPlan& plan) {
  const absl::Status done = RewritePlans(plan.root, [&](PlanPtr& node) {
    auto* scan = If<TableScan>(node.get());
    if (scan == nullptr) return absl::OkStatus();
    std::vector<PlanColumn> columns = scan->columns;
    const PlanColumn column = AddPlace(place, *scan, plan);
    auto project = std::make_unique<Project>(std::make_unique<Filter>(std::move(node), IsNew(column)));
    project->columns = std::move(columns);
    project->may_hold_subqueries = false;
    node = std::move(project);
    return absl::OkStatus();
  });
  done.IgnoreError();  // the callback never fails
  plan.newest.reset();
}

QueryPlan PlanLastPlace(const Table& table, const std::string& place) {
  QueryPlan plan;
  auto scan = std::make_unique<TableScan>(&table);
  const PlanColumn column = AddPlace(place, *scan, plan);
  auto aggregate = std::make_unique<Aggregate>(std::make_unique<Filter>(std::move(scan), IsNew(column)));
  Aggregate::Call& call = aggregate->calls.emplace_back();
  call.column = plan.NewColumn("last", Type::Int64());
  call.call.overload = &FindFunction("MAX")->overloads[0];
  call.call.arguments.push_back(std::make_unique<ColumnRef>(column));
  aggregate->columns = {call.column};
  plan.schema = {{"last", Type::Int64()}};
  plan.root = std::move(aggregate);
  return plan;
}

}  // namespace logquery::rewrite
