// REGEXP_CONTAINS as RE2 itself answers: patterns that stand for a text, which are searched without an automaton, beside others.
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <string>
#include <string_view>

#include "lib/base/plain_pattern.h"
#include "lib/functions/evaluate.h"
#include "lib/functions/function_lists.h"
#include "re2/re2.h"

namespace logquery::functions {
namespace {

absl::StatusOr<Value> Contains(const std::string& text, const std::string& pattern) {
  return Evaluate(*FindFunction("lq_regexp_contains"), {Value::String(text), Value::String(pattern)}, Type::Bool());
}

absl::StatusOr<Value> BytesContain(const std::string& bytes, const std::string& pattern) {
  return Evaluate(*FindFunction("lq_bytes_regexp_contains"), {Value::Bytes(bytes), Value::Bytes(pattern)},
                  Type::Bool());
}

TEST_CASE("a pattern that stands for a text is found like that text") {
  const std::string url = "https://shop.example.com/rest/v1?a=(b)";
  CHECK(*Contains(url, "shop") == Value::Bool(true));
  CHECK(*Contains(url, R"(^https://shop\.)") == Value::Bool(true));
  CHECK(*Contains(url, R"(^shop\.)") == Value::Bool(false));
  CHECK(*Contains(url, R"(a=\(b\))") == Value::Bool(true));
  CHECK(*Contains(url, "shop_") == Value::Bool(false));
  CHECK(*Contains(url, "") == Value::Bool(true));
  CHECK(*Contains("", "^") == Value::Bool(true));
  CHECK(*Contains("/rest/v1", "v1$") == Value::Bool(true));
  CHECK(*Contains("/rest/v1\n", "v1$") == Value::Bool(false));
  CHECK(*Contains("/rest/v1", "^/rest/v1$") == Value::Bool(true));
  CHECK(*Contains("/rest/v1/a", "^/rest/v1$") == Value::Bool(false));
  CHECK(*Contains("añb", "ñ") == Value::Bool(true));
}

TEST_CASE("a plain pattern is found in a text of any size") {
  const std::string pattern(1'000, 'a');
  CHECK(*Contains(std::string(1 << 20, 'x') + pattern, pattern) == Value::Bool(true));
}

TEST_CASE("a backslash before punctuation stands for it, as in RE2") {
  for (char c = '!'; c <= '~'; ++c) {
    const std::string pattern = {'\\', c}, text = {'a', c};
    const RE2 expected(pattern, RE2::Quiet);
    const absl::StatusOr<Value> found = Contains(text, pattern);
    INFO(pattern);
    if (found.ok() != expected.ok()) FAIL_CHECK("one of both refuses the pattern");
    if (found.ok() && *found != Value::Bool(RE2::PartialMatch(text, expected))) FAIL_CHECK("RE2 says otherwise");
    const auto plain = base::PlainPatternOf(pattern);
    if (plain.has_value() && !expected.ok()) FAIL_CHECK("the pattern is not valid");
  }
}

// Few different characters, so that patterns match often; each operator, and each character as itself.
TEST_CASE("random patterns match as in RE2, in texts and in bytes") {
  const std::string_view pieces[] = {"a",     "b",     "/",     ".", "ñ", "_", R"(\.)", R"(\/)", R"(\\)",
                                     R"(\$)", R"(\d)", R"(\b)", "^", "$", "*", "+",     "?",     "|",
                                     "(",     ")",     "[",     "]", "{", "}", "{2}",   "\\"};
  constexpr size_t kPlain = 9;  // of the pieces, from the first: they stand for themselves
  const std::string_view characters[] = {"a", "b", "/", ".", "ñ", "_", "$", "\\", "1", "\n"};
  std::mt19937_64 random(20'261'130);
  const auto join = [&](auto& of, size_t kinds, size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) text += of[random() % kinds];
    return text;
  };
  int plain_matches = 0;
  for (int i = 0; i < 40'000; ++i) {
    const bool is_plain = random() % 2 == 0;
    const std::string pattern = (random() % 3 == 0 ? "^" : "") +
                                join(pieces, is_plain ? kPlain : std::size(pieces), random() % 4) +
                                (random() % 3 == 0 ? "$" : "");
    const std::string text = join(characters, std::size(characters), random() % 12);
    RE2::Options options(RE2::Quiet);
    const RE2 utf8(pattern, options);
    options.set_encoding(RE2::Options::EncodingLatin1);
    const RE2 latin1(pattern, options);
    INFO("'" << pattern << "' in '" << text << "'");
    if (!utf8.ok()) {
      if (!absl::IsInvalidArgument(Contains(text, pattern).status())) FAIL_CHECK("the pattern is not refused");
      continue;
    }
    const bool matches = RE2::PartialMatch(text, utf8);
    if (*Contains(text, pattern) != Value::Bool(matches)) FAIL_CHECK("RE2 says " << matches);
    if (*BytesContain(text, pattern) != Value::Bool(RE2::PartialMatch(text, latin1))) FAIL_CHECK("bytes differ");
    if (is_plain && !pattern.empty()) plain_matches += matches ? 1 : 0;
  }
  CHECK(plain_matches > 1'000);
}

}  // namespace
}  // namespace logquery::functions
