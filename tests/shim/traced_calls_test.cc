// Calls over the server's routes whose spans reach a collector.
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"
#include "lib/base/strings.h"
#include "nlohmann/json.hpp"
#include "shim/http/calls/routes.h"
#include "shim/observe/request_observer.h"
#include "shim/observe/span_exporter.h"
#include "shim/observe/tracer.h"
#include "tests/shim/introspected_server.h"
#include "tests/shim/otlp_collector.h"

namespace logquery::shim {
namespace {

using base::StrCat;

constexpr char kTrace[] = "4bf92f3577b34da6a3ce929d0e0e4736";
constexpr char kCaller[] = "00f067aa0ba902b7";
constexpr char kCounts[] = "/api/endpoints/query/usage.api-counts";

std::string Traceparent(const char* flags) { return StrCat("00-", kTrace, "-", kCaller, "-", flags); }

SpanExporterOptions OptionsFor(const OtlpCollector& collector) {
  SpanExporterOptions options;
  options.url = collector.url();
  options.every = absl::Milliseconds(1);
  return options;
}

// The routes of an IntrospectedServer, traced.
struct TracedServer {
  explicit TracedServer(double share = 1)
      : exporter(OptionsFor(collector)),
        tracer(
            share, [this](std::vector<Span> spans) { exporter.Add(std::move(spans)); }, Clock::Real()),
        log([this](std::string_view line) { last_line = line; }, true, Clock::Real()) {
    HttpServerOptions options;
    options.service = server.service.get();
    options.queue = server.queue.get();
    options.observer = &observer;
    routes = std::make_unique<Routes>(options);
  }
  ~TracedServer() { server.queue->Stop(); }

  HttpResponse Get(const std::string& path, const std::string& query, const std::string& traceparent = "",
                   const std::string& token = "good", bool leaves = false) {
    HttpRequest request;
    request.method = "GET";
    request.path = path;
    request.query = query;
    request.headers = {{"X-API-KEY", token}};
    if (!traceparent.empty()) request.headers.emplace_back("traceparent", traceparent);
    request.client_left = [leaves] { return leaves; };
    return routes->Handle(request);
  }

