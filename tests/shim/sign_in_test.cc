// Signing in to the console by a code, over a socket. tests/base/sign_in_codes_test.cc has the codes themselves.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "lib/base/attempt_limiter.h"
#include "lib/base/strings.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim {
namespace {

using Json = nlohmann::json;

std::string Post(int port, std::string_view path, std::string_view body, std::string_view headers = "") {
  RawClient client(port);
  client.Send(base::StrCat("POST ", path, " HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nContent-Length: ",
                           std::to_string(body.size()), "\r\n", headers, "\r\n", body));
  return client.Receive();
}

std::string CodeOver(int port) {
  const std::string made = Post(port, "/api/console/codes", "{}", "X-API-KEY: good\r\n");
  REQUIRE(StatusOf(made) == 200);
  const Json code = Json::parse(BodyOf(made));
  CHECK(code["expires_in"] == 60);
  return code["code"];
}

TEST_CASE("over a socket: a token creates a code, and the code returns the token once") {
  ServerFixture fixture;
  const std::string body = base::StrCat(R"({"code":")", CodeOver(fixture.port()), R"("})");
  const std::string taken = Post(fixture.port(), "/api/console/token", body);
  CHECK(StatusOf(taken) == 200);
  CHECK(BodyOf(taken) == R"({"token":"good"})");
  CHECK(HeaderOf(taken, "Cache-Control") == "no-store");
  const std::string again = Post(fixture.port(), "/api/console/token", body);
  CHECK(StatusOf(again) == 401);
  CHECK(BodyOf(again).find("already used") != std::string::npos);
}

TEST_CASE("over a socket: no code or token is logged, and a code in the URL is rejected") {
  ServerFixture fixture;
  const std::string code = CodeOver(fixture.port());
  CHECK(StatusOf(Post(fixture.port(), base::StrCat("/api/console/token?code=", code), "{}")) == 400);
  CHECK(StatusOf(Post(fixture.port(), "/api/console/token", base::StrCat(R"({"code":")", code, R"("})"))) == 200);
  REQUIRE_FALSE(fixture.log_lines.Await("/api/console/token").empty());
  for (const std::string& line : fixture.log_lines.lines()) CHECK(line.find(code) == std::string::npos);
}

TEST_CASE("over a socket: an invalid exchange of a code is rejected") {
  ServerFixture fixture;
  CHECK(StatusOf(Post(fixture.port(), "/api/console/codes", "{}")) == 401);
  CHECK(StatusOf(Post(fixture.port(), "/api/console/codes", "{}", "X-API-KEY: bad\r\n")) == 401);
  CHECK(StatusOf(Get(fixture.port(), "/api/console/codes")) == 405);
  for (const char* body : {"", "[]", "{}", R"({"code":1})", R"({"code":null})", "{"}) {
    CAPTURE(body);
    CHECK(StatusOf(Post(fixture.port(), "/api/console/token", body)) == 400);
  }
}

TEST_CASE("over a socket: a body above 4 KiB is rejected without a token, with a length or in chunks") {
  ServerFixture fixture;
  const std::string body = base::StrCat(R"({"code":")", CodeOver(fixture.port()), R"("})");
  const auto padded = [&body](size_t bytes) { return body + std::string(bytes - body.size(), ' '); };
  const std::string longer = Post(fixture.port(), "/api/console/token", padded(4'097));
  CHECK(StatusOf(longer) == 413);
  RawClient chunked(fixture.port());
  chunked.Send(
      base::StrCat("POST /api/console/token HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\n"
                   "Transfer-Encoding: chunked\r\n\r\n1001\r\n",
                   padded(4'097), "\r\n0\r\n\r\n"));
  CHECK(StatusOf(chunked.Receive()) == 413);
  CHECK(StatusOf(Post(fixture.port(), "/api/console/token", padded(4'096))) == 200);
}

TEST_CASE("over a socket: guessed codes are throttled like guessed tokens, and a good code still passes") {
  ServerFixture fixture;
  const std::string code = CodeOver(fixture.port());
  std::string last;
  for (int i = 0; i <= base::AttemptLimiter::kAtOnce; ++i) {
    last = Post(fixture.port(), "/api/console/token", R"({"code":"guessed"})");
    if (i < base::AttemptLimiter::kAtOnce) CHECK(StatusOf(last) == 401);
  }
  CHECK(StatusOf(last) == 429);
  CHECK_FALSE(HeaderOf(last, "Retry-After").empty());
  CHECK(StatusOf(Post(fixture.port(), "/api/console/token", base::StrCat(R"({"code":")", code, R"("})"))) == 200);
}

}  // namespace
}  // namespace logquery::shim
