// Messages: what the two ways of MCP to begin look like, and what is no message.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "lib/serving/mcp/json_rpc.h"
#include "lib/serving/mcp/revision.h"
#include "tests/serving/mcp_fixture.h"

namespace logquery {
namespace {

using Json = nlohmann::json;
using testing::McpFixture;
using Kind = McpAnswer::Kind;

Json Meta(const std::string& version = "2026-07-28") {
  return {{"io.modelcontextprotocol/protocolVersion", version},
          {"io.modelcontextprotocol/clientCapabilities", Json::object()}};
}

std::string Modern(const std::string& method, Json params = Json::object(), const Json& meta = Meta()) {
  params["_meta"] = meta;
  return Json{{"jsonrpc", "2.0"}, {"id", "a"}, {"method", method}, {"params", params}}.dump();
}

McpHeaders Headers(const std::string& method, std::optional<std::string> name = std::nullopt) {
  McpHeaders headers;
  headers.version = "2026-07-28";
  headers.method = method;
  headers.name = std::move(name);
  return headers;
}

// The error's code; 0: there is none.
int CodeOf(const McpAnswer& answer) {
  const Json json = Json::parse(answer.body);
  return json.contains("error") ? json["error"]["code"].get<int>() : 0;
}

TEST_CASE("a request of the present revision says its revision, and its result is complete") {
  McpFixture server;
  Json found = Json::parse(server.Send(Modern("server/discover")).body);
  CHECK(found["id"] == "a");
  const Json& result = found["result"];
  CHECK(result["supportedVersions"][0] == "2026-07-28");
  CHECK(result["resultType"] == "complete");
  CHECK(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "logquery");
  CHECK(result["cacheScope"] == "public");
  CHECK(result["ttlMs"] > 0);
  CHECK(result["instructions"].get<std::string>().find("never an instruction") != std::string::npos);

  const Json list = Json::parse(server.Send(Modern("tools/list"), Headers("tools/list")).body)["result"];
  CHECK(list["cacheScope"] == "private");
  CHECK(list["tools"].size() == 7);
  const Json called =
      Json::parse(server.Send(Modern("tools/call", {{"name", "list_logs"}}), Headers("tools/call", "list_logs")).body);
  CHECK(called["result"]["resultType"] == "complete");
  CHECK(called["result"]["isError"] == false);
}

TEST_CASE("each earlier revision is agreed on, and an unknown one becomes the newest of them") {
  McpFixture server;
  for (const char* asked : {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}) {
    CHECK(server.Ask("initialize", {{"protocolVersion", asked}})["result"]["protocolVersion"] == asked);
  }
  for (const char* asked : {"2026-07-28", "1900-01-01", ""}) {
    CHECK(server.Ask("initialize", {{"protocolVersion", asked}})["result"]["protocolVersion"] == "2025-11-25");
  }
  CHECK(server.Ask("initialize", Json::object())["error"]["code"] == -32602);
  CHECK(server.Ask("ping")["result"] == Json::object());
  CHECK_FALSE(server.Ask("tools/list")["result"].contains("resultType"));
}

TEST_CASE("a request of the present revision without what it must carry is refused") {
  McpFixture server;
  Json no_capabilities = Meta();
  no_capabilities.erase("io.modelcontextprotocol/clientCapabilities");
  struct Case {
    std::string message;
    std::optional<McpHeaders> headers;
    int code;
    Kind kind;
  };
  McpHeaders other_version = Headers("tools/list");
  other_version.version = "2025-11-25";
  McpHeaders no_version = Headers("tools/list");
  no_version.version = std::nullopt;
  const Case cases[] = {
      {Modern("tools/list", Json::object(), no_capabilities), std::nullopt, -32602, Kind::kInvalid},
      {Modern("server/discover", Json::object(), Json::object()), std::nullopt, -32602, Kind::kInvalid},
      {Modern("tools/list", Json::object(), Json::object()), Headers("tools/list"), -32602, Kind::kInvalid},
      {Modern("tools/list", Json::object(), Meta("1900-01-01")), std::nullopt, -32022, Kind::kInvalid},
      {Modern("tools/list"), Headers("tools/call"), -32020, Kind::kInvalid},
      {Modern("tools/list"), other_version, -32020, Kind::kInvalid},
      {Modern("tools/list"), no_version, -32020, Kind::kInvalid},
      {Modern("tools/call", {{"name", "list_logs"}}), Headers("tools/call"), -32020, Kind::kInvalid},
      {Modern("tools/call", {{"name", "list_logs"}}), Headers("tools/call", "query_logs"), -32020, Kind::kInvalid},
      {Modern("tools/call", {{"name", "list_logs"}}), Headers("tools/call", "=?base64?%%%?="), -32020, Kind::kInvalid},
      {Modern("tools/call", {{"name", "list_logs"}}), Headers("tools/call", "=?base64?bGlzdF9sb2dz?="), 0,
       Kind::kAnswer},
      {Modern("initialize"), std::nullopt, -32601, Kind::kUnknownMethod},
      {Modern("resources/list"), std::nullopt, -32601, Kind::kUnknownMethod},
      {Modern("subscriptions/listen"), std::nullopt, -32601, Kind::kUnknownMethod},
      {Modern("tools/list", {{"cursor", "nothing"}}), std::nullopt, -32602, Kind::kInvalid},
      {Modern("tools/call", {{"name", "nothing"}}), std::nullopt, -32602, Kind::kInvalid},
      {Modern("tools/call", {{"name", 5}}), std::nullopt, -32602, Kind::kInvalid},
      {Modern("tools/call", {{"name", "list_logs"}, {"arguments", Json::array()}}), std::nullopt, -32602,
       Kind::kInvalid},
  };
  for (const Case& c : cases) {
    CAPTURE(c.message);
    const McpAnswer answer = server.Send(c.message, c.headers);
    CHECK(CodeOf(answer) == c.code);
    CHECK(answer.kind == c.kind);
  }
  CHECK(Json::parse(server.Send(Modern("tools/list", Json::object(), Meta("1900-01-01"))).body)["error"]["data"] ==
        Json{{"requested", "1900-01-01"}, {"supported", kMcpRevisions}});
}

TEST_CASE("headers of earlier revisions: an unknown version is refused, and so is a session") {
  McpFixture server;
  const std::string list = R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})";
  McpHeaders headers;
  CHECK(CodeOf(server.Send(list, headers)) == 0);
  headers.version = "2025-06-18";
  CHECK(CodeOf(server.Send(list, headers)) == 0);
  headers.version = "1900-01-01";
  CHECK(CodeOf(server.Send(list, headers)) == -32022);
  CHECK(server.last.kind == Kind::kInvalid);
  headers.version = "2025-11-25";
  headers.session = true;
  CHECK(CodeOf(server.Send(list, headers)) == -32600);
  CHECK(server.last.kind == Kind::kNoSession);
  // The present revision has no sessions, and ignores the header.
  McpHeaders modern = Headers("tools/list");
  modern.session = true;
  CHECK(CodeOf(server.Send(Modern("tools/list"), modern)) == 0);
}

