// Clients that break the protocol, or keep to it only so as to wear the server down. After each the server answers the next.
#include <sys/resource.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "shim/http/transport/http_head.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim {
namespace {

constexpr char kCall[] = "/api/endpoints/query/logs.all";
constexpr char kHead[] = "GET /api/endpoints/query/logs.all HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\n";
constexpr char kPost[] = "POST /api/endpoints/query/logs.all HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\n";

bool IsWell(const ServerFixture& fixture) { return StatusOf(Get(fixture.port(), "/health")) == 200; }

TEST_CASE("a client that sends a byte at a time has no more time than any other") {
  TransportOptions options;
  options.max_connections = 1;
  options.limits.receive = absl::Milliseconds(100);
  ServerFixture fixture(options);
  for (const std::string& begin :
       {std::string("GET /"), base::StrCat(kHead, "A: "), base::StrCat(kPost, "Content-Length: 1000000\r\n\r\n")}) {
    CAPTURE(begin);
    RawClient client(fixture.port());
    client.Send(begin);
    while (!client.HasAnswer()) client.Send("a");
    CHECK(StatusOf(client.Receive()) == 408);
    client.Close();
    CHECK(IsWell(fixture));  // on the only thread
  }
  CHECK(fixture.service.requests().empty());
}

TEST_CASE("a half-closed client is answered, and counts as disconnected if that takes long") {
  ServerFixture fixture;
  RawClient quick(fixture.port());
  quick.Send("GET /health HTTP/1.1\r\nHost: t\r\n\r\n");
  quick.CloseSending();
  CHECK(StatusOf(quick.Receive()) == 200);
  CHECK(quick.IsClosed());

  fixture.HoldQuery();
  RawClient slow(fixture.port());
  slow.Send(base::StrCat(kHead, "\r\n"));
  fixture.begun.WaitForNotification();
  slow.CloseSending();
  const std::string response = slow.Receive();
  CHECK(StatusOf(response) == 499);
  CHECK(BodyOf(response).find("the client left") != std::string::npos);
}

TEST_CASE("a client's disconnection is noticed even behind pipelined requests") {
  ServerFixture fixture;
  fixture.HoldQuery();
  RawClient client(fixture.port());
  client.Send(base::StrCat(kHead, "\r\n"));
  fixture.begun.WaitForNotification();
  client.Send("GET /health HTTP/1.1\r\nHost: t\r\n\r\n");
  client.Close();
  fixture.cancelled.WaitForNotification();
  CHECK(IsWell(fixture));
}

TEST_CASE("a hundred pipelined requests are answered in order, up to the connection's limit") {
  TransportOptions options;
  options.max_requests = 100;
  ServerFixture fixture(options);
  std::string sent;
  for (int i = 0; i < 120; ++i) {
    const std::string body = base::StrCat(R"({"n":")", i, "\"}");
    sent += i % 2 == 0
                ? base::StrCat(kHead, "X-Request-Id: ", i, "\r\n\r\n")
                : base::StrCat(kPost, "X-Request-Id: ", i, "\r\nContent-Length: ", body.size(), "\r\n\r\n", body);
  }
  RawClient client(fixture.port());
  client.Send(sent);
  for (int i = 0; i < 100; ++i) {
    const std::string response = client.Receive();
    CHECK(StatusOf(response) == 200);
    CHECK(HeaderOf(response, "X-Request-Id") == std::to_string(i));
    CHECK(HeaderOf(response, "Connection") == (i == 99 ? "close" : ""));
  }
  CHECK(client.Receive().empty());
  CHECK(fixture.service.requests().size() == 100);
}

struct Lie {
  std::string sent;
  std::vector<int> statuses;  // of the answers until the server closes
};

