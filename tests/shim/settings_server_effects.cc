// Settings of the server: its listeners, limits and observation.
#include <sys/resource.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <filesystem>
#include <thread>

#include "lib/base/strings.h"
#include "tests/shim/otlp_collector.h"
#include "tests/shim/server_fixture.h"
#include "tests/shim/settings_effects.h"
#include "tests/support/has.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;
using base::StrCat;
using testing::Has;

constexpr char kEndlessSql[] =
    "select+count(*)+as+n+from+edge_logs+a+cross+join+edge_logs+b+cross+join+edge_logs+c+where+"
    "concat(a.id,b.id,c.id)='x'";
constexpr char kLogs[] = "/api/endpoints/query/logs.all?project=abc";
const absl::Time kThen = absl::FromUnixSeconds(1'772'600'767);  // 2026-03-04T05:06:07Z
constexpr char kNow[] = "\"2026-03-04T06:00:00Z\"";

}  // namespace

SettingEffects EffectsOfServerSettings() {
  return {
      {"listen",
       [](ConfiguredServer& s) {
         s.Start({{"listen", "\"127.0.0.2:0\""}});
         CHECK(Has(s.listening, "http://127.0.0.2:"));
       }},
      {"admin",
       [](ConfiguredServer& s) {
         s.Start({{"admin", "\"127.0.0.1:0\""}});
         std::string line;
         REQUIRE(std::getline(s.out, line));
         CHECK(Has(line, "admin on http://127.0.0.1:"));
       }},
      {"admin_host",
       [](ConfiguredServer& s) {
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
       [](ConfiguredServer& s) {
         s.Start({{"query_threads", "3"}});
         CHECK(Has(s.Metrics(), "logquery_query_threads 3"));
       }},
      {"max_queued",
       [](ConfiguredServer& s) {
         s.Append(kThen, 2'000);
         s.Start({{"max_queued", "0"}, {"query_threads", "1"}, {"now", kNow}});
         std::thread first([&s] { s.Get(StrCat(kLogs, "&sql=", kEndlessSql)); });
         while (!Has(s.Metrics(), "logquery_queries_running 1")) std::this_thread::yield();
         CHECK(Has(s.Get(kLogs), "HTTP/1.1 503"));
         s.End(SIGKILL);
         first.join();
       }},
      {"max_connections",
       [](ConfiguredServer& s) {
         s.Start({{"max_connections", "2000"}});
         rlimit limit{};
         REQUIRE(prlimit(s.process, RLIMIT_NOFILE, nullptr, &limit) == 0);
         CHECK(limit.rlim_cur >= std::min<rlim_t>(limit.rlim_max, 8'500));
       }},
      {"least_upload",
       [](ConfiguredServer& s) {
         s.Start({{"least_upload", "1048576"}});
         RawClient client(std::stoi(s.listening.substr(s.listening.rfind(':') + 1)));
         client.Send(StrCat("POST /api/endpoints/query/logs.all HTTP/1.1\r\nHost: t\r\nX-API-KEY: ", s.token,
                            "\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"));
         CHECK(StatusOf(client.Receive()) == 408);  // after a third of a millisecond
       }},
      {"max_answer",
       [](ConfiguredServer& s) {
         s.Define("SELECT REPEAT('x', 900000) AS a, REPEAT('y', 900000) AS b");
         s.Start({{"endpoints", "\"endpoints\""}, {"max_answer", "1"}});
         CHECK(Has(s.Get("/api/endpoints/query/own"), "1048576"));
       }},
      {"answer_memory",
       [](ConfiguredServer& s) {
         s.Define("SELECT REPEAT('x', 900000) AS a");
         s.Start({{"endpoints", "\"endpoints\""}, {"answer_memory", "0"}, {"temp", "\"temp\""}});
         fs::remove(s.folder + "/temp");
         CHECK(Has(s.Get("/api/endpoints/query/own"), "HTTP/1.1 503"));
       }},
      {"kept_answers",
       [](ConfiguredServer& s) {
         s.Append(kThen, 1);
         for (const bool keeps : {true, false}) {
           s.Start({{"kept_answers", keeps ? "1" : "0"}, {"now", kNow}});
           s.Get(kLogs);
           CHECK(Has(s.Get(kLogs), "Logquery-Cache: current") == keeps);
           CHECK(s.End(SIGTERM) == 0);
         }
       }},
      {"temp",
       [](ConfiguredServer& s) {
         s.Start({{"temp", "\"nowhere\""}});
         CHECK(s.AwaitEnd() != 0);
         CHECK(Has(s.log(), s.folder + "/nowhere"));
       }},
      {"stop_timeout",
       [](ConfiguredServer& s) {
         s.Append(kThen, 2'000);
         s.Start({{"stop_timeout", "0"}, {"time_limit", "86400"}, {"now", kNow}});
         std::thread first([&s] { s.Get(StrCat(kLogs, "&sql=", kEndlessSql)); });
         while (!Has(s.Metrics(), "logquery_queries_running 1")) std::this_thread::yield();
         CHECK(s.End(SIGTERM) == 0);  // the query would take longer than any test
         first.join();
       }},
      {"cors_origin",
       [](ConfiguredServer& s) {
         s.Start({{"cors_origin", R"(["https://pages.example"])"}});
         CHECK(Has(s.Get("/health", "Origin: https://pages.example\r\n"),
                   "Access-Control-Allow-Origin: https://pages.example"));
       }},
      {"console",
       [](ConfiguredServer& s) {
         s.Start({{"console", "false"}});
         CHECK(Has(s.Get("/"), "HTTP/1.1 404"));
       }},
      {"insecure_http",
       [](ConfiguredServer& s) {
         s.Start({{"listen", "\"0.0.0.0:0\""}, {"insecure_http", "true"}});
         CHECK(Has(s.listening, "http://0.0.0.0:"));
       }},
      {"trust_forwarded_for",
       [](ConfiguredServer& s) {
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
       [](ConfiguredServer& s) {
         s.Start({{"api_key_in_query", "true"}});
         s.AwaitLog("tokens are taken from URLs");
         const std::string token = std::exchange(s.token, "");
         CHECK(Has(s.Get(StrCat("/api/endpoints?api_key=", token)), "HTTP/1.1 200"));
         CHECK(Has(s.Get("/api/endpoints?api_key=wrong"), "HTTP/1.1 401"));
       }},
      {"log_parameters",
       [](ConfiguredServer& s) {
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
       [](ConfiguredServer& s) {
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
       [](ConfiguredServer& s) {
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
       [](ConfiguredServer& s) {
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
       [](ConfiguredServer& s) {
         s.Start({{"supervise", "true"}});
         CHECK_FALSE(s.Children().empty());
         CHECK(s.End(SIGTERM) == 0);
         s.Start({{"supervise", "false"}});
         CHECK(s.Children().empty());
       }},
  };
}

}  // namespace logquery::shim
