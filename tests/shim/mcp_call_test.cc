// The route /mcp over a socket: what HTTP has to do with messages, and which pages and clients may send any.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "absl/synchronization/notification.h"
#include "lib/base/strings.h"
#include "logquery/serving/mcp_server.h"
#include "shim/http/transport/cors.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim {
namespace {

using Json = nlohmann::json;
using base::StrCat;

// A server on a socket whose service is a stub, with the route.
struct McpHttp {
  explicit McpHttp(bool with_mcp = true, McpOptions mcp_options = {}) : fixture(1) {
    mcp_options.service = &fixture.service;
    mcp_options.queue = fixture.queue.get();
    mcp = McpServer::Create(mcp_options).value();
    HttpServerOptions options;
    options.service = &fixture.service;
    options.queue = fixture.queue.get();
    options.observer = &fixture.log;
    options.cors_origins = {"https://known.example"};
    if (with_mcp) options.mcp = mcp.get();
    routes = std::make_unique<Routes>(options, Cors::Create(options.cors_origins).value());
    server = Transport::Bind({}, routes.get()).value();
    serving = std::thread([this] { server->Serve(); });
  }
  ~McpHttp() {
    server->Stop(absl::ZeroDuration());
    serving.join();
    fixture.queue->Stop();
  }

  // Sends the body, on a connection of its own.
  std::string Post(const std::string& body, const std::string& headers = "", const std::string& target = "/mcp",
                   const std::string& host = "localhost") {
    RawClient client(server->port());
    client.Send(StrCat("POST ", target, " HTTP/1.1\r\nHost: ", host, "\r\nX-API-KEY: good\r\n",
                       "Content-Type: application/json\r\nContent-Length: ", body.size(), "\r\n", headers, "\r\n",
                       body));
    return client.Receive();
  }

  RoutesFixture fixture;
  std::unique_ptr<McpServer> mcp;
  std::unique_ptr<Routes> routes;
  std::unique_ptr<Transport> server;
  std::thread serving;
};

constexpr char kListen[] =
    R"({"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},)"
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})";

// A client that listens, on a connection of its own.
struct Listener {
  explicit Listener(McpHttp& http, const std::string& accept = "application/json, text/event-stream")
      : client(http.server->port()) {
    client.Send(
        StrCat("POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: good\r\nMCP-Protocol-Version: 2026-07-28\r\n",
               "Mcp-Method: subscriptions/listen\r\nAccept: ", accept, "\r\nContent-Type: application/json\r\n",
               "Content-Length: ", sizeof(kListen) - 1, "\r\n\r\n", kListen));
    head = client.Receive();
  }
  // Returns the message of the next event.
  Json Next() { return Json::parse(client.ReceiveUntil("\n\n").substr(sizeof("data: ") - 1)); }

  RawClient client;
  std::string head;  // the whole response if it has a length
};

constexpr char kPing[] = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
constexpr char kQuery[] =
    R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query_logs","arguments":{"project":"abc","sql":"SELECT 1"}}})";

Json JsonOf(const std::string& response) { return Json::parse(BodyOf(response)); }

TEST_CASE("a message is a POST, and its answer is JSON") {
  McpHttp http;
  http.fixture.service.on_run = [](const QueryRequest& request) {
    CHECK(request.format == RowFormat::kNdjson);
    QueryAnswer answer = AnswerWith("{\"a\":1}\n");
    answer.rows = 1;
    return answer;
  };
  const std::string pong = http.Post(kPing, "Accept: application/json, text/event-stream\r\n");
  CHECK(StatusOf(pong) == 200);
  CHECK(HeaderOf(pong, "Content-Type") == "application/json; charset=utf-8");
  CHECK(HeaderOf(pong, "Mcp-Session-Id").empty());
  CHECK(JsonOf(pong) == Json{{"jsonrpc", "2.0"}, {"id", 1}, {"result", Json::object()}});
  const Json rows = JsonOf(http.Post(kQuery))["result"]["structuredContent"]["rows"];
  CHECK(rows == Json::array({{{"a", 1}}}));
  const Json line = Json::parse(http.fixture.log_lines.lines().back());
  CHECK(line["path"] == "/mcp");
  CHECK(line["endpoint"] == "logs.all");
  CHECK(line["rows"] == 1);
  CHECK(line["sql_digest"].get<std::string>().size() == 16);
}

TEST_CASE("without the option there is nothing at /mcp") {
  McpHttp http(false);
  CHECK(StatusOf(http.Post(kPing)) == 404);
}

