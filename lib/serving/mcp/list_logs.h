// The tool list_logs: the names of an endpoint's logs, and a log's fields with examples of their values.
#ifndef LOGQUERY_LIB_SERVING_MCP_LIST_LOGS_H_
#define LOGQUERY_LIB_SERVING_MCP_LIST_LOGS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/base/json/value.h"
#include "lib/serving/mcp/tool_result.h"
#include "lib/serving/mcp/tool_set.h"
#include "logquery/endpoint_registry.h"
#include "logquery/query_answer.h"

namespace logquery::serving {

// How many of the newest rows are looked at for examples.
inline constexpr int64_t kExampleRows = 10;

// Returns the result without a log: the names of the logs of all sandboxes.
base::Json ListLogNames(const ToolSet& tools);

// Returns the query for a log's newest rows. NotFound: the endpoint has no such log for callers; the message names those that it
// has.
absl::StatusOr<std::string> ExampleQuery(const EndpointRegistry& registry, const RegisteredEndpoint& sandbox,
                                         std::string_view log);

// Returns the result with the fields of that query's answer.
absl::StatusOr<base::Json> ListFields(const QueryAnswer& answer, std::string_view log, RowsContext context);

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_MCP_LIST_LOGS_H_
