// Kinds of redaction together: against a reference that looks at every byte.
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "lib/base/redaction_kinds.h"
#include "lib/base/strings.h"
#include "logquery/redactor.h"

namespace logquery {
namespace {

std::string WhyNot(const RedactionKinds& kinds) {
  const auto redactor = Redactor::Create(kinds);
  CHECK((redactor.ok() || absl::IsInvalidArgument(redactor.status())));
  return std::string(base::Message(redactor.status()));
}

TEST_CASE("custom patterns are redacted wherever they match") {
  const Redactor redactor = Redactor::Create({false, {"\\bcus_[A-Za-z0-9]+", "(?i)bearer [^ ]+"}}).value();
  CHECK(redactor.Redact("cus_9f3 pays, BEARER abc. x, ok") == "REDACTED pays, REDACTED x, ok");
  CHECK(redactor.Redact("from 10.1.2.3 for cus_1") == "from REDACTED for REDACTED");
  CHECK(redactor.Matches("cus_1"));
  CHECK_FALSE(redactor.Matches("locus_1"));
  std::string out = ">";
  CHECK_FALSE(redactor.AppendRedacted("nothing", out));
  CHECK(out == ">nothing");
}

TEST_CASE("overlapping matches of several kinds are redacted as one, adjacent ones as two") {
  const Redactor redactor = Redactor::Create({true, {"id=[a-z0-9.@]+", "com"}}).value();
  CHECK(redactor.Redact("id=10.1.2.3") == "REDACTED");
  CHECK(redactor.Redact("x id=ann@example.com y") == "x REDACTED y");
  CHECK(redactor.Redact("comcom") == "REDACTEDREDACTED");
  CHECK(redactor.Redact("ann@example.com") == "REDACTED");
}

TEST_CASE("matching continues after an empty match") {
  const Redactor redactor = Redactor::Create({false, {"\\b|c", "\\bx*"}}).value();
  CHECK(redactor.Redact("a bc \xC3\xA4 xx y") == "a bREDACTED \xC3\xA4 REDACTED y");
}

TEST_CASE("patterns are limited in size, and an invalid one is rejected with the reason") {
  CHECK(WhyNot({false, {"a("}}) == "the pattern 'a(' is no regular expression of RE2: missing ): a(");
  CHECK(WhyNot({false, {"x*"}}) == "the pattern 'x*' matches the empty text; have it want something");
  CHECK(WhyNot({false, {""}}).find("matches the empty text") != std::string::npos);
  CHECK(WhyNot({false, {"(?=a)"}}).find("no regular expression") != std::string::npos);
  CHECK(WhyNot({false, {std::string(1'001, 'a')}}).find("may have at most 1000 bytes, not 1001") != std::string::npos);
  CHECK(WhyNot({false, {"((a{1,100}){1,100}){1,100}"}}).find("no regular expression") != std::string::npos);
  CHECK(WhyNot({false, {"a\xFF"}}).find("no regular expression") != std::string::npos);
  CHECK(WhyNot({false, std::vector<std::string>(21, "a")}) == "there may be at most 20 patterns to redact, not 21");
  CHECK(WhyNot({true, std::vector<std::string>(20, std::string(1'000, 'a'))}).empty());
}

TEST_CASE("kinds are printed and read back") {
  CHECK(base::PrintRedactionKinds({}).empty());
  for (const RedactionKinds& kinds :
       {RedactionKinds{}, RedactionKinds{true, {}}, RedactionKinds{false, {"a\n\"b'\\d\xC3\xA4", "c"}}}) {
    const auto read = base::ParseRedactionKinds(base::PrintRedactionKinds(kinds));
    REQUIRE(read.ok());
    CHECK(*read == kinds);
  }
  for (const char* text : {"x", "{}", "[]", R"({"email":1,"patterns":[]})", R"({"email":true,"patterns":[1]})",
                           R"({"email":true,"patterns":[],"more":1})"}) {
    CAPTURE(text);
    CHECK(absl::IsInvalidArgument(base::ParseRedactionKinds(text).status()));
  }
}

// Marks what each kind finds by itself, byte by byte, and writes REDACTED for each run of marks that no text divides and no
// border between two finds.
std::string Reference(const std::string& text) {
  static const std::regex email("[A-Za-z0-9_%+][A-Za-z0-9._%+'-]*@[A-Za-z0-9][A-Za-z0-9-]*[.][A-Za-z]{2,}");
  static const std::regex own[] = {std::regex("cus_[0-9]+"), std::regex("key=[a-z@.0-9]+")};
  std::vector<std::pair<size_t, size_t>> finds;
  const auto find = [&](const std::regex& pattern) {
    for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
      finds.emplace_back(it->position(), it->position() + it->length());
    }
  };
  find(email);
  for (const std::regex& pattern : own) find(pattern);
  std::string redacted;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    for (bool grew = true; grew;) {
      grew = false;
      for (const auto& [from, to] : finds) {
        const bool joins = end == i ? from == i : from < end && from >= i;
        if (!joins || to <= end) continue;
        end = to;
        grew = true;
      }
    }
    redacted += end == i ? text.substr(i, 1) : "REDACTED";
    i = end == i ? i + 1 : end;
  }
  return redacted;
}

TEST_CASE("several kinds together find the same matches as the reference") {
  const char* const pieces[] = {"ann",  "@", "b.example", ".com", "cus_", "7", "12",
                                "key=", " ", "x",         ",",    "=",    "_", "@c.de"};
  const Redactor redactor = Redactor::Create({true, {"cus_[0-9]+", "key=[a-z@.0-9]+"}}).value();
  std::mt19937 random(20'260'207);
  int changed = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (size_t i = 1 + random() % 8; i > 0; --i) text += pieces[random() % std::size(pieces)];
    // The reference's domain has two labels; a third one after them is the scanner's to find.
    static const std::regex longer("@[A-Za-z0-9-]+[.][A-Za-z0-9-]+[.][A-Za-z0-9]|@[^@]*@|[.][A-Za-z]*[0-9_]");
    if (std::regex_search(text, longer)) continue;
    CAPTURE(text);
    const std::string redacted = redactor.Redact(text);
    REQUIRE(redacted == Reference(text));
    REQUIRE(redactor.Matches(text) == (redacted != text));
    changed += redacted != text ? 1 : 0;
  }
  CHECK(changed > 1'000);
}

}  // namespace
}  // namespace logquery