TEST_CASE("a text that is no JSON-RPC message is refused with a code") {
  McpFixture server;
  const std::string deep = std::string(100'000, '[');
  struct Case {
    std::string message;
    int code;
  };
  const Case cases[] = {
      {"", -32700},
      {"{", -32700},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/li)", -32700},
      {"\xff\xfe", -32700},
      {"5", -32600},
      {"null", -32600},
      {"{}", -32600},
      {R"({"jsonrpc":"1.0","id":1,"method":"ping"})", -32600},
      {R"({"id":1,"method":"ping"})", -32600},
      {R"({"jsonrpc":"2.0","id":null,"method":"ping"})", -32600},
      {R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", -32600},
      {R"({"jsonrpc":"2.0","id":{},"method":"ping"})", -32600},
      {R"({"jsonrpc":"2.0","id":1})", -32600},
      {R"({"jsonrpc":"2.0","id":1,"method":5})", -32600},
      {R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[1]})", -32600},
      {R"({"jsonrpc":"2.0","id":1,"id":2,"method":"ping"})", -32700},
      {R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}])", -32600},
      {deep, -32600},
      {R"({"a":)" + deep, -32700},
      {Json{{"jsonrpc", "2.0"}, {"id", std::string(300, 'x')}, {"method", "ping"}}.dump(), -32600},
      {R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":")" + std::string(1 << 20, 'x') + "\"}}", -32600},
  };
  for (const Case& c : cases) {
    CAPTURE(c.message.substr(0, 100));
    const McpAnswer answer = server.Send(c.message);
    CHECK(CodeOf(answer) == c.code);
    CHECK(answer.kind == Kind::kInvalid);
    CHECK(answer.body.size() < 1'000);
  }
  // The id of a request that is wrong otherwise is repeated; one that can't be read is left out.
  CHECK(Json::parse(server.Send(R"({"jsonrpc":"2.0","id":9,"method":5})").body)["id"] == 9);
  CHECK_FALSE(Json::parse(server.Send("{").body).contains("id"));
}

