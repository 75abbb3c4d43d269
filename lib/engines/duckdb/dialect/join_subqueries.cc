// Moves the subqueries of an outer join's condition to the side whose columns they read, because DuckDB takes none there:
//
//     a LEFT JOIN b ON a.x = b.x AND b.y IN (SELECT …)
//
// becomes a join with (SELECT *, b.y IN (SELECT …) AS found FROM b).
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/dialect/passes.h"
#include "lib/engines/duckdb/dialect/projections.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::emit {

using rewrite::Computed;
using rewrite::If;
using rewrite::Join;
using rewrite::PlanColumn;
using rewrite::QueryPlan;
using rewrite::ScalarPtr;

namespace {

struct Sides {
  const Join& join;
  std::vector<Computed> left;
  std::vector<Computed> right;
};

bool Reads(const rewrite::ColumnSet& read, const std::vector<PlanColumn>& columns) {
  return std::any_of(columns.begin(), columns.end(),
                     [&](const PlanColumn& column) { return read.contains(column.id); });
}

absl::Status TakeSubqueries(ScalarPtr& scalar, Sides& sides, QueryPlan& query) {
  if (scalar->kind != rewrite::ScalarKind::kSubquery) {
    for (const rewrite::ChildSlot& child : rewrite::Children(*scalar)) {
      LOGQUERY_RETURN_IF_ERROR(TakeSubqueries(*child.scalar, sides, query));
    }
    return absl::OkStatus();
  }
  const rewrite::ColumnSet read = rewrite::ReferencedColumns(*scalar);
  const bool reads_right = Reads(read, sides.join.right->columns);
  if (reads_right && Reads(read, sides.join.left->columns)) {
    query.failed = scalar->span;
    return absl::UnimplementedError("a subquery over both sides of an outer join in its condition is not supported");
  }
  const PlanColumn column = query.NewColumn("subquery", scalar->type);
  auto read_here = std::make_unique<rewrite::ColumnRef>(column);
  read_here->span = scalar->span;
  (reads_right ? sides.right : sides.left).push_back({column, std::move(scalar)});
  scalar = std::move(read_here);
  return absl::OkStatus();
}

}  // namespace

absl::Status MoveJoinSubqueries(const rewrite::PassContext& /*context*/, QueryPlan& query) {
  if (!query.root->may_hold_subqueries) return absl::OkStatus();
  return rewrite::RewritePlans(query.root, [&](rewrite::PlanPtr& node) {
    auto* const join = If<Join>(node.get());
    if (join == nullptr || join->condition == nullptr) return absl::OkStatus();
    if (join->type == Join::Type::kCross || join->type == Join::Type::kInner) return absl::OkStatus();
    Sides sides{*join, {}, {}};
    LOGQUERY_RETURN_IF_ERROR(TakeSubqueries(join->condition, sides, query));
    if (sides.left.empty() && sides.right.empty()) return absl::OkStatus();
    if (!sides.left.empty()) AddColumns(join->left, std::move(sides.left));
    if (!sides.right.empty()) AddColumns(join->right, std::move(sides.right));
    std::vector<PlanColumn> columns = std::move(node->columns);
    node->columns = join->left->columns;
    node->columns.insert(node->columns.end(), join->right->columns.begin(), join->right->columns.end());
    ShowOnly(node, std::move(columns));
    return absl::OkStatus();
  });
}

}  // namespace logquery::emit
