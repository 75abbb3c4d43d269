// `logquery mcp --url`: messages on standard input go to the /mcp of a running server.
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "tests/shim/command_run.h"
#include "tests/shim/configured_server.h"

namespace logquery::shim {
namespace {

using Json = nlohmann::json;
using base::StrCat;

std::string Request(int id, const std::string& method, const Json& params = Json::object()) {
  return Json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}.dump() + "\n";
}

std::string CountCall(int id) {
  return Request(
      id, "tools/call",
      {{"name", "query_logs"}, {"arguments", {{"project", "abc"}, {"sql", "select count(*) as n from edge_logs"}}}});
}

// A server with three edge logs of the project abc.
struct Served {
  explicit Served(const std::string& mcp = "true") {
    server.Append(absl::FromUnixSeconds(1'772'600'767), 3);
    server.Start({{"mcp", mcp}, {"now", "\"2026-03-04T06:00:00Z\""}});
    url = StrCat("http://127.0.0.1:", server.port);
    WriteFile(token_file(), server.token);
  }
  std::string token_file() const { return server.folder + "/token"; }
  // The answers by their ids.
  std::map<int, Json> Serve(const std::string& input, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"mcp", "--url", url, "--token-file", token_file()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = RunCommand(arguments, input);
    INFO(outcome.err);
    CHECK(outcome.code == kExitOk);
    std::map<int, Json> answers;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) {
      const Json answer = Json::parse(line);
      answers[answer.value("id", -1)] = answer;
    }
    return answers;
  }

  ConfiguredServer server;
  std::string url;
};

const Json& RowsOf(const Json& answer) { return answer["result"]["structuredContent"]["rows"]; }

TEST_CASE("mcp --url passes messages on to a server, with the token's rights") {
  const Served served;
  const std::string notification = R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
                                   "\n";
  const std::map<int, Json> answers =
      served.Serve(Request(1, "tools/list") + notification + CountCall(2) + Request(3, "nothing") + "[]\n{\n");
  REQUIRE(answers.size() == 4);
  CHECK(answers.at(1)["result"]["tools"][0]["name"] == "list_logs");
  CHECK(RowsOf(answers.at(2)) == Json::parse(R"([{"n":3}])"));
  CHECK(answers.at(3)["error"]["code"] == -32601);
  CHECK(answers.at(-1)["error"]["code"].is_number());  // text that is no message
  // The address of clients that speak HTTP is one, too, and a project narrows the token.
  Served narrow;
  narrow.url += "/mcp/";
  const std::map<int, Json> narrowed = narrow.Serve(CountCall(1), {"--project", "b"});
  CHECK(RowsOf(narrowed.at(1)) == Json::parse(R"([{"n":0}])"));
}

TEST_CASE("an answer that is no message becomes an error of JSON-RPC") {
  const Served served("false");
  const Json without = served.Serve(CountCall(1)).at(1)["error"];
  CHECK(without["code"] == -32603);
  CHECK(without["data"]["http_status"] == 404);
  CHECK(Has(without["message"].get<std::string>(), StrCat(served.url, " answered 404: ")));
  CHECK(Has(without["message"].get<std::string>(), "; a server started with --mcp has /mcp"));
  WriteFile(served.token_file(), "lq_unknown");
  const Json unknown = served.Serve(CountCall(1)).at(1)["error"];
  CHECK(unknown["message"].get<std::string>().find(StrCat(served.url, " answered 40")) == 0);
  // A notification that fails has no answer.
  CHECK(served
            .Serve(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
                   "\n")
            .empty());
}

TEST_CASE("mcp --url survives a token that is replaced and a server that goes away") {
  Served served;
  WriteFile(served.token_file(), "lq_old");
  const Json expired = served.Serve(CountCall(1)).at(1)["error"];
  CHECK(expired["code"] == -32603);
  CHECK(expired["data"]["http_status"] == 401);
  CHECK(Has(expired["message"].get<std::string>(), "answered 401: "));
  WriteFile(served.token_file(), served.server.token);
  CHECK(RowsOf(served.Serve(CountCall(1)).at(1)) == Json::parse(R"([{"n":3}])"));
  served.server.End(SIGTERM);
  const std::map<int, Json> gone = served.Serve(CountCall(1) + Request(2, "tools/list"));
  REQUIRE(gone.size() == 2);
  for (const auto& [id, answer] : gone) {
    CHECK(answer["error"]["code"] == -32603);
    CHECK(answer["error"]["message"].get<std::string>().find(served.url + ": ") == 0);
  }
}

TEST_CASE("the command line of mcp --url is checked before a message is read") {
  const Outcome url = RunCommand({"mcp", "--url", "logs.example"}, Request(1, "ping"));
  CHECK(url.code == kExitUsage);
  CHECK(url.out.empty());
  CHECK(Has(url.err, "--url must be the URL of a server"));
  CHECK(RunCommand({"mcp", "--url", "http://127.0.0.1:1", "--data", "data"}).code == kExitUsage);
  CHECK(RunCommand({"mcp", "--data", "data", "--token-file", "token"}).code == kExitUsage);
  CHECK(RunCommand({"mcp", "--url", "http://127.0.0.1:1", "--token-file", "/absent/token"}).code == kExitFailed);
}

}  // namespace
}  // namespace logquery::shim
