#include "shim/http/transport/http_message.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

namespace logquery::shim {
namespace {

std::string MediaTypeOf(const char* header) {
  HttpRequest request;
  request.headers.emplace_back("content-type", header);
  return request.MediaType();
}

TEST_CASE("a media type has neither parameters nor spaces, and is in lower case") {
  CHECK(MediaTypeOf("application/json") == "application/json");
  CHECK(MediaTypeOf("Application/Json; charset=utf-8") == "application/json");
  CHECK(MediaTypeOf(" text/plain\t; a=b") == "text/plain");
  CHECK(MediaTypeOf("application/jsonp") == "application/jsonp");
  CHECK(MediaTypeOf("").empty());
  CHECK(MediaTypeOf("; charset=utf-8").empty());
  CHECK(HttpRequest().MediaType().empty());
}

TEST_CASE("a header is found whatever its case, and the first of several") {
  HttpRequest request;
  request.headers = {{"X-Source", "a"}, {"x-source", "b"}};
  REQUIRE(request.Header("X-SOURCE") != nullptr);
  CHECK(*request.Header("X-SOURCE") == "a");
  CHECK(request.Header("X-Sourc") == nullptr);
}

TEST_CASE("a response's headers are kept as the bytes that are sent") {
  HeaderLines lines;
  CHECK(lines.text().empty());
  CHECK_FALSE(lines.Find("ETag"));
  lines.Add("ETag", "\"1\"");
  lines.AddLines("Vary: Accept\r\nAge: 7\r\n");
  lines.Add("X-Request-Id", "abc");
  CHECK(lines.text() == "ETag: \"1\"\r\nVary: Accept\r\nAge: 7\r\nX-Request-Id: abc\r\n");
  CHECK(lines.Find("Vary") == "Accept");
  CHECK(lines.Find("Age") == "7");
  CHECK(lines.Find("X-Request-Id") == "abc");
  CHECK_FALSE(lines.Find("Request-Id"));
  CHECK_FALSE(lines.Find("X-Request"));
  lines.Append("Vary", ", Origin");
  CHECK(lines.Find("Vary") == "Accept, Origin");
  CHECK(lines.Find("Age") == "7");
  lines.Append("Link", "x");
  CHECK_FALSE(lines.Find("Link"));
}

TEST_CASE("a value that would end its line, or has another control character, is no header") {
  for (const std::string value : {"a\r\nSet-Cookie: b", "a\nb", "a\rb", "\x01", "\x7f"}) {
    HeaderLines lines;
    lines.Add("X", value);
    CHECK(lines.text().empty());
  }
  HeaderLines lines;
  lines.Add("X", std::string_view("a\0b", 3));
  CHECK(lines.text().empty());
  lines.Add("X", "tab\tand caf\xC3\xA9");
  CHECK(lines.Find("X") == "tab\tand caf\xC3\xA9");
}

}  // namespace
}  // namespace logquery::shim
