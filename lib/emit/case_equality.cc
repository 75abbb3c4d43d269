// Takes the operand of each CASE apart into conditions.
#include "lib/emit/case_equality.h"

#include <utility>
#include <vector>

#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {

using rewrite::If;
using rewrite::QueryPlan;
using rewrite::ScalarPtr;
using rewrite::SubqueryScalar;

namespace {

// A copy to be used beside the original.
ScalarPtr Copy(const rewrite::Scalar& scalar, QueryPlan& query) {
  ScalarPtr copy = rewrite::Clone(scalar);
  const absl::Status renumbered = rewrite::RewriteScalar(copy, [&](ScalarPtr& part) {
    auto* const subquery = If<SubqueryScalar>(part.get());
    if (subquery != nullptr) subquery->plan = rewrite::CloneWithFreshColumns(query, *subquery->plan);
    return absl::OkStatus();
  });
  renumbered.IgnoreError();  // the callback never fails
  return copy;
}

}  // namespace

absl::Status CompareCases(QueryPlan& query, bool (*differs)(const Type& operand)) {
  return rewrite::RewriteScalars(query.root, [&](ScalarPtr& scalar) {
    auto* const branches = If<rewrite::Case>(scalar.get());
    if (branches == nullptr || branches->operand == nullptr) return absl::OkStatus();
    if (!differs(branches->operand->type)) return absl::OkStatus();
    const ScalarPtr operand = std::move(branches->operand);
    for (rewrite::Case::When& when : branches->whens) {
      std::vector<ScalarPtr> operands;
      operands.push_back(Copy(*operand, query));
      operands.push_back(std::move(when.condition));
      when.condition = rewrite::MakeTypedCall("$equal", Type::Bool(), std::move(operands));
    }
    return absl::OkStatus();
  });
}

}  // namespace logquery::emit
