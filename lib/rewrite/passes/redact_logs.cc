// Redacts what a query reads of logs where redaction is mandated, the endpoint's own query included: what a caller's
// parameter is compared with is redacted first. Rows that differ in addresses alone are then the same to every
// condition, order, group and count. The filter of scope_project stays below, and reads the stored project.
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/passes/redaction.h"

namespace logquery::rewrite {

absl::Status RedactLogs(const PassContext& context, QueryPlan& query) {
  if (context.redaction == nullptr) return absl::OkStatus();
  const auto is_read = [](const Plan& scan, size_t) { return scan.kind == PlanKind::kTableScan; };
  return RedactReads(query.root, *context.redaction, is_read, query);
}

}  // namespace logquery::rewrite
