#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

#include "lib/base/listen_socket.h"
#include "lib/base/strings.h"
#include "shim/http/transport/transport.h"
#include "tests/shim/http_requests.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim::http_tests {
namespace {

TEST_CASE("a request over a socket") {
  ServerFixture fixture;
  fixture.service.on_run = [](const QueryRequest&) { return AnswerWith(R"({"result":[1]})"); };

  const std::string response = Get(fixture.port(), base::StrCat(kCall, "?project=abc#fragment"));

  CHECK(StatusOf(response) == 200);
  CHECK(BodyOf(response) == R"({"result":[1]})");
  CHECK(HeaderOf(response, "Content-Type") == "application/json; charset=utf-8");
  CHECK(HeaderOf(response, "Cache-Control") == "private, no-cache");
  CHECK(HeaderOf(response, "X-Request-Id").size() == 32);
  CHECK_FALSE(HeaderOf(response, "Date").empty());
  CHECK(HeaderOf(response, "Accept-Ranges").empty());
  CHECK(fixture.service.requests().at(0).parameters == ParameterTexts{{"project", "abc"}});
}

TEST_CASE("a slash at the end of a path makes no difference") {
  ServerFixture fixture;
  CHECK(StatusOf(Get(fixture.port(), "/health/")) == 200);
  CHECK(StatusOf(Get(fixture.port(), base::StrCat(kCall, "/?project=abc"))) == 200);
  CHECK(fixture.service.requests().at(0).parameters == ParameterTexts{{"project", "abc"}});
  CHECK(StatusOf(Get(fixture.port(), "/")) == 200);
  CHECK(StatusOf(Get(fixture.port(), "/health//")) == 404);
}

TEST_CASE("a client that sends a long body before it reads gets the rejection, and then the end") {
  ServerFixture fixture;
  for (const auto& [path, bytes, status] :
       {std::tuple("/nothing", 2'000'000, 404), std::tuple("/nothing", 12'000'000, 404),
        std::tuple(kCall, 12'000'000, 413), std::tuple("/nothing", 24'000'000, 413)}) {
    CAPTURE(path, bytes);
    RawClient client(fixture.port());
    client.Send(base::StrCat("POST ", path,
                             " HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\nContent-Type: application/json\r\n",
                             "Content-Length: ", bytes, "\r\n\r\n", std::string(static_cast<size_t>(bytes), ' ')));
    const std::string response = client.Receive();
    CHECK(StatusOf(response) == status);
    CHECK(HeaderOf(response, "Connection") == "close");
    CHECK(client.IsClosed());
  }
}

TEST_CASE("clients that keep sending a rejected body occupy no thread, and end with the server") {
  TransportOptions options;
  options.max_connections = 1;
  options.limits.idle = absl::Hours(1);
  ServerFixture fixture(options);
  RawClient first(fixture.port());
  RawClient second(fixture.port());
  for (RawClient* client : {&first, &second}) {
    client->Send("POST /nothing HTTP/1.1\r\nHost: t\r\nContent-Length: 1000000\r\n\r\n");
    CHECK(StatusOf(client->Receive()) == 404);
    client->Send("more");
  }
  CHECK(StatusOf(Get(fixture.port(), "/health")) == 200);  // on the only thread
  fixture.StopAndJoin(absl::InfiniteDuration());
}

TEST_CASE("requests follow one another on a connection, also when they are sent together") {
  ServerFixture fixture;
  RawClient client(fixture.port());
  client.Send(base::StrCat(kHead, "\r\n", kHead, "\r\n"));
  CHECK(StatusOf(client.Receive()) == 200);
  CHECK(StatusOf(client.Receive()) == 200);
  client.Send(base::StrCat(kHead, "Connection: close\r\n\r\n"));
  const std::string last = client.Receive();
  CHECK(HeaderOf(last, "Connection") == "close");
  CHECK(HeaderOf(last, "Keep-Alive").empty());
  CHECK(client.IsClosed());
}

TEST_CASE("HEAD has the headers of GET and no body") {
  ServerFixture fixture;
  RawClient client(fixture.port());
  client.Send(base::StrCat("HEAD ", kCall, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\n\r\n", kHead, "\r\n"));
  CHECK(HeaderOf(client.Receive(true), "Content-Length") == "13");
  CHECK(BodyOf(client.Receive()) == R"({"result":[]})");
}

TEST_CASE("a body by POST: whole, in chunks, after 100-continue, and empty") {
  ServerFixture fixture;
  RawClient client(fixture.port());
  client.Send(Post(R"({"sql":"select 1"})", "Content-Type: application/json\r\n"));
  CHECK(StatusOf(client.Receive()) == 200);
  client.Send(base::StrCat("POST ", kCall,
                           " HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\nTransfer-Encoding: chunked\r\n\r\n",
                           "9\r\n{\"sql\":\"s\r\n9\r\nelect 2\"}\r\n0\r\n\r\n"));
  CHECK(StatusOf(client.Receive()) == 200);
  client.Send(Post(""));
  CHECK(StatusOf(client.Receive()) == 200);
  client.Send(base::StrCat("POST ", kCall, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\n\r\n"));
  CHECK(StatusOf(client.Receive()) == 200);
  const std::string body = R"({"sql":"select 3"})";
  const std::string whole = Post(body, "Expect: 100-continue\r\n");
  client.Send(whole.substr(0, whole.size() - body.size()));
  CHECK(StatusOf(client.Receive(true)) == 100);
  client.Send(body);
  CHECK(StatusOf(client.Receive()) == 200);
  const auto requests = fixture.service.requests();
  REQUIRE(requests.size() == 5);
  CHECK(requests[0].parameters == ParameterTexts{{"sql", "select 1"}});
  CHECK(requests[1].parameters == ParameterTexts{{"sql", "select 2"}});
  CHECK(requests[2].parameters.empty());
  CHECK(requests[4].parameters == ParameterTexts{{"sql", "select 3"}});
}

TEST_CASE("SQL may come in the body of a GET, as Logflare's clients send it") {
  ServerFixture fixture;
  const auto sent = [&fixture](std::string_view target, std::string_view type, const std::string& body) {
    RawClient client(fixture.port());
    client.Send(base::StrCat("GET ", target, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\n", type, "Content-Length: ",
                             body.size(), "\r\n\r\n", body, "GET /health HTTP/1.1\r\nHost: t\r\n\r\n"));
    const std::string response = client.Receive();
    // The bytes behind the body are the next request, and no part of it.
    if (StatusOf(response) == 200) CHECK(StatusOf(client.Receive()) == 200);
    return response;
  };
  const std::string json = "Content-Type: application/json\r\n";
  const auto parameters = [&fixture] { return fixture.service.requests().back().parameters; };
  CHECK(StatusOf(sent(kCall, json, R"({"sql":"select 1","other":"ignored"})")) == 200);
  CHECK(parameters() == ParameterTexts{{"sql", "select 1"}});
  CHECK(StatusOf(sent(base::StrCat(kCall, "?sql=select+2"), json, R"({"sql":"select 1"})")) == 200);
  CHECK(parameters() == ParameterTexts{{"sql", "select 2"}});
  CHECK(StatusOf(sent(base::StrCat(kCall, "?a=b"), json, "{}")) == 200);
  CHECK(parameters() == ParameterTexts{{"a", "b"}});
  CHECK(StatusOf(sent(kCall, json, "[]")) == 400);
  CHECK(StatusOf(sent(kCall, json, R"({"sql":7})")) == 400);
  CHECK(StatusOf(sent(kCall, json, "no JSON")) == 400);
  CHECK(StatusOf(sent(kCall, "", R"({"sql":"select 1"})")) == 400);
  CHECK(StatusOf(sent(kCall, "Content-Type: text/plain\r\n", R"({"sql":"select 1"})")) == 400);
  CHECK(StatusOf(sent("/api/endpoints", json, R"({"sql":"select 1"})")) == 400);
  CHECK(StatusOf(sent("/health", json, "{}")) == 400);
  RawClient chunks(fixture.port());
  chunks.Send(base::StrCat("GET ", kCall, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\n", json,
                           "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"));
  CHECK(StatusOf(chunks.Receive()) == 400);
}

TEST_CASE("SQL of dashboards' length fits into a URL") {
  ServerFixture fixture;
  const std::string sql(30'000, 'x');
  CHECK(StatusOf(Get(fixture.port(), base::StrCat(kCall, "?sql=", sql))) == 200);
  CHECK(fixture.service.requests().at(0).parameters.at(0).second == sql);
}

TEST_CASE("invalid HTTP is answered with a JSON error, and the connection is closed") {
  struct Case {
    std::string sent;
    int status;
  };
  const Case cases[] = {
      {"nonsense\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {base::StrCat("GET /", std::string(70'000, 'a'), " HTTP/1.1\r\nHost: t\r\n\r\n"), 414},
      {base::StrCat("GET / HTTP/1.1\r\nHost: t\r\nA: ", std::string(9'000, 'a'), "\r\n\r\n"), 431},
      {base::StrCat("GET / HTTP/1.1\r\nHost: t\r\nA: ", std::string(66'000, 'a')), 431},  // no line ends: told at once,
      {base::StrCat("GET / HTTP/1.1\r\nHost: t\r\nA: ", std::string(70'000, 'a')), 431},  // wherever the bytes were cut
      {"GET / HTTP/3\r\nHost: t\r\n\r\n", 505},
      {"BREW / HTTP/1.1\r\nHost: t\r\n\r\n", 405},
      {base::StrCat(kHead, "Content-Length: 5\r\n\r\nhello"), 400},
      {base::StrCat(kHead, "Content-Length: 13999999\r\n\r\n"), 413},
      {base::StrCat(kHead, "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"), 400},
      {base::StrCat(kHead, "Transfer-Encoding: gzip\r\n\r\n"), 501},
      {Post("a=1", "Content-Type: application/x-www-form-urlencoded\r\n"), 415},
      {Post("xx", "Content-Encoding: gzip\r\n"), 415},
      {base::StrCat("PUT ", kCall, " HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\nxx"), 405},
      {base::StrCat("POST ", kCall,
                    " HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
       400},
      {base::StrCat("POST ", kCall,
                    " HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\nTransfer-Encoding: chunked\r\n\r\n200000\r\n"),
       413},
  };
  ServerFixture fixture;
  for (const Case& c : cases) {
    CAPTURE(c.sent.substr(0, 120));
    RawClient client(fixture.port());
    client.Send(c.sent);
    const std::string response = client.Receive();
    CHECK(StatusOf(response) == c.status);
    CHECK(HeaderOf(response, "Connection") == "close");
    CHECK_FALSE(HeaderOf(response, "X-Request-Id").empty());
    CHECK(nlohmann::json::parse(BodyOf(response))["error"]["code"] == c.status);
    CHECK(client.IsClosed());
  }
}

TEST_CASE("no request can be smuggled behind an unread body") {
  ServerFixture fixture;
  RawClient client(fixture.port());
  client.Send(base::StrCat(kHead, "Content-Length: 60\r\n\r\n", kHead, "\r\n"));
  CHECK(StatusOf(client.Receive()) == 400);
  CHECK(client.IsClosed());
  CHECK(fixture.service.requests().empty());
}

TEST_CASE("a port in use and a foreign address are reported clearly") {
  ServerFixture fixture;
  TransportOptions options;
  options.address.port = fixture.port();
  const auto taken = Transport::Bind(options, &fixture.routes);
  CHECK(taken.status().code() == absl::StatusCode::kUnavailable);
  CHECK(base::Message(taken.status()) ==
        base::StrCat("can't listen on 127.0.0.1:", fixture.port(), ": the port is taken"));
  options.address = {"203.0.113.1", 0};
  CHECK(Transport::Bind(options, &fixture.routes).status().code() == absl::StatusCode::kInvalidArgument);
}

TEST_CASE("addresses to listen on") {
  CHECK(base::ParseListenAddress("127.0.0.1:4000")->port == 4'000);
  CHECK(base::ParseListenAddress("[::1]:80")->host == "::1");
  CHECK(base::ParseListenAddress("localhost:0")->host == "localhost");
  for (const char* wrong :
       {"", "4000", ":4000", "host:", "host:x", "host:65536", "host:-1", "::1:80", "[]:1", "host:1 "}) {
    CAPTURE(wrong);
    CHECK(base::ParseListenAddress(wrong).status().code() == absl::StatusCode::kInvalidArgument);
  }
  CHECK(base::IsLoopback("127.1.2.3"));
  CHECK(base::IsLoopback("::1"));
  CHECK(base::IsLoopback("localhost"));
  CHECK_FALSE(base::IsLoopback("0.0.0.0"));
  CHECK_FALSE(base::IsLoopback("::"));
  CHECK_FALSE(base::IsLoopback("example.org"));
}

}  // namespace
}  // namespace logquery::shim::http_tests
