// Listening for changes: what a client is told when definitions or its rights change, and what it is not told.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/serving/mcp_fixture.h"

namespace logquery {
namespace {

using Json = nlohmann::json;
using testing::McpFixture;

constexpr char kChanged[] = "notifications/tools/list_changed";

Endpoint Numbers(const std::string& description) {
  Endpoint endpoint;
  endpoint.id = "0d6c3c1e-5f0b-4a67-9f3e-6b2f6f1f7d10";
  endpoint.name = "numbers";
  endpoint.description = description;
  endpoint.query = "WITH numbers AS (SELECT 1 AS n) SELECT n FROM numbers";
  return endpoint;
}

class Definitions final : public EndpointSource {
 public:
  absl::StatusOr<EndpointSet> Read() override { return EndpointSet{endpoints, std::to_string(++reads_)}; }
  std::vector<Endpoint> endpoints;

 private:
  int reads_ = 0;
};

struct Listening {
  explicit Listening(McpOptions options = {}) : server(options, {}, &definitions) { server.can_listen = true; }

  void Replace(std::vector<Endpoint> endpoints) {
    definitions.endpoints = std::move(endpoints);
    REQUIRE(server.service->Reload().ok());
  }
  // The answer to a request of the present revision.
  Json Ask(const std::string& method, Json params = Json::object()) {
    params["_meta"] = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                       {"io.modelcontextprotocol/clientCapabilities", Json::object()}};
    return Json::parse(
        server.Send(Json{{"jsonrpc", "2.0"}, {"id", "a"}, {"method", method}, {"params", params}}.dump()).body);
  }
  std::shared_ptr<McpSubscription> Listen(const Json& notifications = {{"toolsListChanged", true}}) {
    Ask("subscriptions/listen", {{"notifications", notifications}});
    return std::exchange(server.last.subscription, nullptr);
  }

