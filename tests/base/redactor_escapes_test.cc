// Addresses that escape sequences hide: of terminals, URLs, JSON, and names of hosts.
#include <catch2/catch_test_macros.hpp>
#include <utility>

#include "logquery/redactor.h"

namespace logquery {
namespace {

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
