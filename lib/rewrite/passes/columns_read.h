// Which columns of an endpoint's WITH entries a caller's query reads, as people would name them.
#ifndef LOGQUERY_LIB_REWRITE_PASSES_COLUMNS_READ_H_
#define LOGQUERY_LIB_REWRITE_PASSES_COLUMNS_READ_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// "edge_logs.id", "edge_logs.metadata.request.method": columns, and fields of records by their path, also through UNNEST.
// `query` is as ResolveSandboxed gave it; it is used up. Sorted, none twice.
absl::StatusOr<std::vector<std::string>> ColumnsRead(QueryPlan query);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_COLUMNS_READ_H_
