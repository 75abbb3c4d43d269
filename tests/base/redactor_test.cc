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

TEST_CASE("an address directly after an escape sequence of a terminal") {
  const std::pair<const char*, const char*> cases[] = {
      {"\x1B[31m10.0.0.1\x1B[0m", "\x1B[31mREDACTED\x1B[0m"},
      {"\x1B[1;31m10.0.0.1", "\x1B[1;31mREDACTED"},
      {"\x1B[m10.0.0.1", "\x1B[mREDACTED"},
      {"\x1B[38;5;196mfe80::1", "\x1B[38;5;196mREDACTED"},
      {"\x1B[31mdead:beef::1", "\x1B[31mREDACTED"},
      {"\x1B[32m::1", "\x1B[32mREDACTED"},
      {"\x1B[1:2m10.0.0.1", "\x1B[1:2mREDACTED"},
      {"\x1B[1:31m1:2:3:4:5:6:7:8", "\x1B[1:31mREDACTED"},
      {"\x1B[2K10.0.0.1", "\x1B[2KREDACTED"},  // not only colours
      {"\x1B[2C10.0.0.1", "\x1B[2CREDACTED"},
      {"\x1B[?25h10.0.0.1", "\x1B[?25hREDACTED"},
      {"\x1B[0 q10.0.0.1", "\x1B[0 qREDACTED"},
      {"\x1B(B10.0.0.1", "\x1B(BREDACTED"},
      {"\x1B(B\x1B[m10.0.0.1", "\x1B(B\x1B[mREDACTED"},
      {"\x1B"
       "c10.0.0.1",
       "\x1B"
       "cREDACTED"},
      {"\x1B"
       "710.0.0.1",
       "\x1B"
       "7REDACTED"},
      {"\xC2\x9B"
       "31m10.0.0.1",
       "\xC2\x9B"
       "31mREDACTED"},
      {"{\"m\":\"\\u001b[31m10.0.0.1\\u001b[39m\"}", "{\"m\":\"\\u001b[31mREDACTED\\u001b[39m\"}"},
      {"\\u001B[2K10.0.0.1", "\\u001B[2KREDACTED"},
      {"\\x1b[31m10.0.0.1", "\\x1b[31mREDACTED"},
      {"\\x1b[0K10.0.0.1", "\\x1b[0KREDACTED"},
      {"\\033[1;31m10.0.0.1", "\\033[1;31mREDACTED"},
      {"\\e[0K10.0.0.1", "\\e[0KREDACTED"},
      {"^[[2K10.0.0.1", "^[[2KREDACTED"},
      {"%1B%5B31m10.0.0.1", "%1B%5B31mREDACTED"},
      {"%1b[2Kfe80::1", "%1b[2KREDACTED"},
      {"#033[31m10.0.0.1", "#033[31mREDACTED"},
      {"[31m10.0.0.1[0m", "[31mREDACTED[0m"},  // the escape character was taken out
      {"\\x2210.0.0.1\\x22", "\\x22REDACTED\\x22"},
      {"\\001255.0.0.1\\002", "\\001REDACTED\\002"},
      {"\\f10.0.0.1\\b10.0.0.1", "\\fREDACTED\\bREDACTED"},
      {"\x1B[10.0.0.1", "\x1B[REDACTED"},
      {"\x1B[1;::1 m", "\x1B[1;REDACTED m"},
  };
  const Redactor redactor;
  for (const auto& [text, redacted] : cases) {
    CAPTURE(text);
    CHECK(redactor.Redact(text) == redacted);
    CHECK(redactor.Matches(text));
  }
  // Without what makes them escape sequences, these are letters directly before.
  for (const char* text :
       {"[m10.0.0.1", "[2K10.0.0.1", "31m10.0.0.1", "(B10.0.0.1", "\x1B[31mv10.0.0.1", "\x1B[31mx\x1B[1;2m1.2.3.4.5"}) {
    CAPTURE(text);
    CHECK(redactor.Redact(text) == text);
  }
}

