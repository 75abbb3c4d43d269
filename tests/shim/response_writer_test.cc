#include "shim/http/transport/response_writer.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "absl/time/time.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim {
namespace {

constexpr AfterResponse kKept = {.closes = false, .idle = absl::Seconds(5), .max_requests = 1'000};

TEST_CASE(
    "a head has the status, the response's own headers, its body's type and length, and what becomes of the "
    "connection") {
  HttpResponse response = JsonResponse(200, "{}");
  response.AddHeader("Age", "7");
  CHECK(HeadOf(response, kKept) ==
        "HTTP/1.1 200 OK\r\nAge: 7\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: 2\r\n"
        "Keep-Alive: timeout=5, max=1000\r\n\r\n");
  response.status = 503;
  CHECK(HeadOf(response, {}).starts_with("HTTP/1.1 503 Service Unavailable\r\n"));
  CHECK(HeadOf(response, {}).ends_with("Connection: close\r\n\r\n"));
}

TEST_CASE("a response without a body by its status has neither length nor type, and an empty one has the length 0") {
  HttpResponse response;
  CHECK(HeaderOf(HeadOf(response, kKept), "Content-Length") == "0");
  for (const int status : {204, 304}) {
    response.status = status;
    CHECK(HeaderOf(HeadOf(response, kKept), "Content-Length").empty());
    CHECK(HeaderOf(HeadOf(response, kKept), "Content-Type").empty());
  }
}

TEST_CASE("a response to HEAD has the length of the body that it leaves out, and the connection stays in step") {
  ServerFixture fixture;
  RawClient client(fixture.port());
  client.Send("HEAD /health HTTP/1.1\r\nHost: t\r\n\r\n");
  const std::string head = client.Receive(/*head_only=*/true);
  CHECK(StatusOf(head) == 200);
  CHECK(HeaderOf(head, "Content-Length") == "15");
  client.Send("GET /health HTTP/1.1\r\nHost: t\r\n\r\n");
  CHECK(BodyOf(client.Receive()) == R"({"status":"ok"})");
}

}  // namespace
}  // namespace logquery::shim
