#include "lib/rewrite/substitute.h"

#include "absl/container/flat_hash_map.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::rewrite {
namespace {

// What is known of columns at the output of a node. Values are borrowed from the nodes below, which stay.
using Known = absl::flat_hash_map<ColumnId, const Scalar*>;
using Wanted = absl::FunctionRef<bool(const Scalar&)>;

void SubstituteIn(Plan& plan, const Known& known) {
  if (known.empty()) return;
  absl::Status status = RewriteOwnScalars(plan, [&](ScalarPtr& scalar) {
    const ColumnRef* column = If<ColumnRef>(scalar.get());
    if (column == nullptr) return absl::OkStatus();
    auto found = known.find(column->id);
    if (found == known.end()) return absl::OkStatus();
    sql::Span span = scalar->span;
    scalar = Clone(*found->second);
    scalar->span = span;
    return absl::OkStatus();
  });
  status.IgnoreError();  // the callback never fails
}

Known Walk(Plan& plan, Wanted wanted);

void WalkSubqueries(Plan& plan, Wanted wanted) {
  std::vector<Plan*> subplans;
  VisitOwnScalars(plan, [&](const Scalar& scalar) {
    if (const SubqueryScalar* subquery = If<SubqueryScalar>(&scalar)) subplans.push_back(subquery->plan.get());
  });
  for (Plan* subplan : subplans) Walk(*subplan, wanted);
}

Known OfProject(const Project& project, const Known& input, Wanted wanted) {
  ColumnSet available;
  for (const PlanColumn& column : project.columns) available.insert(column.id);
  Known known;
  auto keep = [&](ColumnId id, const Scalar* value) {
    for (ColumnId read : ReferencedColumns(*value)) {
      if (!available.contains(read)) return;
    }
    known[id] = value;
  };
  for (const auto& [id, value] : input) {
    if (available.contains(id)) keep(id, value);
  }
  for (const Computed& computed : project.computed) {
    if (available.contains(computed.column.id) && wanted(*computed.value))
      keep(computed.column.id, computed.value.get());
  }
  return known;
}

Known OfJoin(const Join& join, Known left, Known right) {
  if (join.type == Join::Type::kFull) return {};
  if (join.type == Join::Type::kLeft) return left;
  if (join.type == Join::Type::kRight) return right;
  left.insert(right.begin(), right.end());
  return left;
}

Known Walk(Plan& plan, Wanted wanted) {
  WalkSubqueries(plan, wanted);
  Known known;
  if (Join* join = If<Join>(&plan)) {
    Known left = Walk(*join->left, wanted), right = Walk(*join->right, wanted);
    Known both = left;
    both.insert(right.begin(), right.end());
    SubstituteIn(plan, both);
    return OfJoin(*join, std::move(left), std::move(right));
  }
  if (With* with = If<With>(&plan)) {
    for (WithEntry& entry : with->entries) Walk(*entry.plan, wanted);
    return Walk(*with->body, wanted);
  }
  ForEachInput(plan, [&](PlanPtr& input) { known = Walk(*input, wanted); });
  if (plan.kind == PlanKind::kSetOperation) return {};
  SubstituteIn(plan, known);
  if (const Project* project = If<Project>(&plan)) return OfProject(*project, known, wanted);
  return plan.kind == PlanKind::kAggregate ? Known() : known;
}

}  // namespace

void SubstituteComputed(Plan& root, absl::FunctionRef<bool(const Scalar& value)> wanted) { Walk(root, wanted); }

}  // namespace logquery::rewrite
