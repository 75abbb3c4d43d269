// Compares the operand of CASE by GoogleSQL's equality where DuckDB's differs: for DuckDB NaN equals NaN, and NULL fields of
// STRUCTs equal each other.
//
//     CASE x WHEN y THEN a ELSE b END   becomes   CASE WHEN $equal(x, y) THEN a ELSE b END
#include <utility>
#include <vector>

#include "lib/emit/duckdb/passes.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {

using rewrite::If;
using rewrite::QueryPlan;
using rewrite::ScalarPtr;
using rewrite::SubqueryScalar;

namespace {

bool IsComparedDifferently(const Type& type) { return type.is(TypeKind::kFloat64) || type.is_struct(); }

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

absl::Status CompareCases(const rewrite::PassContext& /*context*/, QueryPlan& query) {
  return rewrite::RewriteScalars(query.root, [&](ScalarPtr& scalar) {
    auto* const branches = If<rewrite::Case>(scalar.get());
    if (branches == nullptr || branches->operand == nullptr) return absl::OkStatus();
    if (!IsComparedDifferently(branches->operand->type)) return absl::OkStatus();
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
