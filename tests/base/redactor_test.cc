#include "logquery/redactor.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>

namespace logquery {
namespace {

TEST_CASE("addresses become REDACTED, the rest stays") {
  const Redactor redactor;
  CHECK(redactor.Redact("from 10.1.2.3 port 80") == "from REDACTED port 80");
  CHECK(redactor.Redact("peer [2001:db8::1]:443 left") == "peer [REDACTED]:443 left");
  CHECK(redactor.Matches("10.1.2.3"));
  CHECK_FALSE(redactor.Matches("GET /rest/v1/todos 200"));

  std::string out = "log: ";
  CHECK(redactor.AppendRedacted("::1", out));
  CHECK_FALSE(redactor.AppendRedacted(" ok", out));
  CHECK(out == "log: REDACTED ok");
}

TEST_CASE("IPv4 in all its places") {
  struct Case {
    const char* text;
    const char* redacted;
  };
  const Case cases[] = {
      {"1.2.3.4", "REDACTED"},
      {"0.0.0.0", "REDACTED"},
      {"255.255.255.255", "REDACTED"},
      {"010.001.000.255", "REDACTED"},  // leading zeros
      {"00000192.168.1.1", "REDACTED"},
      {"1.2.3.4.", "REDACTED."},  // the end of a sentence
      {".1.2.3.4", ".REDACTED"},
      {"..1.2.3.4..", "..REDACTED.."},
      {"1.2.3.4.example", "REDACTED.example"},
      {"example.1.2.3.4", "example.REDACTED"},
      {"1.2.3.4:5432", "REDACTED:5432"},
      {"1.2.3.4/24", "REDACTED/24"},
      {"ip=1.2.3.4&x", "ip=REDACTED&x"},
      {"(1.2.3.4)", "(REDACTED)"},
      {"\"1.2.3.4\"", "\"REDACTED\""},
      {"{\"ip\":\"1.2.3.4\"}", "{\"ip\":\"REDACTED\"}"},
      {"1.2.3.4,5.6.7.8 9.9.9.9", "REDACTED,REDACTED REDACTED"},
      {"1.2.3.4-5.6.7.8", "REDACTED-REDACTED"},
      {"addr:1.2.3.4", "addr:REDACTED"},
      {"12:1.2.3.4", "12:REDACTED"},
      {"http://1.2.3.4/x", "http://REDACTED/x"},
      {"user@1.2.3.4", "user@REDACTED"},
      {"\xC3\xA4"
       "1.2.3.4\xE4\xB8\xAD",
       "\xC3\xA4REDACTED\xE4\xB8\xAD"},                            // letters are ASCII's
      {"line\\n1.2.3.4\\t5.6.7.8", "line\\nREDACTED\\tREDACTED"},  // escapes of JSON text
      {"\\u00221.2.3.4\\u0022", "\\u0022REDACTED\\u0022"},
      {"u=http%3A%2F%2F10.1.2.3%2Fx", "u=http%3A%2F%2FREDACTED%2Fx"},  // escapes of a URL
      {"a%2010.1.2.3", "a%20REDACTED"},
      {"%10.1.2.3", "%REDACTED"},
      {"Chrome/120.0.0.0 Safari", "Chrome/REDACTED Safari"},
      {"1.2.3.4::5", "REDACTED::5"},
  };
  const Redactor redactor;
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(redactor.Redact(c.text) == c.redacted);
    CHECK(redactor.Matches(c.text));
  }
}

TEST_CASE("IPv6 in all its forms") {
  struct Case {
    const char* text;
    const char* redacted;
  };
  const Case cases[] = {
      {"2001:0db8:0000:0000:0000:ff00:0042:8329", "REDACTED"},
      {"2001:DB8:0:0:0:FF00:42:8329", "REDACTED"},
      {"2001:db8::ff00:42:8329", "REDACTED"},
      {"::1", "REDACTED"},
      {"fe80::", "REDACTED"},
      {"1::8", "REDACTED"},
      {"1:2:3:4:5:6:7::", "REDACTED"},
      {"::2:3:4:5:6:7:8", "REDACTED"},
      {"1:2:3:4:5:6:7:8", "REDACTED"},
      {"::ffff:192.0.2.128", "REDACTED"},
      {"::192.0.2.128", "REDACTED"},
      {"64:ff9b::192.0.2.33", "REDACTED"},
      {"1:2:3:4:5:6:192.0.2.1", "REDACTED"},
      {"fe80::1%eth0", "REDACTED"},
      {"fe80::1%25eth0.100", "REDACTED"},
      {"fe80::1%eth0.", "REDACTED."},
      {"fe80::1%", "REDACTED%"},
      {"[fe80::1%2]:80", "[REDACTED]:80"},
      {"2001:db8::/32", "REDACTED/32"},
      {"ip=2001:db8::1;", "ip=REDACTED;"},
      {"'2001:db8::1'", "'REDACTED'"},
      {"{\"2001:db8::1\":1}", "{\"REDACTED\":1}"},
      {"from 2001:db8::1: refused", "from REDACTED: refused"},
      {"addr:2001:db8::1", "addr:REDACTED"},
      {"client::2001:db8::1", "client::REDACTED"},
      {"2001:db8::1:text", "REDACTED:text"},
      {"2001:db8::1.", "REDACTED."},
      {"IP6 fe80::1.546 > ff02::1:2.547:", "IP6 REDACTED.546 > REDACTED.547:"},
      {"::ffff:1.2.3.4:80", "REDACTED:80"},
      {"std::1.2.3.4", "std::REDACTED"},
      {"1:2:3:4:5:6:7:1.2.3.4", "1:2:3:4:5:6:7:REDACTED"},  // nine groups, but the IPv4 address is one
      {":::1", ":REDACTED"},
      {"fe80:::", "REDACTED:"},
      {"::1,::2", "REDACTED,REDACTED"},
      {"\\nfe80::1", "\\nREDACTED"},
      {"x%3Dfe80::1", "x%3DREDACTED"},
      {"dead::beef", "REDACTED"},
  };
  const Redactor redactor;
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(redactor.Redact(c.text) == c.redacted);
    CHECK(redactor.Matches(c.text));
  }
}

