// Redacts what a caller's SQL reads of the endpoint's entries where redaction is mandated, so that the SQL can't compare
// or take apart the original. Text of logs is redacted by then (redact_logs); an entry may also make text of its own,
// such as an address of a number.
#include "absl/container/flat_hash_set.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/passes/redaction.h"

namespace logquery::rewrite {

absl::Status RedactEntries(const PassContext& context, QueryPlan& query) {
  With* with = context.redaction == nullptr ? nullptr : If<With>(query.root.get());
  if (with == nullptr) return absl::OkStatus();
  absl::flat_hash_set<int> entries;
  for (const WithEntry& entry : with->entries) {
    if (entry.endpoint) entries.insert(entry.id);
  }
  const auto is_read = [&](const Plan& plan, size_t) {
    const CteScan* scan = If<CteScan>(&plan);
    return scan != nullptr && entries.contains(scan->cte);
  };
  return RedactReads(with->body, *context.redaction, is_read, query);
}

}  // namespace logquery::rewrite
