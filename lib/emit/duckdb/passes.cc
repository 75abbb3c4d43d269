// The list of DuckDB's passes.
#include "lib/emit/duckdb/passes.h"

namespace logquery::emit {

const std::vector<rewrite::Pass>& DuckDbPasses() {
  static const auto& passes = *new std::vector<rewrite::Pass>{
      {"compare_cases", CompareCases, /*always=*/true},
      {"bound_growth", BoundGrowth, /*always=*/true},
      {"constant_keys", KeepConstantKeys, /*always=*/true},
      {"pin_operands", PinOperands, /*always=*/true},
      // What stands in subqueries is moved when it has got its pins.
      {"move_join_subqueries", MoveJoinSubqueries, /*always=*/true},
      {"bring_outer_columns", BringOuterColumns, /*always=*/true},
  };
  return passes;
}

}  // namespace logquery::emit
