// The search for a text in another: every place, sizes around what is looked at together, and texts with many places that are
// nearly right.
#include "lib/functions/text_search.h"

#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace logquery::functions {
namespace {

constexpr size_t kNowhere = std::string_view::npos;

TEST_CASE("a text is found at its first place") {
  CHECK(FindText("https://example.com/rest/v1/rows?limit=10", "/rest") == 19);
  CHECK(FindText("https://example.com/rest/v1/rest", "/rest", 20) == 27);
  CHECK(FindText("https://example.com/auth/v1/token", "/rest") == kNowhere);
  CHECK(FindText("rest", "/rest") == kNowhere);
  CHECK(FindText("/rest", "/rest") == 0);
  CHECK(FindText("abc", "", 2) == 2);
  CHECK(FindText("", "") == 0);
  CHECK(FindText("", "a") == kNowhere);
}

TEST_CASE("each place of texts of each size is found") {
  for (size_t size = 1; size <= 70; ++size) {
    for (size_t length = 1; length <= size && length <= 40; ++length) {
      for (size_t place = 0; place + length <= size; ++place) {
        std::string text(size, 'a');
        std::string part(length, 'a');
        part.front() = 'b';
        part.back() = 'c';
        text.replace(place, length, part);
        const size_t found = FindText(text, part);
        if (found != place) FAIL_CHECK(length << " of " << size << " bytes at " << place << ", not at " << found);
      }
    }
  }
}

// Few different bytes, so that most places are nearly right.
TEST_CASE("random texts are searched as the standard library searches them") {
  std::mt19937_64 random(20'261'129);
  const auto text_of = [&](size_t size, int letters) {
    std::string text;
    for (size_t i = 0; i < size; ++i) text += static_cast<char>('a' + random() % static_cast<uint64_t>(letters));
    return text;
  };
  for (int i = 0; i < 40'000; ++i) {
    const int letters = 1 + static_cast<int>(random() % 3);
    const std::string text = text_of(random() % 200, letters);
    const std::string part = text_of(random() % 12, letters);
    const size_t begin = random() % (text.size() + 1);
    const size_t found = FindText(text, part, begin);
    if (found != text.find(part, begin))
      FAIL_CHECK("'" << part << "' in '" << text << "' from " << begin << ": " << found);
  }
}

// The ends of the part are at each place, and what is between them is not: the search goes on with another algorithm.
TEST_CASE("a text with more nearly right places than may be compared is searched to its end") {
  const std::string part = std::string(5'000, 'a') + "xa" + std::string(5'000, 'a');
  std::string text(100'000, 'a');
  CHECK(FindText(text, part) == kNowhere);
  text.replace(80'000, part.size(), part);
  CHECK(FindText(text, part) == 80'000);
}

}  // namespace
}  // namespace logquery::functions