  IntrospectedServer server;
  OtlpCollector collector;
  SpanExporter exporter;
  Tracer tracer;
  std::string last_line;
  RequestLog log;
  RequestObserver observer{&log, &tracer, nullptr};
  std::unique_ptr<Routes> routes;
};

std::string HeaderOf(const HttpResponse& response, std::string_view name) {
  return std::string(response.headers.Find(name).value_or(""));
}

std::set<std::string> NamesOf(const std::vector<SpanJson>& spans) {
  std::set<std::string> names;
  for (const SpanJson& span : spans) names.insert(span["name"].get<std::string>());
  return names;
}

int64_t Nanos(const SpanJson& span, const char* key) { return std::stoll(span[key].get<std::string>()); }

// Checks the spans of one trace: one is the request's, and all others are its children and lie within its time.
SpanJson CheckWhole(const std::vector<SpanJson>& spans, const std::string& name) {
  std::vector<SpanJson> roots = SpansNamed(spans, name);
  REQUIRE(roots.size() == 1);
  const SpanJson& root = roots[0];
  CHECK(root["kind"] == 2);
  std::set<std::string> ids;
  for (const SpanJson& span : spans) {
    CAPTURE(span.dump());
    CHECK(span["traceId"] == root["traceId"]);
    CHECK(ids.insert(span["spanId"].get<std::string>()).second);
    CHECK(Nanos(span, "startTimeUnixNano") <= Nanos(span, "endTimeUnixNano"));
    if (span["spanId"] == root["spanId"]) continue;
    CHECK(span["parentSpanId"] == root["spanId"]);
    CHECK(span["kind"] == 1);
    CHECK(Nanos(span, "startTimeUnixNano") >= Nanos(root, "startTimeUnixNano"));
    CHECK(Nanos(span, "endTimeUnixNano") <= Nanos(root, "endTimeUnixNano"));
  }
  return root;
}

std::map<std::string, std::vector<SpanJson>> ByTrace(const std::vector<SpanJson>& spans) {
  std::map<std::string, std::vector<SpanJson>> traces;
  for (const SpanJson& span : spans) traces[span["traceId"].get<std::string>()].push_back(span);
  return traces;
}

TEST_CASE("a call's spans: the request, its wait for a thread, its plan, the engine, and the rows") {
  TracedServer s;
  const HttpResponse response = s.Get("/api/endpoints/query/logs.all", "project=abc", Traceparent("01"));
  REQUIRE(response.status == 200);
  const std::vector<SpanJson> spans = s.collector.AwaitSpans(5);
  const SpanJson root = CheckWhole(spans, "GET /api/endpoints/query/{endpoint}");
  CHECK(NamesOf(spans) ==
        std::set<std::string>{"GET /api/endpoints/query/{endpoint}", "queue", "plan", "execute", "encode"});
  CHECK(root["traceId"] == kTrace);
  CHECK(root["parentSpanId"] == kCaller);
  CHECK(AttributeOf(root, "http.response.status_code") == "200");
  CHECK(AttributeOf(root, "http.route") == "/api/endpoints/query/{endpoint}");
  CHECK(AttributeOf(root, "logquery.endpoint") == "logs.all");
  CHECK(AttributeOf(root, "logquery.client") == "good");
  CHECK(AttributeOf(root, "logquery.rows") == "0");
  CHECK(AttributeOf(root, "logquery.request_id") == HeaderOf(response, "X-Request-Id"));
  CHECK(AttributeOf(SpansNamed(spans, "execute").at(0), "logquery.rows") == "0");
  // The log has the same ids, and the engine's requests belong to the engine's span.
  const auto line = nlohmann::json::parse(s.last_line);
  CHECK(line["trace_id"] == root["traceId"]);
  CHECK(line["span_id"] == root["spanId"]);
  CHECK(s.server.backend.calls().at(0).limits.tags.traceparent ==
        StrCat("00-", kTrace, "-", SpansNamed(spans, "execute").at(0)["spanId"].get<std::string>(), "-01"));
}

TEST_CASE("a call that waited for another's flight has a whole trace, with a link to the call that ran the query") {
  TracedServer s;
  std::string shared;
  // The scheduler decides whether the second call comes while the first one's query runs, so this is repeated until it does.
  for (int attempt = 0; shared.empty(); ++attempt) {
    REQUIRE(attempt < 100);
    const std::string query = StrCat("interval=daily&project=p", attempt);
    s.server.backend.Block();
    std::thread leader([&] { CHECK(s.Get(kCounts, query, Traceparent("01")).status == 200); });
    s.server.backend.AwaitBlocked(1);
    std::thread follower([&] {
      const HttpResponse response = s.Get(kCounts, query);
      CHECK(response.status == 200);
      if (HeaderOf(response, "Logquery-Cache") == "shared") shared = HeaderOf(response, "X-Request-Id");
    });
    while (s.server.queue->use().running < 2) std::this_thread::yield();
    for (int i = 0; i < 1'000; ++i) std::this_thread::yield();
    s.server.backend.Unblock();
    leader.join();
    follower.join();
    if (!shared.empty()) s.collector.AwaitSpans(8 + 7 * static_cast<size_t>(attempt));
  }
  std::vector<SpanJson> waiting;
  for (const auto& [id, spans] : ByTrace(s.collector.spans())) {
    const std::vector<SpanJson> roots = SpansNamed(spans, "GET /api/endpoints/query/{endpoint}");
    if (roots.size() == 1 && AttributeOf(roots[0], "logquery.request_id") == shared) waiting = spans;
  }
  const SpanJson root = CheckWhole(waiting, "GET /api/endpoints/query/{endpoint}");
  CHECK_FALSE(root.contains("parentSpanId"));
  CHECK(NamesOf(waiting) == std::set<std::string>{"GET /api/endpoints/query/{endpoint}", "queue", "wait"});
  CHECK(AttributeOf(root, "logquery.cache") == "shared");
  const SpanJson wait = SpansNamed(waiting, "wait").at(0);
  REQUIRE(wait["links"].size() == 1);
  CHECK(wait["links"][0]["traceId"] == kTrace);
  // The linked span is the request of a call that executed a query.
  std::set<std::string> executed;
  for (const SpanJson& span : SpansNamed(s.collector.spans(), "execute")) executed.insert(span["parentSpanId"]);
  CHECK(executed.count(wait["links"][0]["spanId"].get<std::string>()) == 1);
}

TEST_CASE("a call follows its trace's sampling flag, a share of other calls is traced, other requests are not") {
  TracedServer all(1), none(0);
  CHECK(all.Get("/api/endpoints/query/logs.all", "project=abc", Traceparent("00")).status == 200);
  CHECK(all.Get("/api/endpoints", "").status == 200);
  CHECK(all.Get("/health", "").status == 200);
  CHECK(all.Get("/api/endpoints/query/logs.all", "project=abc", Traceparent("01"), "unknown").status == 401);
  CHECK(none.Get("/api/endpoints/query/logs.all", "project=abc").status == 200);
  CHECK_FALSE(nlohmann::json::parse(none.last_line).contains("trace_id"));
  for (TracedServer* s : {&all, &none}) {
    s->exporter.Stop();
    CHECK(s->collector.spans().empty());
    CHECK(s->exporter.counters().dropped == 0);
  }

  // Decided by the trace's id, which is random: of 4,000 a quarter, give or take 8 standard deviations.
  int sampled = 0;
  for (int i = 0; i < 4'000; ++i) sampled += StartTrace(0.25) ? 1 : 0;
  CHECK(std::abs(sampled - 1'000) < 220);
  REQUIRE(StartTrace(1));
  CHECK(StartTrace(1)->sampled);
  CHECK_FALSE(StartTrace(0));
}

TEST_CASE("a failed call has spans of its steps, marks the failed one, and has no text of the error") {
  TracedServer s;
  s.server.backend.FailWith(absl::DeadlineExceededError("secret words"));
  CHECK(s.Get("/api/endpoints/query/logs.all", "project=abc").status == 504);
  std::vector<SpanJson> spans = s.collector.AwaitSpans(4);
  const SpanJson root = CheckWhole(spans, "GET /api/endpoints/query/{endpoint}");
  CHECK(root["status"]["code"] == 2);
  const SpanJson execute = SpansNamed(spans, "execute").at(0);
  CHECK(execute["status"]["code"] == 2);
  CHECK(AttributeOf(execute, "error.type") == "DEADLINE_EXCEEDED");
  CHECK_FALSE(SpansNamed(spans, "plan").at(0).contains("status"));

  // A caller's mistake is no failure of the server.
  CHECK(s.Get("/api/endpoints/query/logs.all", "project=abc&sql=selct").status == 400);
  spans = s.collector.AwaitSpans(7);
  for (const SpanJson& span : SpansNamed(spans, "GET /api/endpoints/query/{endpoint}")) {
    if (AttributeOf(span, "http.response.status_code") == "400") CHECK_FALSE(span.contains("status"));
  }
  for (const SpanJson& span : spans) CHECK(span.dump().find("secret") == std::string::npos);
}

TEST_CASE("the steps of a query whose client has left arrive later, as children of the request") {
  TracedServer s;
  s.server.backend.Block();
  std::thread left([&] { s.Get("/api/endpoints/query/logs.all", "project=abc", "", "good", true); });
  left.join();
  s.server.backend.Unblock();
  s.server.queue->Stop();
  s.exporter.Stop();
  const std::vector<SpanJson> spans = s.collector.spans();
  const std::vector<SpanJson> roots = SpansNamed(spans, "GET /api/endpoints/query/{endpoint}");
  REQUIRE(roots.size() == 1);
  for (const SpanJson& span : spans) {
    CHECK(span["traceId"] == roots[0]["traceId"]);
    if (span["spanId"] != roots[0]["spanId"]) CHECK(span["parentSpanId"] == roots[0]["spanId"]);
  }
  CHECK(SpansNamed(spans, "queue").size() == 1);
}

TEST_CASE("a call has a bounded number of spans") {
  std::vector<Span> taken;
  RequestTrace trace(
      *StartTrace(1), [&taken](std::vector<Span> spans) { taken = std::move(spans); }, Clock::Real());
  for (int i = 0; i < 10 * kMaxSteps; ++i) trace.End(trace.Begin(CallStep::kWait), {});
  CHECK(trace.Traceparent(-1) == trace.context().Traceparent());
  trace.Finish(Span(), absl::ZeroDuration(), absl::ZeroDuration());
  CHECK(taken.size() == kMaxSteps + 1);
}

}  // namespace
}  // namespace logquery::shim
