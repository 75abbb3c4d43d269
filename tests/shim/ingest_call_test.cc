// Requests with logs over a receiver that counts: what the routes ask it, and when.
#include "shim/http/logs/ingest_call.h"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "shim/http/calls/routes.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim {
namespace {

class CountingReceiver : public LogReceiver {
 public:
  class Admission : public LogAdmission {
   public:
    explicit Admission(const Principal& principal) : principal_(principal) {}
    const Principal& principal() const override { return principal_; }
    bool Grow(int64_t) override { return true; }

   private:
    const Principal principal_;
  };

  absl::StatusOr<std::unique_ptr<LogAdmission>> Admit(const Principal& principal, std::string_view source,
                                                      int64_t bytes) override {
    ++admitted;
    admitted_bytes = bytes;
    if (source == "full") return absl::ResourceExhaustedError("there is no memory");
    if (source != "edge_logs") return absl::NotFoundError("there is no such log");
    return std::make_unique<Admission>(principal);
  }
  absl::StatusOr<ReceivedLogs> Append(LogAdmission& admission, const LogBody& body) override {
    CHECK(admission.principal().label == "tester");
    text = std::string(body.text);
    shape = body.shape;
    key = body.idempotency_key;
    ReceivedLogs logs;
    logs.rows = 1;
    logs.rejected_rows = 1;
    logs.rejected = {{1, "192.0.2.77 is no time"}};
    return logs;
  }
  std::vector<std::string> Sources(const Principal&) const override { return {"edge_logs"}; }
  LogReceiverState state() const override { return {}; }
  void Stop() override {}

  int admitted = 0;
  int64_t admitted_bytes = 0;
  std::string text;
  EventShape shape = EventShape::kRow;
  std::string key;
};

struct IngestFixture {
  IngestFixture() : routes(Options()) {}
  HttpServerOptions Options() {
    HttpServerOptions options = {&fixture.service, fixture.queue.get(), &fixture.log};
    options.receiver = &receiver;
    return options;
  }
  // Handles a request as the server does, which reads the body if it is wanted.
  HttpResponse Post(std::string query, std::string body, HttpHeaders headers = {{"X-API-KEY", "good"}}) {
    HttpRequest request;
    request.method = "POST";
    request.path = "/api/logs/vector";
    request.query = std::move(query);
    request.headers = std::move(headers);
    size_t max_bytes = 0;
    Exchange exchange(std::move(request));
    routes.Begin(exchange);
    problem = routes.AdmitBody(exchange, {.bytes = body.size()}, max_bytes);
    if (problem.status != 0) return routes.Refuse(exchange, problem);
    if (max_bytes > 0) exchange.http.body = std::move(body);
    return routes.Answer(exchange);
  }

  RoutesFixture fixture;
  CountingReceiver receiver;
  Routes routes;
  HttpProblem problem;
};

TEST_CASE("a request with logs is authenticated and admitted once, before its body is read") {
  IngestFixture ingest;
  const HttpResponse response =
      ingest.Post("source_name=edge_logs", "[{}]", {{"X-API-KEY", "good"}, {"Idempotency-Key", "batch 1"}});
  CHECK(response.status == 200);
  CHECK(response.body == R"({"message":"Logged!","rejected":[{"index":1,"reason":"192.0.2.77 is no time"}]})");
  CHECK(ingest.fixture.service.authenticated() == 1);
  CHECK(ingest.receiver.admitted == 1);
  CHECK(ingest.receiver.admitted_bytes == 4);
  CHECK(ingest.receiver.text == "[{}]");
  CHECK(ingest.receiver.shape == EventShape::kVector);
  CHECK(ingest.receiver.key == "batch 1");
}

TEST_CASE("the body of a request that is not admitted is not read, and the response says why") {
  IngestFixture ingest;
  CHECK(ingest.Post("source_name=nothing", "[{}]").status == 404);
  CHECK(ingest.Post("", "[{}]").status == 400);
  CHECK(ingest.Post("source_name=edge_logs", "[{}]", {{"X-API-KEY", "bad"}}).status == 401);
  CHECK(ingest.Post("source_name=edge_logs", "[{}]", {{"X-API-KEY", "good"}, {"Content-Type", "image/png"}}).status ==
        415);
  CHECK(ingest.problem.status == 0);
  CHECK(ingest.Post("source_name=full", "[{}]").status == 429);
  CHECK(ingest.problem.status == 429);
  CHECK(ingest.receiver.text.empty());
}

TEST_CASE("the log has four names in the URL and two in headers, and a request names one log") {
  IngestFixture ingest;
  for (const char* name : {"source_name", "source", "collection_name", "collection"}) {
    CAPTURE(name);
    CHECK(ingest.Post(base::StrCat(name, "=edge_logs"), "[{}]").status == 200);
  }
  for (const char* name : {"X-Source", "x-collection"}) {
    CAPTURE(name);
    CHECK(ingest.Post("", "[{}]", {{"X-API-KEY", "good"}, {name, "edge_logs"}}).status == 200);
  }
  CHECK(ingest.Post("source=&collection_name=edge_logs&source_name=edge_logs", "[{}]").status == 200);
  const HttpResponse two = ingest.Post("source_name=edge_logs&collection=auth_logs", "[{}]");
  CHECK(two.status == 400);
  CHECK(two.body.find("the URL names two logs; a request is for one") != std::string::npos);
  // The URL comes before headers.
  CHECK(ingest.Post("collection=edge_logs", "[{}]", {{"X-API-KEY", "good"}, {"X-Source", "nothing"}}).status == 200);
}

TEST_CASE("reasons are redacted for a token that mandates it") {
  IngestFixture ingest;
  const HttpResponse response = ingest.Post("source_name=edge_logs", "[{}]", {{"X-API-KEY", "redacted"}});
  CHECK(response.status == 200);
  CHECK(response.body.find("192.0.2.77") == std::string::npos);
}

}  // namespace
}  // namespace logquery::shim
