// The list of DuckDB's passes.
#include "lib/emit/duckdb/passes.h"

namespace logquery::emit {

const std::vector<rewrite::Pass>& DuckDbPasses() {
  static const auto& passes = *new std::vector<rewrite::Pass>{
      {"bound_growth", BoundGrowth, /*always=*/true},
      {"constant_keys", KeepConstantKeys, /*always=*/true},
      {"pin_operands", PinOperands, /*always=*/true},
  };
  return passes;
}

}  // namespace logquery::emit