TEST_CASE("eight groups, one of three digits or more, and a port") {
  const std::pair<const char*, const char*> cases[] = {
      {"2001:db8:1:2:3:4:5:6:443", "REDACTED:443"},
      {"2001:0db8:0000:0000:0000:ff00:0042:8329:5432", "REDACTED:5432"},
      {"1:2:3:4:5:6:7:abc:80 left", "REDACTED:80 left"},
      {"addr=2001:db8:1:2:3:4:5:6:443: refused", "addr=REDACTED:443: refused"},
      {"addr:2001:db8:1:2:3:4:5:6:9", "addr:REDACTED:9"},
      {"2001:db8:1:2:3:4:5:6:54321", "REDACTED:54321"},
      {"2001%3Adb8:1:2:3:4:5:6%3A443", "REDACTED%3A443"},
  };
  const Redactor redactor;
  for (const auto& [text, redacted] : cases) {
    CAPTURE(text);
    CHECK(redactor.Redact(text) == redacted);
    CHECK(redactor.Matches(text));
  }
  for (const char* text : {"1:2:3:4:5:6:7:8:9", "16:27:ac:a5:76:28:2d:36:63", "2001:db8:1:2:3:4:5:6:ff",
                           "2001:db8:1:2:3:4:5:6:80:81", "2001:db8::2:3:4:5:6:7:8:80"}) {
    CAPTURE(text);
    CHECK(redactor.Redact(text) == text);
  }
}