TEST_CASE("an address whose dots, colons or brackets a URL escapes") {
  const std::pair<const char*, const char*> cases[] = {
      {"10%2E0%2E0%2E1", "REDACTED"},
      {"10%2e0.0%2E1", "REDACTED"},
      {"http%3A%2F%2F10%2E1%2E2%2E3%3A8080%2Fx", "http%3A%2F%2FREDACTED%3A8080%2Fx"},
      {"ip=2001%3Adb8%3a%3A1&x", "ip=REDACTED&x"},
      {"2001:db8%3A:1", "REDACTED"},
      {"%3A%3A1", "REDACTED"},
      {"x%3Dfe80%3A%3A1%25eth0", "x%3DREDACTED"},
      {"u=http://%5B2001%3Adb8%3A%3A1%5D%3A443/", "u=http://%5BREDACTED%5D%3A443/"},
      {"%5B2001:db8::1%5D:443", "%5BREDACTED%5D:443"},
      {"%5b::1%5d", "%5bREDACTED%5d"},
      {"%3A%3Affff%3A192%2E0%2E2%2E1", "REDACTED"},
      {"10%252E0%252E0%252E1", "REDACTED"},  // escaped twice
      {"2001%25253Adb8%25253A%25253A1", "REDACTED"},
      {"10.0.0.1%2C10%2E0%2E0%2E2", "REDACTED%2CREDACTED"},
      {"1.2.3.4%2Eexample", "REDACTED%2Eexample"},
  };
  const Redactor redactor;
  for (const auto& [text, redacted] : cases) {
    CAPTURE(text);
    CHECK(redactor.Redact(text) == redacted);
    CHECK(redactor.Matches(text));
  }
  for (const char* text : {"1%2E2%2E3%2E4%2E5", "v1%2E2%2E3%2E4", "12%3A30%3A45", "std%3A%3Astring", "%3A%3A", "%2E%2",
                           "10%2F0%2F0%2F1", "%", "%%2E"}) {
    CAPTURE(text);
    CHECK(redactor.Redact(text) == text);
    CHECK_FALSE(redactor.Matches(text));
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

TEST_CASE("an address is found behind and in escapes of any depth, and of any kind") {
  const std::pair<const char*, const char*> cases[] = {
      {"?u=x%253Fip%253D203.0.113.77", "?u=x%253Fip%253DREDACTED"},
      {"?u=x%253Fip%253D203%252E0%252E113%252E77", "?u=x%253Fip%253DREDACTED"},
      {"u%25253Dx%2525253D203.0.113.77%25252526y", "u%25253Dx%2525253DREDACTED%25252526y"},
      {"%32%30%33.0.113.77", "REDACTED"},
      {"%310.1.2.3", "REDACTED"},
      {"%252010.1.2.3", "%2520REDACTED"},
      {"%2525100.1.2.3", "%2525REDACTED"},
      {"%25253D2001%25253Adb8%25253A%25253A1", "%25253DREDACTED"},
      {"{\"u\":\"\\u003d203\\u002e0\\u002e113\\u002e77\"}", "{\"u\":\"\\u003dREDACTED\"}"},
      {"203\\\\u002e0\\\\u002e113\\\\u002e77", "REDACTED"},
      {"203\\x2e0\\x2e113\\x2e77", "REDACTED"},
      {"^203\\.0\\.113\\.77$", "^REDACTED$"},
      {"203&#46;0&#x2E;113&period;77", "REDACTED"},
      {"203&amp;#46;0%26%2346%3B113\\u0026#46;77", "REDACTED"},
      {"ip&#61;203.0.113.77&#32;x", "ip&#61;REDACTED&#32;x"},
      {"\\uff11\\uff10.1.2.3", "REDACTED"},
      {"%EF%BC%91%EF%BC%90.1.2.3", "REDACTED"},
  };
  const Redactor redactor;
  for (const auto& [text, redacted] : cases) {
    CAPTURE(text);
    CHECK(redactor.Redact(text) == redacted);
    CHECK(redactor.Matches(text));
  }
  for (const char* text :
       {"%2520v1.2.3.4", "a%253D1.2.3.4.5", "\\u0041x1.2.3.4", "&#46;&#46;1.2.3", "v1\\.2\\.3\\.4"}) {
    CAPTURE(text);
    CHECK(redactor.Redact(text) == text);
    CHECK_FALSE(redactor.Matches(text));
  }
}

TEST_CASE("addresses with dashes in names of hosts") {
  const std::pair<const char*, const char*> cases[] = {
      {"ip-203-0-113-77.ec2.internal", "ip-REDACTED.ec2.internal"},
      {"host IP-10-0-0-1 is up", "host IP-REDACTED is up"},
      {"ec2-203-0-113-77.us-west-2.compute.amazonaws.com", "ec2-REDACTED.us-west-2.compute.amazonaws.com"},
      {"203-0-113-77.dyn.example.net", "REDACTED.dyn.example.net"},
      {"pool-203-000-113-077.example.net", "pool-REDACTED.example.net"},
      {"http%3A%2F%2Fip-10-0-0-1%252Eec2", "http%3A%2F%2Fip-REDACTED%252Eec2"},
      {"ip-10-0-0-1", "ip-REDACTED"},
  };
  const Redactor redactor;
  for (const auto& [text, redacted] : cases) {
    CAPTURE(text);
    CHECK(redactor.Redact(text) == redacted);
    CHECK(redactor.Matches(text));
  }
  for (const char* text :
       {"1-2-3-4", "1-2-3-4.", "1-2-3-4.5", "300-0-113-77.example.net", "1-203-0-113-77.example.net", "ip-1-2-3-4-5",
        "ip-1-2-3", "ship-10-0-0-1", "2024-01-02-03.log", "ip-10-0-0-1x", "203--0-113-77.net", "ip--10-0-0-1"}) {
    CAPTURE(text);
    CHECK(redactor.Redact(text) == text);
    CHECK_FALSE(redactor.Matches(text));
  }
}

TEST_CASE("e-mail addresses and patterns are found behind escapes, too") {
  const Redactor redactor = Redactor::Create({true, {"\\bcus_[0-9]+"}}).value();
  CHECK(redactor.Redact("to=ann%2540mail.example.com") == "to=REDACTED");
  CHECK(redactor.Redact("ann%252540mail%25252Eexample.com") == "REDACTED");
  CHECK(redactor.Redact("ann\\u0040mail.example.com ann&#64;mail.example.com") == "REDACTED REDACTED");
  CHECK(redactor.Redact("x%253Dcus%255F12&") == "x%253DREDACTED&");
}

}  // namespace
}  // namespace logquery
