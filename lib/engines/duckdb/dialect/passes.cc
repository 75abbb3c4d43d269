// The list of DuckDB's passes.
#include "lib/engines/duckdb/dialect/passes.h"

#include <string_view>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/emit/case_equality.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using rewrite::ScalarPtr;
using rewrite::SubqueryScalar;

// The number's text, in which -0 is 0.
ScalarPtr TextOfFloat(ScalarPtr number) {
  ScalarPtr zero = std::make_unique<rewrite::Constant>(Value::Float64(0));
  return std::make_unique<rewrite::Cast>(
      rewrite::MakeTypedCall("$add", Type::Float64(), std::move(number), std::move(zero)), Type::String());
}

// x IN (SELECT f FROM …) becomes IF(IS_NAN(x), 'none', text of x) IN (SELECT text of f FROM …).
void CompareCandidates(SubqueryScalar& in, rewrite::QueryPlan& query) {
  ScalarPtr is_nan = rewrite::MakeTypedCall("IS_NAN", Type::Bool(), rewrite::Clone(*in.value));
  ScalarPtr none = std::make_unique<rewrite::Constant>(Value::String("none"));
  in.value = rewrite::MakeTypedCall("IF", Type::String(), std::move(is_nan), std::move(none),
                                    TextOfFloat(std::move(in.value)));
  auto project = std::make_unique<rewrite::Project>(std::move(in.plan));
  project->may_hold_subqueries = project->input->may_hold_subqueries;
  const rewrite::PlanColumn column = query.NewColumn("candidate", Type::String());
  project->columns.push_back(column);
  project->computed.push_back({column, TextOfFloat(rewrite::MakeColumnRef(project->input->columns.front()))});
  in.plan = std::move(project);
}

// In DuckDB NaN equals NaN, and NULL fields of STRUCTs equal each other. Comparisons whose value would be read twice
// and has a subquery of its own stay as they are.
absl::Status CompareFloatsAndStructs(const rewrite::PassContext& /*context*/, rewrite::QueryPlan& query) {
  if (query.root->may_hold_subqueries) {
    LOGQUERY_RETURN_IF_ERROR(rewrite::RewriteScalars(query.root, [&](ScalarPtr& scalar) {
      auto* const in = rewrite::If<SubqueryScalar>(scalar.get());
      if (in == nullptr || in->form != SubqueryScalar::Form::kIn || !in->value->type.is(TypeKind::kFloat64)) {
        return absl::OkStatus();
      }
      bool has_subquery = false;
      rewrite::VisitScalars(*in->value, [&](const rewrite::Scalar& part) {
        has_subquery = has_subquery || part.kind == rewrite::ScalarKind::kSubquery;
      });
      if (!has_subquery) CompareCandidates(*in, query);
      return absl::OkStatus();
    }));
  }
  return CompareCases(query, [](const Type& operand) { return operand.is(TypeKind::kFloat64) || operand.is_struct(); });
}

}  // namespace

const std::vector<rewrite::Pass>& DuckDbPasses() {
  static const auto& passes = *new std::vector<rewrite::Pass>{
      {"inline_correlated_entries", InlineCorrelatedEntries, /*always=*/true},
      {"number_correlated_rows", NumberCorrelatedRows, /*always=*/true},
      {"plain_frames", PlainFrames, /*always=*/true},
      {"compare_cases", CompareFloatsAndStructs, /*always=*/true},
      {"make_aggregates_lazy", MakeAggregatesLazy, /*always=*/true},
      {"number_percentiles", NumberPercentiles, /*always=*/true},
      {"group_top_counts", GroupTopCounts, /*always=*/true},
      // Runs before the pins, which keep expressions that may raise an error above the filters.
      {"guard_lazy_subqueries", GuardLazySubqueries, /*always=*/true},
      {"compute_operands", ComputeOperands, /*always=*/true},
      {"bound_growth", BoundGrowth, /*always=*/true},
      {"constant_keys", KeepConstantKeys, /*always=*/true},
      {"pin_operands", PinOperands, /*always=*/true},
      // Subqueries are moved after they have got their pins.
      {"move_join_subqueries", MoveJoinSubqueries, /*always=*/true},
      {"bring_outer_columns", BringOuterColumns, /*always=*/true},
      {"hide_outer_inequalities", HideOuterInequalities, /*always=*/true},
      {"hide_repeated_outer_columns", HideRepeatedOuterColumns, /*always=*/true},
      {"keep_empty_aggregates", KeepEmptyAggregates, /*always=*/true},
      {"bound_planning", BoundPlanning, /*always=*/true},
  };
  return passes;
}

}  // namespace logquery::emit
