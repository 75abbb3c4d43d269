// The same logs in both encodings of OTLP, JSON and protobuf.
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/escaping.h"
#include "lib/base/strings.h"
#include "lib/store/rows/json_reader.h"
#include "logquery/store/split_events.h"
#include "tests/store/otlp_messages.h"
#include "tests/support/wire_message.h"

namespace logquery::otlp_tests {
namespace {

// A value in both encodings.
struct Both {
  WireMessage wire;
  std::string json;
};

std::string JsonText(std::string_view text) {
  std::string json;
  store::AppendJsonString(text, json);
  return json;
}

// Values, records and requests as dice choose them, written twice.
class Dice {
 public:
  explicit Dice(uint32_t seed) : random_(seed) {}

  std::string Text() {
    constexpr std::string_view kTexts[] = {"", "a", "project", "é", "\x01\"\\", "🙂", "a.b", "abc", "0", "null"};
    return std::string(kTexts[Roll(std::size(kTexts))]);
  }

  Both Value(int depth) {
    switch (Roll(depth > 0 ? 8 : 6)) {
      case 0:
        return {WireMessage(), "{}"};
      case 1: {
        const std::string text = Text();
        return {TextValue(text), R"({"stringValue":)" + JsonText(text) + "}"};
      }
      case 2: {
        const bool is_true = Roll(2) == 1;
        return {WireMessage().Varint(2, is_true), base::StrCat(R"({"boolValue":)", is_true ? "true}" : "false}")};
      }
      case 3: {
        constexpr int64_t kNumbers[] = {
            0, 1, -1, 300, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()};
        const int64_t number = kNumbers[Roll(std::size(kNumbers))];
        return {WireMessage().Varint(3, static_cast<uint64_t>(number)),
                base::StrCat(R"({"intValue":")", number, "\"}")};
      }
      case 4: {
        constexpr double kNumbers[] = {0, 0.25, -1.5, 3};
        const double number = kNumbers[Roll(std::size(kNumbers))];
        return {WireMessage().Double(4, number), base::StrCat(R"({"doubleValue":)", number, "}")};
      }
      case 5: {
        const std::string bytes = Text();
        return {WireMessage().Text(7, bytes), base::StrCat(R"({"bytesValue":")", absl::Base64Escape(bytes), "\"}")};
      }
      default:
        return List(Roll(2) == 1, depth - 1);
    }
  }

  Both Record() {
    Both record;
    record.json = "{";
    const auto member = [&record](const std::string& json) {
      record.json += (record.json.size() > 1 ? "," : "") + json;
    };
    if (Roll(2) == 1) {
      record.wire.Fixed64(1, 1772600767123456789);
      member(R"("timeUnixNano":"1772600767123456789")");
    }
    if (Roll(2) == 1) {
      record.wire.Varint(2, 9).Text(3, "Info");
      member(R"("severityNumber":9,"severityText":"Info")");
    }
    if (Roll(3) > 0) {
      const Both body = Value(4);
      record.wire.Message(5, body.wire);
      member(R"("body":)" + body.json);
    }
    if (Roll(3) > 0) {
      const Both attributes = Attributes(6);
      record.wire.Raw(attributes.wire.bytes());
      if (!attributes.wire.bytes().empty()) member(R"("attributes":)" + attributes.json);
    }
    record.json += "}";
    return record;
  }

  // A message's fields of attributes, and their list.
  Both Attributes(uint32_t field) {
    Both list;
    list.json = "[";
    for (size_t i = Roll(4); i > 0; --i) {
      const Both value = Value(8);
      const std::string key = Text();
      list.wire.Message(field, Attribute(key, value.wire));
      list.json +=
          base::StrCat(list.json.size() > 1 ? "," : "", R"({"key":)", JsonText(key), R"(,"value":)", value.json, "}");
    }
    list.json += "]";
    return list;
  }

  size_t Roll(size_t sides) { return random_() % sides; }

 private:
  Both List(bool of_pairs, int depth) {
    Both list;
    std::string values;
    for (size_t i = Roll(3); i > 0; --i) {
      const Both value = Value(depth);
      const std::string key = Text();
      list.wire.Message(1, of_pairs ? Attribute(key, value.wire) : value.wire);
      base::StrAppend(
          &values, values.empty() ? "" : ",",
          of_pairs ? base::StrCat(R"({"key":)", JsonText(key), R"(,"value":)", value.json, "}") : value.json);
    }
    return {WireMessage().Message(of_pairs ? 6 : 5, list.wire),
            base::StrCat("{\"", of_pairs ? "kvlistValue" : "arrayValue", R"(":{"values":[)", values, "]}}")};
  }

