#include "lib/base/strings.h"

#include <catch2/catch_test_macros.hpp>

namespace logquery::base {
namespace {

TEST_CASE("StrCat takes what Abseil's takes, and std::string_view") {
  const std::string_view name = "logs.all";
  CHECK(StrCat("no endpoint ", name, ", ", 3, std::string("!")) == "no endpoint logs.all, 3!");
  std::string text = "a";
  StrAppend(&text, name.substr(0, 4), 1.5);
  CHECK(text == "alogs1.5");
}

TEST_CASE("text passes both ways without a change") {
  const std::string_view text("a\0b", 3);
  CHECK(ToStd(ToAbsl(text)) == text);
  CHECK(Message(absl::InternalError("x")) == "x");
}

TEST_CASE("string maps are searched by string_view") {
  StringMap<int> map;
  map["project"] = 1;
  CHECK(map.contains(std::string_view("project")));
  CHECK(map.find(std::string_view("PROJECT")) == map.end());
}

TEST_CASE("name maps ignore letter case") {
  NameMap<int> map;
  map["Project"] = 1;
  CHECK(map.contains(std::string_view("pROJECT")));
  CHECK_FALSE(map.contains(std::string_view("projects")));
}

TEST_CASE("case-insensitive comparison folds ASCII letters only") {
  CHECK(EqualsIgnoreCase("", ""));
  CHECK(EqualsIgnoreCase("aZ_1", "Az_1"));
  CHECK_FALSE(EqualsIgnoreCase("a", "ab"));
  CHECK_FALSE(EqualsIgnoreCase("\xC3\xA4", "\xC3\x84"));  // ä, Ä
  CHECK(ToLower("AbC\xC3\x84") == "abc\xC3\x84");
  CHECK(ToUpper("aBc") == "ABC");
}

TEST_CASE("Join puts the separator between") {
  CHECK(Join({}, ".").empty());
  CHECK(Join({"a"}, ".") == "a");
  CHECK(Join({"a", "", "c"}, ", ") == "a, , c");
}

}  // namespace
}  // namespace logquery::base
