#include "shim/http/transport/http_head.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace logquery::shim {
namespace {

int StatusFor(const std::string& head) { return CheckHead(head).status; }

std::string Get(const std::string& target, const std::string& headers = "") {
  return "GET " + target + " HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n";
}

TEST_CASE("an ordinary request head is accepted") {
  CHECK(StatusFor(Get("/api/endpoints/query/logs.all?project=abc", "X-API-KEY: lq_1\r\nAccept: */*\r\n")) == 0);
  CHECK(StatusFor("GET / HTTP/1.0\r\n\r\n") == 0);
  CHECK(StatusFor("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n") == 0);
  CHECK(StatusFor(Get("http://other/path")) == 0);
  CHECK(StatusFor(Get("/", "Content-Type: a/b\r\nContent-Type: a/b\r\n")) == 0);
  CHECK(StatusFor(Get("/", "Accept: a/b\r\nAccept: c/d\r\nX-Forwarded-For: a\r\nX-Forwarded-For: b\r\n")) == 0);
  CHECK(StatusFor(Get("/" + std::string(kMaxTargetBytes - 1, 'a'))) == 0);
}

TEST_CASE("an ambiguous or malformed request head is rejected") {
  struct Case {
    std::string head;
    int status;
  };
  const Case cases[] = {
      {Get("/", "Content-Length: 1\r\nContent-Length: 1\r\n"), 400},
      {Get("/", "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"), 400},
      {Get("/", "Content-Length: +1\r\n"), 400},
      {Get("/", "Content-Length: 0x1\r\n"), 400},
      {Get("/", "Content-Length:\r\n"), 400},
      {Get("/", "Transfer-Encoding: gzip, chunked\r\n"), 501},
      {Get("/", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), 501},
      {"GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
      {Get("/", "Host: two\r\n"), 400},
      {Get("/", "Content-Type: application/json\r\ncontent-type: text/plain\r\n"), 400},
      {Get("/", "Content-Encoding: gzip\r\nContent-Encoding: identity\r\n"), 400},
      {Get("/", "Idempotency-Key: a\r\nIdempotency-Key: b\r\n"), 400},
      {Get("/", "X-Source: a\r\nX-Source:\r\n"), 400},
      {Get("/", "Origin: https://a\r\nOrigin: https://b\r\n"), 400},
      {Get("/", "LF-ENDPOINT-LABELS: a=1\r\nLF-ENDPOINT-LABELS: a=2\r\n"), 400},
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {Get("/", "X-Key : v\r\n"), 400},
      {Get("/", " folded\r\n"), 400},
      {Get("/", "no colon\r\n"), 400},
      {Get("/", ": no name\r\n"), 400},
      {Get("/", "A: b\nC: d\r\n"), 400},
      {Get("/", "A: b\rC: d\r\n"), 400},
      {Get("/", std::string("A: b\0c\r\n", 8)), 400},
      {Get("/a b"), 400},
      {Get("/a\tb"), 400},
      {Get("a"), 400},
      {"GET /\r\nHost: h\r\n\r\n", 400},
      {"GET  HTTP/1.1\r\nHost: h\r\n\r\n", 400},
      {"G@T / HTTP/1.1\r\nHost: h\r\n\r\n", 400},
      {"GET / HTTP/2.0\r\nHost: h\r\n\r\n", 505},
      {"GET / HTTX/1.1\r\nHost: h\r\n\r\n", 400},
      {"\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", 400},
      {"BREW / HTTP/1.1\r\nHost: h\r\n\r\n", 405},
      {"TRACE / HTTP/1.1\r\nHost: h\r\n\r\n", 405},
  };
  for (const Case& c : cases) {
    CAPTURE(c.head);
    CHECK(StatusFor(c.head) == c.status);
  }
}

TEST_CASE("limits: the URL, a header, all headers, their number, the body") {
  CHECK(StatusFor(Get("/" + std::string(kMaxTargetBytes, 'a'))) == 414);
  CHECK(StatusFor(Get("/", "A: " + std::string(kMaxHeaderLineBytes, 'a') + "\r\n")) == 431);
  std::string many;
  for (int i = 0; i < kMaxHeaders; ++i) many += "A" + std::to_string(i) + ": 1\r\n";
  CHECK(StatusFor(Get("/", many)) == 431);
  std::string long_ones;
  for (int i = 0; i < 9; ++i) long_ones += "A" + std::to_string(i) + ": " + std::string(8'000, 'a') + "\r\n";
  CHECK(StatusFor(Get("/", long_ones)) == 431);
  CHECK(StatusFor(Get("/", "Content-Length: " + std::to_string(kMaxIngestBodyBytes) + "\r\n")) == 0);
  CHECK(StatusFor(Get("/", "Content-Length: " + std::to_string(kMaxIngestBodyBytes + 1) + "\r\n")) == 413);
  CHECK(StatusFor(Get("/", "Content-Length: 99999999999999999999999\r\n")) == 413);
}

TEST_CASE("a too large head is rejected before it has arrived completely") {
  CHECK(CheckHeadSize("GET /" + std::string(kMaxTargetBytes + 100, 'a')).status == 414);
  CHECK(CheckHeadSize("GET / HTTP/1.1\r\nA: " + std::string(kMaxHeaderBytes + 1, 'a')).status == 431);
  CHECK(CheckHeadSize("GET / HTTP/1.1\r\nA: ").status == 0);
}

}  // namespace
}  // namespace logquery::shim
