// Labels of calls: what definitions and headers may say, and what a call's labels are, up to the engine.
#include "lib/endpoint/definitions/labels.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/call_labels.h"
#include "logquery/query_service.h"
#include "logquery/testing/fake_backend.h"
#include "logquery/testing/fake_clock.h"

namespace logquery::endpoint {
namespace {

using From = EndpointLabel::From;

constexpr char kText[] = "environment=production,tenant=@project,session_id";

Endpoint With(const std::string& labels) {
  const auto endpoint = Endpoint::FromJson(
      "n.json", base::StrCat(R"({"id": "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f11", "name": "n", "labels": ")", labels, R"(",
                    "parameters": [{"name": "project", "type": "STRING"},
                                   {"name": "tier", "type": "STRING", "default": "free"},
                                   {"name": "since", "computed": {"by": "retention", "from": "tier"}}]})"),
      "SELECT @project AS p, @tier AS t, @since AS s");
  INFO(endpoint.status().ToString());
  REQUIRE(endpoint.ok());
  return *endpoint;
}

TEST_CASE("a definition's labels are fixed, of a parameter, or of the caller's header") {
  const Endpoint endpoint = With(kText);
  CHECK(endpoint.labels == std::vector<EndpointLabel>{{"environment", From::kFixed, "production"},
                                                      {"tenant", From::kParameter, "project"},
                                                      {"session_id", From::kHeader, ""}});
  CHECK(TakesLabels(endpoint));
  CHECK_FALSE(TakesLabels(With("a=b")));
  CHECK(With("").labels.empty());
  // Logflare's users write labels in this way.
  CHECK(With(",my_label=@project, other_value ,my=value,").labels.size() == 3);
}

TEST_CASE("a call's labels are of its parameters, then of its header; others of the header do not count") {
  const Endpoint endpoint = With(kText);
  QueryRequest request;
  CHECK(LabelsOf({}, endpoint, request) == Labels{{"environment", "production"}});
  request.labels = {{"session_id", "abc123"}, {"ignored", "xyz"}, {"tenant", "of-header"}, {"environment", "test"}};
  CHECK(LabelsOf({}, endpoint, request) ==
        Labels{{"environment", "production"}, {"tenant", "of-header"}, {"session_id", "abc123"}});
  request.parameters = {{"project", "p1"}};
  CHECK(LabelsOf({}, endpoint, request)[1].second == "p1");

  // A parameter's value from the token counts as if it were sent; so does a default.
  request.parameters = {{"project", ""}};
  Principal principal;
  principal.project_scope = "scope";
  CHECK(LabelsOf(principal, endpoint, request)[1].second == "scope");
  principal.fixed_parameters = {{"project", "fixed"}};
  CHECK(LabelsOf(principal, endpoint, request)[1].second == "fixed");
  CHECK(LabelsOf({}, With("tier=@tier"), request) == Labels{{"tier", "free"}});
}

TEST_CASE("values have a label's form whatever is sent, and hold no address") {
  const Endpoint endpoint = With("session_id");
  const auto value = [&](const std::string& sent) {
    QueryRequest request;
    request.labels = {{"session_id", sent}};
    return LabelsOf({}, endpoint, request).at(0).second;
  };
  CHECK(value("Org-123") == "org-123");
  CHECK(value("a b\r\n\"c\"\xff=ü") == "a_b___c_____");
  CHECK(value(std::string(1'000, 'x')) == std::string(63, 'x'));
  CHECK(value("from 192.0.2.7") == "from_redacted");
  CHECK(value(std::string(55, 'x') + " 192.0.2.77") == std::string(55, 'x') + "_redacte");
}

TEST_CASE("a header has the form key=value,key2=value2, and other forms are rejected with the invalid part") {
  CHECK(ParseLabelHeader(" a=b , C=d=e,,f=,")->size() == 3);
  CHECK(*ParseLabelHeader("a=b,c=d=e") == Labels{{"a", "b"}, {"c", "d=e"}});
  CHECK(ParseLabelHeader("")->empty());
  for (const std::string header : {"a", "=b", "a=b,c", " = "}) {
    CAPTURE(header);
    const absl::Status status = ParseLabelHeader(header).status();
    CHECK(status.code() == absl::StatusCode::kInvalidArgument);
    CHECK(base::Message(status).find("the header LF-ENDPOINT-LABELS has \"") == 0);
  }
  std::string many;
  for (int i = 0; i < 65; ++i) many += "k=v,";
  CHECK(base::Message(ParseLabelHeader(many).status()).find("more than 64 labels") != std::string::npos);
  CHECK(base::Message(ParseLabelHeader("a=" + std::string(4'096, 'x')).status()).find("longer than 4096 bytes") !=
        std::string::npos);
}

TEST_CASE("wrong labels of a definition are named") {
  const auto error = [](const std::string& labels) {
    const std::string json =
        base::StrCat(R"({"id": "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f11", "name": "n", "labels": )", labels,
                     R"(, "parameters": [{"name": "tier", "type": "STRING"},
                            {"name": "since", "computed": {"by": "retention", "from": "tier"}}]})");
    return std::string(Endpoint::FromJson("n.json", json, "SELECT @since AS s").status().message());
  };
  const auto has = [&](const std::string& labels, const std::string& part) {
    INFO(error(labels));
    CHECK(error(labels).find(part) != std::string::npos);
  };
  has(R"("Team=a")",
      "labels has the key \"Team\"; a key is 1 to 63 lower-case letters, digits, - and _, the first a letter");
  has(R"("=a")", "labels has the key \"\"");
  has(R"("1a")", "labels has the key \"1a\"");
  has(R"("a=b,a")", "labels has the key a twice");
  has(R"("a=B")", "labels has \"a=B\"; a value is up to 63 lower-case letters");
  has(R"("a=")", "labels has \"a=\"");
  has(R"("a=@")", "labels has \"a=@\"");
  has(R"("a=@nobody")", "labels names the parameter nobody, which the definition does not have");
  has(R"("a=@since")", "labels names the parameter since, which the definition computes");
  has(R"({"a": "b"})", "labels must be");
  std::string many;
  for (int i = 0; i < 17; ++i) many += base::StrCat("k", i, "=v,");
  has(base::StrCat("\"", many, "\""), "labels has 17 labels, 16 at most");
}

TEST_CASE("the engine is given a call's labels and its trace, and they share no answer apart") {
  testing::FakeClock clock(absl::FromUnixSeconds(1'772'600'767));
  testing::FakeBackend backend(Catalog::DeclaredLogs(), &clock);
  backend.AnswerBy([](const PreparedQuery&, const Bindings&) { return testing::FakeBackend::Rows{}; });
  QueryServiceOptions options;
  options.backend = &backend;
  options.clock = &clock;
  options.warming_threads = 0;
  options.endpoints = {With("session_id")};
  options.endpoints.front().query = "SELECT id FROM `cloudflare.logs.prod`";
  options.endpoints.front().parameters.clear();
  options.endpoints.front().caching = absl::Seconds(60);
  const auto service = QueryService::Create(std::move(options));
  INFO(service.status().ToString());
  REQUIRE(service.ok());
  QueryRequest request;
  request.endpoint = "n";
  request.labels = {{"session_id", "one"}};
  request.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  REQUIRE((*service)->Run(request).ok());
  request.labels = {{"session_id", "two"}};
  REQUIRE((*service)->Run(request)->cache == CacheUse::kHit);
  const auto calls = backend.calls();
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].limits.tags.labels == Labels{{"session_id", "one"}});
  CHECK(calls[0].limits.tags.traceparent == request.traceparent);
}

}  // namespace
}  // namespace logquery::endpoint
