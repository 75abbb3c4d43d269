// Bodies of requests, cut into rows.
#include "logquery/store/split_events.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "lib/store/ingest/event_shapes.h"
#include "logquery/error.h"

namespace logquery {
namespace {

std::vector<std::string> RowsOf(std::string_view body, const SplitOptions& options = {}) {
  const auto events = SplitEvents(body, options);
  INFO(events.status().ToString());
  REQUIRE(events.ok());
  return {events->rows.begin(), events->rows.end()};
}

using Texts = std::vector<std::string>;

TEST_CASE("a body is an array, a batch, one event, or lines of events") {
  const Texts both = {R"({"a":1})", R"({"a":[2,{}]})"};
  CHECK(RowsOf(R"([{"a":1},{"a":[2,{}]}])") == both);
  CHECK(RowsOf(" [ {\"a\":1} ,\r\n{\"a\":[2,{}]}\t]\n") == both);
  CHECK(RowsOf("\xEF\xBB\xBF[{\"a\":1},{\"a\":[2,{}]}]") == both);
  CHECK(RowsOf(R"({"batch":[{"a":1},{"a":[2,{}]}]})") == both);
  CHECK(RowsOf(R"({"other":0,"batch":[{"a":1},{"a":[2,{}]}]})") == both);
  CHECK(RowsOf("{\"a\":1}\n{\"a\":[2,{}]}\n") == both);
  CHECK(RowsOf(R"({"a":1}{"a":[2,{}]})") == both);
  CHECK(RowsOf("{\"a\":1}\r\n\n  {\"a\":[2,{}]}") == Texts{"{\"a\":1}\r", "  {\"a\":[2,{}]}"});
  CHECK(RowsOf(R"({"a":1})") == Texts{R"({"a":1})"});
  CHECK(RowsOf(R"({"batch":"no array"})") == Texts{R"({"batch":"no array"})"});
  CHECK(RowsOf("[]").empty());
  CHECK(RowsOf(R"({"batch":[]})").empty());
}

TEST_CASE("a broken line of a body that is declared as lines affects no other line") {
  SplitOptions lines;
  lines.by_lines = true;
  CHECK(RowsOf("{broken\n{\"a\":1}\n7\n", lines) == Texts{"{broken", R"({"a":1})", "7"});
  CHECK(RowsOf("", lines).empty());
}

TEST_CASE("a line may be an array or a batch") {
  SplitOptions lines;
  lines.by_lines = true;
  CHECK(RowsOf("[{\"a\":1},{\"a\":2}]\n{\"batch\":[{\"a\":3},{bad]}\n[]\n{\"batch\":[{\"a\":4}]}", lines) ==
        Texts{R"({"a":1})", R"({"a":2})", R"({"a":3})", "{bad", R"({"a":4})"});
  // An object that has a message is an event, whatever else it has.
  const std::string event = R"({"message":"m","batch":[1,2]})";
  CHECK(RowsOf(event, lines) == Texts{event});
  CHECK(RowsOf(event) == Texts{event});
  CHECK(RowsOf("[1,2", lines) == Texts{"[1,2"});
}

TEST_CASE("array elements are split without validation, so that each row is judged on its own") {
  CHECK(RowsOf(R"([[{"a":1}],7,"x",null])") == Texts{R"([{"a":1}])", "7", "\"x\"", "null"});
}

TEST_CASE("an invalid event ends where its brackets and quotes end, and the others are complete") {
  struct Case {
    std::string bad;
    std::string note;
  };
  const std::string deep = "{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  const std::vector<Case> cases = {
      {R"({"a":"\ud83d"})", "half a surrogate pair"},
      {"{\"a\":\"\xff\"}", "no UTF-8"},
      {"{\"a\":\"\x1d\n\"}", "control characters"},
      {R"({"a":NaN,"b":-Infinity})", "literals of other languages"},
      {deep, "deep"},
      {R"({"a":"]},{\""})", "brackets in a text"},
      {R"({"a":1,})", "a comma too many"},
      {R"({"a":[1,2})", "a list that does not end"},
      {R"({"a":{"b":1})", "an object that does not end"},
      {R"({"a":1]})", "a bracket that nothing opens"},
      {R"({"a":1}})", "one more"},
      {R"({'a':'b'})", "other quotes"},
      {R"({"a":"say "hi" now"})", "quotes in a text"},
      {R"({"a":1}x)", "something behind it"},
      {"", "nothing"},
      {"\\", "a backslash"},
  };
  const std::string good = R"({"good":[1,"]"]})";
  for (const Case& c : cases) {
    CAPTURE(c.note);
    const bool ends = c.note != "an object that does not end";  // takes what follows it
    CHECK(RowsOf("[" + good + "," + c.bad + "]") == Texts{good, c.bad});
    CHECK(RowsOf("{\"batch\": [" + good + " , " + c.bad + " ]}") == Texts{good, c.bad});
    if (!ends) continue;
    CHECK(RowsOf("[" + good + "," + c.bad + "," + good + "]") == Texts{good, c.bad, good});
    CHECK(RowsOf("[" + c.bad + ",\n" + good + "]") == Texts{c.bad, good});
  }
}

