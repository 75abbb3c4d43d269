// Describes, without running anything, which part of an endpoint's own query a remote engine runs and which part runs
// locally: for `logquery check --backend`.
#ifndef LOGQUERY_LIB_TOOLS_PUSHDOWN_H_
#define LOGQUERY_LIB_TOOLS_PUSHDOWN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/split/describe.h"
#include "logquery/catalog.h"
#include "logquery/endpoint.h"
#include "logquery/query_backend.h"

namespace logquery::endpoint {

// Splits the endpoint's query without a caller's SQL and without parameter values. Conditions on parameters are
// therefore not folded, and a call may have fewer parts. Statuses: those of EndpointRegistry::Create.
absl::StatusOr<std::vector<split::Description>> PushdownOf(const Endpoint& definition, const Catalog& catalog,
                                                           const FragmentDialect& dialect);

// Returns one line for each thing that the remote engine does and one for the local work, each indented by `indent`.
std::string PushdownText(const std::vector<split::Description>& parts, const std::string& indent);

// Returns [{"tables":[…],"conditions":[…],"group_by":[…],"aggregates":[…],"order_by":[…],"limited":true,
// "equal_rows_once":false,"columns":5,"then_here":"…"}]. Empty keys are omitted, except tables, columns and then_here.
std::string PushdownJson(const std::vector<split::Description>& parts);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_TOOLS_PUSHDOWN_H_
