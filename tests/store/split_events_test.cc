// Bodies of requests, cut into rows.
#include "logquery/store/split_events.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"
#include "lib/store/ingest/event_shapes.h"
#include "logquery/error.h"
#include "tests/store/split_rows.h"

namespace logquery::split_tests {
namespace {

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
}  // namespace logquery::split_tests