TEST_CASE("streams and lines lose only their broken events") {
  CHECK(RowsOf(R"({"a":1}{"a":NaN}{"a":3}{"a":4)") == Texts{R"({"a":1})", R"({"a":NaN})", R"({"a":3})", R"({"a":4)"});
  CHECK(RowsOf(R"({"a":1}{"a":2}x{"a":3})") == Texts{R"({"a":1})", R"({"a":2})", R"(x{"a":3})"});
  CHECK(RowsOf("{\"a\":\"x\n{\"a\":2}\n{\"a\":3}") == Texts{"{\"a\":\"x", R"({"a":2})", R"({"a":3})"});
}

TEST_CASE("a body without events is rejected as a whole, with the position") {
  const auto broken = [](std::string_view body, const SplitOptions& options = {}) {
    const auto events = SplitEvents(body, options);
    REQUIRE(events.ok());
    REQUIRE(events->rows.size() == 1);
    CHECK(events->rows[0] == body);
    REQUIRE(events->refused.size() == 1);
    CHECK(events->refused[0].index == 0);
    CHECK(events->refused[0].reason == events->broken);
    return events->broken;
  };
  CHECK(broken("hello") == "the body is not JSON: character 1: wanted an array of events, or an event");
  CHECK(broken(R"([{"a":"é"},)") == "the body is not JSON: character 12: the array does not end behind this event");
  CHECK(broken(R"([{"a":1},{"a":"x])") ==
        "the body is not JSON: character 10: the array does not end behind this event");
  CHECK(broken(R"([{"a":1}]x)") == "the body is not JSON: character 10: wanted the end of the body");
  CHECK(broken(R"({"a":1}x)") == "the body is not JSON: character 8: wanted the end of the body");
  CHECK(broken(R"({"a":[)") == "the body is not JSON: character 1: the object does not end");
  CHECK(broken(std::string(100'000, '[')).starts_with("the body is not JSON: character 2: "));
  CHECK(broken("{\"a\":" + std::string(8 << 20, '[')).starts_with("the body is not JSON: character 1: "));
  for (const char* body : {"[7", "[]", "{", "{}x", "7", "{}{"}) {
    CHECK(broken(body, {.shape = EventShape::kOtlp}).starts_with("the body is not JSON: byte "));
  }
}

TEST_CASE("bodies without anything, or with too much") {
  const auto message = [](std::string_view body, const SplitOptions& options = {}) {
    const auto events = SplitEvents(body, options);
    REQUIRE(events.status().code() == absl::StatusCode::kInvalidArgument);
    return std::string(events.status().message());
  };
  CHECK(message("") == "the body is empty");
  CHECK(message(" \n") == "the body is empty");
  SplitOptions few;
  few.max_events = 2;
  CHECK(message("[1,2,3]", few) == "the body has more than 2 events; send them in several requests");
  CHECK(message("1\n2\n3", {.by_lines = true, .max_events = 2}).starts_with("the body has more than 2 events"));
}

TEST_CASE("any object becomes metadata, with its text as the message") {
  CHECK(
      RowsOf(R"([{"a":"b","project":"p"}])", {.shape = EventShape::kObject}) ==
      Texts{R"({"event_message":"{\"a\":\"b\",\"project\":\"p\"}","project":"p","metadata":{"a":"b","project":"p"}})"});
}

TEST_CASE("an event that is not an object is kept unchanged, and an unpaired surrogate becomes U+FFFD") {
  const std::string body = R"([7,{"a":NaN},{"a":"\ud83d b"}])";
  for (const EventShape shape : {EventShape::kObject, EventShape::kVector, EventShape::kCloudflare}) {
    const auto events = SplitEvents(body, {.shape = shape});
    REQUIRE(events.ok());
    REQUIRE(events->rows.size() == 3);
    CHECK(events->rows[0] == "7");
    CHECK(events->rows[1] == R"({"a":NaN})");
    CHECK(events->rows[2].find(R"("metadata":{"a":"\ufffd b"})") != std::string::npos);
    REQUIRE(events->refused.size() == 2);
    CHECK(events->refused[0].index == 0);
    CHECK(events->refused[0].reason == "column 1: wanted an object, found '7'");
    CHECK(events->refused[1].index == 1);
    CHECK(events->refused[1].reason == "column 6: wanted a value, found 'N'");
  }
}

TEST_CASE("entries of Logpush have their own time, and events of a worker are rows") {
  const SplitOptions cloudflare{.shape = EventShape::kCloudflare};
  CHECK(
      RowsOf(R"({"EdgeStartTimestamp":1722265034415002123,"RayID":"r"})", cloudflare) ==
      Texts{
          R"({"timestamp":1722265034415002123,"event_message":"{\"EdgeStartTimestamp\":1722265034415002123,\"RayID\":\"r\"}",)"
          R"("metadata":{"EdgeStartTimestamp":1722265034415002123,"RayID":"r"}})"});
  CHECK(RowsOf(R"([{"Datetime":"2024-07-29T14:57:14Z"}])", cloudflare)[0].starts_with(
      R"({"timestamp":"2024-07-29T14:57:14Z",)"));
  CHECK(RowsOf(R"({"EdgeStartTimestamp":0,"Timestamp":1722265034})", cloudflare)[0].starts_with(
      R"({"timestamp":1722265034,)"));
  CHECK(RowsOf(R"({"content":"tests"})", cloudflare) ==
        Texts{R"({"event_message":"{\"content\":\"tests\"}","metadata":{"content":"tests"}})"});
  const std::string worker = R"({"log_entry":"GET /","metadata":{"a":1}})";
  CHECK(RowsOf(R"({"batch":[)" + worker + "]}", cloudflare) == Texts{worker});
}

TEST_CASE("all fields of a Vector event but message and timestamp become metadata") {
  SplitOptions vector;
  vector.shape = EventShape::kVector;
  CHECK(RowsOf(R"([{"message":"m","timestamp":"t","host":"h","log":{"level":"warn"}}])", vector) ==
        Texts{R"({"message":"m","timestamp":"t","metadata":{"host":"h","log":{"level":"warn"},"level":"warn"}})"});
  CHECK(RowsOf(R"([{"timestamp":"t","host":"h"}])", vector) ==
        Texts{R"({"timestamp":"t","event_message":"{\"host\":\"h\"}","metadata":{"host":"h"}})"});
}

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

TEST_CASE("a body without memory for its rows is told to retry, whatever its format") {
  const std::string record = R"({"resourceLogs":[{"scopeLogs":[{"logRecords":[{}]}]}]})";
  for (const EventShape shape : {EventShape::kRow, EventShape::kObject, EventShape::kVector, EventShape::kOtlp}) {
    CAPTURE(static_cast<int>(shape));
    SplitOptions none{.shape = shape};
    none.grow = [](size_t) { return false; };
    const auto events = SplitEvents(shape == EventShape::kOtlp ? record : R"([{"a":"b"}])", none);
    CHECK(absl::IsResourceExhausted(events.status()));
    CHECK(GetErrorDetails(events.status()).retry_after == absl::Seconds(1));
  }
}

TEST_CASE("no row is longer than the room that is made for it") {
  const std::string blank(10'000, '\n');
  const std::string body = R"([{"a":[)" + blank + "1]}]";
  SplitOptions tight;
  for (const EventShape shape : {EventShape::kObject, EventShape::kVector}) {
    tight.shape = shape;
    const Texts rows = RowsOf(body, tight);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].size() > 6 * blank.size());
    CHECK(rows[0].size() < store::kMaxRowGrowth * body.size());
  }
}

TEST_CASE("nested values keep their content at any depth") {
  std::string value = R"({"stringValue":"deep"})";
  for (int i = 0; i < 40; ++i) value = R"({"arrayValue":{"values":[)" + value + "]}}";
  const std::string request =
      R"({"resourceLogs":[{"scopeLogs":[{"logRecords":[{"attributes":[{"key":"a","value":)" + value + "}]}]}]}]}";
  const Texts rows = RowsOf(request, {.shape = EventShape::kOtlp});
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].find("deep") != std::string::npos);
  CHECK(rows[0].starts_with(R"({"attributes":{"a":[[[[[[[{"arrayValue")"));
}

}  // namespace
}  // namespace logquery
