// Settings that are wrong at the start, or change while a server in a process of its own runs.
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "lib/base/strings.h"
#include "logquery/clock.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/options/settings.h"
#include "tests/shim/configured_server.h"
#include "tests/shim/server_fixture.h"
#include "tests/support/has.h"

namespace logquery::shim {
namespace {

using testing::Has;

TEST_CASE("tokens from variables are valid after a restart, and an invalid one prevents the start") {
  ConfiguredServer s;
  s.token = "f2b1c9d07a5e4836a1f0c5a7e9d3b4628c0d";
  setenv("LOGQUERY_TEST_TOKEN", s.token.c_str(), 1);
  const std::string from = R"(["LOGQUERY_TEST_TOKEN=all:abc"])";
  s.Start({{"tokens", "null"}, {"token_from", from}, {"supervise", "true"}});
  CHECK(Has(s.Get("/api/endpoints"), "HTTP/1.1 200"));
  std::string children = s.Children();
  REQUIRE_FALSE(children.empty());
  REQUIRE(kill(std::stoi(children), SIGKILL) == 0);
  s.AwaitLog("the server answers again");
  CHECK(Has(s.Get("/api/endpoints"), "HTTP/1.1 200"));
  CHECK(s.End(SIGTERM) == 0);
  CHECK_FALSE(Has(s.log(), s.token));

  setenv("LOGQUERY_TEST_TOKEN", "your-super-secret-and-long-logflare-key-public", 1);
  s.Start({{"tokens", "null"}, {"token_from", from}, {"supervise", "true"}});
  CHECK(s.AwaitEnd() == kExitUsage);
  CHECK(Has(s.log(), "the variable LOGQUERY_TEST_TOKEN: the token has \"your-super-secret\" in it"));
}

TEST_CASE("invalid settings of traces are rejected before anything is served") {
  ConfiguredServer s;
  const auto refused = [&s](const std::map<std::string, std::string>& keys, std::string_view words) {
    s.Start(keys);
    CHECK(s.AwaitEnd() == kExitUsage);
    INFO(s.log());
    CHECK(Has(s.log(), words));
  };
  const std::string url = "\"http://127.0.0.1:4318/v1/traces\"";
  refused({{"trace_to", "\"127.0.0.1:4318\""}}, "--trace-to must be the URL of an OTLP/HTTP collector");
  refused({{"trace_to", "\"http://user:secret@127.0.0.1/v1/traces\""}}, "must not contain a user or a password");
  CHECK_FALSE(Has(s.log(), "secret@"));
  refused({{"trace_share", "0.5"}}, "wants a collector of traces: --trace-to URL");
  refused({{"trace_to", url}, {"trace_share", "1.5"}}, "must be a number from 0 to 1, is 1.5");
  refused({{"trace_to", url}, {"trace_header_from", "\"LOGQUERY_TEST_NOWHERE\""}},
          "the variable LOGQUERY_TEST_NOWHERE is not set");
  setenv("LOGQUERY_TEST_HEADER", "no header", 1);
  refused({{"trace_to", url}, {"trace_header_from", "\"LOGQUERY_TEST_HEADER\""}},
          "must contain one header, NAME: VALUE");
}

TEST_CASE("SIGHUP applies changeable settings, and reports those that need a restart") {
  ConfiguredServer s;
  s.Append(Clock::Real()->Now() - absl::Hours(72));
  s.Start();
  s.Configure({{"stop_timeout", "5"}, {"max_queued", "7"}, {"retain", R"(["edge_logs=90d"])"}});
  REQUIRE(kill(s.process, SIGHUP) == 0);
  s.AwaitLog("the tables are read again");
  CHECK(Has(s.log(), "SIGHUP: stop_timeout: 30 became 5"));
  CHECK(Has(s.log(), "SIGHUP: retain: - became edge_logs=90d"));
  CHECK(Has(s.log(), "SIGHUP: max_queued: 256 became 7, which counts from the next start on"));
  CHECK_FALSE(Has(s.log(), "listen: "));

  s.Configure({{"stop_timeout", "\"5\""}});
  REQUIRE(kill(s.process, SIGHUP) == 0);
  s.AwaitLog("SIGHUP: the settings stay as they were: ");
  CHECK(Has(s.log(), "stop_timeout must be a number from 0 to 3600, is "));
  // A file that another process is writing: what is there is not taken by halves.
  s.Configure({{"stop_timeout", "6"}, {"retain", R"(["edge_logs=80d"])"}});
  const std::string whole = ReadFile(s.folder + "/config.json");
  WriteFile(s.folder + "/config.json", whole.substr(0, whole.size() / 2));
  REQUIRE(kill(s.process, SIGHUP) == 0);
  s.AwaitLog("not JSON: ");
  CHECK_FALSE(Has(s.log(), "became 6"));
  WriteFile(s.folder + "/config.json", whole);
  REQUIRE(kill(s.process, SIGHUP) == 0);
  s.AwaitLog("SIGHUP: stop_timeout: 5 became 6");
  s.AwaitLog("SIGHUP: retain: edge_logs=90d became edge_logs=80d");
  s.Configure({{"retain", R"(["nothing=90d"])"}});
  REQUIRE(kill(s.process, SIGHUP) == 0);
  s.AwaitLog("there is no log nothing");
  CHECK(s.End(SIGTERM) == 0);
}

}  // namespace
}  // namespace logquery::shim
