// Tokens, guesses, redaction, and what an answer reveals.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "lib/base/strings.h"
#include "logquery/testing/fake_clock.h"
#include "shim/http/calls/routes.h"
#include "tests/shim/route_requests.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim::route_tests {
namespace {

TEST_CASE("the token comes in one of two headers, never in the URL") {
  RoutesFixture fixture;
  struct Case {
    HttpHeaders headers;
    int status;
  };
  const Case cases[] = {
      {{{"x-api-key", "good"}}, 200},
      {{{"Authorization", "Bearer good"}}, 200},
      {{{"authorization", "bearer  good"}}, 200},
      {{{"X-API-KEY", "good"}, {"Authorization", "Bearer good"}}, 200},
      {{{"X-API-KEY", "good"}, {"Authorization", "Basic Zm9v"}}, 200},
      {{{"X-API-KEY", "good"}, {"Authorization", "Bearer other"}}, 400},
      {{{"X-API-KEY", "good"}, {"X-API-KEY", "other"}}, 400},
      {{{"X-API-KEY", "bad"}}, 401},
      {{{"X-API-KEY", ""}}, 401},
      {{}, 401},
  };
  for (const Case& c : cases) {
    HttpRequest request = Call("api_key=good&token=good");
    request.headers = c.headers;
    CAPTURE(c.headers.size(), c.status);
    CHECK(fixture.routes.Handle(request).status == c.status);
  }
}

TEST_CASE("a request without a token does not reveal which endpoints exist") {
  RoutesFixture fixture;
  for (const char* path : {"/api/endpoints/query/logs.all", "/api/endpoints/query/nothing", "/api/endpoints"}) {
    HttpRequest request = Request("GET", path, "bad=%");
    request.headers.clear();
    const HttpResponse response = fixture.routes.Handle(request);
    CHECK(response.status == 401);
    CHECK_FALSE(Header(response, "WWW-Authenticate").empty());
  }
  CHECK(fixture.service.requests().empty());
  CHECK(fixture.routes.Handle(Request("GET", "/api/endpoints/query/nothing")).status == 404);
}

TEST_CASE("guessing tokens is throttled by address") {
  testing::FakeClock clock(absl::FromUnixSeconds(1'700'000'000));
  RoutesFixture fixture(2, 8, &clock);
  HttpRequest guess = Call();
  guess.headers = {{"X-API-KEY", "bad"}};
  for (int i = 0; i < base::AttemptLimiter::kAtOnce; ++i) CHECK(fixture.routes.Handle(guess).status == 401);

  const HttpResponse refused = fixture.routes.Handle(guess);
  CHECK(refused.status == 429);
  CHECK(Header(refused, "Retry-After") == "6");
  HttpRequest elsewhere = guess;
  elsewhere.remote_address = "192.0.2.2";
  CHECK(fixture.routes.Handle(elsewhere).status == 401);
  clock.Advance(base::AttemptLimiter::kOneEvery);
  CHECK(fixture.routes.Handle(guess).status == 401);
  CHECK(fixture.routes.Handle(guess).status == 429);
}

TEST_CASE("wrong tokens do not lock out a right one, and all get the same answer") {
  testing::FakeClock clock(absl::FromUnixSeconds(1'700'000'000));
  RoutesFixture fixture(2, 8, &clock);
  HttpRequest guess = Call();
  std::string told;
  for (int i = 0; i < 5 * base::AttemptLimiter::kAtOnce; ++i) {
    guess.headers = {{"X-API-KEY", base::StrCat("bad", i)}, {"X-Request-Id", "same"}};
    const HttpResponse response = fixture.routes.Handle(guess);
    CHECK(response.status == (i < base::AttemptLimiter::kAtOnce ? 401 : 429));
    if (i == base::AttemptLimiter::kAtOnce) told = response.body;
    if (i > base::AttemptLimiter::kAtOnce) CHECK(response.body == told);
    CHECK(fixture.routes.Handle(Call()).status == 200);  // from the same address
  }
  // Guessing while one has to wait does not make the time shorter.
  clock.Advance(base::AttemptLimiter::kOneEvery - absl::Seconds(1));
  CHECK(fixture.routes.Handle(guess).status == 429);
}

TEST_CASE("a request without a token does not count as a guess") {
  RoutesFixture fixture;
  HttpRequest request = Call();
  request.headers.clear();
  for (int i = 0; i < 3 * base::AttemptLimiter::kAtOnce; ++i) CHECK(fixture.routes.Handle(request).status == 401);
}

TEST_CASE("redaction is asked for by a header whose value is true") {
  for (const auto& [value, redact] :
       {std::pair{"true", true}, {"TRUE", true}, {"1", false}, {"false", false}, {"", false}}) {
    RoutesFixture fixture;
    HttpRequest request = Call();
    request.headers.emplace_back("lf-endpoint-redact-pii", value);
    CHECK(fixture.routes.Handle(request).status == 200);
    CHECK(fixture.service.requests().at(0).redact_pii == redact);
  }
}

TEST_CASE("one true among several redaction headers turns redaction on, in any order") {
  for (const std::vector<std::string>& values : std::vector<std::vector<std::string>>{
           {"true", "false"}, {"false", "true"}, {"", "TRUE"}, {"true, false"}, {"false,True"}, {"0", "x, true"}}) {
    RoutesFixture fixture;
    HttpRequest request = Call();
    for (const std::string& value : values) request.headers.emplace_back("LF-ENDPOINT-REDACT-PII", value);
    CHECK(fixture.routes.Handle(request).status == 200);
    CHECK(fixture.service.requests().at(0).redact_pii);
  }
}

TEST_CASE("addresses in an error's text are redacted with the call") {
  RoutesFixture fixture;
  fixture.service.on_run = [](const QueryRequest&) { return absl::InvalidArgumentError("can't cast 10.1.2.3"); };
  HttpRequest request = Call();
  CHECK(ErrorMessage(fixture.routes.Handle(request)) == "can't cast 10.1.2.3");
  request.headers.emplace_back("LF-ENDPOINT-REDACT-PII", "true");
  CHECK(ErrorMessage(fixture.routes.Handle(request)) == "can't cast REDACTED");
  for (const std::string& line : fixture.log_lines.lines()) CHECK(line.find("10.1.2.3") == std::string::npos);
}

TEST_CASE("an error before the service is called is redacted if the call or the token requires it") {
  for (const char* query : {"192.0.2.7=a&192.0.2.7=b", "ip=%zz192.0.2.7", "192.0.2.7=%zz", "192%2E0%2E2%2E7=%zz"}) {
    CAPTURE(query);
    RoutesFixture fixture;
    HttpRequest request = Call(query);
    CHECK(fixture.routes.Handle(request).status == 400);
    request.headers.emplace_back("LF-ENDPOINT-REDACT-PII", "true");
    CHECK(fixture.routes.Handle(request).body.find("192.0.2.7") == std::string::npos);
    request.headers = {{"X-API-KEY", "redacted"}};
    const HttpResponse response = fixture.routes.Handle(request);
    CHECK(response.status == 400);
    CHECK(response.body.find("192.0.2.7") == std::string::npos);
    for (const std::string& line : fixture.log_lines.lines()) CHECK(line.find("192.0.2.7") == std::string::npos);
  }
}

TEST_CASE("an error of the service has its status, and an internal one no internals") {
  RoutesFixture fixture;
  fixture.service.on_run = [](const QueryRequest&) { return absl::InternalError("secret 0x7f"); };
  HttpRequest request = Call();
  request.headers.emplace_back("X-Request-Id", "my-id.1");

  const HttpResponse response = fixture.routes.Handle(request);

  CHECK(response.status == 500);
  CHECK(response.body.find("secret") == std::string::npos);
  CHECK(ErrorMessage(response).find("my-id.1") != std::string::npos);
  CHECK(fixture.log_lines.Await("secret").find("my-id.1") != std::string::npos);
}

TEST_CASE("a token is in no answer and no line of the log") {
  RoutesFixture fixture;
  HttpRequest request = Call("project=good");
  request.headers = {{"X-API-KEY", "lq_secretsecret"}};
  const HttpResponse response = fixture.routes.Handle(request);
  CHECK(response.body.find("lq_secret") == std::string::npos);
  REQUIRE(fixture.log_lines.lines().size() == 1);
  CHECK(fixture.log_lines.lines()[0].find("lq_secret") == std::string::npos);
  CHECK(fixture.log_lines.lines()[0].find("project") == std::string::npos);
}

}  // namespace
}  // namespace logquery::shim::route_tests