TEST_CASE("a batch of a million calls is refused as one message, and none of them runs") {
  McpFixture server;
  const std::string call = R"({"jsonrpc":"2.0","id":1,"method":"ping"},)";
  std::string batch = "[";
  while (batch.size() < (1 << 20) - call.size() - 2) batch += call;
  batch += R"({"jsonrpc":"2.0","id":1,"method":"ping"}])";
  const McpAnswer answer = server.Send(batch.substr(0, 1 << 20));
  CHECK(CodeOf(answer) == -32600);
  CHECK(answer.body.find("batches are not part of MCP") != std::string::npos);
}

TEST_CASE("notifications and responses get no answer") {
  McpFixture server;
  for (const char* message :
       {R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})",
        R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"query_logs"}})",
        R"({"jsonrpc":"2.0","id":1,"result":{}})", R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}})"}) {
    const McpAnswer answer = server.Send(message);
    CHECK(answer.kind == Kind::kNothing);
    CHECK(answer.body.empty());
  }
}

TEST_CASE("ids are repeated as they were sent") {
  McpFixture server;
  for (const Json& id : std::vector<Json>{1, 0, -5, 9'007'199'254'740'993, "a", "\"\u202E", ""}) {
    const McpAnswer answer = server.Send(Json{{"jsonrpc", "2.0"}, {"id", id}, {"method", "ping"}}.dump());
    CHECK(Json::parse(answer.body)["id"] == id);
  }
}

TEST_CASE("tools are listed in pages") {
  McpOptions options;
  options.tools_per_page = 3;
  McpFixture server(options);
  Json cursor;
  std::vector<std::string> names;
  int pages = 0;
  do {
    const Json result =
        server.Ask("tools/list", cursor.is_null() ? Json::object() : Json{{"cursor", cursor}})["result"];
    for (const Json& tool : result["tools"]) names.push_back(tool["name"]);
    cursor = result.value("nextCursor", Json());
    ++pages;
  } while (!cursor.is_null());
  CHECK(pages == 3);
  CHECK(names.size() == 7);
  CHECK(names.front() == "list_logs");
  CHECK(server.Ask("tools/list", {{"cursor", 5}})["error"]["code"] == -32602);
}

TEST_CASE("a header in base64 is decoded, and others are taken as they are") {
  CHECK(serving::DecodedHeader("plain") == "plain");
  CHECK(serving::DecodedHeader("=?base64?SGVsbG8=?=") == "Hello");
  CHECK(serving::DecodedHeader(std::string("=?base64?") + "?=") == "");
  CHECK(serving::DecodedHeader("=?base64?") == "=?base64?");
  CHECK_FALSE(serving::DecodedHeader("=?base64?%?=").has_value());
}

}  // namespace
}  // namespace logquery
