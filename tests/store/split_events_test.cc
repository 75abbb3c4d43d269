// Bodies of requests, cut into rows.
#include "logquery/store/split_events.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"
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

TEST_CASE("lines that say of themselves that they are lines spoil no other") {
  SplitOptions lines;
  lines.by_lines = true;
  CHECK(RowsOf("{broken\n{\"a\":1}\n[]\n", lines) == Texts{"{broken", R"({"a":1})", "[]"});
  CHECK(RowsOf("", lines).empty());
}

TEST_CASE("what is in an array need be no event: rows are judged one by one") {
  CHECK(RowsOf(R"([[{"a":1}],7,"x",null])") == Texts{R"([{"a":1}])", "7", "\"x\"", "null"});
}

TEST_CASE("bodies that are no JSON are refused with the place") {
  const auto message = [](std::string_view body, const SplitOptions& options = {}) {
    const auto events = SplitEvents(body, options);
    REQUIRE(events.status().code() == absl::StatusCode::kInvalidArgument);
    return std::string(events.status().message());
  };
  CHECK(message("") ==
        "the body is not JSON: character 1: wanted an array of events, or an event, found the end of the line");
  CHECK(message(R"({"a":1}{"a")").starts_with("the body is not JSON: character 12: "));
  CHECK(message("hello").starts_with("the body is not JSON: character 1: wanted an array"));
  CHECK(message(R"([{"a":1},)").starts_with("the body is not JSON: character 10: "));
  CHECK(message(R"([{"a":1}]x)").starts_with("the body is not JSON: character 10: wanted the end of the body"));
  CHECK(message(R"([{"a":1} {"a":2}])").starts_with("the body is not JSON: character 10: wanted ',' or ']'"));
  CHECK(message("[\"\xff\"]").find("not valid UTF-8") != std::string::npos);
  CHECK(message(std::string(100'000, '[')).find("nested deeper than 200") != std::string::npos);
  CHECK(message("{\"a\":" + std::string(8 << 20, '[')).find("nested deeper than 200") != std::string::npos);
  CHECK(message(R"([7)", {.shape = EventShape::kOtlp}).find("an object with resourceLogs") != std::string::npos);
  SplitOptions few;
  few.max_events = 2;
  CHECK(message("[1,2,3]", few) == "the body has more than 2 events; send them in several requests");
  CHECK(message("1\n2\n3", {.by_lines = true, .max_events = 2}).starts_with("the body has more than 2 events"));
}

TEST_CASE("an object of any kind becomes metadata, and its text the message") {
  CHECK(
      RowsOf(R"([{"a":"b","project":"p"}])", {.shape = EventShape::kObject}) ==
      Texts{R"({"event_message":"{\"a\":\"b\",\"project\":\"p\"}","project":"p","metadata":{"a":"b","project":"p"}})"});
  CHECK(RowsOf("[7]", {.shape = EventShape::kObject}) == Texts{"7"});
}

TEST_CASE("of an event of Vector's everything but message and time becomes metadata") {
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
  CHECK(rows[2] == "7");
  CHECK(RowsOf("{}", {.shape = EventShape::kOtlp}).empty());
  CHECK(RowsOf(R"({"resourceLogs":{"no":"array"}})", {.shape = EventShape::kOtlp}).empty());
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

  // What is granted covers what is there at the end.
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

TEST_CASE("a body whose rows find no memory is told to come again, whatever its shape") {
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

TEST_CASE("values within values keep what they say, however deep") {
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
