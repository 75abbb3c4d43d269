// Visits filters that stand directly on a join.
#include "lib/split/join_conditions.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "lib/emit/table_powers.h"
#include "lib/rewrite/passes/may_raise.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::split {
namespace {

using rewrite::Filter;
using rewrite::Join;
using rewrite::PlanPtr;
using rewrite::ScalarPtr;

void MoveInto(PlanPtr& plan) {
  Filter* const filter = rewrite::If<Filter>(plan.get());
  Join* const join = filter == nullptr ? nullptr : rewrite::If<Join>(filter->input.get());
  if (join == nullptr || (join->type != Join::Type::kInner && join->type != Join::Type::kCross)) return;
  std::vector<ScalarPtr> moved;
  std::vector<ScalarPtr> kept;
  for (ScalarPtr& conjunct : rewrite::TakeConjuncts(std::move(filter->condition))) {
    const bool moves = emit::IsEqualityOfSides(*conjunct, *join) && !rewrite::MayRaise(*conjunct);
    (moves ? moved : kept).push_back(std::move(conjunct));
  }
  if (!moved.empty()) {
    join->type = Join::Type::kInner;
    if (join->condition != nullptr) {
      for (ScalarPtr& conjunct : rewrite::TakeConjuncts(std::move(join->condition))) {
        moved.push_back(std::move(conjunct));
      }
    }
    join->condition = rewrite::MakeAnd(std::move(moved));
  }
  if (kept.empty()) {
    plan = std::move(filter->input);
  } else {
    filter->condition = rewrite::MakeAnd(std::move(kept));
  }
}

}  // namespace

void MoveEqualitiesIntoJoins(PlanPtr& root) {
  rewrite::RewritePlans(root, [](PlanPtr& plan) {
    MoveInto(plan);
    return absl::OkStatus();
  }).IgnoreError();  // the callback has no errors
}

}  // namespace logquery::split