TEST_CASE("addresses in the digits of other scripts") {
  const std::pair<const char*, const char*> cases[] = {
      {"\u0661\u0660.\u0660.\u0660.\u0661", "REDACTED"},                      // Arabic-Indic
      {"\u06F1\u06F0.0.0.\u06F1:80", "REDACTED:80"},                          // mixed with ASCII
      {"from \uFF11\uFF10.\uFF10.\uFF10.\uFF11 to", "from REDACTED to"},      // full-width digits
      {"\uFF11\uFF10\uFF0E\uFF10\uFF0E\uFF10\uFF0E\uFF11", "REDACTED"},       // and dots
      {"10\u30020\uFF610\uFE521", "REDACTED"},                                // other dots
      {"2001\uFF1Adb8\uFF1A\uFF1A1", "REDACTED"},                             // full-width colons
      {"\u0968\u0966\u0966\u0967:db8::\u0967", "REDACTED"},                   // Devanagari
      {"\U0001D7CF\U0001D7CE.\U0001D7D8.\U0001D7E2.\U0001D7F7", "REDACTED"},  // mathematical
      {"\u4E2D\uFF11.2.3.4\u4E2D", "\u4E2DREDACTED\u4E2D"},
      {"\uFF11%2E2.3%2E\uFF14", "REDACTED"},
  };
  const Redactor redactor;
  for (const auto& [text, redacted] : cases) {
    CAPTURE(text);
    CHECK(redactor.Redact(text) == redacted);
    CHECK(redactor.Matches(text));
  }
  for (const char* text : {"\uFF11\uFF12:\uFF13\uFF10:\uFF14\uFF15", "\u0663\u0660\u0660.1.2.3", "1.2.3.4\uFF0E5",
                           "\u00B9.\u00B2.\u00B3.\u2074", "\uFF11\u3002", "\xEF\xBC.1.2.3"}) {
    CAPTURE(text);
    CHECK(redactor.Redact(text) == text);
  }
}

TEST_CASE("text that only resembles an IP address is kept") {
  const char* const texts[] = {
      "",
      "12192.168.1.11",
      "v1.2.3.4",
      "1.2.3.4.5",
      "0.1.2.3.4",
      "a5.1.2.3.4",
      "1.2.3.4x",
      "1.2.3.4_",
      "_1.2.3.4",
      "x1.2.3.4",
      "1.2.3",
      "1.2.3.256",
      "256.1.2.3",
      "1.2.3.999",
      "1..2.3.4",
      "1.2.3.",
      "1,2,3,4",
      "12:30:45",
      "2026-01-31T12:30:45.123456Z",
      "31/Jan/2026:12:30:45 +0000",
      "00:1b:44:11:3a:b7",
      "00-1b-44-11-3a-b7",
      "::",
      " :: ",
      "std::string",
      "x::1",
      "a :: b",
      "Foo::Bar",
      "std::cafe",
      "1:2:3:4:5:6:7",
      "1:2:3:4:5:6:7:8:9",
      "1::2::3",
      "1:::2",
      "12345::1",
      "g::1",
      "::1g",
      "fe80::1xyz",
      "1:2:3:4:5:6:7:8::9",
      "1:2:3:4:5:6:7::8:9",
      "16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48",
      "https://example.com:8080/path?a=b:c",
      "{\"a\":{\"b\":[1,2.5]}}",
      "select a::int, b::text from t",
  };
  const Redactor redactor;
  for (const char* text : texts) {
    CAPTURE(text);
    CHECK(redactor.Redact(text) == text);
    CHECK_FALSE(redactor.Matches(text));
  }
}

TEST_CASE("redacting a redacted text changes nothing") {
  const Redactor redactor;
  const std::string once = redactor.Redact("1.2.3.4 fe80::1%eth0 [::1]:80 5.6.7.8/9");
  CHECK(redactor.Redact(once) == once);
}

TEST_CASE("hostile text is handled in linear time") {
  // Quadratic work on these would take minutes.
  constexpr size_t kRepeats = 200'000;
  const Redactor redactor;
  for (const char* piece :
       {"1.",       "1:",      ":",       "::",     "a:",       "1.2.3.4:", "fe80::1:x:", "0",      "%2",
        "%25",      "\\n",     "\\u0022", "1.2.3.", "fe80::1%", "f",        "_",          ":x",     "::1g",
        "\x1B[",    "\x1B[1;", "[31m",    "\x1B(",  "%3A",      "%2E1",     "%25253",     "\uFF11", "\uFF0E\uFF11",
        "\xEF\xBC", "abc:",    "\\x1b[0;"}) {
    CAPTURE(piece);
    std::string text;
    for (size_t i = 0; i < kRepeats; ++i) text += piece;
    CHECK(redactor.Redact(text).size() <= 2 * text.size());
  }
}

}  // namespace
}  // namespace logquery