TEST_CASE("notifications are accepted, and other methods than POST are not") {
  McpHttp http;
  const std::string accepted = http.Post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  CHECK(StatusOf(accepted) == 202);
  CHECK(BodyOf(accepted).empty());
  for (const char* method : {"GET", "DELETE", "PUT", "HEAD"}) {
    RawClient client(http.server->port());
    client.Send(
        StrCat(method, " /mcp HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: good\r\nAccept: text/event-stream\r\n\r\n"));
    const std::string response = client.Receive(std::string_view(method) == "HEAD");
    CHECK(StatusOf(response) == 405);
    CHECK(HeaderOf(response, "Allow") == "POST");
  }
}

TEST_CASE("a message needs a token, and the answer says how") {
  McpHttp http;
  const auto post = [&http](const std::string& header) {
    RawClient client(http.server->port());
    client.Send(StrCat("POST /mcp HTTP/1.1\r\nHost: localhost\r\n", header,
                       "Content-Type: application/json\r\nContent-Length: ", sizeof(kPing) - 1, "\r\n\r\n", kPing));
    return client.Receive();
  };
  for (const char* header : {"", "X-API-KEY: wrong\r\n", "Authorization: Bearer wrong\r\n"}) {
    const std::string refused = post(header);
    CHECK(StatusOf(refused) == 401);
    CHECK(HeaderOf(refused, "WWW-Authenticate").find("Bearer") == 0);
  }
  CHECK(StatusOf(post("Authorization: Bearer good\r\n")) == 200);
}

TEST_CASE("a page of another site can't send messages, also if its name resolves to this machine") {
  McpHttp http;
  const std::string port = std::to_string(http.server->port());
  struct Case {
    std::string host;
    std::string origin;
    int status;
  };
  const Case cases[] = {
      {"localhost:" + port, "http://localhost:" + port, 200},
      {"127.0.0.1:" + port, "http://127.0.0.1:" + port, 200},
      {"[::1]:" + port, "http://[::1]:" + port, 200},
      {"localhost:" + port, "https://known.example", 200},
      {"evil.example:" + port, "http://evil.example:" + port, 403},  // DNS rebinding
      {"evil.example", "https://evil.example", 403},
      {"localhost:" + port, "http://localhost:1", 403},
      {"localhost:" + port, "https://evil.example", 403},
      {"localhost:" + port, "null", 403},
      {"localhost:" + port, "", 403},
      {"localhost:" + port, "https://known.example.evil", 403},
  };
  for (const Case& c : cases) {
    CAPTURE(c.host, c.origin);
    CHECK(StatusOf(http.Post(kPing, StrCat("Origin: ", c.origin, "\r\n"), "/mcp", c.host)) == c.status);
  }
}

TEST_CASE("a page of a known site may send the protocol's headers") {
  McpHttp http;
  RawClient client(http.server->port());
  client.Send(
      "OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: https://known.example\r\n"
      "Access-Control-Request-Method: POST\r\n\r\n");
  const std::string response = client.Receive();
  CHECK(StatusOf(response) == 204);
  CHECK(HeaderOf(response, "Access-Control-Allow-Methods") == "POST");
  for (const char* header : {"MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Authorization"}) {
    CHECK(HeaderOf(response, "Access-Control-Allow-Headers").find(header) != std::string::npos);
  }
}

TEST_CASE("errors of the protocol have a status and are messages") {
  McpHttp http;
  const std::string modern =
      R"({"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})";
  const std::string headers = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: ";
  struct Case {
    std::string body;
    std::string headers;
    int status;
    int code;
  };
  const Case cases[] = {
      {"{", "", 400, -32700},
      {"[]", "", 400, -32600},
      {kPing, "MCP-Protocol-Version: 1900-01-01\r\n", 400, -32022},
      {kPing, "Mcp-Session-Id: abc\r\n", 404, -32600},
      {modern, headers + "resources/list\r\n", 404, -32601},
      {modern, headers + "tools/list\r\n", 400, -32020},
      {modern, "", 400, -32020},
      {R"({"jsonrpc":"2.0","id":1,"method":"resources/list"})", "", 200, -32601},
  };
  for (const Case& c : cases) {
    CAPTURE(c.body, c.headers);
    const std::string response = http.Post(c.body, c.headers);
    CHECK(StatusOf(response) == c.status);
    CHECK(JsonOf(response)["error"]["code"] == c.code);
  }
}

TEST_CASE("a request must have uncompressed JSON of a bounded length, and accept JSON") {
  McpHttp http;
  CHECK(StatusOf(http.Post(kPing, "Accept: text/html\r\n")) == 406);
  CHECK(StatusOf(http.Post(kPing, "Content-Encoding: gzip\r\n")) == 415);
  CHECK(StatusOf(http.Post(std::string((1 << 20) + 1, ' '))) == 413);
  RawClient client(http.server->port());
  client.Send(
      StrCat("POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: good\r\nContent-Type: text/plain\r\nContent-Length: ",
             sizeof(kPing) - 1, "\r\n\r\n", kPing));
  CHECK(StatusOf(client.Receive()) == 415);
}

