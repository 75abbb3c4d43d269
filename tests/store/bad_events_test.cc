// Random batches of which some events are bad in random ways, in each form: exactly the bad ones are rejected, and kept as
// they came, and the others are stored as they are among good ones.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <deque>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "lib/store/rows/json_reader.h"
#include "logquery/store/events.h"
#include "logquery/store/split_events.h"
#include "tests/store/folder_test_util.h"
#include "tests/support/wire_message.h"

namespace logquery::store {
namespace {

using testing::WireMessage;

struct Event {
  std::string text;  // JSON; for protobuf the record's bytes
  bool is_bad = false;
};

// How events are put together to a body.
struct Form {
  std::string_view name;
  EventShape shape = EventShape::kRow;
  bool by_lines = false;
  std::string_view begin;
  std::string_view between;
  std::string_view end;
};

constexpr Form kForms[] = {
    {"array", EventShape::kRow, false, "[", ",", "]"},
    {"batch", EventShape::kRow, false, R"({"batch":[)", " ,\n", "]}"},
    {"lines", EventShape::kRow, true, "", "\n", "\n"},
    {"stream", EventShape::kRow, false, "", "", ""},
    {"json", EventShape::kObject, false, "[", ",", "]"},
    {"vector", EventShape::kVector, true, "", "\n", ""},
    {"cloudflare", EventShape::kCloudflare, false, "[", ",", "]"},
    {"cloud events", EventShape::kCloudEvent, false, "[", ",", "]"},
    {"otlp", EventShape::kOtlp, false, R"({"resourceLogs":[{"scopeLogs":[{"logRecords":[)", ",", "]}]}]}"},
    {"otlp protobuf", EventShape::kOtlpProtobuf, false, "", "", ""},
};

class Dice {
 public:
  explicit Dice(uint32_t seed) : random_(seed) {}
  size_t Roll(size_t sides) { return random_() % sides; }

  // JSON text that may be cut in an emoji.
  std::string Text() {
    constexpr std::string_view kPieces[] = {"a",       "\\\"",           "\\\\", "é",   "🙂", "\\ud83d", "]},{", "[",
                                            "\\u0000", "\\ud83d\\ude42", "}",    "\\n", ", ",   "\\udc00", " x ",  "'"};
    std::string text;
    for (size_t i = Roll(6); i > 0; --i) text += kPieces[Roll(std::size(kPieces))];
    return text;
  }

  std::string Value(int depth) {
    switch (Roll(depth > 0 ? 7 : 5)) {
      case 0:
        return base::StrCat("\"", Text(), "\"");
      case 1:
        return "1.5";
      case 2:
        return "null";
      case 3:
        return "[]";
      case 4:
        return "true";
      case 5:
        return base::StrCat("[", Value(depth - 1), ",", Value(depth - 1), "]");
      default:
        return base::StrCat(R"({"k":)", Value(depth - 1), "}");
    }
  }

 private:
  std::mt19937 random_;
};

std::string GoodJson(Dice& dice, EventShape shape, int number) {
  const std::string id = base::StrCat("e", number);
  if (shape == EventShape::kOtlp) {
    return base::StrCat(R"({"timeUnixNano":"1772600767123456789","body":{"stringValue":")", dice.Text(),
                        R"("},"attributes":[{"key":")", id, R"(","value":)", dice.Value(2), "}]}");
  }
  const std::string row =
      base::StrCat(R"({"timestamp":1772600767,"message":")", dice.Text(), R"(","id":")", id, R"(","project":"abc","u)",
                   dice.Roll(3), R"(":)", dice.Value(3), R"(,"tags":["t"],"metadata":{"level":")", dice.Text(), "\"}}");
  if (shape != EventShape::kCloudEvent) return row;
  return base::StrCat(R"({"specversion":"1.0","source":"/t","type":"t","id":")", id, R"(","subject":")", dice.Text(),
                      R"(","data":)", row, "}");
}

// Makes an event bad, so that its text still says where it ends.
std::string Spoiled(Dice& dice, const std::string& good, const Form& form, int number) {
  const std::string begin = base::StrCat(R"({"id":"e)", number, R"(","message":)");
  const bool is_line = form.by_lines;
  const bool in_array = form.end == "]" || form.end == "]}";
  switch (dice.Roll(is_line || in_array ? 16 : 10)) {
    case 0:
      return base::StrCat(begin, "\"latin-1 \xe9\"}");
    case 1:
      return base::StrCat(begin, "\"control \x1d\"}");
    case 2:
      return base::StrCat(begin, "NaN}");
    case 3:
      return base::StrCat(begin, "[Infinity,-Infinity]}");
    case 4:
      return base::StrCat(begin, std::string(300, '['), std::string(300, ']'), "}");
    case 5:
      return base::StrCat(begin, "\"unknown \\x escape\"}");
    case 6:
      return base::StrCat(begin, "[1,2}");
    case 7:
      return base::StrCat(begin, "\"a comma\",}");
    case 8:
      return base::StrCat(begin, "\"say \"hi\" now\"}");
    case 9:
      return base::StrCat(begin, "01}");
    case 10:
      return base::StrCat(number);
    case 11:
      return base::StrCat("\"e", number, "\"");
    case 12:
      return base::StrCat(good, "e", number);
    case 13:
      return base::StrCat("e", number, good);
    case 14:
      return base::StrCat("[", number, is_line ? "" : "]");
    default:
      return base::StrCat(begin, "1}}");
  }
}

