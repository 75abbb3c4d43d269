// The header traceparent: what of it is taken over, what is not, and where it is seen again.
#include "shim/observe/trace_context.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "tests/shim/introspected_server.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim {
namespace {

constexpr char kTrace[] = "0af7651916cd43dd8448eb211c80319c";
const std::string kSent = std::string("00-") + kTrace + "-b7ad6b7169203331-01";

TEST_CASE("a trace is continued with a span of its own") {
  const auto trace = ContinueTrace(kSent);
  REQUIRE(trace.has_value());
  CHECK(trace->trace_id == kTrace);
  CHECK(trace->span_id.size() == 16);
  CHECK(trace->span_id != "b7ad6b7169203331");
  CHECK(trace->sampled);
  CHECK(trace->Traceparent() == std::string("00-") + kTrace + "-" + trace->span_id + "-01");
  CHECK(ContinueTrace(kSent)->span_id != trace->span_id);
  CHECK(ContinueTrace(trace->Traceparent())->trace_id == kTrace);
}

TEST_CASE("only a valid W3C traceparent is accepted") {
  const std::string ids = std::string(kTrace) + "-b7ad6b7169203331";
  const std::vector<std::string> all_good = {"00-" + ids + "-00", "00-" + ids + "-03", "cc-" + ids + "-01",
                                             "cc-" + ids + "-01-more", "fe-" + ids + "-ff"};
  for (const std::string& good : all_good) {
    CAPTURE(good);
    CHECK(ContinueTrace(good).has_value());
  }
  CHECK_FALSE(ContinueTrace("00-" + ids + "-02")->sampled);
  CHECK(ContinueTrace("00-" + ids + "-0b")->sampled);
  const std::vector<std::string> all_bad = {"",
                                            "00",
                                            "ff-" + ids + "-01",
                                            "00-" + ids + "-01-more",
                                            "00-" + ids + "-01 ",
                                            "00-" + ids + "-0",
                                            "00-" + ids,
                                            "0g-" + ids + "-01",
                                            "00_" + ids + "-01",
                                            "cc-" + ids + "-01.more",
                                            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                                            std::string("00-") + kTrace + "-0000000000000000-01",
                                            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                                            std::string(55, '-'),
                                            std::string(10'000, '0')};
  for (const std::string& bad : all_bad) {
    CAPTURE(bad);
    CHECK_FALSE(ContinueTrace(bad).has_value());
  }
}

HttpRequest CallWith(const std::string& name, const std::string& value) {
  HttpRequest request;
  request.method = "GET";
  request.path = "/api/endpoints/query/logs.all";
  request.query = "project=abc";
  request.headers = {{"X-API-KEY", "good"}, {name, value}};
  return request;
}

TEST_CASE("a call of a trace has its ids in the log, and the service is given the trace with the call's span") {
  RoutesFixture fixture;
  CHECK(fixture.routes.Handle(CallWith("traceparent", kSent)).status == 200);
  const auto line = nlohmann::json::parse(fixture.log_lines.lines().at(0));
  CHECK(line["trace_id"] == kTrace);
  const std::string span = line["span_id"];
  CHECK(span.size() == 16);
  CHECK(fixture.service.requests().at(0).traceparent == std::string("00-") + kTrace + "-" + span + "-01");
  CHECK(fixture.routes.Handle(CallWith("traceparent", "00-nothing")).status == 200);
  CHECK_FALSE(nlohmann::json::parse(fixture.log_lines.lines().at(1)).contains("trace_id"));
  CHECK(fixture.service.requests().at(1).traceparent.empty());
}

// ------------------------------------------------------------------------------------------------------------ labels

std::vector<Endpoint> Labelled() {
  Endpoint endpoint;
  endpoint.id = "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f11";
  endpoint.name = "labelled";
  endpoint.query = "SELECT id FROM `cloudflare.logs.prod`";
  endpoint.labels = {{"team", EndpointLabel::From::kFixed, "a"}, {"session", EndpointLabel::From::kHeader, ""}};
  return {endpoint};
}

TEST_CASE("labels of LF-ENDPOINT-LABELS reach the engine if the endpoint has them, and a wrong header is 400") {
  IntrospectedServer server(Labelled());
  HttpRequest request = CallWith("lf-endpoint-labels", "session=Abc 1,other=x");
  request.path = "/api/endpoints/query/labelled";
  request.query.clear();
  CHECK(server.routes->Handle(request).status == 200);
  REQUIRE(server.backend.calls().size() == 1);
  CHECK(server.backend.calls()[0].limits.tags.labels == Labels{{"team", "a"}, {"session", "abc_1"}});
  request.headers[1].second = "session";
  const HttpResponse refused = server.routes->Handle(request);
  CHECK(refused.status == 400);
  CHECK(refused.body.find("the header LF-ENDPOINT-LABELS has") != std::string::npos);
  // An endpoint without labels does not look at it.
  CHECK(server.routes->Handle(CallWith("LF-ENDPOINT-LABELS", "session")).status == 200);
}

TEST_CASE(
    "calls are counted by the labels that their endpoint has, and however many values callers send, few are kept "
    "apart") {
  IntrospectedServer server(Labelled());
  const auto call = [&](const std::string& session) {
    HttpRequest request = CallWith("LF-ENDPOINT-LABELS", "session=" + session);
    request.path = "/api/endpoints/query/labelled";
    request.query.clear();
    CHECK(server.routes->Handle(request).status == 200);
  };
  for (int i = 0; i < 3; ++i) call("s0");
  for (int i = 1; i < 70; ++i) call("s" + std::to_string(i));
  call("s0");
  const std::string text = server.Get("/metrics").body;
  const auto has = [&](const std::string& sample) { return text.find(sample) != std::string::npos; };
  CHECK(has("logquery_labelled_calls_total{endpoint=\"labelled\",key=\"team\",value=\"a\"} 73\n"));
  CHECK(has("logquery_labelled_calls_total{endpoint=\"labelled\",key=\"session\",value=\"s0\"} 4\n"));
  CHECK(has("logquery_labelled_calls_total{endpoint=\"labelled\",key=\"session\",value=\"(other)\"} 20\n"));
  CHECK_FALSE(has("value=\"s69\""));
}

}  // namespace
}  // namespace logquery::shim
