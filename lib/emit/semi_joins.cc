// Takes the correlation of an EXISTS apart. It must be the conjuncts of one filter, as which most people write it.
#include "lib/emit/semi_joins.h"

#include <algorithm>
#include <string_view>

#include "lib/rewrite/passes/may_raise.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {

using rewrite::ColumnId;
using rewrite::ColumnSet;
using rewrite::Filter;
using rewrite::If;
using rewrite::Plan;
using rewrite::Scalar;
using rewrite::SubqueryScalar;

namespace {

// The subquery of EXISTS or NOT EXISTS; nullptr: the conjunct is something else.
const SubqueryScalar* ExistsIn(const Scalar& conjunct, bool& anti) {
  anti = rewrite::IsCallOf(conjunct, "$not");
  const Scalar& operand = anti ? *rewrite::As<rewrite::FunctionCall>(conjunct).arguments[0] : conjunct;
  const auto* const subquery = If<SubqueryScalar>(&operand);
  return subquery != nullptr && subquery->form == SubqueryScalar::Form::kExists ? subquery : nullptr;
}

// The filter whose rows are those that EXISTS asks for.
const rewrite::Filter* FilterOf(const Plan& subplan) {
  const Plan* node = &subplan;
  while (true) {
    if (const auto* const project = If<rewrite::Project>(node)) {
      node = project->input.get();
    } else if (const auto* const sort = If<rewrite::Sort>(node)) {
      node = sort->input.get();
    } else {
      return If<rewrite::Filter>(node);
    }
  }
}

bool Reads(const Scalar& scalar, const ColumnSet& columns) {
  for (const ColumnId id : rewrite::ReferencedColumns(scalar)) {
    if (columns.contains(id)) return true;
  }
  return false;
}

bool HasSubquery(const Scalar& scalar) {
  bool has = false;
  rewrite::VisitScalars(scalar, [&](const Scalar& part) { has = has || part.kind == rewrite::ScalarKind::kSubquery; });
  return has;
}

constexpr std::string_view kComparisons[] = {"$equal",   "$not_equal",        "$less",        "$less_or_equal",
                                             "$greater", "$greater_or_equal", "$is_distinct", "$is_not_distinct"};

// Returns whether the condition compares a value of the rows with one of the enclosing query. An engine hashes a join
// on such conditions and checks only them; with any other condition it may try all pairs of rows. Dialects may write a
// comparison of FLOAT64s or STRUCTs as more than one operator.
bool IsComparison(const Scalar& condition, const ColumnSet& rows, const ColumnSet& outer) {
  if (condition.kind != rewrite::ScalarKind::kCall) return false;
  const auto& call = rewrite::As<rewrite::FunctionCall>(condition);
  const auto* const found = std::find(std::begin(kComparisons), std::end(kComparisons), call.overload->row->name);
  if (found == std::end(kComparisons)) return false;
  const Scalar& left = *call.arguments[0];
  const Scalar& right = *call.arguments[1];
  if (left.type.is(TypeKind::kFloat64) || left.type.is_struct() || left.type.is_array()) return false;
  const auto is_of = [](const Scalar& side, const ColumnSet& one, const ColumnSet& other) {
    return Reads(side, one) && !Reads(side, other);
  };
  return (is_of(left, rows, outer) && is_of(right, outer, rows)) ||
         (is_of(left, outer, rows) && is_of(right, rows, outer));
}

}  // namespace

std::optional<SemiJoin> AsSemiJoin(const Scalar& conjunct) {
  SemiJoin join;
  join.exists = ExistsIn(conjunct, join.anti);
  if (join.exists == nullptr) return std::nullopt;
  const Filter* const filter = FilterOf(*join.exists->plan);
  if (filter == nullptr || !rewrite::OuterColumns(*filter->input).empty()) return std::nullopt;
  join.rows = filter->input.get();
  const ColumnSet outer = rewrite::OuterColumns(*filter);
  ColumnSet rows;
  for (const rewrite::PlanColumn& column : join.rows->columns) rows.insert(column.id);
  bool is_hashed = false;
  for (const Scalar* condition : rewrite::ConjunctsOf(*filter->condition)) {
    const bool is_own = !Reads(*condition, outer);
    (is_own ? join.own : join.on).push_back(condition);
    if (is_own) continue;
    if (!IsComparison(*condition, rows, outer) || HasSubquery(*condition)) return std::nullopt;
    if (rewrite::MayRaise(*condition)) return std::nullopt;
    is_hashed = is_hashed || rewrite::IsCallOf(*condition, "$equal");
  }
  return is_hashed ? std::optional<SemiJoin>(join) : std::nullopt;
}

namespace {

void CollectSemiJoins(const Plan& node, Subqueries& joined);

void CollectSemiJoins(const std::vector<const Scalar*>& conjuncts, Subqueries& joined) {
  for (const Scalar* conjunct : conjuncts) {
    const std::optional<SemiJoin> join = AsSemiJoin(*conjunct);
    if (!join.has_value()) continue;
    joined.insert(join->exists);
    CollectSemiJoins(join->own, joined);
    CollectSemiJoins(*join->rows, joined);
  }
}

void CollectSemiJoins(const Plan& node, Subqueries& joined) {
  if (const auto* const filter = If<Filter>(&node)) {
    CollectSemiJoins(rewrite::ConjunctsOf(*filter->condition), joined);
  }
  rewrite::ForEachInput(node, [&](const Plan& input) { CollectSemiJoins(input, joined); });
}

}  // namespace

Subqueries SemiJoinsIn(const rewrite::Plan& root) {
  Subqueries joined;
  CollectSemiJoins(root, joined);
  return joined;
}

}  // namespace logquery::emit