  std::mt19937 random_;
};

TEST_CASE("the same logs in JSON and in protobuf become the same rows") {
  const uint32_t seed = std::random_device()();
  CAPTURE(seed);
  Dice dice(seed);
  for (int i = 0; i < 500; ++i) {
    std::vector<WireMessage> records;
    std::string json;
    const Both resource = dice.Attributes(1);
    for (size_t n = dice.Roll(4); n > 0; --n) {
      const Both record = dice.Record();
      records.push_back(record.wire);
      json += (json.empty() ? "" : ",") + record.json;
    }
    const std::string request = base::StrCat(R"({"resourceLogs":[{"resource":{"attributes":)", resource.json,
                                             R"(},"scopeLogs":[{"scope":{"name":"s"},"logRecords":[)", json, "]}]}]}");
    INFO(request);
    REQUIRE(RowsOf(Request(records, resource.wire, WireMessage().Text(1, "s"))) == RowsOf(request, EventShape::kOtlp));
  }
}

TEST_CASE("ids, bytes, flags and omitted values are the same in both encodings") {
  const WireMessage record =
      WireMessage()
          .Message(5, WireMessage().Text(7, "\xff\xfb\xfe\xff"))
          .Varint(7, 3)
          .Raw(std::string("\x45\x01\x00\x00\x00", 5))
          .Text(9, std::string("\x5b\x8e\xff\xf7\x98\x03\x81\x03\xd2\x69\xb6\x33\x81\x3f\xc6\x0c", 16))
          .Text(10, std::string("\xee\xe1\x9b\x7e\xc3\xc1\xb1\x74", 8));
  const std::string_view forms[] = {
      R"("traceId":"5B8EFFF798038103D269B633813FC60C","spanId":"EEE19B7EC3C1B174","flags":1,"droppedAttributesCount":3,"body":{"bytesValue":"//v+/w=="})",
      R"("severityNumber":0,"severityText":"","trace_id":"W47/95gDgQPSabYzgT/GDA==","span_id":"7uGbfsPBsXQ=","flags":1,"dropped_attributes_count":3,"body":{"bytes_value":"__v-_w"})",
  };
  const Texts rows = RowsOf(Request({record}));
  for (const std::string_view form : forms) {
    CHECK(RowsOf(base::StrCat(R"({"resourceLogs":[{"scopeLogs":[{"logRecords":[{)", form, "}]}]}]}"),
                 EventShape::kOtlp) == rows);
  }
}

TEST_CASE("JSON of a message and its row find room before they are there") {
  WireMessage empty_pairs, empty_lists, empty_maps, flags, controls;
  for (int i = 0; i < 2'000; ++i) {
    empty_pairs.Message(6, WireMessage());
    empty_lists.Message(1, WireMessage().Message(5, WireMessage()));
    empty_maps.Message(1, WireMessage().Message(6, WireMessage()));
    flags.Message(6, WireMessage().Message(2, WireMessage().Varint(2, 0)));
  }
  controls.Message(5, TextValue(std::string(10'000, '\x01')));
  const WireMessage shapes[] = {empty_pairs, WireMessage().Message(5, WireMessage().Message(5, empty_lists)),
                                WireMessage().Message(5, WireMessage().Message(5, empty_maps)), flags, controls};
  for (const WireMessage& record : shapes) {
    size_t granted = 0;
    SplitOptions options{.shape = EventShape::kOtlpProtobuf};
    options.grow = [&granted](size_t bytes) {
      granted += bytes;
      return true;
    };
    const std::string body = Request({record});
    const auto events = SplitEvents(body, options);
    REQUIRE(events.ok());
    REQUIRE(events->rows.size() == 1);
    CHECK(events->rows[0].size() < granted);
    options.grow = [](size_t) { return false; };
    CHECK(absl::IsResourceExhausted(SplitEvents(body, options).status()));
  }
}

}  // namespace
}  // namespace logquery::otlp_tests
