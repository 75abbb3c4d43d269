// The headers that keep browsers from doing with an answer what it is not for, on whatever the server says.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <thread>

#include "lib/base/strings.h"
#include "shim/http/transport/cors.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim {
namespace {

constexpr char kCall[] = "/api/endpoints/query/logs.all";

std::string Sent(std::string_view line, std::string_view headers = "X-API-KEY: good\r\n", std::string_view body = "") {
  return base::StrCat(line, " HTTP/1.1\r\nHost: t\r\n", headers, "\r\n", body);
}

struct Case {
  std::string sent;
  int status;
};

TEST_CASE("every answer has the security headers, including errors") {
  ServerFixture fixture;
  fixture.service.on_run = [](const QueryRequest& request) -> absl::StatusOr<QueryAnswer> {
    if (request.parameters.empty()) return AnswerWith(R"({"result":[]})");
    return absl::Status(
        request.parameters[0].first == "internal" ? absl::StatusCode::kInternal : absl::StatusCode::kDeadlineExceeded,
        "what went wrong");
  };
  const std::string get = base::StrCat("GET ", kCall);
  const Case cases[] = {
      {Sent(get), 200},
      {Sent("GET /"), 200},
      {Sent("GET /health"), 200},
      {Sent("GET /ready"), 200},
      {Sent(get, "X-API-KEY: good\r\nIf-None-Match: *\r\n"), 304},
      {Sent(base::StrCat(get, "?a=%zz")), 400},
      {Sent(get, ""), 401},
      {Sent("GET /nothing"), 404},
      {Sent(base::StrCat("DELETE ", kCall)), 405},
      {Sent(base::StrCat("OPTIONS ", kCall)), 405},
      {Sent(base::StrCat(get, "?format=xml")), 406},
      {Sent(base::StrCat("POST ", kCall), "X-API-KEY: good\r\nContent-Length: 2000000\r\n"), 413},
      {Sent(base::StrCat("GET /", std::string(70'000, 'a'))), 414},
      {Sent(base::StrCat("POST ", kCall), "X-API-KEY: good\r\nContent-Type: text/xml\r\nContent-Length: 1\r\n", "x"),
       415},
      {Sent(get, base::StrCat("A: ", std::string(9'000, 'a'), "\r\n")), 431},
      {Sent(base::StrCat(get, "?internal=1")), 500},
      {Sent(get, "Transfer-Encoding: gzip\r\n"), 501},
      {Sent(base::StrCat(get, "?deadline=1")), 504},
      {"GET / HTTP/3\r\nHost: t\r\n\r\n", 505},
  };
  for (const Case& c : cases) {
    CAPTURE(c.sent.substr(0, 120));
    RawClient client(fixture.port());
    client.Send(c.sent);
    const std::string response = client.Receive();
    CHECK(StatusOf(response) == c.status);
    CHECK(HeaderOf(response, "Content-Security-Policy").starts_with("default-src 'none'; "));
    CHECK(HeaderOf(response, "Content-Security-Policy").find("frame-ancestors 'none'") != std::string::npos);
    CHECK(HeaderOf(response, "Cross-Origin-Resource-Policy") == "same-origin");
    CHECK(HeaderOf(response, "Referrer-Policy") == "no-referrer");
    CHECK(HeaderOf(response, "X-Content-Type-Options") == "nosniff");
    CHECK_FALSE(HeaderOf(response, "Vary").empty());
    // Rows may be kept by who asked, and are asked about each time; nothing else is kept by anybody.
    const bool rows = c.sent.starts_with(get) && c.status < 400;
    CHECK(HeaderOf(response, "Cache-Control") == (rows ? "private, no-cache" : "no-store"));
    CHECK(HeaderOf(response, "Access-Control-Allow-Origin").empty());
    CHECK(HeaderOf(response, "Server").empty());
  }
}

TEST_CASE("a preflight over a socket: no body, and the connection goes on") {
  ServerFixture plain;
  HttpServerOptions options{&plain.service, plain.queue.get(), &plain.log};
  Routes routes(options, *Cors::Create({"https://dashboard.example"}));
  auto server = *Transport::Bind({}, &routes);
  std::thread serving([&] { server->Serve(); });
  {
    RawClient client(server->port());
    client.Send(Sent(base::StrCat("OPTIONS ", kCall),
                     "Origin: https://dashboard.example\r\nAccess-Control-Request-Method: POST\r\n"));
    const std::string asked = client.Receive();
    CHECK(StatusOf(asked) == 204);
    CHECK(HeaderOf(asked, "Access-Control-Allow-Origin") == "https://dashboard.example");
    CHECK(HeaderOf(asked, "X-Content-Type-Options") == "nosniff");
    CHECK(BodyOf(asked).empty());
    client.Send(Sent(base::StrCat("GET ", kCall), "X-API-KEY: good\r\nOrigin: https://dashboard.example\r\n"));
    const std::string called = client.Receive();
    CHECK(StatusOf(called) == 200);
    CHECK(HeaderOf(called, "Access-Control-Allow-Origin") == "https://dashboard.example");
  }
  server->Stop(absl::ZeroDuration());
  serving.join();
  plain.queue->Stop();  // its threads use the routes
}

}  // namespace
}  // namespace logquery::shim
