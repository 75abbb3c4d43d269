// Log records of OpenTelemetry in protobuf become rows, and bytes that are no message are rejected.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/escaping.h"
#include "lib/base/strings.h"
#include "lib/store/rows/json_reader.h"
#include "tests/store/otlp_messages.h"
#include "tests/support/wire_message.h"

namespace logquery::otlp_tests {
namespace {

TEST_CASE("log records in protobuf become rows, their attributes objects") {
  WireMessage record;
  record.Fixed64(1, 1772600767123456789)
      .Varint(2, 9)
      .Text(3, "Info")
      .Message(5, TextValue("hi \"you\" \x01é"))
      .Message(6, Attribute("n", WireMessage().Varint(3, static_cast<uint64_t>(-5))))
      .Message(6, Attribute("bytes", WireMessage().Text(7, "\xff\x01")))
      .Message(6, Attribute("list", WireMessage().Message(5, WireMessage()
                                                                 .Message(1, WireMessage().Varint(2, 1))
                                                                 .Message(1, WireMessage().Double(4, 1.5))
                                                                 .Message(1, WireMessage()))))
      .Message(6, Attribute("map", WireMessage().Message(6, WireMessage().Message(1, Attribute("x", TextValue("y"))))))
      .Message(6, WireMessage().Text(1, "none"))
      .Text(9, std::string("\x5b\x8e\xff\xf7\x98\x03\x81\x03\xd2\x69\xb6\x33\x81\x3f\xc6\x0c", 16))
      .Text(10, std::string("\xee\xe1\x9b\x7e\xc3\xc1\xb1\x74", 8));
  const WireMessage observed = WireMessage().Fixed64(11, 1772600767000000000).Message(5, WireMessage().Varint(3, 1));
  const WireMessage resource = WireMessage()
                                   .Message(1, Attribute("service.name", TextValue("shop")))
                                   .Message(1, Attribute("project", TextValue("abc")));
  const WireMessage scope = WireMessage().Text(1, "s").Text(2, "1").Message(3, Attribute("a", TextValue("b")));
  const Texts rows = RowsOf(Request({record, observed}, resource, scope));
  REQUIRE(rows.size() == 2);
  CHECK(
      rows[0] ==
      R"({"severity_number":9,"severity_text":"Info","trace_id":"5b8efff798038103d269b633813fc60c","span_id":"eee19b7ec3c1b174",)"
      R"("attributes":{"n":-5,"bytes":"/wE=","list":[true,1.5,null],"map":{"x":"y"},"none":null},"timestamp":1772600767123456789,)"
      R"("event_message":"hi \"you\" \u0001é","project":"abc","resource":{"service.name":"shop","project":"abc"},)"
      R"("scope":{"name":"s","version":"1","attributes":{"a":"b"}}})");
  CHECK(rows[1].starts_with(R"({"timestamp":1772600767000000000,"event_message":"1","body":1,"project":"abc")"));
  CHECK(RowsOf("").empty());
}

TEST_CASE("fields may come in any order, more than once, and be unknown") {
  WireMessage scope_logs, resource_logs, request;
  // The resource and the scope stand behind their records; if a field comes twice, the last one counts.
  scope_logs.Message(2, WireMessage()
                            .Text(3, "first")
                            .Varint(99, 7)
                            .Raw("\xFD\x06"
                                 "abcd")  // a fixed32 of field 111
                            .Text(1, "a text in place of a time")
                            .Text(3, "last"));
  scope_logs.Message(1, WireMessage().Text(1, "scope"));
  resource_logs.Message(2, scope_logs).Message(1, WireMessage().Message(1, Attribute("k", TextValue("v"))));
  const Texts rows = RowsOf(request.Message(1, resource_logs).Text(7, "unknown").bytes());
  CHECK(rows == Texts{R"({"severity_text":"last","event_message":"","resource":{"k":"v"},"scope":{"name":"scope"}})"});
  const WireMessage both = WireMessage().Text(1, "text").Varint(3, 7);
  CHECK(RowsOf(Request({WireMessage().Message(5, both)})) == Texts{R"({"event_message":"7","body":7})"});
}

// The request that a refused record is kept as.
std::string Kept(std::string_view row) {
  const size_t begin = row.find(R"("otlp_protobuf":")");
  REQUIRE(begin != row.npos);
  std::string request;
  REQUIRE(absl::Base64Unescape(base::ToAbsl(row.substr(begin + 17, row.size() - begin - 19)), &request));
  return request;
}

TEST_CASE("bytes that are not a message are rejected with the position, and kept") {
  const auto broken = [](std::string_view body) {
    const auto events = Split(body);
    INFO(absl::BytesToHexString(std::string(body)));
    REQUIRE(events.ok());
    REQUIRE(events->rows.size() == 1);
    CHECK(Kept(events->rows[0]) == body);
    REQUIRE(events->refused.size() == 1);
    CHECK(events->refused[0].reason == events->broken);
    return events->broken;
  };
  const std::string_view what = "the body is not OTLP in protobuf: byte ";
  CHECK(broken("\x0a") == base::StrCat(what, "1: a number ends too early"));
  CHECK(broken("\x0a\x05"
               "abc") == base::StrCat(what, "2: a field is longer than its message"));
  CHECK(broken("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01") ==
        base::StrCat(what, "11: a field is longer than its message"));
  CHECK(broken("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02") ==
        base::StrCat(what, "1: a number has more than 64 bits"));
  CHECK(broken(std::string(20, '\xff')) == base::StrCat(what, "0: a number has more than 64 bits"));
  CHECK(broken("\x0b\x0c") == base::StrCat(what, "0: a field is a group, or of no type that there is"));
  CHECK(broken("\x0f") == base::StrCat(what, "0: a field is a group, or of no type that there is"));
  CHECK(broken(std::string("\x00\x01", 2)) == base::StrCat(what, "0: a field's number is not between 1 and 536870911"));
  CHECK(broken(R"({"resourceLogs":[]})").starts_with(what));
  // A request is cut: what came before is not taken either, as the sender is told that it failed.
  const std::string whole = Request({TextValue("x"), TextValue("y")});
  CHECK(broken(whole + "\x0a\x05").starts_with(what));
}

TEST_CASE("a malformed record is rejected alone, and kept as a request of its own") {
  const WireMessage good = WireMessage().Message(5, TextValue("good"));
  const WireMessage resource = WireMessage().Message(1, Attribute("project", TextValue("abc")));
  const WireMessage scope = WireMessage().Text(1, "s");
  struct Case {
    WireMessage record;
    std::string reason;
  };
  WireMessage deep = TextValue("deep");
  for (int i = 0; i < 200; ++i) deep = WireMessage().Message(5, WireMessage().Message(1, deep));
  const std::vector<Case> cases = {
      {WireMessage().Message(5, TextValue("\xc3")), "text that is not valid UTF-8"},
      {WireMessage().Text(3, "\xff"), "text that is not valid UTF-8"},
      {WireMessage().Message(6, Attribute("\xff", TextValue("v"))), "text that is not valid UTF-8"},
      {WireMessage().Raw("\x2a\x03\x0a\x05x"), "a field is longer than its message"},
      {WireMessage().Message(5, deep), "values are nested deeper than 100 messages"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.reason);
    const auto events = Split(Request({good, c.record, good}, resource, scope));
    REQUIRE(events.ok());
    CHECK(events->broken.empty());
    REQUIRE(events->rows.size() == 3);
    CHECK(events->rows[0] == events->rows[2]);
    CHECK(events->rows[0].starts_with(R"({"event_message":"good","project":"abc")"));
    CHECK(events->rows[1].starts_with(R"({"project":"abc","otlp_protobuf":")"));
    CHECK(Kept(events->rows[1]) == Request({c.record}, resource, scope));
    REQUIRE(events->refused.size() == 1);
    CHECK(events->refused[0].index == 1);
    CHECK(events->refused[0].reason.find(c.reason) != std::string::npos);
  }
}

TEST_CASE("a malformed resource or scope costs its own records") {
  const WireMessage good = WireMessage().Message(5, TextValue("good"));
  const WireMessage bad_resource = WireMessage().Message(1, Attribute("k", TextValue("\xff")));
  const auto events = Split(Request({good, good}, bad_resource) + Request({good}));
  REQUIRE(events.ok());
  REQUIRE(events->rows.size() == 3);
  REQUIRE(events->refused.size() == 2);
  CHECK(events->refused[1].reason == "its resource: column 50: text that is not valid UTF-8");
  CHECK(Kept(events->rows[0]) == Request({good}, bad_resource, WireMessage()));
  CHECK(events->rows[2].starts_with(R"({"event_message":"good")"));
  // Bytes that are no message at all are refused as one event.
  const auto cut = Split(WireMessage().Text(1, "\x0a\x7f").bytes() + Request({good}));
  REQUIRE(cut.ok());
  REQUIRE(cut->rows.size() == 2);
  REQUIRE(cut->refused.size() == 1);
  CHECK(cut->refused[0].reason == "byte 4: a field is longer than its message");
  CHECK(Kept(cut->rows[0]) == WireMessage().Text(1, "\x0a\x7f").bytes());
}

TEST_CASE("nested values are kept up to a depth limit") {
  const auto nested = [](int levels, bool of_pairs) {
    WireMessage value = TextValue("deep");
    for (int i = 0; i < levels; ++i) {
      const WireMessage list = WireMessage().Message(1, of_pairs ? Attribute("k", value) : value);
      value = WireMessage().Message(of_pairs ? 6 : 5, list);
    }
    return Request({WireMessage().Message(5, value)});
  };
  for (const bool of_pairs : {false, true}) {
    const int most = of_pairs ? 31 : 47;
    const Texts rows = RowsOf(nested(most, of_pairs));
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].find("deep") != std::string::npos);
    store::JsonReader reader(rows[0]);
    std::string_view row;
    CHECK(reader.SkipValue(/*keys_differ=*/true, &row));
    for (const int levels : {most + 1, 2'000}) {
      const auto deeper = Split(nested(levels, of_pairs));
      REQUIRE(deeper.ok());
      REQUIRE(deeper->refused.size() == 1);
      CHECK(deeper->refused[0].reason.find("nested deeper than 100 messages") != std::string::npos);
    }
  }
}

}  // namespace
}  // namespace logquery::otlp_tests
