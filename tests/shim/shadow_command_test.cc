// `logquery shadow` against a second server of logquery, which answers slightly differently.
#include "shim/cli/migrate/shadow_command.h"

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "re2/re2.h"
#include "shim/cli/options/command_line.h"
#include "tests/shim/configured_server.h"

namespace logquery::shim {
namespace {

using base::StrCat;
using Json = nlohmann::ordered_json;

const absl::Time kThen = absl::FromUnixSeconds(1'772'600'767);

struct Outcome {
  int code;
  std::string out;  // times are T
  std::string err;
};

// Two servers: here there is one row more, and other rows of the endpoint own.
struct TwoServers {
  TwoServers() {
    const std::map<std::string, std::string> keys = {{"endpoints", "\"endpoints\""},
                                                     {"now", "\"2026-03-04T06:00:00Z\""}};
    there.Append(kThen, 3);
    here.Append(kThen, 3);
    here.Append(kThen + absl::Minutes(1), 1);
    there.Define("SELECT n FROM UNNEST([1, 2, 3]) AS n");
    here.Define("SELECT CAST(n AS FLOAT64) AS n FROM UNNEST([3, 1, 2]) AS n");
    there.Start(keys);
    here.Start(keys);
    WriteFile(there.folder + "/token", there.token + "\n");
    WriteFile(here.folder + "/token", here.token);
  }
  std::string Url(const ConfiguredServer& server) const { return StrCat("http://127.0.0.1:", server.port); }

  Outcome Shadow(const std::string& calls, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"logquery",
                                          "shadow",
                                          "--against",
                                          Url(there),
                                          "--here",
                                          Url(here),
                                          "--token-file",
                                          there.folder + "/token",
                                          "--here-token-file",
                                          here.folder + "/token",
                                          "--rate",
                                          "1000",
                                          "--pause",
                                          "0"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::vector<const char*> argv;
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    std::istringstream in(calls);
    std::ostringstream out, err;
    const int code = RunCommandLine(static_cast<int>(argv.size()), argv.data(), {in, out, err});
    std::string text = out.str();
    RE2::GlobalReplace(&text, "\\d+\\.\\d ms", "T");
    for (const std::string& token : {there.token, here.token}) {
      CHECK((text + err.str()).find(token) == std::string::npos);
    }
    return {code, text, err.str()};
  }

  ConfiguredServer there;
  ConfiguredServer here;
};

constexpr char kOwn[] = "/api/endpoints/query/own\n";
constexpr char kLogs[] = "/api/endpoints/query/logs.all?project=abc\n";

TEST_CASE("calls are repeated on both servers, and differences are printed") {
  const TwoServers servers;
  const Outcome equal = servers.Shadow(StrCat(std::string_view(kOwn), "nothing\n\n"));
  INFO(equal.err);
  CHECK(equal.out ==
        "own: 1 call; median T there, T here; 95 % within T there, T here\n"
        "1 call: 1 equal, 0 different, 0 not compared; 1 line without a call\n");
  CHECK(equal.code == kExitOk);

  // A caller's SQL says itself whether its order counts; a long one goes by POST.
  const std::string sql = R"({"endpoint":"logs.all","parameters":{"project":"abc","sql":"select 1 as a"}})";
  const std::string wrong = R"({"endpoint":"logs.all","parameters":{"project":"abc","sql":"selct 1"}})";
  const std::string longer = StrCat(R"({"endpoint":"logs.all","parameters":{"project":"abc","sql":"select 2 as b -- )",
                                    std::string(5'000, 'x'), "\"}}");
  const Outcome different = servers.Shadow(StrCat(kLogs, sql, "\n", wrong, "\n", longer, "\n"));
  CHECK(different.code == kExitFindings);
  CHECK(
      different.out.starts_with("different: logs.all project=abc\n  3 rows there, 4 here: 0 only there, 1 only here; "
                                "T there, T here\n  + {"));
  CHECK(
      different.out.ends_with("4 calls: 3 equal (1 an error), 1 different, 0 not compared; 0 lines without a call\n"));
  // A call whose answers differ is repeated before it counts.
  CHECK(servers.here.Metrics().find("logquery_calls_total{endpoint=\"logs.all\",status=\"OK\"} 4\n") !=
        std::string::npos);
}

TEST_CASE("JSON output has an object for each call, and one at the end") {
  const TwoServers servers;
  const Outcome outcome = servers.Shadow(StrCat(kOwn, kLogs), {"--format", "json", "--again", "0"});
  CHECK(outcome.code == kExitFindings);
  std::vector<Json> lines;
  std::istringstream text(outcome.out);
  for (std::string line; std::getline(text, line);) lines.push_back(Json::parse(line));
  REQUIRE(lines.size() == 3);
  CHECK(lines[0]["outcome"] == "equal");
  CHECK(lines[0]["endpoint"] == "own");
  CHECK(lines[0]["there"]["rows"] == 3);
  CHECK(lines[0]["there"]["status"] == 200);
  CHECK(lines[1]["outcome"] == "different");
  CHECK(lines[1]["parameters"] == Json({{"project", "abc"}}));
  CHECK(lines[1]["only_there"].empty());
  CHECK(lines[1]["only_here"].size() == 1);
  CHECK(lines[2]["calls"] == 2);
  CHECK(lines[2]["different"] == 1);
  CHECK(lines[2]["endpoints"]["own"]["calls"] == 1);
}

TEST_CASE("a server's log of calls is replayed, up to the requested number") {
  ConfiguredServer server;
  server.Append(kThen, 3);
  server.Start({{"log_parameters", "1"}, {"now", "\"2026-03-04T06:00:00Z\""}});
  CHECK(server.Get("/api/endpoints/query/logs.all?project=abc&sql=select+id+from+edge_logs").find(" 200 ") !=
        std::string::npos);
  CHECK(server.Get("/api/endpoints/query/logs.all?project=abc", "LF-ENDPOINT-REDACT-PII: true\r\n").find(" 200 ") !=
        std::string::npos);
  CHECK(server.Get("/api/endpoints/query/logs.all?dry_run=true&sql=select+1").find(" 200 ") != std::string::npos);
  server.AwaitLog("\"redact_pii\":true");
  const std::string log = server.log();
  const TwoServers servers;
  const Outcome all = servers.Shadow(log, {"--tolerance", "0"});
  CHECK(all.out.find("logs.all: 2 calls; ") != std::string::npos);
  CHECK(all.out.find("different: logs.all project=abc (redacted)\n") != std::string::npos);
  CHECK(servers.Shadow(log, {"--calls", "1", "-"}).out.find("\n1 call: ") != std::string::npos);
}

TEST_CASE("a call that could not be compared does not count as equal") {
  TwoServers servers;
  WriteFile(servers.here.folder + "/token", "lq_wrong");
  const Outcome refused = servers.Shadow(kOwn);
  CHECK(refused.code == kExitFailed);
  CHECK(
      refused.out ==
      "not compared: own\n  here: status 401\n1 call: 0 equal, 0 different, 1 not compared; 0 lines without a call\n");
  servers.there.End(SIGTERM);
  const Outcome gone = servers.Shadow(kOwn);
  CHECK(gone.code == kExitFailed);
  CHECK(gone.out.starts_with("not compared: own\n  there: "));

  const Outcome nothing = servers.Shadow("{\"message\":\"request\"}\n");
  CHECK(nothing.code == kExitFailed);
  CHECK(nothing.err.find("there was no call to compare: a line is a URL") != std::string::npos);
  CHECK(servers.Shadow("", {"nowhere.log"}).err == "logquery: can't read nowhere.log: No such file or directory\n");
  CHECK(servers.Shadow("", {"--endpoints", "nowhere"}).code == kExitFailed);
}

TEST_CASE("secrets come from files and variables, and invalid options are reported") {
  const auto run = [](std::vector<const char*> argv) {
    argv.insert(argv.begin(), {"logquery", "shadow"});
    std::istringstream in;
    std::ostringstream out, err;
    const int code = RunCommandLine(static_cast<int>(argv.size()), argv.data(), {in, out, err});
    CHECK(code != kExitOk);
    return err.str();
  };
  CHECK(run({"--against", "logs.example"}).find("--against must be the URL of a server") != std::string::npos);
  CHECK(run({"--against", "http://h", "--here", "x"}).find("--here must be the URL of a server") != std::string::npos);
  CHECK(run({"--against", "http://h", "--token-env", "LOGQUERY_TEST_NOWHERE"})
            .find("the variable LOGQUERY_TEST_NOWHERE is not set") != std::string::npos);
  CHECK(run({"--against", "http://h", "--token-file", "nowhere"}).find("can't read the secret in nowhere") !=
        std::string::npos);
  CHECK(run({"--against", "http://h", "--rate", "0"}).find("--rate") != std::string::npos);
  CHECK(run({}).find("--against is required") != std::string::npos);
}

}  // namespace
}  // namespace logquery::shim
