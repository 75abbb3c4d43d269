// Limits the result to max_rows + 1 rows: the query's own limit, if it has one, otherwise by another.
#include <algorithm>

#include "lib/rewrite/passes/pass.h"

namespace logquery::rewrite {

absl::Status CapRows(const PassContext& context, QueryPlan& query) {
  if (context.max_rows == std::numeric_limits<int64_t>::max()) return absl::OkStatus();
  const int64_t most = context.max_rows + 1;
  // A projection has the rows of its input.
  Plan* node = query.root.get();
  while (node->kind == PlanKind::kProject) node = As<Project>(*node).input.get();
  if (Limit* limit = If<Limit>(node); limit != nullptr && limit->limit != nullptr) {
    if (Constant* count = If<Constant>(limit->limit.get()); count != nullptr && !count->value.is_null()) {
      count->value = Value::Int64(std::min(count->value.int64_value(), most));
      return absl::OkStatus();
    }
  }
  query.root = std::make_unique<Limit>(std::move(query.root), std::make_unique<Constant>(Value::Int64(most)), nullptr);
  return absl::OkStatus();
}

}  // namespace logquery::rewrite
