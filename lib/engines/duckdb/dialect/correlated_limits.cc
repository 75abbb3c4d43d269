// Numbers the rows of correlated subqueries whose LIMIT or OFFSET is not a constant, which DuckDB takes in other queries alone:
//
//     (SELECT v FROM UNNEST(t.values) AS v ORDER BY v LIMIT @n)
//
// becomes (SELECT v FROM (SELECT v, ROW_NUMBER() OVER (ORDER BY v) AS n FROM UNNEST(t.values) AS v) WHERE n <= @n ORDER BY v). A
// negative number or NULL is an error, as elsewhere.
#include <memory>
#include <utility>
#include <vector>

#include "lib/engines/duckdb/dialect/passes.h"
#include "lib/engines/duckdb/dialect/projections.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {

using rewrite::Constant;
using rewrite::If;
using rewrite::Limit;
using rewrite::MakeInt64;
using rewrite::MakeTypedCall;
using rewrite::PlanColumn;
using rewrite::PlanPtr;
using rewrite::QueryPlan;
using rewrite::ScalarPtr;
using rewrite::Sort;

namespace {

bool IsComputed(const ScalarPtr& count) { return count != nullptr && count->kind != rewrite::ScalarKind::kConstant; }

// The count, or an error where it is negative or NULL.
ScalarPtr Checked(const rewrite::Scalar& count) {
  ScalarPtr fits = MakeTypedCall("$greater_or_equal", Type::Bool(), rewrite::Clone(count), MakeInt64(0));
  ScalarPtr message = std::make_unique<Constant>(Value::String("LIMIT and OFFSET must not be NULL or negative"));
  ScalarPtr error = MakeTypedCall("ERROR", Type::Int64(), std::move(message));
  return MakeTypedCall("IF", Type::Int64(),
                       MakeTypedCall("IFNULL", Type::Bool(), std::move(fits), rewrite::MakeBool(false)),
                       rewrite::Clone(count), std::move(error));
}

std::vector<rewrite::OrderKey> CopyKeys(const std::vector<rewrite::OrderKey>& keys) {
  std::vector<rewrite::OrderKey> copies;
  for (const rewrite::OrderKey& key : keys)
    copies.push_back({rewrite::Clone(*key.value), key.descending, key.nulls_first});
  return copies;
}

// Keeps the rows whose numbers in this order are within the limit.
void NumberRows(const Limit& limit, std::vector<rewrite::OrderKey> order, PlanPtr& rows, QueryPlan& query) {
  const std::vector<PlanColumn> shown = rows->columns;
  auto window = std::make_unique<rewrite::Window>(std::move(rows));
  rewrite::Window::Call call;
  call.column = query.NewColumn("row", Type::Int64());
  call.call.overload = &rewrite::FindFunction("ROW_NUMBER")->overloads.front();
  call.order_by = std::move(order);
  const PlanColumn number = call.column;
  window->columns = shown;
  window->columns.push_back(number);
  window->calls.push_back(std::move(call));
  const auto read = [&] { return rewrite::MakeColumnRef(number); };
  std::vector<ScalarPtr> conditions;
  if (limit.offset != nullptr)
    conditions.push_back(MakeTypedCall("$greater", Type::Bool(), read(), Checked(*limit.offset)));
  if (limit.limit != nullptr) {
    ScalarPtr place = read();
    // Does not overflow: the condition before holds.
    if (limit.offset != nullptr)
      place = MakeTypedCall("$subtract", Type::Int64(), std::move(place), rewrite::Clone(*limit.offset));
    conditions.push_back(MakeTypedCall("$less_or_equal", Type::Bool(), std::move(place), Checked(*limit.limit)));
  }
  rows = std::make_unique<rewrite::Filter>(std::move(window), rewrite::MakeAnd(std::move(conditions)));
  ShowOnly(rows, shown);
}

absl::Status Rewrite(PlanPtr& node, QueryPlan& query) {
  auto* const limit = If<Limit>(node.get());
  if (limit == nullptr || (!IsComputed(limit->limit) && !IsComputed(limit->offset))) return absl::OkStatus();
  PlanPtr* rows = &limit->input;
  while ((*rows)->kind == rewrite::PlanKind::kProject) rows = &rewrite::As<rewrite::Project>(**rows).input;
  if (auto* const sort = If<Sort>(rows->get())) {
    NumberRows(*limit, CopyKeys(sort->keys), sort->input, query);
  } else {
    NumberRows(*limit, {}, *rows, query);
  }
  node = PlanPtr(std::move(limit->input));
  return absl::OkStatus();
}

}  // namespace

absl::Status NumberCorrelatedRows(const rewrite::PassContext& /*context*/, QueryPlan& query) {
  if (!query.root->may_hold_subqueries) return absl::OkStatus();
  return rewrite::RewriteScalars(query.root, [&](ScalarPtr& scalar) {
    auto* const subquery = If<rewrite::SubqueryScalar>(scalar.get());
    if (subquery == nullptr || rewrite::OuterColumns(*subquery->plan).empty()) return absl::OkStatus();
    return rewrite::RewritePlans(subquery->plan, [&](PlanPtr& node) { return Rewrite(node, query); });
  });
}

}  // namespace logquery::emit
