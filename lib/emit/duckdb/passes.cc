// The list of DuckDB's passes.
#include "lib/emit/duckdb/passes.h"

#include "lib/emit/case_equality.h"

namespace logquery::emit {
namespace {

// For DuckDB NaN equals NaN, and NULL fields of STRUCTs equal each other.
absl::Status CompareFloatsAndStructs(const rewrite::PassContext& /*context*/, rewrite::QueryPlan& query) {
  return CompareCases(query, [](const Type& operand) { return operand.is(TypeKind::kFloat64) || operand.is_struct(); });
}

}  // namespace

const std::vector<rewrite::Pass>& DuckDbPasses() {
  static const auto& passes = *new std::vector<rewrite::Pass>{
      {"inline_correlated_entries", InlineCorrelatedEntries, /*always=*/true},
      {"plain_frames", PlainFrames, /*always=*/true},
      {"compare_cases", CompareFloatsAndStructs, /*always=*/true},
      {"make_aggregates_lazy", MakeAggregatesLazy, /*always=*/true},
      {"number_percentiles", NumberPercentiles, /*always=*/true},
      // Before the pins, which keep what may raise above the filters.
      {"guard_lazy_subqueries", GuardLazySubqueries, /*always=*/true},
      {"bound_growth", BoundGrowth, /*always=*/true},
      {"constant_keys", KeepConstantKeys, /*always=*/true},
      {"pin_operands", PinOperands, /*always=*/true},
      // What stands in subqueries is moved when it has got its pins.
      {"move_join_subqueries", MoveJoinSubqueries, /*always=*/true},
      {"bring_outer_columns", BringOuterColumns, /*always=*/true},
      {"hide_outer_inequalities", HideOuterInequalities, /*always=*/true},
  };
  return passes;
}

}  // namespace logquery::emit
