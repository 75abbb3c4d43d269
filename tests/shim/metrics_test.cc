#include "shim/observe/metrics.h"

#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "lib/base/strings.h"
#include "re2/re2.h"
#include "tests/shim/introspected_server.h"
#include "tests/support/folders.h"

namespace logquery::shim {
namespace {

using Samples = std::map<std::string, double>;

// The samples of a text, by name and labels. The text has to be of the format: each series is of a family that was introduced by
// one HELP and one TYPE line, stands in one block with it, and occurs once.
Samples Parse(const std::string& text) {
  const RE2 comment("# (HELP|TYPE) ([a-z_]+) (.+)");
  const RE2 sample(R"re(([a-z_]+)(\{(?:[a-z_]+="(?:[^"\\\n]|\\.)*",?)*\})? (\S+))re");
  Samples samples;
  std::set<std::string> families;
  std::string family, type;
  std::istringstream lines(text);
  REQUIRE(text.ends_with('\n'));
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    std::string kind, name, rest, labels, value;
    if (RE2::FullMatch(line, comment, &kind, &name, &rest)) {
      if (kind == "HELP") REQUIRE(families.insert(name).second);
      if (kind == "TYPE") type = rest;
      family = name;
      continue;
    }
    REQUIRE(RE2::FullMatch(line, sample, &name, &labels, &value));
    std::string base = name;
    for (const std::string_view end : {"_bucket", "_sum", "_count"}) {
      if (type == "histogram" && base.ends_with(end)) base.resize(base.size() - end.size());
    }
    REQUIRE(base == family);
    if (type == "counter") REQUIRE(name.ends_with("_total"));
    REQUIRE(samples.emplace(name + labels, std::stod(value)).second);
  }
  return samples;
}

TEST_CASE("calls are counted by endpoint and status, and the histogram has each of them") {
  IntrospectedServer server;
  for (int i = 0; i < 7; ++i) CHECK(server.Get("/api/endpoints/query/logs.all?project=a").status == 200);
  for (int i = 0; i < 3; ++i) CHECK(server.Get("/api/endpoints/query/logs.all").status == 400);
  for (int i = 0; i < 2; ++i) {
    CHECK(server.Get("/api/endpoints/query/usage.api-counts?project=a&interval=daily").status == 200);
  }
  CHECK(server.Get("/api/endpoints/query/logs.all?project=a&sql=selct").status == 400);
  CHECK(server.Get("/api/endpoints/query/nothing").status == 404);
  CHECK(server.Get("/api/endpoints/query/logs.all", "unknown").status == 401);

  const HttpResponse response = server.Get("/metrics");
  CHECK(response.status == 200);
  CHECK(response.content_type == "text/plain; version=0.0.4; charset=utf-8");
  Samples samples = Parse(response.body);
  CHECK(samples[R"(logquery_calls_total{endpoint="logs.all",status="OK"})"] == 7);
  CHECK(samples[R"(logquery_calls_total{endpoint="logs.all",status="INVALID_ARGUMENT"})"] == 4);
  CHECK(samples[R"(logquery_calls_total{endpoint="usage.api-counts",status="OK"})"] == 2);
  CHECK(samples[R"(logquery_calls_total{endpoint="",status="NOT_FOUND"})"] == 1);
  CHECK(samples[R"(logquery_calls_total{endpoint="",status="UNAUTHENTICATED"})"] == 1);
  CHECK(samples[R"(logquery_call_seconds_count{endpoint="logs.all"})"] == 11);
  CHECK(samples[R"(logquery_call_seconds_bucket{endpoint="logs.all",le="+Inf"})"] == 11);
  CHECK(samples[R"(logquery_call_seconds_count{endpoint="usage.api-counts"})"] == 2);
  CHECK(samples[R"(logquery_cache_total{endpoint="usage.api-counts",use="miss"})"] == 1);
  CHECK(samples[R"(logquery_cache_total{endpoint="usage.api-counts",use="hit"})"] == 1);
  CHECK(samples[R"(logquery_sql_refused_total{reason="INVALID_ARGUMENT"})"] == 1);
  CHECK(samples[R"(logquery_queries_total{end="done"})"] == 8);
  CHECK(samples["logquery_query_seconds_count"] == 8);
  CHECK(samples["logquery_queue_seconds_count"] == 15);
  CHECK(samples[R"(logquery_http_requests_total{code="200"})"] == 9);
  CHECK(samples[R"(logquery_http_requests_total{code="400"})"] == 4);
  CHECK(samples[R"(logquery_build_info{version="1.2.3"})"] == 1);
}

TEST_CASE("a token that reads metrics alone reads nothing else") {
  IntrospectedServer server;
  CHECK(server.Get("/metrics", "metrics").status == 200);
  CHECK(server.Get("/api/endpoints", "metrics").body == R"({"endpoints":[]})");
  CHECK(server.Get("/api/endpoints/logs.all", "metrics").status == 404);
  CHECK(server.Get("/api/endpoints/query/logs.all?project=a", "metrics").status == 404);
}

TEST_CASE("only the server's operator and tokens of all projects see metrics") {
  IntrospectedServer server;
  const HttpResponse refused = server.Get("/metrics", "one");
  CHECK(refused.status == 403);
  CHECK(refused.body.find("takes the right to read metrics, or one for all projects") != std::string::npos);
  CHECK(server.Get("/metrics", "fixed").status == 403);
  CHECK(server.Get("/metrics", "unknown").status == 401);
  CHECK(server.Get("/metrics", "").status == 401);
  HttpRequest request;
  request.method = "GET";
  request.path = "/metrics";
  const HttpResponse admin = server.admin->Handle(request);
  CHECK(admin.status == 200);
  // Scrapes by the admin listener are no requests of the world's.
  CHECK(Parse(admin.body)[R"(logquery_http_requests_total{code="200"})"] == 0);
}