  Definitions definitions;
  McpFixture server;
};

TEST_CASE("a client that listens is told once that its tools changed") {
  Listening at;
  CHECK(at.Ask("server/discover")["result"]["capabilities"] == Json{{"tools", {{"listChanged", true}}}});
  const Json confirmed = at.Ask("subscriptions/listen", {{"notifications", {{"toolsListChanged", true}}}});
  CHECK(confirmed == Json{{"jsonrpc", "2.0"},
                          {"method", "notifications/subscriptions/acknowledged"},
                          {"params",
                           {{"_meta", {{"io.modelcontextprotocol/subscriptionId", "a"}}},
                            {"notifications", {{"toolsListChanged", true}}}}}});
  const std::shared_ptr<McpSubscription> subscription = std::exchange(at.server.last.subscription, nullptr);
  REQUIRE(subscription != nullptr);
  CHECK(subscription->Next(at.server.principal) == "");

  at.Replace({Numbers("Counts.")});
  const Json changed = Json::parse(subscription->Next(at.server.principal).value());
  CHECK(changed == Json{{"jsonrpc", "2.0"},
                        {"method", kChanged},
                        {"params", {{"_meta", {{"io.modelcontextprotocol/subscriptionId", "a"}}}}}});
  CHECK(subscription->Next(at.server.principal) == "");
  CHECK(at.Ask("tools/list")["result"]["tools"].size() == 8);

  const Json ended = Json::parse(subscription->End());
  CHECK(ended["id"] == "a");
  CHECK(ended["result"]["resultType"] == "complete");
  CHECK(ended["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "a");
}

TEST_CASE("changes of the list are tools that come, go, or are described otherwise") {
  Listening at;
  const auto subscription = at.Listen();
  const auto is_told = [&] {
    const std::string message = subscription->Next(at.server.principal).value();
    return !message.empty() && Json::parse(message)["method"] == kChanged;
  };
  at.Replace({Numbers("Counts.")});
  CHECK(is_told());
  at.Replace({Numbers("Counts.")});  // the same as before
  CHECK(!is_told());
  at.Replace({Numbers("Counts rows.")});
  CHECK(is_told());
  Endpoint faster = Numbers("Counts rows.");
  faster.caching = absl::Seconds(5);  // nothing that a tool's description says
  at.Replace({faster});
  CHECK(!is_told());
  at.Replace({});
  CHECK(is_told());
}

TEST_CASE("a caller's rights change its list, and it hears nothing of endpoints that it may not call") {
  Listening at;
  at.server.principal.endpoints = {{"usage.api-counts"}};
  const auto subscription = at.Listen();
  at.Replace({Numbers("Counts.")});
  CHECK(subscription->Next(at.server.principal) == "");
  at.server.principal.label = "renamed";
  CHECK(subscription->Next(at.server.principal) == "");
  at.server.principal.endpoints = {{"usage.api-counts", "numbers"}};
  CHECK(subscription->Next(at.server.principal).value().find(kChanged) != std::string::npos);
  at.server.principal.max_rows = 5;  // a tool's limit
  CHECK(subscription->Next(at.server.principal).value().find(kChanged) != std::string::npos);
  at.server.principal.endpoints = std::vector<std::string>();
  CHECK(subscription->Next(at.server.principal).value().find(kChanged) != std::string::npos);
}

TEST_CASE("a principal that is for another project than the URL by now hears nothing more") {
  Listening at;
  at.server.project = "abc";
  const auto subscription = at.Listen();
  CHECK(subscription->Next(at.server.principal) == "");
  at.server.principal.project_scope = "other";
  CHECK(subscription->Next(at.server.principal) == std::nullopt);
}

TEST_CASE("lists that never change here are not confirmed") {
  Listening at;
  const Json confirmed = at.Ask("subscriptions/listen", {{"notifications", {{"promptsListChanged", true}}}});
  CHECK(confirmed["params"]["notifications"] == Json::object());
  const auto subscription = std::exchange(at.server.last.subscription, nullptr);
  at.Replace({Numbers("Counts.")});
  CHECK(subscription->Next(at.server.principal) == "");
}

TEST_CASE("as many may listen as the options say, in all and with one token") {
  McpOptions options;
  options.max_listeners = 3;
  options.max_listeners_per_token = 2;
  Listening at(options);
  at.server.principal.token_id = "one";
  auto first = at.Listen(), second = at.Listen();
  REQUIRE(second != nullptr);
  const Json refused = at.Ask("subscriptions/listen", {{"notifications", {{"toolsListChanged", true}}}});
  CHECK(refused["error"]["code"] == -32603);
  CHECK(refused["error"]["message"] == "2 clients listen with this token already; end one of them");
  CHECK(at.server.last.subscription == nullptr);
  at.server.principal.token_id = "two";
  const auto third = at.Listen();
  REQUIRE(third != nullptr);
  const Json full = at.Ask("subscriptions/listen", {{"notifications", Json::object()}});
  CHECK(full["error"]["message"] == "3 clients listen already; list the tools again from time to time");
  first = nullptr;
  CHECK(at.Listen() != nullptr);
}

TEST_CASE("a request to listen that is wrong, or comes where nobody can listen, is an error") {
  Listening at;
  struct Case {
    Json params;
    std::string message;
  };
  for (const Case& wrong : std::vector<Case>{
           {Json::object(), "params.notifications must be an object, such as {\"toolsListChanged\":true}"},
           {{{"notifications", "tools"}},
            "params.notifications must be an object, such as {\"toolsListChanged\":true}"},
           {{{"notifications", {{"toolsListChanged", 1}}}},
            "params.notifications.toolsListChanged must be true or false"}}) {
    const Json error = at.Ask("subscriptions/listen", wrong.params)["error"];
    CHECK(error["code"] == -32602);
    CHECK(error["message"] == wrong.message);
  }
  // Earlier revisions have no such method.
  CHECK(at.server.Ask("subscriptions/listen", {{"notifications", Json::object()}})["error"]["code"] == -32601);
  at.server.can_listen = false;
  CHECK(at.Ask("server/discover")["result"]["capabilities"] == Json{{"tools", Json::object()}});
  CHECK(at.Ask("subscriptions/listen", {{"notifications", Json::object()}})["error"]["code"] == -32601);
}

}  // namespace
}  // namespace logquery
