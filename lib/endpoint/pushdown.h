// What an engine elsewhere does of an endpoint's own query, and what is done here on the rows that it sends: for
// `logquery check --backend`. Nothing is run.
#ifndef LOGQUERY_LIB_ENDPOINT_PUSHDOWN_H_
#define LOGQUERY_LIB_ENDPOINT_PUSHDOWN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/emit/dialect.h"
#include "lib/split/describe.h"
#include "logquery/catalog.h"
#include "logquery/endpoint.h"

namespace logquery::endpoint {

// The parts of the endpoint's query as it stands, without a caller's SQL and with no parameter's value known: what only steers is
// not folded, so a call may have fewer parts. Statuses as EndpointRegistry::Create's.
absl::StatusOr<std::vector<split::Description>> PushdownOf(const Endpoint& definition, const Catalog& catalog,
                                                           const emit::SqlDialect& fragments);

// A line for each thing that is asked for, and one for what is done here, each after `indent`.
std::string PushdownText(const std::vector<split::Description>& parts, const std::string& indent);

// [{"tables":[…],"conditions":[…],"group_by":[…],"aggregates":[…],"order_by":[…],"limited":true,"equal_rows_once":false,
// "columns":5,"then_here":"…"}]; keys that say nothing are left out, but for tables, columns and then_here.
std::string PushdownJson(const std::vector<split::Description>& parts);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_PUSHDOWN_H_
