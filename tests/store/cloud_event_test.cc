// CloudEvents in each of their modes, as rows.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/store/split_events.h"

namespace logquery {
namespace {

using Texts = std::vector<std::string>;

constexpr std::string_view kAttributes = R"("specversion":"1.0","id":"7","source":"/shop","type":"order.paid")";

std::string EventOf(std::string_view members) { return base::StrCat("{", kAttributes, members, "}"); }

struct Split {
  Texts rows;
  std::vector<RejectedEvent> refused;
};

Split SplitOf(std::string_view body, const SplitOptions& options) {
  const auto events = SplitEvents(body, options);
  INFO(events.status().ToString());
  REQUIRE(events.ok());
  CHECK(events->broken.empty());
  return {Texts(events->rows.begin(), events->rows.end()), events->refused};
}

std::string RowOf(std::string_view event, const CloudEventLog& log = {}) {
  const Split split = SplitOf(event, {.shape = EventShape::kCloudEvent, .log = log});
  REQUIRE(split.rows.size() == 1);
  INFO((split.refused.empty() ? "" : split.refused[0].reason));
  CHECK(split.refused.empty());
  return split.rows[0];
}

// The row of an event whose data is sent as the body.
Split SplitData(std::string_view data, std::string_view further_attributes = "") {
  const std::string attributes = EventOf(further_attributes);
  return SplitOf(data, {.shape = EventShape::kCloudEventData, .attributes = attributes});
}

std::string ReasonOf(std::string_view event) {
  const Split split = SplitOf(event, {.shape = EventShape::kCloudEvent});
  REQUIRE(split.refused.size() == 1);
  CHECK(split.rows[0] == event);  // it is kept as it came
  return split.refused[0].reason;
}

TEST_CASE("a CloudEvent's data becomes the row, with the event's time and its attributes as a record") {
  const std::string attributes =
      base::StrCat("{", kAttributes, R"(,"time":"2026-01-15T08:00:00Z","datacontenttype":"application/json"})");
  const std::string row = base::StrCat(
      R"({"timestamp":"2026-01-15T08:00:00Z","machine":"m1","total":5,"event_message":"{\"machine\":\"m1\",\"total\":5}",)",
      R"("id":"7","cloud_event":)", attributes, "}");
  const std::string_view data = R"({"machine":"m1","total":5})";
  CHECK(RowOf(base::StrCat(attributes.substr(0, attributes.size() - 1), R"(,"data":)", data, "}")) == row);
  const Split binary = SplitData(data, R"(,"time":"2026-01-15T08:00:00Z","datacontenttype":"application/json")");
  CHECK(binary.refused.empty());
  CHECK(binary.rows == Texts{row});
}

TEST_CASE("a batch of CloudEvents has a row for each event, and a bad one costs no other") {
  const std::string body =
      base::StrCat("[", EventOf(R"(,"data":{"message":"a"})"), R"(,{"id":"8"},)", EventOf(R"(,"data":"b")"), "]");
  const Split split = SplitOf(body, {.shape = EventShape::kCloudEvent});
  REQUIRE(split.rows.size() == 3);
  CHECK(split.rows[0].starts_with(R"({"message":"a","id":"7",)"));
  CHECK(split.rows[1] == R"({"id":"8"})");
  CHECK(split.rows[2].starts_with(R"({"event_message":"b","id":"7",)"));
  REQUIRE(split.refused.size() == 1);
  CHECK(split.refused[0].index == 1);
  CHECK(split.refused[0].reason.starts_with("specversion is missing; each CloudEvent has specversion, id, source"));
  CHECK(SplitOf("[]", {.shape = EventShape::kCloudEvent}).rows.empty());
}

TEST_CASE("members of the data keep their meaning in a row, and attributes fill what is missing") {
  CHECK(RowOf(EventOf(R"(,"data":{"id":42,"log_entry":"m","project":"abc","timestamp":1772600767},"project":"no")"))
            .starts_with(R"({"id":42,"log_entry":"m","project":"abc","timestamp":1772600767,"cloud_event":{)"));
  // The event's own time and attributes come before members with their names.
  CHECK(
      RowOf(
          EventOf(
              R"(,"time":"2026-01-15T08:00:00Z","project":"abc","data":{"Timestamp":1,"cloud_event":2,"id":null,"message":"m"})"))
          .starts_with(
              R"({"timestamp":"2026-01-15T08:00:00Z","message":"m","id":"7","project":"abc","cloud_event":{"specversion")"));
  CHECK(RowOf(EventOf(R"(,"time":null,"subject":null,"sequence":5,"data":{})"))
            .ends_with(base::StrCat(R"("cloud_event":{)", kAttributes, R"(,"sequence":5}})")));
}

TEST_CASE("data that is no object is a row, too") {
  const std::string end = base::StrCat(R"("id":"7","cloud_event":{)", kAttributes);
  const auto is = [&](std::string_view members, std::string_view begin) {
    const std::string row = RowOf(EventOf(members));
    INFO(row);
    return row.starts_with(base::StrCat("{", begin, ",", end));
  };
  CHECK(is(R"(,"data":"text \"it\"")", R"("event_message":"text \"it\"")"));
  CHECK(is(R"(,"data":[1,"a"])", R"("data":[1,"a"],"event_message":"[1,\"a\"]")"));
  CHECK(is(R"(,"data":7)", R"("data":7,"event_message":"7")"));
  // Without any text, the type is the message.
  CHECK(is(R"(,"data":null)", R"("event_message":"order.paid")"));
  CHECK(is("", R"("event_message":"order.paid")"));
  CHECK(is(R"(,"data_base64":"/wA=","datacontenttype":"image/png")",
           R"("data_base64":"/wA=","event_message":"order.paid")"));
  // Bytes that are text or JSON are stored as such.
  CHECK(is(R"(,"data_base64":"PGE+","datacontenttype":"text/xml")", R"("event_message":"<a>")"));
  CHECK(is(R"(,"data_base64":"eyJ4IjoxfQ==","datacontenttype":"application\/json")",
           R"("x":1,"event_message":"{\"x\":1}")"));
}

TEST_CASE("the body of binary mode is read by its type") {
  const auto row = [](std::string_view data, std::string_view type) {
    const Split split = SplitData(data, base::StrCat(R"(,"datacontenttype":")", type, "\""));
    CHECK(split.refused.empty());
    REQUIRE(split.rows.size() == 1);
    return split.rows[0];
  };
  CHECK(row(R"({"a":1})", "application/json; charset=utf-8").starts_with(R"({"a":1,)"));
  CHECK(row(R"({"a":1})", "application/vnd.shop+json").starts_with(R"({"a":1,)"));
  CHECK(row("[1, 2]", "Application/JSON").starts_with(R"({"data":[1, 2],)"));
  CHECK(row(R"({"a":"\ud83d"})", "application/json").starts_with(R"({"a":"\ufffd",)"));
  CHECK(row(R"({"a":1})", "text/plain").starts_with(R"({"event_message":"{\"a\":1}",)"));
  CHECK(row("<a>", "application/xml").starts_with(R"({"event_message":"<a>",)"));
  CHECK(row("\xff", "application/xml").starts_with(R"({"data_base64":"/w==",)"));
  CHECK(row("", "application/json").starts_with(R"({"event_message":"order.paid",)"));
  CHECK(SplitData(R"({"a":1})").rows[0].starts_with(R"({"a":1,)"));
  CHECK(SplitData("{a}").rows[0].starts_with(R"({"event_message":"{a}",)"));
}

TEST_CASE("data that is not what its type says is refused, and kept as an event") {
  const Split split = SplitData(R"({"a":NaN})", R"(,"datacontenttype":"application/json")");
  REQUIRE(split.refused.size() == 1);
  CHECK(split.refused[0].reason ==
        "the event's data is not JSON, as its type \"application/json\" says: column 6: wanted a value, found 'N'");
  CHECK(split.rows[0] == EventOf(R"(,"datacontenttype":"application/json","data":"{\"a\":NaN}")"));
  // Sent again as it was kept, it is a row.
  CHECK(RowOf(split.rows[0]).starts_with(R"({"event_message":"{\"a\":NaN}",)"));
}

TEST_CASE("an event that is no CloudEvent of version 1 is refused with the attribute") {
  CHECK(ReasonOf(R"({"specversion":"1.0","source":"s","type":"t"})").starts_with("id is missing; each CloudEvent has"));
  CHECK(ReasonOf(R"({"specversion":"1.0","id":5,"source":"s","type":"t"})").starts_with("id is 5; "));
  CHECK(ReasonOf(R"({"specversion":"1.0","id":"5","source":"","type":"t"})").starts_with("source is \"\"; "));
  CHECK(ReasonOf(R"({"specversion":"0.3","id":"5","source":"s","type":"t"})") ==
        "specversion is \"0.3\"; CloudEvents of version 1.0 are taken");
  CHECK(ReasonOf(EventOf(R"(,"data":1,"data_base64":"AA==")")) ==
        "the event has data and data_base64; it may have one");
  CHECK(ReasonOf(EventOf(R"(,"data_base64":"???")")) == R"(data_base64 is no base64: "\"???\"")");
  CHECK(ReasonOf(EventOf(R"(,"data_base64":7)")).starts_with("data_base64 is no base64"));
  CHECK(ReasonOf(EventOf(R"(,"data_base64":"e2F9","datacontenttype":"application/json")"))
            .starts_with("the event's data is not JSON, as its type \"application/json\" says: column 2"));
  CHECK(ReasonOf(R"({"id":NaN})") == "column 7: wanted a value, found 'N'");
}

TEST_CASE("a log of one's own gets the event's time in its own field, and no composed message") {
  const CloudEventLog own = {.time_field = "at", .has_message = false};
  CHECK(RowOf(EventOf(R"(,"time":"2026-01-15T08:00:00Z","data":{"total":5,"timestamp":"kept"})"), own)
            .starts_with(R"({"at":"2026-01-15T08:00:00Z","total":5,"timestamp":"kept","id":"7",)"));
  CHECK(RowOf(EventOf(R"(,"data":"text")"), own).starts_with(R"({"message":"text",)"));
  CHECK(RowOf(EventOf(R"(,"data":[1])"), own).starts_with(R"({"data":[1],"id")"));
  CHECK(RowOf(EventOf(""), own).starts_with(R"({"id":"7",)"));
}

TEST_CASE("fields of a CloudEvent are in the metadata of a log whose rows have nothing else") {
  const CloudEventLog built_in = {.in_metadata = true};
  const std::string end = base::StrCat(R"("cloud_event":{)", kAttributes, "}}}");
  CHECK(RowOf(EventOf(R"(,"data":{"id":3,"total":5,"message":"m","metadata":{"a":1},"project":"abc"})"), built_in) ==
        base::StrCat(R"({"id":3,"message":"m","project":"abc","metadata":{"total":5,"metadata":{"a":1},)", end));
  CHECK(RowOf(EventOf(R"(,"data":[1])"), built_in) ==
        base::StrCat(R"({"event_message":"[1]","id":"7","metadata":{"data":[1],)", end));
  CHECK(RowOf(EventOf(R"(,"data_base64":"/w==")"), built_in) ==
        base::StrCat(R"({"event_message":"order.paid","id":"7","metadata":{"data_base64":"/w==",)", end));
  CHECK(RowOf(EventOf(R"(,"data":"text")"), built_in) ==
        base::StrCat(R"({"event_message":"text","id":"7","metadata":{)", end));
}

TEST_CASE("rows of CloudEvents keep to the memory that they may take") {
  SplitOptions options = {.shape = EventShape::kCloudEventData, .attributes = "{}"};
  options.max_made_bytes = 4'000;
  CHECK(absl::IsOutOfRange(SplitEvents(std::string(1'000, '\x01'), options).status()));
  options.max_made_bytes = 4'000'000;
  size_t granted = 0;
  options.grow = [&granted](size_t bytes) { return (granted += bytes) < 40'000; };
  CHECK(SplitEvents("x", options).ok());
  CHECK(absl::IsResourceExhausted(SplitEvents(std::string(10'000, '\x01'), options).status()));
}

}  // namespace
}  // namespace logquery
