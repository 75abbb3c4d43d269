#include "shim/http/transport/entity.h"

#include <catch2/catch_test_macros.hpp>

#include "lib/base/negotiation.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

std::string Header(const HttpResponse& response, std::string_view name) {
  return std::string(response.headers.Find(name).value_or(""));
}

HttpResponse Deliver(const std::string& digest, HttpHeaders headers, const std::string& method = "GET",
                     ContentCoding coding = ContentCoding::kIdentity) {
  HttpRequest request;
  request.method = method;
  request.headers = std::move(headers);
  HttpResponse response;
  response.body = "{}";
  Deliver(request, digest, coding, response);
  return response;
}

TEST_CASE("an answer has a tag, and a caller that has seen it gets no body again") {
  const HttpResponse first = Deliver("12ab", {});
  CHECK(first.status == 200);
  CHECK(first.body == "{}");
  CHECK(Header(first, "Vary") == "Accept, Accept-Encoding");
  const std::string tag = Header(first, "ETag");
  CHECK(tag == "\"12ab\"");
  for (const std::string& seen : {tag, base::StrCat("W/", tag), base::StrCat("\"other\" , ", tag), std::string("*")}) {
    const HttpResponse again = Deliver("12ab", {{"If-None-Match", seen}});
    CAPTURE(seen);
    CHECK(again.status == 304);
    CHECK(again.body.empty());
    CHECK(Header(again, "ETag") == tag);
    CHECK(Header(again, "Vary") == "Accept, Accept-Encoding");
  }
  CHECK(Deliver("12ab", {{"If-None-Match", "\"other\""}}).status == 200);
  CHECK(Deliver("34cd", {{"If-None-Match", tag}}).status == 200);
  CHECK(Deliver("12ab", {{"If-None-Match", tag}}, "HEAD").status == 304);
  CHECK(Deliver("12ab", {{"If-None-Match", tag}}, "POST").status == 200);
}

TEST_CASE("bytes in another coding have another tag") {
  const HttpResponse gzip = Deliver("12ab", {}, "GET", ContentCoding::kGzip);
  CHECK(Header(gzip, "Content-Encoding") == "gzip");
  CHECK(Header(gzip, "ETag") == "\"12ab-gzip\"");
  const HttpResponse zstd = Deliver("12ab", {}, "GET", ContentCoding::kZstd);
  CHECK(Header(zstd, "Content-Encoding") == "zstd");
  CHECK(Header(zstd, "ETag") == "\"12ab-zstd\"");
  CHECK(Header(Deliver("12ab", {}), "Content-Encoding").empty());
  CHECK(Deliver("12ab", {{"If-None-Match", "\"12ab\""}}, "GET", ContentCoding::kGzip).status == 200);
  CHECK(Deliver("12ab", {{"If-None-Match", "\"12ab-gzip\""}}, "GET", ContentCoding::kGzip).status == 304);
}

TEST_CASE("an answer without a receipt has no entity tag") {
  const HttpResponse response = Deliver("", {{"If-None-Match", "\"\""}});
  CHECK(response.status == 200);
  CHECK(Header(response, "ETag").empty());
}

TEST_CASE("the content coding that a caller prefers is chosen from Accept-Encoding") {
  constexpr auto kIdentity = ContentCoding::kIdentity;
  constexpr auto kGzip = ContentCoding::kGzip;
  constexpr auto kZstd = ContentCoding::kZstd;
  const std::pair<const char*, ContentCoding> cases[] = {
      {"", kIdentity},
      {"br", kIdentity},
      {"identity", kIdentity},
      {"gzip", kGzip},
      {"GZIP", kGzip},
      {"x-gzip", kGzip},
      {"zstd", kZstd},
      {"Zstd;Q=0.3", kZstd},
      {"gzip, zstd", kZstd},
      {"zstd, gzip", kZstd},
      {"gzip, deflate, br, zstd", kZstd},
      {"gzip;q=0.8, zstd;q=0.8", kZstd},
      {"gzip;q=0.9, zstd;q=0.8", kGzip},
      {"gzip, zstd;q=0.999", kGzip},
      {"gzip, zstd;q=0", kGzip},
      {"gzip;q=0, zstd;q=0", kIdentity},
      {"gzip;q=0", kIdentity},
      {"zstd;q=0.000", kIdentity},
      {"*", kZstd},
      {"*;q=0", kIdentity},
      {"zstd;q=0, *", kGzip},
      {"gzip;q=0, *", kZstd},
      {"gzip;q=0.5, *;q=0.1", kGzip},
      {"gzip;q=1.0,*;q=0", kGzip},
      {"deflate, gzip;q=0.1", kGzip},
      {"identity, gzip;q=0.5", kIdentity},
      {"identity;q=0.5, gzip;q=0.5", kGzip},
      {"identity;q=0, br", kIdentity},
      {"xgzip", kIdentity},
      {"gzip;q=nonsense", kIdentity},
      {"gzip;q=-1", kIdentity},
      {"gzip;q=1e999", kIdentity},
      {"gzip;q=nan", kIdentity},
      {"gzip;q=", kIdentity},
      {" zstd ; q=1 , gzip", kZstd},
      {",,;;", kIdentity},
  };
  for (const auto& [accepts, coding] : cases) {
    CAPTURE(accepts);
    CHECK((base::ChooseCoding(accepts) == coding));
  }
}

}  // namespace
}  // namespace logquery::shim
