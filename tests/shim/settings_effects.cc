// Settings of the folder, its logs and definitions: each effect sets one and checks what the server does differently.
#include "tests/shim/settings_effects.h"

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <filesystem>

#include "lib/base/strings.h"
#include "tests/shim/server_fixture.h"
#include "tests/support/folder_sql.h"
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

SettingEffects EffectsOfFolderSettings() {
  return {
      {"data",
       [](ConfiguredServer& s) {
         fs::create_directory(s.folder + "/other");
         s.Start({{"data", "\"other\""}});
         s.AwaitLog(s.folder + "/other with DuckDB");
       }},
      {"backend",
       [](ConfiguredServer& s) {
         WriteFile(s.folder + "/backend.json", R"({"engine": "duckdb", "folder": "data"})");
         s.Start({{"data", "null"}, {"backend", "\"backend.json\""}});
         CHECK_FALSE(s.listening.empty());
       }},
      {"endpoints",
       [](ConfiguredServer& s) {
         s.Define("SELECT 1 AS one");
         s.Start({{"endpoints", "\"endpoints\""}});
         CHECK(Has(s.Get("/api/endpoints/query/own"), R"({"result":[{"one":1}]})"));
       }},
      {"schema",
       [](ConfiguredServer& s) {
         WriteFile(s.folder + "/own.json", R"({"app": {"time": "t", "columns": {"t": "TIMESTAMP"}}})");
         s.Start({{"schema", "\"own.json\""}});
         CHECK(fs::is_directory(s.folder + "/data/spool/app"));
       }},
      {"builtin",
       [](ConfiguredServer& s) {
         s.Define("SELECT 1 AS one");
         s.Start({{"endpoints", "\"endpoints\""}, {"builtin", "false"}});
         CHECK(Has(s.Get(kLogs), "404"));
       }},
      {"default_tier",
       [](ConfiguredServer& s) {
         s.Append(kThen - absl::Hours(72));
         s.Start({{"default_tier", "\"PRO\""}, {"now", kNow}});
         CHECK(Has(s.Get(kLogs), R"("id":"i0")"));
       }},
      {"now",
       [](ConfiguredServer& s) {
         s.Define("SELECT STRING(CURRENT_TIMESTAMP()) AS now");
         s.Start({{"endpoints", "\"endpoints\""}, {"now", kNow}});
         CHECK(Has(s.Get("/api/endpoints/query/own"), "2026-03-04 06:00:00+00"));
       }},
      {"time_limit",
       [](ConfiguredServer& s) {
         s.Append(kThen, 2'000);
         s.Start({{"time_limit", "0.05"}, {"now", kNow}});
         CHECK(Has(s.Get(StrCat(kLogs, "&sql=", kEndlessSql)), "HTTP/1.1 504"));
       }},
      {"memory_limit",
       [](ConfiguredServer& s) {
         s.Start({{"memory_limit", "64"}});
         CHECK(Has(s.Metrics(), StrCat("logquery_memory_limit_bytes ", 64'000'000 + (384 << 20))));
       }},
      {"engine_threads",
       [](ConfiguredServer& s) {
         s.Start({{"engine_threads", "60"}});
         const auto tasks = fs::directory_iterator(StrCat("/proc/", s.process, "/task"));
         CHECK(std::distance(fs::begin(tasks), fs::end(tasks)) > 60);
       }},
      {"tokens",
       [](ConfiguredServer& s) {
         s.token = RunForLine({"token", "create", "--tokens", s.folder + "/other.json", "--all-projects"});
         s.Start({{"tokens", "\"other.json\""}});
         CHECK(Has(s.Get("/api/endpoints"), "HTTP/1.1 200"));
       }},
      {"token_from",
       [](ConfiguredServer& s) {
         s.token = "f2b1c9d07a5e4836a1f0c5a7e9d3b4628c0d";
         setenv("LOGQUERY_TEST_TOKEN", s.token.c_str(), 1);
         s.Start({{"tokens", "null"}, {"token_from", R"(["LOGQUERY_TEST_TOKEN=read"])"}});
         CHECK(Has(s.Get("/api/endpoints"), "HTTP/1.1 200"));
         CHECK(s.End(SIGTERM) == 0);
         s.Start();
         CHECK(Has(s.Get("/api/endpoints"), "HTTP/1.1 401"));
       }},
      {"spool",
       [](ConfiguredServer& s) {
         s.Start({{"spool", "\"spool\""}});
         CHECK(fs::is_directory(s.folder + "/spool/edge_logs"));
       }},
      {"retain",
       [](ConfiguredServer& s) {
         s.Append(Clock::Real()->Now() - absl::Hours(72));
         s.Start({{"retain", R"(["edge_logs=1d"])"}});
         s.AwaitLog("retention: 1 row of cloudflare.logs.prod");
       }},
      {"confirm_clock",
       [](ConfiguredServer& s) {
         const absl::Time now = Clock::Real()->Now();
         s.Append(now - absl::Hours(72));
         REQUIRE(testing::TurnClockBack(s.folder + "/data", 200));
         s.Start({{"retain", R"(["edge_logs=1d"])"},
                  {"confirm_clock", absl::FormatTime("\"%Y-%m-%d\"", now, absl::UTCTimeZone())}});
         s.AwaitLog("retention: 1 row of cloudflare.logs.prod");
       }},
      {"cluster",
       [](ConfiguredServer& s) {
         s.Append(Clock::Real()->Now() - absl::Hours(120), 31'000);
         s.Start({{"cluster", "100"}});
         s.AwaitLog("clustering: ");
       }},
      {"packed_records",
       [](ConfiguredServer& s) {
         const std::string data = s.folder + "/data";
         s.Append(Clock::Real()->Now() - absl::Hours(120), 31'000);
         REQUIRE(testing::RunInFolder(data, R"(UPDATE "cloudflare.logs.prod" SET ":metadata" = 'a record'::BLOB)"));
         s.Start({{"cluster", "100"}, {"packed_records", "\"all\""}});
         s.AwaitLog("clustering: ");
         CHECK(s.End(SIGTERM) == 0);
         CHECK(
             testing::RunInFolder(data, R"(SELECT CASE WHEN count(":metadata") < 31000 THEN error('some have none') END
                                             FROM "cloudflare.logs.prod")"));
       }},
      {"ingest",
       [](ConfiguredServer& s) {
         s.Start({{"ingest", "true"}});
         CHECK(Has(s.Get("/api/sources"), "HTTP/1.1 200"));
         CHECK(s.End(SIGTERM) == 0);
         s.Start({{"ingest", "false"}});
         CHECK(Has(s.Get("/api/sources"), "HTTP/1.1 404"));
       }},
      {"mcp",
       [](ConfiguredServer& s) {
         s.Start({{"mcp", "true"}});
         CHECK(Has(s.Get("/mcp"), "HTTP/1.1 405"));
         CHECK(s.End(SIGTERM) == 0);
         s.Start({{"mcp", "false"}});
         CHECK(Has(s.Get("/mcp"), "HTTP/1.1 404"));
       }},
      {"saved",
       [](ConfiguredServer& s) {
         s.Start({{"saved", "\"kept\""}});
         CHECK(Has(s.Get("/api/saved"), "HTTP/1.1 200"));
         CHECK(std::filesystem::is_directory(s.folder + "/kept"));
         CHECK(s.End(SIGTERM) == 0);
         s.Start({});
         CHECK(Has(s.Get("/api/saved"), "HTTP/1.1 404"));
       }},
      {"ingest_memory",
       [](ConfiguredServer& s) {
         s.Start({{"ingest", "true"}, {"ingest_memory", "200"}});
         CHECK(Has(s.Metrics(), StrCat("logquery_ingest_memory_limit_bytes ", 200 << 20)));
       }},
      {"source_ids",
       [](ConfiguredServer& s) {
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
       [](ConfiguredServer& s) {
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
       [](ConfiguredServer& s) {
         s.Append(kThen);
         s.Start({{"read_only", "true"}});
         s.AwaitLog("for reading alone");
         CHECK_FALSE(fs::exists(s.folder + "/data/spool"));
       }},
  };
}

}  // namespace logquery::shim
