#include "logquery/shared_text.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace logquery {
namespace {

TEST_CASE("copies of a text share its bytes") {
  const SharedText text("rows");
  const SharedText copy = text;
  CHECK(static_cast<const void*>(copy.data()) == static_cast<const void*>(text.data()));
  CHECK(copy == text);
  CHECK(copy == "rows");
  CHECK(copy.size() == 4);
  SharedText other = text;
  other = "other";
  CHECK(text == "rows");
  CHECK(other == std::string("other"));
}

TEST_CASE("a text is read as a string or a view, and is empty at first and after a move") {
  SharedText text;
  CHECK(text.empty());
  CHECK(text == "");
  CHECK(text == SharedText(std::string()));
  text = std::string("a body");
  const std::string own = text;
  const std::string_view view = text;
  CHECK(own == view);
  CHECK(text.find("body") == 2);
  CHECK(text.starts_with("a "));
  CHECK(text.substr(2) == "body");
  const SharedText taken = std::move(text);
  CHECK(taken == "a body");
  CHECK(text.empty());  // NOLINT(bugprone-use-after-move): an empty text is left
}

}  // namespace
}  // namespace logquery