Event NextEvent(Dice& dice, const Form& form, int number) {
  Event event;
  event.is_bad = dice.Roll(4) == 0;
  if (form.shape == EventShape::kOtlpProtobuf) {
    WireMessage record = WireMessage().Fixed64(1, 1772600767123456789).Text(3, base::StrCat("e", number));
    if (!event.is_bad) record.Message(5, WireMessage().Text(1, "é\x01"));
    if (event.is_bad) record.Raw(dice.Roll(2) == 0 ? "\x2a\x03\x0a\x01\xff" : "\x2a\x02\x0a\x7f");
    event.text = record.bytes();
    return event;
  }
  event.text = GoodJson(dice, form.shape, number);
  if (event.is_bad) event.text = Spoiled(dice, event.text, form, number);
  return event;
}

std::string BodyOf(const Form& form, const std::vector<Event>& events) {
  if (form.shape == EventShape::kOtlpProtobuf) {
    WireMessage scope_logs;
    for (const Event& event : events) scope_logs.Text(2, event.text);
    return WireMessage().Message(1, WireMessage().Message(2, scope_logs)).bytes();
  }
  std::string body(form.begin);
  for (size_t i = 0; i < events.size(); ++i) base::StrAppend(&body, i > 0 ? form.between : "", events[i].text);
  return body + std::string(form.end);
}

// The text of an event in the file of rejected events.
std::string KeptText(const Form& form, const Event& event) {
  std::string kept = event.text;
  if (form.shape == EventShape::kOtlp || form.shape == EventShape::kOtlpProtobuf) kept = BodyOf(form, {event});
  std::replace(kept.begin(), kept.end(), '\n', ' ');
  return kept;
}

std::string StoredRows(DuckDbBackend& backend) {
  const Value rows = SelectValue(
      backend,
      R"(SELECT string_agg(row, chr(10) ORDER BY row) FROM (SELECT to_json(t)::VARCHAR AS row FROM (SELECT * )"
      R"(REPLACE (CASE WHEN regexp_full_match(id, 'e[0-9]+') THEN id END AS id) FROM "test.logs") AS t))",
      Type::String());
  return rows.is_null() ? "" : std::string(rows.string_value());
}

// Bodies, and what is made of them, for as long as the store needs them.
struct Request {
  std::string body;
  EventTexts texts;
};

