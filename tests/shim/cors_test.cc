#include "shim/http/transport/cors.h"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "lib/base/strings.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim {
namespace {

constexpr char kSite[] = "https://dashboard.example";

struct CorsFixture : RoutesFixture {
  CorsFixture() : RoutesFixture() {
    HttpServerOptions options{&service, queue.get(), &log};
    with_cors = std::make_unique<Routes>(options, *Cors::Create({kSite, "http://localhost:3000"}));
  }
  ~CorsFixture() { queue->Stop(); }  // its threads use the routes

  std::unique_ptr<Routes> with_cors;
};

HttpRequest From(std::string_view origin, const std::string& method = "GET") {
  HttpRequest request;
  request.method = method;
  request.path = "/api/endpoints/query/logs.all";
  request.headers = {{"X-API-KEY", "good"}};
  if (!origin.empty()) request.headers.emplace_back("Origin", origin);
  return request;
}

HttpRequest Preflight(std::string_view origin) {
  HttpRequest request = From(origin, "OPTIONS");
  request.headers = {{"Origin", std::string(origin)},
                     {"Access-Control-Request-Method", "GET"},
                     {"Access-Control-Request-Headers", "x-api-key"}};
  return request;
}

std::string Header(const HttpResponse& response, std::string_view name) {
  return std::string(response.headers.Find(name).value_or(""));
}

TEST_CASE("a page of an allowed site may send preflights and calls, and read the answers") {
  CorsFixture fixture;
  const HttpResponse asked = fixture.with_cors->Handle(Preflight(kSite));
  CHECK(asked.status == 204);
  CHECK(asked.body.empty());
  CHECK(Header(asked, "Access-Control-Allow-Origin") == kSite);
  CHECK(Header(asked, "Access-Control-Allow-Methods") == "GET, HEAD, POST");
  CHECK(Header(asked, "Access-Control-Allow-Headers").find("X-API-KEY") != std::string::npos);
  CHECK(Header(asked, "Access-Control-Max-Age") == "600");
  CHECK(fixture.service.requests().empty());

  const HttpResponse called = fixture.with_cors->Handle(From(kSite));
  CHECK(called.status == 200);
  CHECK(Header(called, "Access-Control-Allow-Origin") == kSite);
  CHECK(Header(called, "Access-Control-Expose-Headers").find("Logquery-Truncated") != std::string::npos);
  CHECK(Header(called, "Vary") == "Accept, Accept-Encoding, Origin");
}

TEST_CASE("errors are readable by the page too, so that it can tell a wrong token from a network failure") {
  CorsFixture fixture;
  HttpRequest request = From(kSite);
  request.headers[0].second = "wrong";
  const HttpResponse refused = fixture.with_cors->Handle(request);
  CHECK(refused.status == 401);
  CHECK(Header(refused, "Access-Control-Allow-Origin") == kSite);
  Exchange exchange(From(kSite, "POST"));
  const HttpResponse too_large = fixture.with_cors->Refuse(exchange, {413, "too long"});
  CHECK(Header(too_large, "Access-Control-Allow-Origin") == kSite);
}

TEST_CASE("unknown sites, and sites that resemble a known one, get no permission") {
  CorsFixture fixture;
  for (const char* origin :
       {"https://evil.example", "null", "*", "http://dashboard.example", "https://dashboard.example:444",
        "https://dashboard.example.evil.example", "https://DASHBOARD.example", "https://dashboard.example/",
        "https://dashboard.example https://evil.example"}) {
    CAPTURE(origin);
    CHECK(fixture.with_cors->Handle(Preflight(origin)).status == 405);
    const HttpResponse called = fixture.with_cors->Handle(From(origin));
    CHECK(Header(called, "Access-Control-Allow-Origin").empty());
    // A cache must not give this answer to a site that is known.
    CHECK(Header(called, "Vary").find("Origin") != std::string::npos);
  }
  const HttpResponse none = fixture.with_cors->Handle(From(""));
  CHECK(none.status == 200);
  CHECK(Header(none, "Access-Control-Allow-Origin").empty());
}

TEST_CASE("credentials are never allowed") {
  CorsFixture fixture;
  CHECK(Header(fixture.with_cors->Handle(Preflight(kSite)), "Access-Control-Allow-Credentials").empty());
  CHECK(Header(fixture.with_cors->Handle(From(kSite)), "Access-Control-Allow-Credentials").empty());
}

TEST_CASE("an OPTIONS request that is not a preflight is a method that is not allowed") {
  CorsFixture fixture;
  const HttpResponse response = fixture.with_cors->Handle(From(kSite, "OPTIONS"));
  CHECK(response.status == 405);
  CHECK(Header(response, "Allow") == "GET, HEAD, POST");
}

TEST_CASE("the server allows no sites by default") {
  RoutesFixture fixture;
  CHECK(fixture.routes.Handle(Preflight(kSite)).status == 405);
  const HttpResponse called = fixture.routes.Handle(From(kSite));
  CHECK(called.status == 200);
  CHECK(called.headers.text().find("Access-Control-") == std::string::npos);
  CHECK(Header(called, "Vary") == "Accept, Accept-Encoding");
}

TEST_CASE("a site must be configured as browsers send it") {
  for (const char* good : {"https://a.example", "http://localhost:3000", "https://a-b.c.example:8443",
                           "http://[::1]:8080", "http://[::1]"}) {
    CAPTURE(good);
    CHECK(Cors::Create({good}).ok());
  }
  for (const char* wrong : {"",
                            "*",
                            "null",
                            "a.example",
                            "https://",
                            "https://a.example/",
                            "https://a.example/path",
                            "https://A.example",
                            "https://a.example:",
                            "https://a.example:443",
                            "http://a.example:80",
                            "https://a.example:0",
                            "https://a.example:08",
                            "https://a.example:x",
                            "http://[::1]:80800",
                            "https://user@a.example",
                            "https://*.example",
                            "ftp://a.example",
                            "https://a.example ",
                            "https://a.example\r\nX: y",
                            "https://[::1",
                            "https://[]",
                            "https://:443"}) {
    CAPTURE(wrong);
    const absl::Status status = Cors::Create({"https://good.example", wrong}).status();
    CHECK(status.code() == absl::StatusCode::kInvalidArgument);
    CHECK(base::Message(status).find("is no origin") != std::string_view::npos);
  }
}

}  // namespace
}  // namespace logquery::shim
