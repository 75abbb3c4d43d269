#include "lib/base/email_scanner.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "logquery/redactor.h"

namespace logquery {
namespace {

std::string Redacted(std::string_view text) { return Redactor::Create({true, {}})->Redact(text); }

TEST_CASE("e-mail addresses become REDACTED, the rest stays") {
  CHECK(Redacted("login of ann@example.com failed") == "login of REDACTED failed");
  CHECK(Redacted("ann@example.com,bob@example.org") == "REDACTED,REDACTED");
  CHECK(Redactor().Redact("ann@example.com") == "ann@example.com");
}

TEST_CASE("email addresses are recognized with their exact extent") {
  const std::pair<const char*, const char*> cases[] = {
      {"<ann.b+tag@mail.example.co.uk>", "<REDACTED>"},
      {"ann_b@ex-ample.com.", "REDACTED."},
      {"email=ann@example.com&x=1", "email=REDACTED&x=1"},
      {R"({"email":"ann@example.com"})", R"({"email":"REDACTED"})"},
      {"'ann@example.com'", "'REDACTED'"},
      {"o'neil@example.com", "REDACTED"},
      {"?to=ann%40example.com&", "?to=REDACTED&"},
      {"mailto:ann@example.com?subject=a", "mailto:REDACTED?subject=a"},
      {"https://ann@example.com/path", "https://REDACTED/path"},
      {"J\xC3\xBCrgen@b\xC3\xBC"
       "cher.example",
       "REDACTED"},
      {"ann@b\xC3\xBC"
       "cher.\xE4\xB8\xAD\xE5\x9B\xBD",
       "REDACTED"},
      {"..ann@example.com", "..REDACTED"},
      {"-ann@example.com-", "-REDACTED-"},
      {"ann@example.com..", "REDACTED.."},
      {"ann@example.com.1", "REDACTED.1"},
      {"ann@1.2.example.com", "REDACTED"},
      {"a@b@example.com", "a@REDACTED"},
      {"ann@example.com@x", "REDACTED@x"},
      {"ann@10.1.2.3", "ann@REDACTED"},
      {"ann@10.1.2.3.example.com", "REDACTED"},
  };
  for (const auto& [text, redacted] : cases) {
    CAPTURE(text);
    CHECK(Redacted(text) == redacted);
  }
}

TEST_CASE("text that only resembles an email address is kept") {
  for (const char* text : {"",
                           "@",
                           "%40",
                           "ann@",
                           "@example.com",
                           "ann@localhost",
                           "ann@example",
                           "ann@example.c",
                           "ann@example.12",
                           "ann @example.com",
                           "ann@ example.com",
                           "ann@.com",
                           "ann@-example.com",
                           "ann@example..com",
                           "a@b%40c",
                           "@@@@",
                           "user@",
                           "%40%40%40",
                           "..@example.com",
                           "\xFF@"}) {
    CAPTURE(text);
    CHECK(Redacted(text) == text);
  }
}

TEST_CASE("texts of at-signs alone are scanned in linear time") {
  for (const char* piece : {"@", "%40", "a@", "a%40", "@a.", "%40a."}) {
    std::string text;
    while (text.size() < 2'000'000) text += piece;
    const Redactor redactor = Redactor::Create({true, {}}).value();
    CHECK_FALSE(redactor.Matches(text));
  }
}

}  // namespace
}  // namespace logquery