TEST_CASE("half a message is no call, and its connection is closed") {
  McpHttp http;
  RawClient client(http.server->port());
  client.Send(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: good\r\nContent-Type: application/json\r\n"
      "Content-Length: 100\r\n\r\n{\"jsonrpc\":");
  client.CloseSending();
  client.IsClosed();
  CHECK(http.fixture.service.requests().empty());
  CHECK(StatusOf(http.Post(kPing)) == 200);
}

TEST_CASE("a client that leaves cancels its call") {
  McpHttp http;
  http.fixture.HoldQuery();
  {
    RawClient client(http.server->port());
    client.Send(
        StrCat("POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: good\r\nContent-Type: application/json\r\n"
               "Content-Length: ",
               sizeof(kQuery) - 1, "\r\n\r\n", kQuery));
    http.fixture.begun.WaitForNotification();
  }
  http.fixture.cancelled.WaitForNotification();
}

TEST_CASE("a client that listens gets events until the server stops, and then the last one") {
  McpHttp http;
  Listener listener(http);
  CHECK(StatusOf(listener.head) == 200);
  CHECK(HeaderOf(listener.head, "Content-Type") == "text/event-stream");
  CHECK(HeaderOf(listener.head, "Content-Length").empty());
  CHECK(HeaderOf(listener.head, "Connection") == "close");
  const Json confirmed = listener.Next();
  CHECK(confirmed["method"] == "notifications/subscriptions/acknowledged");
  CHECK(confirmed["params"]["notifications"] == Json{{"toolsListChanged", true}});
  CHECK(confirmed["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "l");
  CHECK(StatusOf(http.Post(kPing)) == 200);
  http.routes->Drain();
  const Json ended = listener.Next();
  CHECK(ended["id"] == "l");
  CHECK(ended["result"]["resultType"] == "complete");
  CHECK(listener.client.IsClosed());
}

TEST_CASE("a token that is revoked ends what its client listens to, without another event") {
  McpHttp http;
  Listener listener(http);
  CHECK(listener.Next()["method"] == "notifications/subscriptions/acknowledged");
  http.fixture.service.knows_no_token = true;
  CHECK(listener.client.IsClosed());
}

TEST_CASE("as many clients listen as may, and one that leaves makes room") {
  McpOptions options;
  options.max_listeners = 2;
  McpHttp http(true, options);
  Listener first(http);
  auto second = std::make_unique<Listener>(http);
  const auto refusal = [&http] { return Listener(http).head; };
  const std::string refused = refusal();
  CHECK(HeaderOf(refused, "Content-Type") == "application/json; charset=utf-8");
  CHECK(JsonOf(refused)["error"]["message"] == "2 clients listen already; list the tools again from time to time");
  second = nullptr;
  // The server finds out at its next look.
  std::unique_ptr<Listener> third;
  do third = std::make_unique<Listener>(http);
  while (HeaderOf(third->head, "Content-Type") != "text/event-stream");
  CHECK(third->Next()["method"] == "notifications/subscriptions/acknowledged");
  CHECK(first.Next()["method"] == "notifications/subscriptions/acknowledged");
}

TEST_CASE("a client that takes no events can't listen, and is told of no such method") {
  McpHttp http;
  Listener listener(http, "application/json");
  CHECK(StatusOf(listener.head) == 404);
  CHECK(JsonOf(listener.head)["error"]["code"] == -32601);
}

TEST_CASE("the project in the URL and the header for redaction limit the calls") {
  McpHttp http;
  http.fixture.service.on_run = [](const QueryRequest&) { return AnswerWith(""); };
  CHECK(StatusOf(http.Post(kQuery, "LF-ENDPOINT-REDACT-PII: true\r\n", "/mcp?project=a%20b")) == 200);
  CHECK(http.fixture.service.requests().back().redact_pii);
  CHECK(StatusOf(http.Post(kQuery, "", "/mcp?projekt=a")) == 400);
  CHECK(StatusOf(http.Post(kQuery, "", "/mcp?project=")) == 400);
}

TEST_CASE("the log has no text of a message that is refused") {
  McpHttp http;
  http.Post(R"({"jsonrpc":"2.0","id":1,"method":"my-secret"})");
  http.Post(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"my-secret"}})");
  http.Post(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query_logs","arguments":{"my-secret":1}}})");
  for (const std::string& line : http.fixture.log_lines.lines()) CHECK(line.find("my-secret") == std::string::npos);
}

}  // namespace
}  // namespace logquery::shim
