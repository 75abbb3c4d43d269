#include "shim/entity.h"

#include <zlib.h>

#include <catch2/catch_test_macros.hpp>

#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

std::string Header(const HttpResponse& response, std::string_view name) {
  for (const auto& [known, value] : response.headers) {
    if (known == name) return value;
  }
  return "";
}

std::string Unpack(const std::string& packed) {
  std::string text(1 << 20, '\0');
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  REQUIRE(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

HttpResponse Deliver(const std::string& body, HttpHeaders headers, const std::string& method = "GET") {
  HttpRequest request;
  request.method = method;
  request.headers = std::move(headers);
  HttpResponse response;
  response.body = body;
  Deliver(request, response);
  return response;
}

TEST_CASE("an answer has a tag, and a caller that has seen it gets no body again") {
  const HttpResponse first = Deliver("{}", {});
  CHECK(first.status == 200);
  const std::string tag = Header(first, "ETag");
  CHECK(tag.size() == 34);
  for (const std::string& seen : {tag, base::StrCat("W/", tag), base::StrCat("\"other\" , ", tag), std::string("*")}) {
    const HttpResponse again = Deliver("{}", {{"If-None-Match", seen}});
    CAPTURE(seen);
    CHECK(again.status == 304);
    CHECK(again.body.empty());
    CHECK(Header(again, "ETag") == tag);
  }
  CHECK(Deliver("{}", {{"If-None-Match", "\"other\""}}).status == 200);
  CHECK(Deliver("[]", {{"If-None-Match", tag}}).status == 200);
  CHECK(Deliver("{}", {{"If-None-Match", tag}}, "HEAD").status == 304);
  CHECK(Deliver("{}", {{"If-None-Match", tag}}, "POST").status == 200);
}

TEST_CASE("a long answer is packed for who takes gzip") {
  const std::string body(5'000, 'x');
  const HttpResponse packed = Deliver(body, {{"Accept-Encoding", "br, gzip;q=0.5"}});
  CHECK(Header(packed, "Content-Encoding") == "gzip");
  CHECK(packed.body.size() < 100);
  CHECK(Unpack(packed.body) == body);

  const HttpResponse plain = Deliver(body, {});
  CHECK(Header(plain, "Content-Encoding").empty());
  CHECK(plain.body == body);
  CHECK(Header(plain, "ETag") != Header(packed, "ETag"));
  CHECK(Header(plain, "Vary") == "Accept, Accept-Encoding");
  CHECK(Header(Deliver("short", {{"Accept-Encoding", "gzip"}}), "Content-Encoding").empty());
}

TEST_CASE("who takes gzip") {
  for (const char* takes : {"gzip", "GZIP", "*", "deflate, gzip;q=0.1", "gzip;q=1.0,*;q=0"}) {
    CAPTURE(takes);
    CHECK(TakesGzip(takes));
  }
  for (const char* not_takes : {"", "br", "gzip;q=0", "*;q=0", "gzip;q=0, *", "xgzip", "gzip;q=nonsense"}) {
    CAPTURE(not_takes);
    CHECK_FALSE(TakesGzip(not_takes));
  }
}

}  // namespace
}  // namespace logquery::shim
