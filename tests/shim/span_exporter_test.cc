// Spans on their way to a collector that takes them, refuses them, is down, or hangs.
#include "shim/observe/span_exporter.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "shim/observe/otlp_json.h"
#include "tests/shim/otlp_collector.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim {
namespace {

Span SpanOf(std::string name) {
  Span span;
  span.trace_id = "4bf92f3577b34da6a3ce929d0e0e4736";
  span.span_id = "00f067aa0ba902b7";
  span.name = std::move(name);
  span.start = absl::FromUnixMillis(1'772'600'767'001);
  span.end = span.start + absl::Microseconds(1'500);
  return span;
}

std::vector<Span> SomeSpans(int count) {
  std::vector<Span> spans;
  for (int i = 0; i < count; ++i) spans.push_back(SpanOf(base::StrCat("s", i)));
  return spans;
}

// Short waits, so that tests are quick; how long each thing takes is not what they look at.
SpanExporterOptions OptionsFor(const std::string& url, LogLines* lines = nullptr) {
  SpanExporterOptions options;
  options.url = url;
  options.version = "1.2.3";
  options.every = absl::Milliseconds(1);
  options.pause = options.max_pause = absl::Milliseconds(1);
  if (lines != nullptr) {
    options.log = [writer = lines->writer()](std::string_view level, std::string_view line) {
      writer(base::StrCat(level, ": ", line));
    };
  }
  return options;
}

void AwaitWaiting(const SpanExporter& exporter, int64_t count) {
  while (exporter.counters().waiting != count) std::this_thread::yield();
}

// A port that nothing listens on.
std::string NowhereUrl() {
  const OtlpCollector gone;
  return gone.url();
}

TEST_CASE("a span in OTLP's JSON: hexadecimal ids, nanoseconds as text, typed attributes") {
  Span span = SpanOf("GET /x");
  span.is_server = true;
  span.failed = true;
  span.parent_id = "1111111111111111";
  span.attributes = {{"text", std::string("a")}, {"number", int64_t{7}}, {"share", 0.5}};
  span.links = {{"22222222222222222222222222222222", "3333333333333333"}};
  const SpanJson json = SpanJson::parse(OtlpTraceRequest({span}, "1.2.3"));
  const SpanJson& resource = json["resourceSpans"][0];
  CHECK(AttributeOf(resource["resource"], "service.name") == "logquery");
  CHECK(AttributeOf(resource["resource"], "service.version") == "1.2.3");
  CHECK(resource["scopeSpans"][0]["scope"]["name"] == "logquery");
  CHECK(resource["scopeSpans"][0]["spans"] == SpanJson::parse(R"([{
      "traceId": "4bf92f3577b34da6a3ce929d0e0e4736", "spanId": "00f067aa0ba902b7", "parentSpanId": "1111111111111111",
      "name": "GET /x", "kind": 2, "startTimeUnixNano": "1772600767001000000", "endTimeUnixNano": "1772600767002500000",
      "attributes": [{"key": "text", "value": {"stringValue": "a"}}, {"key": "number", "value": {"intValue": "7"}},
                     {"key": "share", "value": {"doubleValue": 0.5}}],
      "links": [{"traceId": "22222222222222222222222222222222", "spanId": "3333333333333333"}],
      "status": {"code": 2}}])"));
}

TEST_CASE("rejected spans are read from a collector's answer as a number or text, otherwise they are 0") {
  CHECK(RejectedSpans(R"({"partialSuccess":{"rejectedSpans":"3","errorMessage":"too old"}})") == 3);
  CHECK(RejectedSpans(R"({"partialSuccess":{"rejectedSpans":4}})") == 4);
  for (const char* text : {"{}", "", "[]", "{\"partialSuccess\":[]}", "{\"partialSuccess\":{\"rejectedSpans\":\"x\"}}",
                           "{\"partialSuccess\":{\"rejectedSpans\":-1}}", "\xFF", "<html>"}) {
    CHECK(RejectedSpans(text) == 0);
  }
}

TEST_CASE("spans arrive in batches, with the headers of the collector") {
  const OtlpCollector collector;
  SpanExporterOptions options = OptionsFor(collector.url());
  options.headers = {{"Authorization", "Bearer secret"}};
  options.max_batch = 10;
  SpanExporter exporter(options);
  for (int i = 0; i < 5; ++i) exporter.Add(SomeSpans(7));
  CHECK(collector.AwaitSpans(35).size() == 35);
  AwaitWaiting(exporter, 0);
  CHECK(exporter.counters().sent == 35);
  CHECK(exporter.counters().dropped == 0);
  CHECK(collector.requests() >= 4);
  const std::string request = collector.last_request();
  CHECK(request.starts_with("POST /v1/traces HTTP/1.1\r\n"));
  CHECK(request.find("\r\nAuthorization: Bearer secret\r\n") != request.npos);
  CHECK(request.find("\r\nContent-Type: application/json\r\n") != request.npos);
}

TEST_CASE("spans are sent again after a temporary failure of the collector, but not after a permanent one") {
  OtlpCollector collector;
  LogLines lines;
  SpanExporter exporter(OptionsFor(collector.url(), &lines));
  collector.Answer(503);
  exporter.Add(SomeSpans(3));
  collector.AwaitRequests(3);
  collector.Answer(200);
  CHECK(collector.AwaitSpans(3).size() == 3);
  CHECK(lines.Await("takes spans again").find("info: traces: the collector at http://127.0.0.1:") == 0);
  CHECK(lines.lines().size() == 2);  // one line for the whole time
  CHECK(lines.lines()[0].find("does not take spans: it answered 503; up to 8192 wait for it") != std::string::npos);

  collector.Answer(400);
  exporter.Add(SomeSpans(2));
  AwaitWaiting(exporter, 0);
  CHECK(exporter.counters().dropped == 2);
  collector.Answer(200, R"({"partialSuccess":{"rejectedSpans":"1"}})");
  exporter.Add(SomeSpans(4));
  AwaitWaiting(exporter, 0);
  CHECK(exporter.counters().sent == 6);
  CHECK(exporter.counters().dropped == 3);
}

TEST_CASE(
    "a collector that is down costs bounded memory: what does not fit is dropped and counted, whole traces at a time") {
  SpanExporterOptions options = OptionsFor(NowhereUrl());
  options.max_waiting = 100;
  options.last_try = absl::Milliseconds(1);
  SpanExporter exporter(options);
  for (int i = 0; i < 1'000; ++i) exporter.Add(SomeSpans(7));
  SpanExporter::Counters counters = exporter.counters();
  CHECK(counters.waiting == 98);
  CHECK(counters.dropped == 7'000 - 98);
  exporter.Stop();
  counters = exporter.counters();
  CHECK(counters.sent == 0);
  CHECK(counters.waiting == 0);
  CHECK(counters.dropped == 7'000);
  exporter.Add(SomeSpans(1));
  CHECK(exporter.counters().dropped == 7'001);
}

TEST_CASE("a hanging collector delays no call, nor the end of the program") {
  OtlpCollector collector;
  collector.Hang();
  SpanExporterOptions options = OptionsFor(collector.url());
  options.time_limit = absl::Hours(1);
  options.last_try = absl::Milliseconds(1);
  SpanExporter exporter(options);
  exporter.Add(SomeSpans(3));
  collector.AwaitRequests(1);
  for (int i = 0; i < 100; ++i) exporter.Add(SomeSpans(3));
  exporter.Stop();
  CHECK(exporter.counters().dropped == 303);
  collector.Answer(200);
}

TEST_CASE("a request that takes too long is abandoned and repeated") {
  OtlpCollector collector;
  collector.Hang();
  SpanExporterOptions options = OptionsFor(collector.url());
  options.time_limit = absl::Milliseconds(20);
  SpanExporter exporter(options);
  exporter.Add(SomeSpans(2));
  collector.AwaitRequests(1);
  collector.Answer(200);
  // The collector may have counted the first request before it was given up: spans are sent at least once.
  CHECK(collector.AwaitSpans(2).size() >= 2);
  AwaitWaiting(exporter, 0);
  CHECK(exporter.counters().sent == 2);
}

TEST_CASE("stopping the exporter sends the spans that wait") {
  const OtlpCollector collector;
  SpanExporterOptions options = OptionsFor(collector.url());
  options.every = absl::Hours(1);
  options.last_try = absl::Seconds(30);
  SpanExporter exporter(options);
  exporter.Add(SomeSpans(5));
  exporter.Stop();
  CHECK(exporter.counters().sent == 5);
  CHECK(collector.spans().size() == 5);
}

}  // namespace
}  // namespace logquery::shim
