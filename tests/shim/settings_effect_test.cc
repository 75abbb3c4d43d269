// Each setting has an effect: a server in a process of its own, with a file in which that setting alone is another one.
#include <sys/resource.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/clock.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/options/settings.h"
#include "tests/shim/configured_server.h"
#include "tests/shim/otlp_collector.h"
#include "tests/shim/server_fixture.h"
#include "tests/support/folder_sql.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;
using base::StrCat;
using Serving = ConfiguredServer;

bool Has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

constexpr char kEndlessSql[] =
    "select+count(*)+as+n+from+edge_logs+a+cross+join+edge_logs+b+cross+join+edge_logs+c+where+"
    "concat(a.id,b.id,c.id)='x'";

constexpr char kLogs[] = "/api/endpoints/query/logs.all?project=abc";
const absl::Time kThen = absl::FromUnixSeconds(1'772'600'767);  // 2026-03-04T05:06:07Z
constexpr char kNow[] = "\"2026-03-04T06:00:00Z\"";

using Effects = std::map<std::string, std::function<void(Serving&)>>;

const Effects& EffectsOfKeys() {
  static const auto* const effects = new Effects{
      {"data",
       [](Serving& s) {
         fs::create_directory(s.folder + "/other");
         s.Start({{"data", "\"other\""}});
         s.AwaitLog(s.folder + "/other with DuckDB");
       }},
      {"backend",
       [](Serving& s) {
         WriteFile(s.folder + "/backend.json", R"({"engine": "duckdb", "folder": "data"})");
         s.Start({{"data", "null"}, {"backend", "\"backend.json\""}});
         CHECK_FALSE(s.listening.empty());
       }},
      {"endpoints",
       [](Serving& s) {
         s.Define("SELECT 1 AS one");
         s.Start({{"endpoints", "\"endpoints\""}});
         CHECK(Has(s.Get("/api/endpoints/query/own"), R"({"result":[{"one":1}]})"));
       }},
      {"schema",
       [](Serving& s) {
         WriteFile(s.folder + "/own.json", R"({"app": {"time": "t", "columns": {"t": "TIMESTAMP"}}})");
         s.Start({{"schema", "\"own.json\""}});
         CHECK(fs::is_directory(s.folder + "/data/spool/app"));
       }},
      {"builtin",
       [](Serving& s) {
         s.Define("SELECT 1 AS one");
         s.Start({{"endpoints", "\"endpoints\""}, {"builtin", "false"}});
         CHECK(Has(s.Get(kLogs), "404"));
       }},
      {"default_tier",
       [](Serving& s) {
         s.Append(kThen - absl::Hours(72));
         s.Start({{"default_tier", "\"PRO\""}, {"now", kNow}});
         CHECK(Has(s.Get(kLogs), R"("id":"i0")"));
       }},
      {"now",
       [](Serving& s) {
         s.Define("SELECT STRING(CURRENT_TIMESTAMP()) AS now");
         s.Start({{"endpoints", "\"endpoints\""}, {"now", kNow}});
         CHECK(Has(s.Get("/api/endpoints/query/own"), "2026-03-04 06:00:00+00"));
       }},
      {"time_limit",
       [](Serving& s) {
         s.Append(kThen, 2'000);
         s.Start({{"time_limit", "0.05"}, {"now", kNow}});
         CHECK(Has(s.Get(StrCat(kLogs, "&sql=", kEndlessSql)), "HTTP/1.1 504"));
       }},
      {"memory_limit",
       [](Serving& s) {
         s.Start({{"memory_limit", "64"}});
         CHECK(Has(s.Metrics(), StrCat("logquery_memory_limit_bytes ", 64'000'000 + (384 << 20))));
       }},
      {"engine_threads",
       [](Serving& s) {
         s.Start({{"engine_threads", "60"}});
         const auto tasks = fs::directory_iterator(StrCat("/proc/", s.process, "/task"));
         CHECK(std::distance(fs::begin(tasks), fs::end(tasks)) > 60);
       }},
      {"tokens",
       [](Serving& s) {
         s.token = RunForLine({"token", "create", "--tokens", s.folder + "/other.json", "--all-projects"});
         s.Start({{"tokens", "\"other.json\""}});
         CHECK(Has(s.Get("/api/endpoints"), "HTTP/1.1 200"));
       }},
      {"token_from",
       [](Serving& s) {
         s.token = "f2b1c9d07a5e4836a1f0c5a7e9d3b4628c0d";
         setenv("LOGQUERY_TEST_TOKEN", s.token.c_str(), 1);
         s.Start({{"tokens", "null"}, {"token_from", R"(["LOGQUERY_TEST_TOKEN=read"])"}});
         CHECK(Has(s.Get("/api/endpoints"), "HTTP/1.1 200"));
         CHECK(s.End(SIGTERM) == 0);
         s.Start();
         CHECK(Has(s.Get("/api/endpoints"), "HTTP/1.1 401"));
       }},
      {"spool",
       [](Serving& s) {
         s.Start({{"spool", "\"spool\""}});
         CHECK(fs::is_directory(s.folder + "/spool/edge_logs"));
       }},
      {"retain",
       [](Serving& s) {
         s.Append(Clock::Real()->Now() - absl::Hours(72));
         s.Start({{"retain", R"(["edge_logs=1d"])"}});
         s.AwaitLog("retention: 1 rows of cloudflare.logs.prod");
       }},
      {"confirm_clock",
       [](Serving& s) {
         const absl::Time now = Clock::Real()->Now();
         s.Append(now - absl::Hours(72));
         REQUIRE(testing::TurnClockBack(s.folder + "/data", 200));
         s.Start({{"retain", R"(["edge_logs=1d"])"},
                  {"confirm_clock", absl::FormatTime("\"%Y-%m-%d\"", now, absl::UTCTimeZone())}});
         s.AwaitLog("retention: 1 rows of cloudflare.logs.prod");
       }},
      {"cluster",
       [](Serving& s) {
         s.Append(Clock::Real()->Now() - absl::Hours(120), 31'000);
         s.Start({{"cluster", "100"}});
         s.AwaitLog("clustering: ");
       }},
      {"ingest",
       [](Serving& s) {
         s.Start({{"ingest", "true"}});
         CHECK(Has(s.Get("/api/sources"), "HTTP/1.1 200"));
         CHECK(s.End(SIGTERM) == 0);
         s.Start({{"ingest", "false"}});
         CHECK(Has(s.Get("/api/sources"), "HTTP/1.1 404"));
       }},
      {"mcp",
       [](Serving& s) {
         s.Start({{"mcp", "true"}});
         CHECK(Has(s.Get("/mcp"), "HTTP/1.1 405"));
         CHECK(s.End(SIGTERM) == 0);
         s.Start({{"mcp", "false"}});
         CHECK(Has(s.Get("/mcp"), "HTTP/1.1 404"));
       }},
      {"saved",
       [](Serving& s) {
         s.Start({{"saved", "\"kept\""}});
         CHECK(Has(s.Get("/api/saved"), "HTTP/1.1 200"));
         CHECK(std::filesystem::is_directory(s.folder + "/kept"));
         CHECK(s.End(SIGTERM) == 0);
         s.Start({});
         CHECK(Has(s.Get("/api/saved"), "HTTP/1.1 404"));
       }},
      {"ingest_memory",
       [](Serving& s) {
         s.Start({{"ingest", "true"}, {"ingest_memory", "200"}});
         CHECK(Has(s.Metrics(), StrCat("logquery_ingest_memory_limit_bytes ", 200 << 20)));
       }},
      {"source_ids",
       [](Serving& s) {
         s.token =
             RunForLine({"token", "create", "--tokens", s.folder + "/tokens.json", "--all-projects", "--may-ingest"});
         const auto answer = [&s] {
           RawClient client(s.port);
           client.Send(StrCat(
               "POST /logs?source=0F3C5A7E-9d3b-4628-80df-2b1c9d07a5e4 HTTP/1.1\r\nHost: t\r\nContent-Length: 17\r\n"
               "X-API-KEY: ",
               s.token, "\r\n\r\n[{\"message\":\"a\"}]"));
           return client.Receive();
         };
         s.Start({{"ingest", "true"}});
         CHECK(Has(answer(), "no log has the UUID"));
         CHECK(s.End(SIGTERM) == 0);
         s.Start({{"ingest", "true"}, {"source_ids", R"(["0f3c5a7e-9d3b-4628-80df-2b1c9d07a5e4=auth_logs"])"}});
         CHECK(Has(answer(), "HTTP/1.1 200"));
         CHECK(Has(RunForLine({"stats", "--data", s.folder + "/data", "--format", "json"}),
                   "\"log\":\"auth_logs\",\"rows\":1,"));
       }},
      {"new_sources",
       [](Serving& s) {
         s.token =
             RunForLine({"token", "create", "--tokens", s.folder + "/tokens.json", "--all-projects", "--may-ingest"});
         const auto answer = [&s] {
           RawClient client(s.port);
           client.Send(StrCat(
               "POST /api/logs?source_name=my-app HTTP/1.1\r\nHost: t\r\nContent-Length: 17\r\nX-API-KEY: ", s.token,
               "\r\n\r\n[{\"message\":\"a\"}]"));
           return client.Receive();
         };
         s.Start({{"ingest", "true"}});
         CHECK(Has(answer(), "HTTP/1.1 404"));
         CHECK(s.End(SIGTERM) == 0);
         s.Start({{"ingest", "true"}, {"new_sources", "1"}});
         CHECK(Has(answer(), "HTTP/1.1 200"));
         CHECK(fs::is_directory(s.folder + "/data/spool/my_app"));
       }},
      {"read_only",
       [](Serving& s) {
         s.Append(kThen);
         s.Start({{"read_only", "true"}});
         s.AwaitLog("for reading alone");
         CHECK_FALSE(fs::exists(s.folder + "/data/spool"));
       }},
      {"listen",
       [](Serving& s) {
         s.Start({{"listen", "\"127.0.0.2:0\""}});
         CHECK(Has(s.listening, "http://127.0.0.2:"));
       }},
      {"admin",
       [](Serving& s) {
         s.Start({{"admin", "\"127.0.0.1:0\""}});
         std::string line;
         REQUIRE(std::getline(s.out, line));
         CHECK(Has(line, "admin on http://127.0.0.1:"));
       }},
      {"admin_host",
       [](Serving& s) {
         s.Start({{"admin", "\"127.0.0.1:0\""}, {"admin_host", R"(["metrics.example"])"}});
         std::string line;
         REQUIRE(std::getline(s.out, line));
         const int port = std::stoi(line.substr(line.rfind(':') + 1));
         const auto ask = [port](std::string_view host) {
           RawClient client(port);
           client.Send(StrCat("GET /health HTTP/1.1\r\nHost: ", host, "\r\n\r\n"));
           return StatusOf(client.Receive());
         };
         CHECK(ask("metrics.example:4001") == 200);
         CHECK(ask("127.0.0.1:4001") == 200);
         CHECK(ask("evil.example:4001") == 421);
       }},
      {"query_threads",
       [](Serving& s) {
         s.Start({{"query_threads", "3"}});
         CHECK(Has(s.Metrics(), "logquery_query_threads 3"));
       }},
      {"max_queued",
       [](Serving& s) {
         s.Append(kThen, 2'000);
         s.Start({{"max_queued", "0"}, {"query_threads", "1"}, {"now", kNow}});
         std::thread first([&s] { s.Get(StrCat(kLogs, "&sql=", kEndlessSql)); });
         while (!Has(s.Metrics(), "logquery_queries_running 1")) std::this_thread::yield();
         CHECK(Has(s.Get(kLogs), "HTTP/1.1 503"));
         s.End(SIGKILL);
         first.join();
       }},
      {"max_connections",
       [](Serving& s) {
         s.Start({{"max_connections", "2000"}});
         rlimit limit{};
         REQUIRE(prlimit(s.process, RLIMIT_NOFILE, nullptr, &limit) == 0);
         CHECK(limit.rlim_cur >= std::min<rlim_t>(limit.rlim_max, 8'500));
       }},
      {"least_upload",
       [](Serving& s) {
         s.Start({{"least_upload", "1048576"}});
         RawClient client(std::stoi(s.listening.substr(s.listening.rfind(':') + 1)));
         client.Send(StrCat("POST /api/endpoints/query/logs.all HTTP/1.1\r\nHost: t\r\nX-API-KEY: ", s.token,
                            "\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"));
         CHECK(StatusOf(client.Receive()) == 408);  // after a third of a millisecond
       }},
      {"max_answer",
       [](Serving& s) {
         s.Define("SELECT REPEAT('x', 900000) AS a, REPEAT('y', 900000) AS b");
         s.Start({{"endpoints", "\"endpoints\""}, {"max_answer", "1"}});
         CHECK(Has(s.Get("/api/endpoints/query/own"), "1048576"));
       }},
      {"answer_memory",
       [](Serving& s) {
         s.Define("SELECT REPEAT('x', 900000) AS a");
         s.Start({{"endpoints", "\"endpoints\""}, {"answer_memory", "0"}, {"temp", "\"temp\""}});
         fs::remove(s.folder + "/temp");
         CHECK(Has(s.Get("/api/endpoints/query/own"), "HTTP/1.1 503"));
       }},
      {"kept_answers",
       [](Serving& s) {
         s.Append(kThen, 1);
         for (const bool keeps : {true, false}) {
           s.Start({{"kept_answers", keeps ? "1" : "0"}, {"now", kNow}});
           s.Get(kLogs);
           CHECK(Has(s.Get(kLogs), "Logquery-Cache: current") == keeps);
           CHECK(s.End(SIGTERM) == 0);
         }
       }},
      {"temp",
       [](Serving& s) {
         s.Start({{"temp", "\"nowhere\""}});
         CHECK(s.AwaitEnd() != 0);
         CHECK(Has(s.log(), s.folder + "/nowhere"));
       }},
      {"stop_timeout",
       [](Serving& s) {
         s.Append(kThen, 2'000);
         s.Start({{"stop_timeout", "0"}, {"time_limit", "86400"}, {"now", kNow}});
         std::thread first([&s] { s.Get(StrCat(kLogs, "&sql=", kEndlessSql)); });
         while (!Has(s.Metrics(), "logquery_queries_running 1")) std::this_thread::yield();
         CHECK(s.End(SIGTERM) == 0);  // the query would take longer than any test
         first.join();
       }},
      {"cors_origin",
       [](Serving& s) {
         s.Start({{"cors_origin", R"(["https://pages.example"])"}});
         CHECK(Has(s.Get("/health", "Origin: https://pages.example\r\n"),
                   "Access-Control-Allow-Origin: https://pages.example"));
       }},
      {"console",
       [](Serving& s) {
         s.Start({{"console", "false"}});
         CHECK(Has(s.Get("/"), "HTTP/1.1 404"));
       }},
      {"insecure_http",
       [](Serving& s) {
         s.Start({{"listen", "\"0.0.0.0:0\""}, {"insecure_http", "true"}});
         CHECK(Has(s.listening, "http://0.0.0.0:"));
       }},
      {"trust_forwarded_for",
       [](Serving& s) {
         s.Start({{"trust_forwarded_for", "true"}});
         s.token = "wrong";
         const auto from = [&s](int host) {
           return s.Get("/api/endpoints", StrCat("X-Forwarded-For: 192.0.2.", host, "\r\n"));
         };
         std::string answer;
         for (int i = 0; i < 1'000 && !Has(answer, "HTTP/1.1 429"); ++i) answer = from(1);
         CHECK(Has(answer, "HTTP/1.1 429"));
         CHECK(Has(from(2), "HTTP/1.1 401"));
       }},
      {"api_key_in_query",
       [](Serving& s) {
         s.Start({{"api_key_in_query", "true"}});
         s.AwaitLog("tokens are taken from URLs");
         const std::string token = std::exchange(s.token, "");
         CHECK(Has(s.Get(StrCat("/api/endpoints?api_key=", token)), "HTTP/1.1 200"));
         CHECK(Has(s.Get("/api/endpoints?api_key=wrong"), "HTTP/1.1 401"));
       }},
      {"log_parameters",
       [](Serving& s) {
         s.Start({{"log_parameters", "1"}, {"now", kNow}});
         CHECK(Has(s.Get(StrCat(kLogs, "&sql=select+1+as+a")), "HTTP/1.1 200"));
         s.AwaitLog(R"("parameters":{"project":"abc","sql":"select 1 as a"})");
         CHECK(s.End(SIGTERM) == 0);
         s.Start({{"now", kNow}});
         CHECK(Has(s.Get(StrCat(kLogs, "&sql=select+2+as+b")), "HTTP/1.1 200"));
         CHECK(s.End(SIGTERM) == 0);
         CHECK_FALSE(Has(s.log(), "select 2 as b"));
         CHECK(Has(s.log(), R"("sql_digest":")"));
       }},
      {"trace_to",
       [](Serving& s) {
         const OtlpCollector collector;
         s.Start({{"trace_to", StrCat("\"", collector.url(), "\"")}, {"now", kNow}});
         CHECK(Has(s.Get(kLogs, "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\n"),
                   "HTTP/1.1 200"));
         CHECK(Has(s.Metrics(), "logquery_spans_dropped_total 0"));
         CHECK(s.End(SIGTERM) == 0);  // what waits is sent
         CHECK(SpansNamed(collector.spans(), "GET /api/endpoints/query/{endpoint}").size() == 1);
         CHECK(SpansNamed(collector.spans(), "execute").size() == 1);
       }},
      {"trace_share",
       [](Serving& s) {
         const OtlpCollector collector;
         const std::string to = StrCat("\"", collector.url(), "\"");
         for (const char* share : {"1", "0"}) {
           s.Start({{"trace_to", to}, {"trace_share", share}, {"now", kNow}});
           CHECK(Has(s.Get(kLogs), "HTTP/1.1 200"));
           CHECK(s.End(SIGTERM) == 0);
         }
         CHECK(SpansNamed(collector.spans(), "GET /api/endpoints/query/{endpoint}").size() == 1);
       }},
      {"trace_header_from",
       [](Serving& s) {
         const OtlpCollector collector;
         setenv("LOGQUERY_TEST_HEADER", "Authorization: Bearer of-the-collector", 1);
         s.Start({{"trace_to", StrCat("\"", collector.url(), "\"")},
                  {"trace_share", "1"},
                  {"trace_header_from", "\"LOGQUERY_TEST_HEADER\""},
                  {"now", kNow}});
         CHECK(Has(s.Get(kLogs), "HTTP/1.1 200"));
         CHECK(s.End(SIGTERM) == 0);
         CHECK(Has(collector.last_request(), "Authorization: Bearer of-the-collector\r\n"));
         CHECK_FALSE(Has(s.log(), "of-the-collector"));
       }},
      {"supervise",
       [](Serving& s) {
         s.Start({{"supervise", "true"}});
         CHECK_FALSE(s.Children().empty());
         CHECK(s.End(SIGTERM) == 0);
         s.Start({{"supervise", "false"}});
         CHECK(s.Children().empty());
       }},
  };
  return *effects;
}

TEST_CASE("each setting of the table has an effect", "[serial]") {
  for (const Setting& setting : AllSettings()) {
    DYNAMIC_SECTION(setting.key) {
      const auto effect = EffectsOfKeys().find(std::string(setting.key));
      REQUIRE(effect != EffectsOfKeys().end());
      Serving serving;
      effect->second(serving);
    }
  }
}

TEST_CASE("tokens from variables are valid after a restart, and an invalid one prevents the start") {
  Serving s;
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
  Serving s;
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
  Serving s;
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
