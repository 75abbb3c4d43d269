#include "shim/http/transport/http_body.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <string>
#include <string_view>

namespace logquery::shim {
namespace {

struct Outcome {
  int status;
  std::string body;
  std::string_view rest;  // what was not read
};

// Bytes arrive `at_once` at a time.
Outcome Read(const BodyLength& length, std::string_view sent, size_t at_once = 1'000'000) {
  Outcome outcome{0, "", sent};
  const auto read = [&](char* to, size_t size) {
    const size_t count = std::min({size, at_once, outcome.rest.size()});
    std::memcpy(to, outcome.rest.data(), count);
    outcome.rest.remove_prefix(count);
    return static_cast<ssize_t>(count);
  };
  outcome.status = ReadBody(length, read, outcome.body).status;
  return outcome;
}

constexpr BodyLength kChunked{0, true};

TEST_CASE("a body has the length in its head, and later bytes are not read") {
  for (const size_t at_once : {1, 2, 1'000}) {
    const Outcome whole = Read({7, false}, "{\"a\":1}GET / HTTP/1.1", at_once);
    CHECK(whole.status == 0);
    CHECK(whole.body == "{\"a\":1}");
    CHECK(whole.rest == "GET / HTTP/1.1");
    const Outcome chunks = Read(
        kChunked, "3\r\n{\"a\r\n000a;name=\"value\"\r\n\":\"\r\n0\r\n\"}\r\n0\r\nTrailer: 1\r\n\r\nGET /", at_once);
    CHECK(chunks.status == 0);
    CHECK(chunks.body == "{\"a\":\"\r\n0\r\n\"}");
    CHECK(chunks.rest == "GET /");
  }
  CHECK(Read({0, false}, "GET").body.empty());
  CHECK(Read(kChunked, "0\r\n\r\n").status == 0);
}

TEST_CASE("the length of a body follows from its headers") {
  HttpRequest request;
  CHECK_FALSE(BodyLengthOf(request).has_body());
  request.headers = {{"Content-Length", "0"}};
  CHECK_FALSE(BodyLengthOf(request).has_body());
  request.headers = {{"content-length", "12"}};
  CHECK(BodyLengthOf(request).bytes == 12);
  request.headers = {{"Transfer-Encoding", "chunked"}};
  CHECK(BodyLengthOf(request).chunked);
}

TEST_CASE("a truncated body is an error, wherever it ends") {
  const std::string_view whole = "3\r\nabc\r\n2;x\r\nde\r\n0\r\nT: 1\r\n\r\n";
  REQUIRE(Read(kChunked, whole).body == "abcde");
  for (size_t bytes = 0; bytes < whole.size(); ++bytes) {
    CAPTURE(bytes);
    CHECK(Read(kChunked, whole.substr(0, bytes)).status == 400);
  }
  CHECK(Read({3, false}, "ab").status == 400);
  CHECK(Read({3, false}, "").status == 400);
}

TEST_CASE("ambiguous chunked encoding is rejected") {
  for (const char* sent :
       {"-3\r\nabc\r\n0\r\n\r\n", "+3\r\nabc\r\n0\r\n\r\n", "0x3\r\nabc\r\n0\r\n\r\n", " 3\r\nabc\r\n0\r\n\r\n",
        "3 \r\nabc\r\n0\r\n\r\n", "3\nabc\n0\n\n", "3\r\nabcd\r\n0\r\n\r\n", "3\r\nabc0\r\n\r\n", "\r\n", ";\r\n",
        "g\r\n", "3,3\r\nabc\r\n0\r\n\r\n", "3\r\nabc\n0\r\n\r\n", "3;a\nb\r\nabc\r\n0\r\n\r\n"}) {
    CAPTURE(sent);
    CHECK(Read(kChunked, sent).status == 400);
  }
}

TEST_CASE("a body and its chunk framing are limited in size") {
  const std::string longest(static_cast<size_t>(kMaxBodyBytes), 'x');
  CHECK(Read({longest.size(), false}, longest).status == 0);
  CHECK(Read(kChunked, "100000\r\n" + longest + "\r\n0\r\n\r\n").body.size() == longest.size());
  CHECK(Read(kChunked, "100001\r\n" + longest + "x\r\n0\r\n\r\n").status == 413);
  CHECK(Read(kChunked, "100000\r\n" + longest + "\r\n1\r\nx\r\n0\r\n\r\n").status == 413);
  CHECK(Read(kChunked, "ffffffffffffffff\r\n").status == 413);
  CHECK(Read(kChunked, "10000000000000000000000000\r\n").status == 413);
  CHECK(Read(kChunked, "1;" + std::string(2'000, 'x') + "\r\na\r\n0\r\n\r\n").status == 400);
  std::string trailers = "0\r\n";
  for (int i = 0; i < 2'000; ++i) trailers += "A: " + std::string(1'000, 'a') + "\r\n";
  CHECK(Read(kChunked, trailers + "\r\n").status == 413);
}

}  // namespace
}  // namespace logquery::shim
