// The arguments of tools/call, as an endpoint's parameters and what is asked of the result.
#ifndef LOGQUERY_LIB_SERVING_MCP_TOOL_ARGUMENTS_H_
#define LOGQUERY_LIB_SERVING_MCP_TOOL_ARGUMENTS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "lib/base/json/value.h"
#include "lib/serving/mcp/tool_set.h"
#include "logquery/endpoint.h"
#include "logquery/parameter_binder.h"

namespace logquery::serving {

struct ToolArguments {
  ParameterTexts parameters;  // of the endpoint, with `sql` and `cursor`
  std::string log;            // of list_logs
  std::optional<int64_t> max_rows;
  bool dry_run = false;
};

// Reads the arguments of a tool that calls `endpoint`. InvalidArgument, with the parameter in its details: an unknown name, or a
// value of a wrong kind. Values are checked further when they are bound.
absl::StatusOr<ToolArguments> ReadArguments(const base::Json& arguments, Tool::Kind tool, const Endpoint& endpoint);

// Returns the text of an argument, empty if there is none. InvalidArgument: it is no text.
absl::StatusOr<std::string> TextArgument(const base::Json& arguments, std::string_view name);

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_MCP_TOOL_ARGUMENTS_H_
