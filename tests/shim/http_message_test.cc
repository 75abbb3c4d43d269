#include "shim/http/transport/http_message.h"

#include <catch2/catch_test_macros.hpp>

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

}  // namespace
}  // namespace logquery::shim
