// Lists the columns of an endpoint's WITH entries that a caller's query reads, with readable names.
#ifndef LOGQUERY_LIB_REWRITE_PASSES_COLUMNS_READ_H_
#define LOGQUERY_LIB_REWRITE_PASSES_COLUMNS_READ_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// Returns columns, and record fields by their paths, also through UNNEST: "edge_logs.id",
// "edge_logs.metadata.request.method". Sorted, without duplicates. `query` comes from ResolveSandboxed and is consumed.
absl::StatusOr<std::vector<std::string>> ColumnsRead(QueryPlan query);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_COLUMNS_READ_H_
