#include "shim/http/about/console_files.h"

#include <zlib.h>

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

#include "lib/base/negotiation.h"
#include "shim/http/about/web_files.h"
#include "shim/http/transport/entity.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim {
namespace {

HttpRequest Request(std::string path, std::string_view accept_encoding = "") {
  HttpRequest request;
  request.method = "GET";
  request.path = std::move(path);
  if (!accept_encoding.empty()) request.headers = {{"Accept-Encoding", std::string(accept_encoding)}};
  return request;
}

std::string Header(const HttpResponse& response, std::string_view name) {
  return std::string(response.headers.Find(name).value_or(""));
}

std::string Unpacked(std::string_view packed) {
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, 16 + MAX_WBITS) == Z_OK);
  std::string input(packed);
  std::string text(20 * packed.size() + 1'000, '\0');
  stream.next_in = reinterpret_cast<unsigned char*>(input.data());
  stream.avail_in = static_cast<unsigned>(input.size());
  stream.next_out = reinterpret_cast<unsigned char*>(text.data());
  stream.avail_out = static_cast<unsigned>(text.size());
  CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  text.resize(stream.total_out);
  CHECK(inflateEnd(&stream) == Z_OK);
  return text;
}

TEST_CASE("each of the console's files has its type, and is the same compressed and uncompressed") {
  for (const char* path : {"/", "/console.js", "/console.css", "/console.svg"}) {
    CAPTURE(path);
    const std::optional<HttpResponse> plain = ConsoleFile(Request(path));
    REQUIRE(plain);
    CHECK(plain->status == 200);
    CHECK_FALSE(plain->body.empty());
    CHECK(Header(*plain, "Content-Encoding").empty());
    const std::optional<HttpResponse> packed = ConsoleFile(Request(path, "gzip, deflate, br, zstd"));
    REQUIRE(packed);
    CHECK(packed->content_type == plain->content_type);
    if (Header(*packed, "Content-Encoding").empty()) continue;  // built without the console: its page is not packed
    CHECK(Unpacked(packed->body) == plain->body);
  }
  CHECK_FALSE(ConsoleFile(Request("/console.js.gz")));
  CHECK_FALSE(ConsoleFile(Request("/console")));
}

TEST_CASE("a browser with a current copy of a file gets 304") {
  const std::optional<HttpResponse> first = ConsoleFile(Request("/console.js", "gzip"));
  HttpRequest again = Request("/console.js", "gzip");
  again.headers.emplace_back("If-None-Match", Header(*first, "ETag"));
  const std::optional<HttpResponse> second = ConsoleFile(again);
  CHECK(second->status == 304);
  CHECK(second->body.empty());
}

TEST_CASE("the whole page takes less than 350 KB compressed") {
  size_t bytes = 0;
  for (const char* path : {"/", "/console.js", "/console.css", "/console.svg"}) {
    bytes += ConsoleFile(Request(path, "gzip"))->body.size();
  }
  CHECK(bytes > 0);
  CHECK(bytes < 350'000);
}

TEST_CASE("gzip is used if it or any coding is accepted, and not excluded") {
  for (const char* taken : {"gzip", "x-gzip", "br, gzip;q=0.1", "*", "zstd, GZIP"}) {
    CAPTURE(taken);
    CHECK(base::TakesGzip(taken));
  }
  for (const char* not_taken : {"", "br", "gzip;q=0", "*;q=0", "*, gzip;q=0", "gzip;q=x", "gzipped"}) {
    CAPTURE(not_taken);
    CHECK_FALSE(base::TakesGzip(not_taken));
  }
}

TEST_CASE("a server without the console has its endpoints and no page") {
  RoutesFixture fixture;
  HttpServerOptions options{&fixture.service, fixture.queue.get(), &fixture.log};
  options.console = false;
  Routes routes(options);
  for (const char* path :
       {"/", "/console.js", "/console.css", "/console.svg", "/api/console/codes", "/api/console/token"}) {
    CAPTURE(path);
    HttpRequest request = Request(path);
    if (std::string_view(path).starts_with("/api")) request.method = "POST";
    CHECK(routes.Handle(request).status == 404);
  }
  HttpRequest list = Request("/api/endpoints");
  list.headers = {{"X-API-KEY", "good"}};
  CHECK(routes.Handle(list).status == 200);
}

}  // namespace
}  // namespace logquery::shim
