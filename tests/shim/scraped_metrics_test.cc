// /metrics of a server that runs: as Prometheus' own tool reads it, and what it counts.
#include <sys/wait.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "tests/shim/configured_server.h"
#include "tests/shim/server_fixture.h"
#include "tests/support/folders.h"

namespace logquery::shim {
namespace {

using base::StrCat;

constexpr char kNow[] = "\"2026-03-04T06:00:00Z\"";
const absl::Time kThen = absl::FromUnixSeconds(1'772'600'767);
constexpr char kLogs[] = "/api/endpoints/query/logs.all?project=abc";

// promtool of scripts/bootstrap promtool, or the system's; empty: there is none.
std::string Promtool() {
  if (std::filesystem::exists(testing::PromtoolPath())) return testing::PromtoolPath();
  return std::system("command -v promtool >/dev/null 2>&1") == 0 ? "promtool" : "";
}

// Returns the command's output, and whether it ended with 0.
std::pair<std::string, bool> Shell(const std::string& command) {
  std::FILE* const pipe = popen(StrCat(command, " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string output;
  char buffer[4'096];
  while (const size_t got = std::fread(buffer, 1, sizeof(buffer), pipe)) output.append(buffer, got);
  const int status = pclose(pipe);
  return {output, WIFEXITED(status) && WEXITSTATUS(status) == 0};
}

bool Has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

// A server that has everything that is counted.
void StartWithEverything(ConfiguredServer& server) {
  server.Append(kThen, 20);
  server.Define("SELECT 1 AS one", R"("caching": 900, "labels": "team=a")");
  server.Start({{"endpoints", "\"endpoints\""},
                {"admin", "\"127.0.0.1:0\""},
                {"ingest", "true"},
                {"trace_to", "\"http://127.0.0.1:9/v1/traces\""},
                {"now", kNow}});
}

TEST_CASE("the histogram has each request that was sent, and promtool accepts the text") {
  ConfiguredServer server;
  StartWithEverything(server);
  for (int i = 0; i < 25; ++i) CHECK(StatusOf(server.Get(kLogs)) == 200);
  for (int i = 0; i < 5; ++i) CHECK(StatusOf(server.Get(StrCat(kLogs, "&sql=selct"))) == 400);
  for (int i = 0; i < 7; ++i) CHECK(StatusOf(server.Get("/api/endpoints/query/own")) == 200);
  const std::string text = BodyOf(server.Metrics());
  CHECK(Has(text, "\nlogquery_call_seconds_count{endpoint=\"logs.all\"} 30\n"));
  CHECK(Has(text, "\nlogquery_call_seconds_bucket{endpoint=\"logs.all\",le=\"+Inf\"} 30\n"));
  CHECK(Has(text, "\nlogquery_call_seconds_count{endpoint=\"own\"} 7\n"));
  CHECK(Has(text, "\nlogquery_cache_total{endpoint=\"own\",use=\"hit\"} 6\n"));
  CHECK(Has(text, "\nlogquery_queue_seconds_count 37\n"));
  CHECK(Has(text, "\nlogquery_cache_total{endpoint=\"logs.all\",use=\"current\"} 24\n"));
  CHECK(Has(text, "\nlogquery_query_seconds_count 2\n"));
  CHECK(Has(text, "\nlogquery_sql_refused_total{reason=\"INVALID_ARGUMENT\"} 5\n"));
  CHECK(Has(text, "\nlogquery_http_requests_total{code=\"200\"} 32\n"));
  CHECK(Has(text, "\nlogquery_rows_total{endpoint=\"logs.all\"} 500\n"));

  const std::string promtool = Promtool();
  if (promtool.empty()) SKIP("promtool is not here; scripts/bootstrap promtool gets it");
  const std::string file = server.folder + "/metrics";
  WriteFile(file, text);
  const auto [output, accepted] = Shell(StrCat(promtool, " check metrics <", file));
  INFO(output);
  CHECK(accepted);
  CHECK(output.empty());
  // It looks: a counter without a type line's name is refused.
  WriteFile(file, StrCat(text, "logquery_broken{ 1\n"));
  CHECK_FALSE(Shell(StrCat(promtool, " check metrics <", file)).second);
}

TEST_CASE("hanging scrapers do not block the metrics") {
  ConfiguredServer server;
  StartWithEverything(server);
  std::string line;
  REQUIRE(std::getline(server.out, line));
  const int admin = std::stoi(line.substr(line.rfind(':') + 1));
  std::vector<std::unique_ptr<RawClient>> hanging;
  for (int i = 0; i < 100; ++i) {
    // Half a request, and a whole one whose answer nobody reads.
    hanging.push_back(std::make_unique<RawClient>(admin));
    hanging.back()->Send("GET /metrics HTTP/1.1\r\nHost:");
    hanging.push_back(std::make_unique<RawClient>(admin, 1'024));
    hanging.back()->Send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }
  for (int i = 0; i < 5; ++i) {
    RawClient scraper(admin);
    scraper.Send("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    CHECK(Has(scraper.Receive(), "logquery_start_time_seconds"));
  }
  CHECK(StatusOf(server.Get(kLogs)) == 200);
  hanging.clear();
  CHECK(server.End(SIGTERM) == 0);
}

}  // namespace
}  // namespace logquery::shim
