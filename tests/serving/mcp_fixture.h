// An McpServer over a real engine with a few rows, and a way to ask it.
#ifndef LOGQUERY_TESTS_SERVING_MCP_FIXTURE_H_
#define LOGQUERY_TESTS_SERVING_MCP_FIXTURE_H_

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logquery/authenticator.h"
#include "logquery/cancellation.h"
#include "logquery/clock.h"
#include "logquery/endpoint_source.h"
#include "logquery/query_service.h"
#include "logquery/serving/mcp_server.h"
#include "logquery/serving/query_queue.h"
#include "logquery/store/duckdb_backend.h"

namespace logquery::testing {

class McpFixture {
 public:
  using Json = nlohmann::json;

  explicit McpFixture(McpOptions options = {}, std::vector<Endpoint> more = {}, EndpointSource* source = nullptr);
  ~McpFixture();
  McpFixture(const McpFixture&) = delete;
  McpFixture& operator=(const McpFixture&) = delete;

  // Adds rows to edge_logs, a second apart, newest last; each is the text of an event's message.
  void AddMessages(const std::vector<std::string>& messages, const std::string& project = "abc");
  // Adds a row as it is.
  void AddRow(const Json& row);

  // The answer to a message of the principal.
  McpAnswer Send(const std::string& message, std::optional<McpHeaders> headers = std::nullopt);
  // The whole answer to a request of the revision 2025-11-25.
  Json Ask(const std::string& method, const Json& params = nullptr);
  // The result of a tool's call, which must be one.
  Json Call(const std::string& tool, const Json& arguments = Json::object());

  Principal principal;
  std::optional<std::string> project;
  bool redact_pii = false;
  bool can_listen = false;
  CancellationToken cancellation;
  McpAnswer last;  // of Send, Ask and Call

  const FixedClock clock{absl::FromUnixSeconds(1'772'600'700)};
  std::string folder;
  std::unique_ptr<DuckDbBackend> backend;
  std::unique_ptr<QueryService> service;
  std::unique_ptr<QueryQueue> queue;
  std::unique_ptr<McpServer> mcp;

 private:
  int64_t rows_ = 0;
};

// The texts of a result's content.
std::string TextOf(const McpFixture::Json& result);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SERVING_MCP_FIXTURE_H_
