// Bodies of OpenTelemetry in JSON are split into rows.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/store/split_events.h"
#include "tests/store/split_rows.h"

namespace logquery::split_tests {
namespace {

using Texts = std::vector<std::string>;

TEST_CASE("log records of OpenTelemetry become rows, their attributes objects") {
  const std::string_view request = R"({"resourceLogs":[{
    "resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}},{"key":"project","value":{"stringValue":"abc"}}]},
    "scopeLogs":[{"scope":{"name":"s","version":"1"},"logRecords":[
      {"timeUnixNano":"1772600767123456789","severityNumber":9,"severityText":"Info","body":{"stringValue":"hi \"you\""},
       "attributes":[{"key":"n","value":{"intValue":"5"}},{"key":"list","value":{"arrayValue":{"values":[{"boolValue":true},{"doubleValue":1.5}]}}},
                     {"key":"map","value":{"kvlistValue":{"values":[{"key":"x","value":{"stringValue":"y"}}]}}},{"key":"none"}],
       "traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174"},
      {"timeUnixNano":"0","observedTimeUnixNano":1772600767000000000,"body":{"kvlistValue":{"values":[{"key":"k","value":{"intValue":1}}]}}},
      7]}]}]})";
  const Texts rows = RowsOf(request, {.shape = EventShape::kOtlp});
  REQUIRE(rows.size() == 3);
  CHECK(
      rows[0] ==
      R"({"severity_number":9,"severity_text":"Info","attributes":{"n":5,"list":[true,1.5],"map":{"x":"y"},"none":null},)"
      R"("trace_id":"5b8efff798038103d269b633813fc60c","span_id":"eee19b7ec3c1b174","timestamp":1772600767123456789,)"
      R"("event_message":"hi \"you\"","project":"abc","resource":{"service.name":"shop","project":"abc"},)"
      R"("scope":{"name":"s","version":"1"}})");
  CHECK(rows[1].starts_with(
      R"({"timestamp":1772600767000000000,"event_message":"{\"k\":1}","body":{"k":1},"project":"abc")"));
  CHECK(rows[2].ends_with(R"("scopeLogs":[{"scope":{"name":"s","version":"1"},"logRecords":[7]}]}]})"));
  CHECK(RowsOf("{}", {.shape = EventShape::kOtlp}).empty());
}

std::string OtlpOf(const std::string& records, const std::string& resource = "") {
  return R"({"resourceLogs":[{)" + resource + R"("scopeLogs":[{"logRecords":[)" + records + "]}]}]}";
}

TEST_CASE("unambiguous OpenTelemetry values in other forms are accepted") {
  const auto row = [](const std::string& record) {
    const Texts rows = RowsOf(OtlpOf(record), {.shape = EventShape::kOtlp});
    REQUIRE(rows.size() == 1);
    return rows[0];
  };
  CHECK(row(R"({"body":"text"})") == R"({"event_message":"text"})");
  CHECK(row(R"({"body":5})") == R"({"event_message":"5","body":5})");
  CHECK(row(R"({"body":["a",{"intValue":"7"}]})") == R"({"event_message":"[\"a\",7]","body":["a",7]})");
  CHECK(row(R"({"body":{"msg":"x","n":{"doubleValue":1.5}}})") ==
        R"({"event_message":"{\"msg\":\"x\",\"n\":1.5}","body":{"msg":"x","n":1.5}})");
  CHECK(row(R"({"body":{"string_value":"text"}})") == R"({"event_message":"text"})");
  CHECK(
      row(R"({"body":{"stringValue":"a","intValue":"5"}})").ends_with(R"("body":{"stringValue":"a","intValue":"5"}})"));
  CHECK(row(R"({"body":{"arrayValue":[{"boolValue":true}]}})").ends_with(R"("body":[true]})"));
  CHECK(row(R"({"body":{"array_value":{"values":{"intValue":1}}}})").ends_with(R"("body":[1]})"));
  CHECK(row(R"({"body":{"kvlistValue":{"a":"b"}}})").ends_with(R"("body":{"a":"b"}})"));
  CHECK(row(R"({"body":{}})") == R"({"event_message":""})");
  CHECK(row(R"({"attributes":{"a":"b","c":{"intValue":"1"}}})") ==
        R"({"attributes":{"a":"b","c":1},"event_message":""})");
  CHECK(row(R"({"attributes":{"key":"a","value":{"stringValue":"b"}}})") ==
        R"({"attributes":{"a":"b"},"event_message":""})");
  CHECK(row(R"({"attributes":[{"key":"a","value":"plain"},{"value":{"intValue":1}}]})") ==
        R"({"attributes":{"a":"plain","":1},"event_message":""})");
  CHECK(row(R"({"time_unix_nano":1722265034415002123})") == R"({"timestamp":1722265034415002123,"event_message":""})");
  CHECK(row(R"({"timeUnixNano":1.722265034415E18})") == R"({"timestamp":1.722265034415E18,"event_message":""})");
  CHECK(row(R"({"timeUnixNano":"2024-07-29T14:57:14Z"})") ==
        R"({"timestamp":"2024-07-29T14:57:14Z","event_message":""})");
  CHECK(row(R"({"timeUnixNano":{"low":-1424322869,"high":400993321,"unsigned":true}})") ==
        base::StrCat(R"({"timestamp":)", (int64_t{400993321} << 32) + 2870644427, R"(,"event_message":""})"));
  CHECK(row(R"({"timeUnixNano":{"low":1},"body":"m"})") == R"({"timestamp":{"low":1},"event_message":"m"})");
  CHECK(row(R"({"timeUnixNano":"0","observedTimeUnixNano":""})") == R"({"event_message":""})");
  CHECK(row(R"({"severityNumber":"SEVERITY_NUMBER_INFO2","severityText":""})") ==
        R"({"severity_number":10,"event_message":""})");
  CHECK(row(R"({"severity_number":"SEVERITY_NUMBER_FATAL"})") == R"({"severity_number":21,"event_message":""})");
}

TEST_CASE("frames of OpenTelemetry may be in snake_case, and single objects in place of lists") {
  const std::string row = R"({"event_message":"m","project":"p","resource":{"project":"p"},"scope":{"name":"s"}})";
  for (
      const std::string_view body :
      {R"({"resource_logs":[{"resource":{"attributes":[{"key":"project","value":{"stringValue":"p"}}]},"scope_logs":[{"scope":{"name":"s"},"log_records":[{"body":{"stringValue":"m"}}]}]}]})",
       R"({"resourceLogs":{"scopeLogs":{"logRecords":{"body":"m"},"scope":{"name":"s"}},"resource":{"project":"p"}}})",
       R"({"resourceLogs":[{"resource":{"attributes":{"project":"p"}},"schemaUrl":"u","scopeLogs":[{"scope":{"name":"s"},"logRecords":[{"body":"m"}]}]}]})"}) {
    CHECK(RowsOf(body, {.shape = EventShape::kOtlp}) == Texts{row});
    CHECK(RowsOf(base::StrCat(body, "\n", body), {.shape = EventShape::kOtlp}) == Texts{row, row});
  }
}

TEST_CASE("an invalid OpenTelemetry record is rejected with the reason, and its neighbours are stored") {
  struct Case {
    std::string body;
    std::string kept;
    std::string reason;
  };
  const std::string good = R"({"body":"good"})";
  const auto with = [&good](const std::string& record) {
    return Case{OtlpOf(good + "," + record + "," + good), OtlpOf(record), ""};
  };
  const auto because = [](Case c, const std::string& reason) {
    c.reason = reason;
    return c;
  };
  const std::vector<Case> cases = {
      because(with(R"({"body":NaN})"), "column 9: wanted a value, found 'N'"),
      because(with("{\"body\":\"\xff\xfe\"}"), "column 9: text that is not valid UTF-8"),
      because(with("{\"body\":\"\x1d\"}"), "column 10: a control character in a string"),
      because(with(R"({"body":)" + std::string(300, '[') + std::string(300, ']') + "}"), "nested deeper than 200"),
      because(with("7"), "column 1: wanted an object, found '7'"),
      because(with(R"({"attributes":"x"})"), "attributes are \"x\", which is no list of keys and values"),
      because(with(R"({"attributes":[{"name":"a"}]})"),
              "an attribute is \"{\\\"name\\\":\\\"a\\\"}\", which is no key and value"),
      because(with(R"({"attributes":[{"key":"a","val":"b"}]})"), "which is no key and value"),
  };
  for (const Case& c : cases) {
    CAPTURE(c.body);
    const auto events = SplitEvents(c.body, {.shape = EventShape::kOtlp});
    REQUIRE(events.ok());
    REQUIRE(events->rows.size() == 3);
    CHECK(events->rows[0] == R"({"event_message":"good"})");
    CHECK(events->rows[2] == events->rows[0]);
    CHECK(events->rows[1] == c.kept);
    REQUIRE(events->refused.size() == 1);
    CHECK(events->refused[0].index == 1);
    INFO(events->refused[0].reason);
    CHECK(events->refused[0].reason.find(c.reason) != std::string::npos);
  }
}

TEST_CASE("an OpenTelemetry request without logs is rejected, or gets a warning") {
  const auto refused = [](std::string_view body) {
    const auto events = SplitEvents(body, {.shape = EventShape::kOtlp});
    REQUIRE(events.ok());
    REQUIRE(events->rows.size() == 1);
    CHECK(events->broken.empty());
    REQUIRE(events->refused.size() == 1);
    return events->refused[0].reason + " | " + std::string(events->rows[0]);
  };
  CHECK(
      refused(R"({"resourceSpans":[{}]})") ==
      R"(wanted resourceLogs, found "resourceSpans", which are traces; only logs are stored here | {"resourceSpans":[{}]})");
  CHECK(refused(R"({"message":"m"})") == R"(wanted resourceLogs, found "message" | {"message":"m"})");
  CHECK(refused(R"({"resourceLogs":"x"})") == R"(resourceLogs is not a list | {"resourceLogs":"x"})");
  CHECK(refused(R"({"resourceLogs":[{"logRecords":[]}]})") ==
        R"(wanted scopeLogs, found "logRecords" | {"resourceLogs":[{"logRecords":[]}]})");
  CHECK(refused(R"({"resourceLogs":[{"resource":{"a":1},"scopeLogs":[{"records":[]}]}]})") ==
        R"(wanted logRecords, found "records" | {"resourceLogs":[{"resource":{"a":1},"scopeLogs":[{"records":[]}]}]})");
  const auto warned = [](const std::string& body) {
    const auto events = SplitEvents(body, {.shape = EventShape::kOtlp});
    REQUIRE(events.ok());
    CHECK(events->refused.empty());
    return events->warning;
  };
  CHECK(warned(OtlpOf(R"({"body":"m","level":"info"})")) ==
        "a record's member \"level\" is unknown and was not stored");
  CHECK(warned(OtlpOf(R"({"body":"m"})", R"("host":"h",)")) ==
        "\"host\" beside scopeLogs is unknown and was not stored");
  CHECK(warned(OtlpOf(R"({"body":"m","flags":0})")).empty());
}

// An attribute of `bytes` that each of so many records repeats.
std::string RepeatedResource(size_t bytes, size_t records) {
  std::string body = R"({"resourceLogs":[{"resource":{"attributes":[{"key":"a","value":{"stringValue":")" +
                     std::string(bytes, 'x') + R"("}}]},"scopeLogs":[{"logRecords":[{})";
  for (size_t i = 1; i < records; ++i) body += ",{}";
  return body + "]}]}]}";
}

TEST_CASE("rows that repeat their resource are bounded, and memory is asked for before they are made") {
  size_t granted = 0;
  SplitOptions otlp{.shape = EventShape::kOtlp};
  otlp.max_made_bytes = 32 << 20;
  otlp.grow = [&](size_t bytes) {
    granted += bytes;
    return true;
  };
  // The rows would be of 200 GiB.
  const std::string bomb = RepeatedResource(1 << 20, 200'000);
  const auto events = SplitEvents(bomb, otlp);
  CHECK(events.status() ==
        absl::OutOfRangeError("the rows of the body take more than 32 MiB; send its events in several requests"));
  CHECK(granted <= otlp.max_made_bytes + (4 << 10));

  // The memory that is granted covers what is there at the end.
  granted = 0;
  const std::string some = RepeatedResource(100'000, 50);
  const auto rows = SplitEvents(some, otlp);
  REQUIRE(rows.ok());
  size_t made = 0;
  for (const std::string& row : rows->made) made += row.size();
  CHECK(made > 50 * 100'000);
  CHECK(granted > made);
  CHECK(granted < made + 1'000'000);
}

}  // namespace
}  // namespace logquery::split_tests
