// The endpoint `my.logs`, which comes by itself with an operator's own logs: callers' SQL over each of them by its name.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITIONS_OWN_LOGS_ENDPOINT_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITIONS_OWN_LOGS_ENDPOINT_H_

#include <vector>

#include "absl/status/statusor.h"
#include "logquery/catalog.h"
#include "logquery/endpoint.h"

namespace logquery::endpoint {

inline constexpr char kOwnLogsEndpoint[] = "my.logs";

// Returns the definition for logs that a schema file declares; there must be one at least. Without SQL it tells the rows and
// the times of each log. A log that has no project is read only by SQL that names it, as a token of one project may not.
// InvalidArgument: the definition is not valid, which a schema file that was read cannot cause.
absl::StatusOr<Endpoint> MakeOwnLogsEndpoint(const std::vector<Table>& logs);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITIONS_OWN_LOGS_ENDPOINT_H_