TEST_CASE(
    "a body that lies about its length reaches no query, and nothing behind it is taken for a request of its own") {
  ServerFixture fixture;
  const std::string chunked = base::StrCat(kPost, "Transfer-Encoding: chunked\r\n\r\n");
  const Lie cases[] = {
      {base::StrCat(kPost, "Content-Length: 100\r\n\r\n{\"a\":1}"), {400}},
      {base::StrCat(kPost, "Content-Length: 1000000\r\n\r\n", std::string(999'999, ' ')), {400}},
      {chunked + "7\r\n{\"a\":1}\r\n", {400}},
      {chunked + "ff\r\n{\"a\":1}\r\n0\r\n\r\n", {400}},
      {chunked + "3\r\n{\"a\":1}\r\n0\r\n\r\n", {400}},
      {chunked + "-7\r\n{\"a\":1}\r\n0\r\n\r\n", {400}},
      {chunked + "0x7\r\n{\"a\":1}\r\n0\r\n\r\n", {400}},
      {chunked + "+7\r\n{\"a\":1}\r\n0\r\n\r\n", {400}},
      {chunked + "ffffffffffffffff\r\n{\"a\":1}\r\n0\r\n\r\n", {413}},
      {chunked + "fffffffffffffffff7\r\n{\"a\":1}\r\n0\r\n\r\n", {413}},
      {chunked + "\r\n", {400}},
      {chunked + "7;" + std::string(200'000, 'x'), {400}},
      {base::StrCat(kPost, "Content-Length: 7, 7\r\n\r\n{\"a\":1}"), {400}},
      {base::StrCat(kPost, "Content-Length: -1\r\n\r\n{\"a\":1}"), {400}},
      {base::StrCat(kPost, "Content-Length: 7\r\nContent-Length: 0\r\n\r\n{\"a\":1}"), {400}},
      {base::StrCat(kPost, "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), {400}},
  };
  for (const Lie& lie : cases) {
    CAPTURE(lie.sent.substr(0, 200));
    RawClient client(fixture.port());
    client.Send(lie.sent);
    client.CloseSending();
    for (const int status : lie.statuses) CHECK(StatusOf(client.Receive()) == status);
    CHECK(client.IsClosed());
  }
  CHECK(fixture.service.requests().empty());
  // Shorter than it is: the rest is the next request, and no good one.
  RawClient client(fixture.port());
  client.Send(base::StrCat(kPost, "Content-Length: 2\r\n\r\n{}{\"a\":1}\r\n\r\n"));
  CHECK(StatusOf(client.Receive()) == 200);
  CHECK(StatusOf(client.Receive()) == 400);
  CHECK(client.IsClosed());
  CHECK(fixture.service.requests().size() == 1);
}

TEST_CASE("endless, countless and repeated headers are rejected") {
  ServerFixture fixture;
  std::string few;
  for (int i = 0; i < kMaxHeaders - 2; ++i) few += base::StrCat("A", i, ": 1\r\n");
  {
    RawClient client(fixture.port());
    client.Send(base::StrCat(kHead, few, "\r\n"));
    CHECK(StatusOf(client.Receive()) == 200);
  }
  std::string same;
  for (int i = 0; i < 5'000; ++i) same += "A: 1\r\n";
  for (const std::string& flood : {few + "One: 1\r\n\r\n", same + "\r\n", std::string(1 << 20, 'a')}) {
    RawClient client(fixture.port());
    client.Send(base::StrCat(kHead, flood));
    CHECK(StatusOf(client.Receive()) == 431);
    CHECK(client.IsClosed());
  }
  CHECK(fixture.service.requests().size() == 1);
}

TEST_CASE("a compressed body is rejected before it is decompressed") {
  ServerFixture fixture;
  const std::string bomb(64 << 10, '\0');  // it is not looked at
  for (const char* coding :
       {"gzip", "GZIP", "x-gzip", "deflate", "br", "zstd", "compress", "gzip, gzip", "identity, gzip", "nonsense"}) {
    CAPTURE(coding);
    RawClient client(fixture.port());
    client.Send(base::StrCat(kPost, "Content-Type: application/json\r\nContent-Encoding: ", coding,
                             "\r\nContent-Length: ", bomb.size(), "\r\n\r\n", bomb));
    const std::string response = client.Receive();
    CHECK(StatusOf(response) == 415);
    CHECK(HeaderOf(response, "Connection") == "close");
  }
  CHECK(fixture.service.requests().empty());
}

// The part of a request that a client has sent when it stops, and the number of answers it has had by then.
struct Halted {
  const char* name;
  std::string sent;
  bool answered;
};

TEST_CASE("1,000 connections that are idle, silent or stop within a head block no other client") {
  rlimit files{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &files) == 0);
  files.rlim_cur = std::min<rlim_t>(files.rlim_max, 8'192);
  REQUIRE(setrlimit(RLIMIT_NOFILE, &files) == 0);
  const Halted cases[] = {{"idle", "GET /health HTTP/1.1\r\nHost: t\r\n\r\n", true},
                          {"silent", "", false},
                          {"slow", "GET /health HTTP/1.1\r\nHost: t\r\nA: ", false}};
  for (const Halted& halted : cases) {
    CAPTURE(halted.name);
    TransportOptions options;
    options.limits.idle = options.limits.receive = absl::Hours(1);  // nothing is answered for want of patience
    ServerFixture fixture(options);
    std::vector<std::unique_ptr<RawClient>> open;
    for (int i = 0; i < 1'000; ++i) {
      open.push_back(std::make_unique<RawClient>(fixture.port()));
      open.back()->Send(halted.sent);
      if (halted.answered) REQUIRE(StatusOf(open.back()->Receive()) == 200);
    }
    for (int i = 0; i < 20; ++i) {
      CHECK(IsWell(fixture));
      CHECK(StatusOf(Get(fixture.port(), kCall)) == 200);
    }
    // No connection was closed for it: each can go on.
    for (const size_t i : {size_t{0}, size_t{500}, size_t{999}}) {
      open[i]->Send(halted.answered || halted.sent.empty() ? "GET /health HTTP/1.1\r\nHost: t\r\n\r\n" : "b\r\n\r\n");
      CHECK(StatusOf(open[i]->Receive()) == 200);
    }
  }
}

TEST_CASE("beyond the bound the connection that has been idle for the longest time is closed") {
  TransportOptions options;
  options.max_connections = 1;  // two wait
  options.limits.idle = options.limits.receive = absl::Hours(1);
  ServerFixture fixture(options);
  RawClient slow(fixture.port());
  slow.Send("GET /health HTTP/1.1\r\n");
  RawClient oldest(fixture.port());
  RawClient newer(fixture.port());
  CHECK(oldest.IsClosed());
  slow.Send("Host: t\r\n\r\n");
  CHECK(StatusOf(slow.Receive()) == 200);
  newer.Send("GET /health HTTP/1.1\r\nHost: t\r\n\r\n");
  CHECK(StatusOf(newer.Receive()) == 200);
}

TEST_CASE("with every thread waiting for a body, another call is told to retry, and health is answered") {
  TransportOptions options;
  options.max_connections = 2;
  options.limits.receive = absl::Hours(1);
  ServerFixture fixture(options);
  std::vector<std::unique_ptr<RawClient>> clients;
  const auto post = [&] {
    clients.push_back(std::make_unique<RawClient>(fixture.port()));
    clients.back()->Send(base::StrCat(kPost, "Expect: 100-continue\r\nContent-Length: 7\r\n\r\n"));
  };
  for (int i = 0; i < 2; ++i) {
    post();
    REQUIRE(clients.back()->ReceiveByte() == 'H');  // of 100 Continue: a thread waits for the body
  }
  for (int i = 0; i < 2; ++i) post();  // these wait for a thread
  RawClient refused(fixture.port());
  refused.Send(base::StrCat(kHead, "\r\n"));
  const std::string response = refused.Receive();
  CHECK(StatusOf(response) == 503);
  CHECK(BodyOf(response).find("try again in a moment") != std::string::npos);
  for (const char* path : {"/health", "/ready"}) {
    for (int i = 0; i < 10; ++i) CHECK(StatusOf(Get(fixture.port(), path)) == 200);
  }
  for (auto& client : clients) client->Send("{\"a\":1}");
  for (auto& client : clients) {
    std::string answer = client->Receive();
    if (StatusOf(answer) == 100) answer = client->Receive();
    CHECK(StatusOf(answer) == 200);
  }
}

TEST_CASE("every header that is read withstands hostile values") {
  ServerFixture fixture;
  const char* names[] = {"X-API-KEY",
                         "Authorization",
                         "Accept",
                         "Accept-Encoding",
                         "Cache-Control",
                         "Content-Type",
                         "Content-Length",
                         "Content-Encoding",
                         "Transfer-Encoding",
                         "Connection",
                         "Expect",
                         "Host",
                         "If-None-Match",
                         "LF-ENDPOINT-REDACT-PII",
                         "Logquery-Want-Columns",
                         "Origin",
                         "Range",
                         "Access-Control-Request-Method",
                         "X-Request-Id",
                         "X-Forwarded-For",
                         "Upgrade",
                         "Keep-Alive"};
  const std::string values[] = {"",
                                " ",
                                "\t",
                                ",",
                                ",,,,;;;;",
                                ";",
                                ";q=",
                                ";q=x",
                                "*;q=1e999",
                                "a/b;q=-1",
                                "*/*;q=nan",
                                "\"",
                                "\"unterminated",
                                "\\",
                                "W/",
                                "bytes=-1",
                                "bytes=9-1,2-",
                                "Bearer",
                                "Bearer ",
                                "Basic Og==",
                                "%00%0d%0a",
                                "\xff\xfe\x80",
                                "{}",
                                "-1",
                                "99999999999999999999",
                                std::string(8'000, 'a'),
                                std::string(8'000, ','),
                                std::string(8'000, ';')};
  int answers = 0;
  for (const char* name : names) {
    for (const std::string& value : values) {
      for (const std::string_view method : {"GET", "POST"}) {
        CAPTURE(name, value.substr(0, 30), method);
        RawClient client(fixture.port());
        client.Send(base::StrCat(method, " ", kCall, " HTTP/1.1\r\n", "X-API-KEY: good\r\n",
                                 std::string_view(name) == "Host" ? "" : "Host: t\r\n", name, ": ", value, "\r\n\r\n"));
        // The body that the header announced does not come.
        client.CloseSending();
        const std::string response = client.Receive();
        const int status = StatusOf(response);
        const std::vector<int> known = {200, 304, 400, 401, 406, 413, 415, 417, 431, 501};
        CHECK(std::find(known.begin(), known.end(), status) != known.end());
        if (status != 304) CHECK(nlohmann::json::accept(BodyOf(response)));
        answers += status != 0 ? 1 : 0;
      }
    }
  }
  CHECK(answers == static_cast<int>(2 * std::size(names) * std::size(values)));
  CHECK(fixture.log_lines.lines().size() >= static_cast<size_t>(answers));
  for (const std::string& line : fixture.log_lines.lines()) CHECK(nlohmann::json::accept(line));
  CHECK(IsWell(fixture));
}

TEST_CASE("parameters of one mebibyte are handled: one long, many short, nested and escaped") {
  ServerFixture fixture;
  const size_t room = static_cast<size_t>(kMaxBodyBytes) - std::string(R"({"sql":""})").size();
  std::string many = "{";
  for (int i = 0; many.size() < 1'000'000; ++i) many += base::StrCat(i == 0 ? "\"" : ",\"", i, "\":1");
  many += "}";
  struct Case {
    std::string body;
    int status;
  };
  std::string escaped;
  while (escaped.size() + 12 < room) escaped += "\\ud83d\\ude00";
  const Case cases[] = {
      {base::StrCat(R"({"sql":")", std::string(room, 'x'), "\"}"), 200},
      {base::StrCat(R"({"sql":")", escaped, "\"}"), 200},
      {base::StrCat(R"({"sql":")", std::string(room + 1, 'x'), "\"}"), 413},
      {many, 400},
      {base::StrCat(R"({"sql":)", std::string(500'000, '['), std::string(500'000, ']'), "}"), 400},
      {std::string(1'000'000, '{'), 400},
      {std::string(1'000'000, '"'), 400},
      {std::string(static_cast<size_t>(kMaxBodyBytes), ' '), 400},
  };
  for (const Case& c : cases) {
    CAPTURE(c.body.substr(0, 20), c.body.size());
    RawClient client(fixture.port());
    client.Send(base::StrCat(kPost, "Content-Length: ", c.body.size(), "\r\n\r\n", c.body));
    CHECK(StatusOf(client.Receive()) == c.status);
  }
  const auto requests = fixture.service.requests();
  REQUIRE(requests.size() == 2);
  CHECK(requests[0].parameters.at(0).second.size() == room);
  CHECK(requests[1].parameters.at(0).second.size() == escaped.size() / 3);
  CHECK(IsWell(fixture));
}

}  // namespace
}  // namespace logquery::shim
