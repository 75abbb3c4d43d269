#include "lib/base/json_comments.h"

#include <catch2/catch_test_macros.hpp>

#include "lib/base/json.h"

namespace logquery::base {
namespace {

TEST_CASE("comments become spaces, and everything else keeps its place") {
  const std::string text = "{ // one\n  \"a\": 1, /* two\nlines */ \"b\": 2\n}";
  const std::string blank = BlankComments(text);
  CHECK(blank == "{       \n  \"a\": 1,       \n         \"b\": 2\n}");
  CHECK((*ParseJson("t", blank))["b"] == 2);
}

TEST_CASE("comment markers inside strings are kept") {
  for (const char* text : {R"({"url": "https://host/*x*/"})", R"({"a\"//b": "\\"})", R"(["//", "/*"])"}) {
    CAPTURE(text);
    CHECK(BlankComments(text) == text);
  }
  CHECK(BlankComments("[\"\\\\\"//x\n]") == "[\"\\\\\"   \n]");
}

TEST_CASE("a comment without an end is no comment, nor is a lone slash") {
  for (const char* text : {"{} /* x", "{} / {}", "/*/", "\"unfinished // x", "/"}) {
    CAPTURE(text);
    CHECK(BlankComments(text) == text);
  }
  CHECK(BlankComments("// to the end") == "             ");
  CHECK(BlankComments("").empty());
}

}  // namespace
}  // namespace logquery::base
