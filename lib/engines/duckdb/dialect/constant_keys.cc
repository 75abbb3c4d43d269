// Turns grouping keys that are the same for all rows, such as constants and parameters, into columns of a projection
// below.
//
//     SELECT 1 AS k, 1 + COUNT(*) AS n FROM t GROUP BY ROLLUP(k)
//
// DuckDB treats each `1` of that SELECT as the key, which is NULL where it is rolled up, so n becomes NULL too.
// GoogleSQL rolls up only k.
#include <utility>
#include <vector>

#include "lib/engines/duckdb/dialect/passes.h"
#include "lib/engines/duckdb/dialect/pins.h"
#include "lib/engines/duckdb/dialect/projections.h"
#include "lib/rewrite/passes/may_raise.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {

using rewrite::Aggregate;
using rewrite::Computed;
using rewrite::PlanColumn;
using rewrite::QueryPlan;

namespace {

// The value in a form that the emitter and the engine write once, where it is made.
rewrite::ScalarPtr WrittenOnce(rewrite::ScalarPtr value) {
  if (CanPin(value->type)) return Pinned(std::move(value));
  const Type type = value->type;
  std::vector<rewrite::ScalarPtr> arguments;
  arguments.push_back(Pinned(rewrite::MakeBool(true)));
  arguments.push_back(std::move(value));
  arguments.push_back(std::make_unique<rewrite::Constant>(Value::Null(type)));
  return rewrite::MakeTypedCall("IF", type, std::move(arguments));
}

void KeepConstantKeys(Aggregate& aggregate, QueryPlan& query) {
  std::vector<Computed> columns;
  for (Computed& key : aggregate.keys) {
    if (!rewrite::IsRowIndependent(*key.value)) continue;
    const PlanColumn column = query.NewColumn(key.column.name, key.value->type);
    columns.push_back({column, WrittenOnce(std::move(key.value))});
    key.value = std::make_unique<rewrite::ColumnRef>(column);
  }
  if (!columns.empty()) AddColumns(aggregate.input, std::move(columns));
}

}  // namespace

absl::Status KeepConstantKeys(const rewrite::PassContext& /*context*/, QueryPlan& query) {
  rewrite::VisitPlans(*query.root, [&](rewrite::Plan& plan) {
    auto* const aggregate = rewrite::If<Aggregate>(&plan);
    if (aggregate != nullptr && !aggregate->grouping_sets.empty()) KeepConstantKeys(*aggregate, query);
  });
  return absl::OkStatus();
}

}  // namespace logquery::emit
