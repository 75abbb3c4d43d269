// Makes the operand of DISTINCT in an ordered aggregate a column of the input: in STRING_AGG(DISTINCT f(x) ORDER BY f(x)),
// DuckDB recognizes the operand in ORDER BY only if it is a column.
#include <memory>
#include <utility>
#include <vector>

#include "lib/emit/duckdb/passes.h"
#include "lib/emit/duckdb/projections.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalar_equal.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {

using rewrite::Aggregate;
using rewrite::AggregateCall;
using rewrite::ColumnRef;
using rewrite::Computed;
using rewrite::QueryPlan;
using rewrite::ScalarPtr;

namespace {

void NameOperand(AggregateCall& call, QueryPlan& query, std::vector<Computed>& columns) {
  if (!call.distinct || call.order_by.empty() || rewrite::IsPath(*call.arguments[0])) return;
  ScalarPtr operand = std::move(call.arguments[0]);
  const rewrite::PlanColumn column = query.NewColumn("distinct", operand->type);
  for (rewrite::OrderKey& key : call.order_by) {
    if (rewrite::Equal(*key.value, *operand)) key.value = std::make_unique<ColumnRef>(column);
  }
  call.arguments[0] = std::make_unique<ColumnRef>(column);
  call.arguments[0]->span = operand->span;
  columns.push_back({column, std::move(operand)});
}

}  // namespace

absl::Status NameDistinctOperands(const rewrite::PassContext& /*context*/, QueryPlan& query) {
  rewrite::VisitPlans(*query.root, [&](rewrite::Plan& plan) {
    auto* const aggregate = rewrite::If<Aggregate>(&plan);
    if (aggregate == nullptr) return;
    std::vector<Computed> columns;
    for (Aggregate::Call& call : aggregate->calls) NameOperand(call.call, query, columns);
    if (!columns.empty()) AddColumns(aggregate->input, std::move(columns));
  });
  return absl::OkStatus();
}

}  // namespace logquery::emit
