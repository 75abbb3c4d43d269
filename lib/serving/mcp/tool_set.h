// The tools of one principal: which there are, what they are called, and how they are described to a model.
//
//     ToolSet tools(service.registry(), principal, options);
//     const Tool* tool = tools.Find("usage_api-counts");
//     Json entry = tools.Describe(*tool);            // {"name":…,"description":…,"inputSchema":…,"outputSchema":…,"annotations":…}
//
// Made for each message: definitions may change between two. Thread-safe: const after construction.
#ifndef LOGQUERY_LIB_SERVING_MCP_TOOL_SET_H_
#define LOGQUERY_LIB_SERVING_MCP_TOOL_SET_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/json/value.h"
#include "logquery/authenticator.h"
#include "logquery/endpoint_registry.h"
#include "logquery/serving/mcp_server.h"

namespace logquery::serving {

// Arguments of our own, beside an endpoint's parameters, which come first where names are equal.
inline constexpr std::string_view kEndpointArgument = "endpoint";
inline constexpr std::string_view kLogArgument = "log";
inline constexpr std::string_view kSqlArgument = "sql";
inline constexpr std::string_view kMaxRowsArgument = "max_rows";
inline constexpr std::string_view kCursorArgument = "cursor";
inline constexpr std::string_view kDryRunArgument = "dry_run";
inline constexpr std::string_view kErrorArgument = "error";

struct Tool {
  enum class Kind { kListLogs, kQueryLogs, kExplainError, kEndpoint };
  Kind kind = Kind::kEndpoint;
  std::string name;
  const RegisteredEndpoint* endpoint = nullptr;  // of kEndpoint
};

class ToolSet {
 public:
  ToolSet(std::shared_ptr<const EndpointRegistry> registry, const Principal& principal, const McpOptions& options);

  // In the order of tools/list: our own, then the endpoints by name.
  const std::vector<Tool>& tools() const { return tools_; }
  // Returns nullptr if there is no such tool.
  const Tool* Find(std::string_view name) const;
  // Returns the names of all tools.
  std::vector<std::string> Names() const;
  // Returns the tool's entry in tools/list.
  base::Json Describe(const Tool& tool) const;

  // The endpoints that take SQL. The first is the one that tools read without the argument `endpoint`.
  const std::vector<const RegisteredEndpoint*>& sandboxes() const { return sandboxes_; }
  // Returns that of this name or id, which may be empty; nullptr if there is none.
  const RegisteredEndpoint* FindSandbox(std::string_view name) const;

  // Returns the number of rows that a call of the endpoint may ask for.
  int64_t MostRows(const Endpoint& endpoint) const;
  // Returns whether the token fills the parameter in, so that a call needs no value.
  bool IsFilled(const Endpoint& endpoint, const Parameter& parameter) const;

 private:
  base::Json InputSchema(const Tool& tool) const;
  base::Json SandboxSchema(const Tool& tool) const;
  // Whether a call needs a value for the parameter, whichever of the sandboxes it reads.
  bool IsRequiredByAll(std::string_view name) const;
  // With `standard`: parameters that this endpoint has not got say whose they are.
  void AddParameters(const Endpoint& endpoint, const Endpoint* standard, base::Json& properties) const;
  void AddOwnArguments(const Endpoint& endpoint, base::Json& properties) const;

  const std::shared_ptr<const EndpointRegistry> registry_;
  const Principal& principal_;
  const McpOptions& options_;
  std::vector<const RegisteredEndpoint*> sandboxes_;
  std::vector<Tool> tools_;
};

// Returns a name that all models' interfaces take for a tool: 1 to 64 of A-Z, a-z, 0-9, _ and -. Other characters of `endpoint`
// become _. A name that is too long is cut, with a digest of the whole behind it, as is one that is `ambiguous`.
std::string ToolName(std::string_view endpoint, bool ambiguous);

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_MCP_TOOL_SET_H_