TEST_CASE("states are read on request, and no longer after their source is destroyed") {
  Metrics metrics("1", nullptr);
  double waiting = 3;
  metrics.AddGauge("logquery_queries_waiting", "Queries that wait", [&] { return waiting; });
  metrics.AddCounter("logquery_server_crashes_total", "Crashes", [] { return 5; });
  CHECK(Parse(metrics.Text())["logquery_queries_waiting"] == 3);
  waiting = 0;
  Samples samples = Parse(metrics.Text());
  CHECK(samples["logquery_queries_waiting"] == 0);
  CHECK(samples["logquery_server_crashes_total"] == 5);
  metrics.DropReaders();
  CHECK(Parse(metrics.Text()).count("logquery_queries_waiting") == 0);
}

TEST_CASE("metrics of definitions: the current revision, reloads, and whether the newest are invalid") {
  Metrics metrics("1", nullptr);
  DefinitionsEvent event;
  event.revision = "0123456789abcdef0123";
  metrics.OnDefinitions(event);
  event.revision = "fedcba9876543210fedc";
  metrics.OnDefinitions(event);
  Samples samples = Parse(metrics.Text());
  CHECK(samples[R"(logquery_definitions_info{revision="fedcba9876543210"})"] == 1);
  CHECK(samples.count(R"(logquery_definitions_info{revision="0123456789abcdef"})") == 0);
  CHECK(samples["logquery_definitions_outdated"] == 0);
  event.status = absl::InvalidArgumentError("endpoint own: wrong");
  metrics.OnDefinitions(event);
  samples = Parse(metrics.Text());
  CHECK(samples["logquery_definitions_outdated"] == 1);
  CHECK(samples[R"(logquery_definitions_reloads_total{result="done"})"] == 2);
  CHECK(samples[R"(logquery_definitions_reloads_total{result="failed"})"] == 1);
}

TEST_CASE("labels are limited and escaped, whatever the definitions' names") {
  Metrics metrics("1", nullptr);
  CallEvent event;
  const std::string hostile = "a\"b\\c\nd";
  event.origin.endpoint = hostile;
  metrics.OnCall(event);
  for (int i = 0; i < 3 * kMaxEndpointLabels; ++i) {
    const std::string name = base::StrCat("n", i);
    event.origin.endpoint = name;
    metrics.OnCall(event);
  }
  const Samples samples = Parse(metrics.Text());
  int series = 0;
  for (const auto& [name, value] : samples) series += name.starts_with("logquery_calls_total{") ? 1 : 0;
  CHECK(series == kMaxEndpointLabels + 1);
  CHECK(samples.at(R"(logquery_calls_total{endpoint="a\"b\\c\nd",status="OK"})") == 1);
  CHECK(samples.at(R"re(logquery_calls_total{endpoint="(other)",status="OK"})re") == 2 * kMaxEndpointLabels + 1);
}

TEST_CASE("the example dashboard uses existing metrics") {
  Metrics metrics("1", nullptr);
  for (const char* name : {"logquery_queries_running", "logquery_queries_waiting", "logquery_query_threads",
                           "logquery_memory_resident_bytes", "logquery_memory_limit_bytes",
                           "logquery_queries_quarantined", "logquery_loading_stopped"}) {
    metrics.AddGauge(name, "As serve has it", [] { return 0; });
  }
  for (const char* name : {"logquery_server_crashes_total", "logquery_queries_ended_for_memory_total"}) {
    metrics.AddCounter(name, "As serve has it", [] { return 0; });
  }
  CallEvent refused;
  refused.code = absl::StatusCode::kInvalidArgument;
  refused.callers_sql = true;
  metrics.OnCall(refused);
  metrics.OnCache({});
  const std::string text = metrics.Text();
  std::ifstream file(testing::SourcePath("examples/grafana_dashboard.json"));
  const std::string dashboard(std::istreambuf_iterator<char>(file), {});
  re2::StringPiece rest(dashboard);
  std::string name;
  int found = 0;
  for (const RE2 metric("(logquery_[a-z_]+_?[a-z]+)[ \\[{\"]"); RE2::FindAndConsume(&rest, metric, &name);) {
    CAPTURE(name);
    CHECK(text.find("\n" + name) != std::string::npos);
    ++found;
  }
  CHECK(found > 10);
}

TEST_CASE("metrics pass every event on to the next observer") {
  struct Next : ServiceObserver {
    void OnCall(const CallEvent&) noexcept override { ++told; }
    void OnQueryStart(const QueryEvent&) noexcept override { ++told; }
    void OnQueryEnd(const QueryEvent&) noexcept override { ++told; }
    void OnEngineFailure(const EngineFailureEvent&) noexcept override { ++told; }
    void OnCache(const CacheEvent&) noexcept override { ++told; }
    void OnDefinitions(const DefinitionsEvent&) noexcept override { ++told; }
    int told = 0;
  } next;
  Metrics metrics("1", &next);
  metrics.OnCall({});
  metrics.OnQueryStart({});
  metrics.OnQueryEnd({});
  metrics.OnEngineFailure({});
  metrics.OnCache({});
  metrics.OnDefinitions({});
  CHECK(next.told == 6);
  CHECK(Parse(metrics.Text()).at("logquery_engine_failures_total") == 1);
}

}  // namespace
}  // namespace logquery::shim
