// Walks a plan bottom-up with the computed columns that are known at each node's output.
#include "lib/rewrite/passes/substitute.h"

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "lib/rewrite/passes/subplans.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::rewrite {
namespace {

// The known values of columns at the output of a node. Values are borrowed from the nodes below, which stay.
using Known = absl::flat_hash_map<ColumnId, const Scalar*>;

// One walk's: what to substitute, and whether anything was.
struct Task {
  absl::FunctionRef<bool(const Scalar&)> wanted;
  bool done = false;
};

void SubstituteIn(Plan& plan, const Known& known, Task& task) {
  if (known.empty()) return;
  absl::Status status = RewriteOwnScalars(plan, [&](ScalarPtr& scalar) {
    const ColumnRef* column = If<ColumnRef>(scalar.get());
    if (column == nullptr) return absl::OkStatus();
    auto found = known.find(column->id);
    if (found == known.end()) return absl::OkStatus();
    sql::Span span = scalar->span;
    scalar = Clone(*found->second);
    scalar->span = span;
    task.done = true;
    return absl::OkStatus();
  });
  status.IgnoreError();  // the callback never fails
}

Known Walk(Plan& plan, Task& task);

Known OfProject(const Project& project, const Known& input, const Task& task) {
  std::vector<const Computed*> wanted;
  for (const Computed& computed : project.computed) {
    if (task.wanted(*computed.value)) wanted.push_back(&computed);
  }
  if (input.empty() && wanted.empty()) return {};
  ColumnSet available;
  for (const PlanColumn& column : project.columns) available.insert(column.id);
  Known known;
  auto keep = [&](ColumnId id, const Scalar* value) {
    bool is_there = true;
    VisitScalars(*value, [&](const Scalar& part) {
      const ColumnRef* column = If<ColumnRef>(&part);
      is_there = is_there && (column == nullptr || available.contains(column->id));
    });
    if (is_there) known[id] = value;
  };
  for (const auto& [id, value] : input) {
    if (available.contains(id)) keep(id, value);
  }
  for (const Computed* computed : wanted) {
    if (available.contains(computed->column.id)) keep(computed->column.id, computed->value.get());
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

Known Walk(Plan& plan, Task& task) {
  ForEachSubplan(plan, [&](PlanPtr& subplan) { Walk(*subplan, task); });
  Known known;
  if (Join* join = If<Join>(&plan)) {
    Known left = Walk(*join->left, task), right = Walk(*join->right, task);
    Known both = left;
    both.insert(right.begin(), right.end());
    SubstituteIn(plan, both, task);
    return OfJoin(*join, std::move(left), std::move(right));
  }
  if (With* with = If<With>(&plan)) {
    for (WithEntry& entry : with->entries) Walk(*entry.plan, task);
    return Walk(*with->body, task);
  }
  ForEachInput(plan, [&](PlanPtr& input) { known = Walk(*input, task); });
  if (plan.kind == PlanKind::kSetOperation) return {};
  SubstituteIn(plan, known, task);
  if (const Project* project = If<Project>(&plan)) return OfProject(*project, known, task);
  return plan.kind == PlanKind::kAggregate ? Known() : known;
}

}  // namespace

bool SubstituteComputed(Plan& root, absl::FunctionRef<bool(const Scalar& value)> wanted) {
  Task task{wanted};
  Walk(root, task);
  return task.done;
}

}  // namespace logquery::rewrite
