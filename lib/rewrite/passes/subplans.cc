// Recurses into scalars, and stops at each plan.
#include "lib/rewrite/passes/subplans.h"

#include "lib/rewrite/plan_walk.h"

namespace logquery::rewrite {
namespace {

void SubplansIn(Scalar& scalar, absl::FunctionRef<void(PlanPtr&)> visit) {
  ForEachChild(scalar, [&](const ChildSlot& child) {
    child.plan != nullptr ? visit(*child.plan) : SubplansIn(**child.scalar, visit);
  });
}

}  // namespace

void ForEachSubplan(Plan& plan, absl::FunctionRef<void(PlanPtr&)> visit) {
  if (!plan.may_hold_subqueries) return;
  ForEachOwnScalar(plan, [&](ScalarPtr& scalar) { SubplansIn(*scalar, visit); });
}

}  // namespace logquery::rewrite
