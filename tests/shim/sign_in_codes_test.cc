#include "shim/http/about/sign_in_codes.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "lib/base/strings.h"
#include "logquery/testing/fake_clock.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim {
namespace {

using Json = nlohmann::json;

TEST_CASE("a code gives the token that it was made for, once") {
  testing::FakeClock clock(absl::UnixEpoch());
  SignInCodes codes(&clock);
  const absl::StatusOr<std::string> one = codes.Make("lq_one");
  const absl::StatusOr<std::string> two = codes.Make("lq_two");
  REQUIRE(one.ok());
  REQUIRE(two.ok());
  CHECK(*one != *two);
  CHECK(one->size() == 43);  // 256 bits in base64url
  CHECK(*codes.Take(*two) == "lq_two");
  CHECK(*codes.Take(*one) == "lq_one");
  for (const std::string& used : {*one, *two, std::string(), std::string("lq_one"), std::string(1'000'000, 'a')}) {
    const absl::Status refused = codes.Take(used).status();
    CHECK(absl::IsUnauthenticated(refused));
    CHECK(std::string(refused.message()).find("older than 60 seconds") != std::string::npos);
  }
}

TEST_CASE("a code is valid exactly for its lifetime") {
  testing::FakeClock clock(absl::UnixEpoch());
  SignInCodes codes(&clock);
  const std::string early = *codes.Make("early");
  clock.Advance(absl::Seconds(1));
  const std::string late = *codes.Make("late");
  clock.Advance(SignInCodes::kLifetime - absl::Seconds(1));
  CHECK(absl::IsUnauthenticated(codes.Take(early).status()));
  CHECK(*codes.Take(late) == "late");
}

TEST_CASE("the number of pending codes is limited, and expired ones make room") {
  testing::FakeClock clock(absl::UnixEpoch());
  SignInCodes codes(&clock);
  std::set<std::string> made;
  for (size_t i = 0; i < SignInCodes::kMaxCodes; ++i) {
    made.insert(*codes.Make(base::StrCat("t", i / SignInCodes::kMaxCodesOfToken)));
  }
  CHECK(made.size() == SignInCodes::kMaxCodes);
  CHECK(absl::IsResourceExhausted(codes.Make("t").status()));
  clock.Advance(SignInCodes::kLifetime);
  CHECK(codes.Make("t").ok());
}

TEST_CASE("a token that creates many codes uses up only its own places") {
  testing::FakeClock clock(absl::UnixEpoch());
  SignInCodes codes(&clock);
  const std::string of_another = *codes.Make("another");
  const std::string first = *codes.Make("t");
  std::string last;
  for (size_t i = 0; i < 2 * SignInCodes::kMaxCodes; ++i) {
    clock.Advance(absl::Milliseconds(1));
    last = *codes.Make("t");
  }
  CHECK(absl::IsUnauthenticated(codes.Take(first).status()));
  CHECK(*codes.Take(last) == "t");
  CHECK(*codes.Take(of_another) == "another");
}

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
  for (int i = 0; i <= AttemptLimiter::kAtOnce; ++i) {
    last = Post(fixture.port(), "/api/console/token", R"({"code":"guessed"})");
    if (i < AttemptLimiter::kAtOnce) CHECK(StatusOf(last) == 401);
  }
  CHECK(StatusOf(last) == 429);
  CHECK_FALSE(HeaderOf(last, "Retry-After").empty());
  CHECK(StatusOf(Post(fixture.port(), "/api/console/token", base::StrCat(R"({"code":")", code, R"("})"))) == 200);
}

}  // namespace
}  // namespace logquery::shim
