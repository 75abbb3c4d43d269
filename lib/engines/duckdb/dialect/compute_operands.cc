// Computes operands of aggregates and window functions that have subqueries below the node:
//
//     SELECT SUM((SELECT …)) FROM t
//     SELECT SUM(operand) FROM (SELECT *, (SELECT …) AS operand FROM t)
//
// Many aggregates name an operand several times in DuckDB's SQL. Subqueries are the way to nest aggregates, so that
// the text of nested ones would be multiplied with every level.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "lib/engines/duckdb/dialect/passes.h"
#include "lib/engines/duckdb/dialect/projections.h"
#include "lib/rewrite/evaluate_once.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalar_equal.h"

namespace logquery::emit {

using rewrite::Aggregate;
using rewrite::AggregateCall;
using rewrite::ColumnRef;
using rewrite::Computed;
using rewrite::If;
using rewrite::OrderKey;
using rewrite::PlanPtr;
using rewrite::QueryPlan;
using rewrite::ScalarPtr;
using rewrite::Window;

namespace {

// The operands of one node. Equal ones, such as an argument and the key that orders it, become one column.
class Operands {
 public:
  explicit Operands(QueryPlan& query) : query_(query) {}

  void Take(ScalarPtr& scalar) {
    if (scalar == nullptr || !rewrite::HoldsSubquery(*scalar)) return;
    auto found = std::find_if(computed_.begin(), computed_.end(),
                              [&](const Computed& each) { return rewrite::Equal(*each.value, *scalar); });
    const sql::Span span = scalar->span;
    if (found == computed_.end()) {
      computed_.push_back({query_.NewColumn("operand", scalar->type), std::move(scalar)});
      found = computed_.end() - 1;
    }
    scalar = std::make_unique<ColumnRef>(found->column);
    scalar->span = span;
  }

  void TakeAll(AggregateCall& call) {
    for (ScalarPtr& argument : call.arguments) Take(argument);
    for (OrderKey& key : call.order_by) Take(key.value);
    Take(call.having);
    Take(call.filter);
  }

  void ComputeBelowNode(PlanPtr& node) {
    if (!computed_.empty()) ComputeBelow(node, *OnlyInput(*node), std::move(computed_));
  }

 private:
  QueryPlan& query_;
  std::vector<Computed> computed_;
};

}  // namespace

absl::Status ComputeOperands(const rewrite::PassContext& /*context*/, QueryPlan& query) {
  if (!query.root->may_hold_subqueries) return absl::OkStatus();
  return rewrite::RewritePlans(query.root, [&](PlanPtr& node) {
    Operands operands(query);
    if (auto* aggregate = If<Aggregate>(node.get())) {
      for (Computed& key : aggregate->keys) operands.Take(key.value);
      for (Aggregate::Call& call : aggregate->calls) operands.TakeAll(call.call);
    } else if (auto* window = If<Window>(node.get())) {
      for (Window::Call& call : window->calls) {
        operands.TakeAll(call.call);
        for (ScalarPtr& key : call.partition_by) operands.Take(key);
        for (OrderKey& key : call.order_by) operands.Take(key.value);
      }
    }
    operands.ComputeBelowNode(node);
    return absl::OkStatus();
  });
}

}  // namespace logquery::emit