EventPart PartOf(const Request& request) {
  EventPart part;
  part.rows = request.texts.rows;
  part.refused = request.texts.refused;
  part.sender = "token";
  part.arrived = absl::FromUnixSeconds(1'772'600'700);
  return part;
}

const Request& Split(std::deque<Request>& requests, const Form& form, std::string body) {
  Request& request = requests.emplace_back();
  request.body = std::move(body);
  auto texts = SplitEvents(request.body, {.shape = form.shape, .by_lines = form.by_lines});
  INFO(texts.status().ToString());
  REQUIRE(texts.ok());
  INFO(texts->broken);
  REQUIRE(texts->broken.empty());
  request.texts = *std::move(texts);
  return request;
}

std::vector<EventOutcome> Append(DuckDbBackend& backend, std::vector<EventPart> parts) {
  EventBatch batch;
  batch.table = "test_logs";
  batch.parts = std::move(parts);
  auto outcomes = backend.store().AppendEvents(batch);
  INFO(outcomes.status().ToString());
  REQUIRE(outcomes.ok());
  return *std::move(outcomes);
}

void CheckBatches(int rounds, uint32_t seed) {
  CAPTURE(seed);
  Dice dice(seed);
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "mixed");
  const auto alone = OpenFolder(folder / "good");
  int number = 0;
  std::vector<std::string> kept;
  for (int round = 0; round < rounds; ++round) {
    std::deque<Request> requests;
    std::vector<EventPart> mixed, good;
    std::vector<std::vector<bool>> bad;
    for (const Form& form : kForms) {
      std::vector<Event> events, good_ones;
      std::vector<bool>& is_bad = bad.emplace_back();
      for (size_t n = dice.Roll(8) + 2; n > 0; --n) {
        events.push_back(NextEvent(dice, form, ++number));
        is_bad.push_back(events.back().is_bad);
        // Protobuf is kept in base64, which other tests read.
        const bool is_text = form.shape != EventShape::kOtlpProtobuf;
        if (events.back().is_bad && is_text) kept.push_back(KeptText(form, events.back()));
        if (!events.back().is_bad) good_ones.push_back(events.back());
      }
      mixed.push_back(PartOf(Split(requests, form, BodyOf(form, events))));
      if (!good_ones.empty()) good.push_back(PartOf(Split(requests, form, BodyOf(form, good_ones))));
    }
    const std::vector<EventOutcome> outcomes = Append(*backend, mixed);
    for (size_t i = 0; i < outcomes.size(); ++i) {
      INFO("round " << round << ", form " << kForms[i].name << "\n" << mixed[i].rows.size() << " events");
      std::vector<bool> rejected(bad[i].size());
      for (const RejectedEvent& event : outcomes[i].rejected) {
        UNSCOPED_INFO(event.index << ": " << event.reason << ": " << mixed[i].rows[static_cast<size_t>(event.index)]);
        REQUIRE(event.index < static_cast<int64_t>(rejected.size()));
        rejected[static_cast<size_t>(event.index)] = true;
      }
      REQUIRE(rejected == bad[i]);
    }
    for (const EventOutcome& outcome : Append(*alone, good)) REQUIRE(outcome.rejected_rows == 0);
  }
  CHECK(StoredRows(*backend) == StoredRows(*alone));
  std::string expected;
  for (const std::string& text : kept) expected += text + "\n";
  std::string found;
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "mixed/rejected")) {
    if (entry.path().string().find(".reasons.") == std::string::npos) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    const std::string text = ReadFile(file);
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      const std::string line = text.substr(at, end - at);
      if (!line.starts_with(R"({"otlp_protobuf":")")) found += line + "\n";
      at = end + 1;
    }
  }
  CHECK(found == expected);
}

TEST_CASE("in random batches of each format exactly the bad events are rejected and kept, the others stored") {
  CheckBatches(/*rounds=*/25, std::random_device()());
}

TEST_CASE("in 20,000 random batches exactly the bad events are rejected and kept", "[nightly]") {
  for (int i = 0; i < 23; ++i) CheckBatches(/*rounds=*/100, std::random_device()());
}

TEST_CASE("random bytes split into parts of the body, within the memory that was asked for") {
  const uint32_t seed = std::random_device()();
  CAPTURE(seed);
  Dice dice(seed);
  constexpr std::string_view kPieces[] = {"{",
                                          "}",
                                          "[",
                                          "]",
                                          ",",
                                          ":",
                                          "\"",
                                          "\\",
                                          "\n",
                                          " ",
                                          "1",
                                          "{\"batch\":[",
                                          "\"a\"",
                                          "\"resourceLogs\":",
                                          "\"scopeLogs\":[",
                                          "\"logRecords\":[",
                                          "\"body\":",
                                          "\xff"};
  for (int i = 0; i < 20'000; ++i) {
    std::string body;
    for (size_t n = dice.Roll(40); n > 0; --n) body += kPieces[dice.Roll(std::size(kPieces))];
    const Form& form = kForms[dice.Roll(std::size(kForms))];
    size_t granted = 0;
    SplitOptions options{.shape = form.shape, .by_lines = dice.Roll(2) == 0};
    options.grow = [&granted](size_t bytes) {
      granted += bytes;
      return true;
    };
    const auto texts = SplitEvents(body, options);
    if (!texts.ok()) continue;
    size_t made = 0;
    for (const std::string& text : texts->made) made += text.size();
    CAPTURE(body, form.name);
    REQUIRE(made <= granted);
    for (const RejectedEvent& event : texts->refused) {
      REQUIRE(event.index < static_cast<int64_t>(texts->rows.size()));
      REQUIRE_FALSE(event.reason.empty());
    }
    // An event that is not refused becomes a row, unless it is one as it came.
    if (form.shape == EventShape::kRow) continue;
    for (size_t row = 0; row < texts->rows.size(); ++row) {
      const bool is_refused =
          std::any_of(texts->refused.begin(), texts->refused.end(),
                      [row](const RejectedEvent& event) { return event.index == static_cast<int64_t>(row); });
      JsonReader reader(texts->rows[row]);
      std::string_view value;
      REQUIRE((is_refused || (reader.SkipValue(/*keys_differ=*/false, &value) && reader.AtEnd())));
    }
  }
}

}  // namespace
}  // namespace logquery::store
