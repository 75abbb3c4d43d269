// Our functions on values, with no engine: results, NULLs, errors, budgets, and the table's names.
#include "lib/functions/evaluate.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/limits.h"
#include "lib/functions/function_lists.h"
#include "lib/rewrite/functions/function_signature.h"

namespace logquery::functions {
namespace {

absl::StatusOr<Value> Call(std::string_view name, const std::vector<Value>& arguments, const Type& result) {
  const FunctionEntry* const entry = FindFunction(name);
  INFO(name);
  REQUIRE(entry != nullptr);
  return Evaluate(*entry, arguments, result);
}

Value Texts(std::vector<std::string> texts) {
  std::vector<Value> values;
  for (std::string& text : texts) values.push_back(Value::String(std::move(text)));
  return Value::Array(Type::String(), std::move(values));
}

TEST_CASE("a function is called on values, without an engine") {
  CHECK(*Call("lq_reverse", {Value::String("añb")}, Type::String()) == Value::String("bña"));
}

TEST_CASE("a row's attributes come as keys and texts in one pass, the same as those of its map") {
  const Type texts = Type::Array(Type::String());
  const auto parts_of = [&](const std::string& row) {
    return Call("lq_ch_attribute_parts", {Value::String(row)}, texts);
  };
  CHECK(*parts_of(R"({"b":1.0,"metadata":[{"a":{"x":true},"b":"below","n":null,"l":["q",2],"e":{}}]})") ==
        Texts({"a.x", "b", "l", "true", "1", R"(["q",2])"}));
  CHECK(*parts_of("{}") == Texts({}));
  CHECK(*parts_of(R"({"metadata":null})") == Texts({}));
  for (const char* const row :
       {R"({"project":"p","metadata":[{"level":"error","a.b":"dotted","a":{"b":"nested"},"":"empty"}]})",
        R"({"metadata":{"big":9223372036854775807,"f":1e300,"z":-0.0,"u":"ü \u0000"},"x":[1]})", R"({"x":[]})"}) {
    CAPTURE(row);
    const Value map = *Call("lq_ch_attributes", {Value::String(row)}, Type::String());
    const Value keys = *Call("lq_ch_map_keys", {map}, texts), values = *Call("lq_ch_map_values", {map}, texts);
    std::vector<Value> both = keys.children();
    both.insert(both.end(), values.children().begin(), values.children().end());
    CHECK(*parts_of(row) == Value::Array(Type::String(), both));
  }
  for (const char* const row : {"", "[]", "1", R"({"a")"}) {
    CAPTURE(row);
    CHECK_FALSE(parts_of(row).ok());
  }
}

TEST_CASE("an average is that of the exact sum") {
  const auto average = [](const char* sum, int64_t count) {
    return Call("lq_integer_average", {Value::String(sum), Value::Int64(count)}, Type::Float64());
  };
  CHECK(*average("10", 4) == Value::Float64(2.5));
  CHECK(*average("-10", 4) == Value::Float64(-2.5));
  CHECK(*average("0", 3) == Value::Float64(0));
  CHECK(*average("18446744073709551614", 2) == Value::Float64(9223372036854775807.0));
  CHECK(*average("-85070591730234615865843651857942052864", 1'000) == Value::Float64(-8.507059173023462e34));
  CHECK(average("5", 0)->is_null());
  CHECK(*Call("lq_integer_average", {Value::Null(Type::String()), Value::Int64(1)}, Type::Float64()) ==
        Value::Null(Type::Float64()));
  for (const char* const sum : {"", "-", "1e3", "1.5", " 1", "0x1F", "170141183460469231731687303715884105728000"}) {
    CAPTURE(sum);
    CHECK(absl::IsInternal(average(sum, 1).status()));
  }
}

TEST_CASE("a JSON path of very many steps is rejected and does not exhaust the stack") {
  const auto path = [](std::string_view mode, std::string_view step, int steps) {
    std::string text(mode);
    for (int i = 0; i < steps; ++i) text += step;
    return Value::String(text);
  };
  const auto set = [&](const Value& where) {
    return Call("lq_json_set", {Value::String("{}"), Value::String("true"), where, Value::String("1v")},
                Type::String());
  };
  CHECK(set(path("$", ".a", 1'000))->string_value().size() == 6'001);
  const auto query = [&](const Value& where) {
    return Call("lq_json_query", {Value::String("1"), where, Value::Bool(false)}, Type::String());
  };
  CHECK(*query(path("lax $", "[0]", 1'000)) == Value::String("[1]"));
  for (const int steps : {1'001, 500'000}) {
    CAPTURE(steps);
    CHECK(absl::IsInvalidArgument(set(path("$", ".a", steps)).status()));
    CHECK(absl::IsInvalidArgument(query(path("lax $", "[0]", steps)).status()));
  }
}

TEST_CASE("each kind of value goes in and comes out") {
  const auto b = [](std::string bytes) { return Value::Bytes(std::move(bytes)); };
  const auto s = [](std::string text) { return Value::String(std::move(text)); };
  const auto n = [](int64_t number) { return Value::Int64(number); };
  struct Case {
    const char* name;
    std::vector<Value> arguments;
    Value result;
  };
  const std::vector<Case> cases = {
      {"lq_like", {s("a_c"), s("a\\_%")}, Value::Bool(true)},
      {"lq_bytes_strpos", {b("abcabc"), b("ca")}, n(3)},
      {"lq_or_null_sqrt", {Value::Float64(6.25)}, Value::Float64(2.5)},
      {"lq_big_of_int", {n(-12)}, Value::BigNumeric("-12")},
      {"lq_big_add", {Value::BigNumeric("0.25"), Value::BigNumeric("1.5")}, Value::BigNumeric("1.75")},
      {"lq_big_to_numeric", {Value::BigNumeric("-2.5")}, Value::Numeric("-2.5")},
      {"lq_from_hex", {s("00fF")}, b(std::string("\0\xff", 2))},
      {"lq_make_date", {n(2026), n(3), n(4)}, Value::Date(20'516)},
      {"lq_date_plus", {Value::Date(20'516), n(-1)}, Value::Date(20'515)},
      {"lq_make_time", {n(1), n(0), n(2)}, Value::Time(3'602'000'000)},
      {"lq_time_of_text", {s("00:00:00.5")}, Value::Time(500'000)},
      {"lq_datetime_of_text", {s("1970-01-02 00:00:00")}, Value::Datetime(86'400'000'000)},
      {"lq_timestamp_of", {n(5), n(1'000'000)}, Value::TimestampMicros(5'000'000)},
      {"lq_to_interval", {s("1-2 3 4:5:6")}, Value::IntervalOf({14, 3, 14'706'000'000})},
      {"lq_split", {s("a,b,,c"), s(",")}, Texts({"a", "b", "", "c"})},
      {"lq_join",
       {Texts({"a text that is longer than twelve bytes", "b"}), s("-")},
       s("a text that is longer than twelve bytes-b")},
      {"lq_concat", {s("a"), s("b"), s("c")}, s("abc")},
      {"lq_search_json",
       {s(R"({"a":"b c"})"), s("c"), Value::Bool(false), Value::Bool(true), Value::Bool(true)},
       Value::Bool(true)},
      {"lq_redact", {s("from 203.0.113.7"), s("")}, s("from REDACTED")},
      {"lq_to_zone", {Value::TimestampMicros(0), s("+02:00")}, Value::Datetime(7'200'000'000)},
      {"lq_from_zone", {Value::Datetime(7'200'000'000), s("+02:00")}, Value::TimestampMicros(0)},
  };
  for (const Case& one : cases) {
    const absl::StatusOr<Value> result = Call(one.name, one.arguments, one.result.type());
    CAPTURE(one.name, result.status().ToString());
    REQUIRE(result.ok());
    CHECK(*result == one.result);
  }
}

TEST_CASE("a NULL argument gives NULL, except for functions that accept NULLs") {
  CHECK(Call("lq_reverse", {Value::Null(Type::String())}, Type::String())->is_null());
  CHECK(Call("lq_like", {Value::String("a"), Value::Null(Type::String())}, Type::Bool())->is_null());
  int takes_nulls = 0;
  for (const FunctionEntries list : AllFunctions()) {
    for (const FunctionEntry& entry : list) takes_nulls += entry.nulls == Nulls::kAreTaken ? 1 : 0;
  }
  CHECK(takes_nulls > 0);
}

TEST_CASE("a text as JSON is written as the engine writes it, and what it grows by counts against the budget") {
  const auto quoted = [](std::string text) {
    return Call("lq_json_quoted", {Value::String(std::move(text))}, Type::String());
  };
  CHECK(*quoted("") == Value::String(R"("")"));
  CHECK(*quoted("a\"b\\c/<é😀\x7f") == Value::String("\"a\\\"b\\\\c/<é😀\x7f\""));
  CHECK(*quoted(std::string("\b\f\n\r\t\x01\x1f\0", 8)) == Value::String(R"("\b\f\n\r\t\u0001\u001F\u0000")"));
  CHECK(quoted(std::string(20 << 20, 'x')).ok());
  // Each call doubles the backslashes.
  std::string text = "\"";
  absl::Status status;
  int depth = 0;
  for (; status.ok() && depth < 60; ++depth) {
    const absl::StatusOr<Value> next = quoted(text);
    status = next.status();
    if (next.ok()) text = next->string_value();
  }
  CHECK(absl::IsResourceExhausted(status));
  CHECK(depth < 30);
  CHECK(text.size() < 64 << 20);
}

// docs/limits.md has the limit.
TEST_CASE("a search is refused if its text and its pattern are too large together, and either may be large alone") {
  const auto search = [](size_t text, int repetitions) {
    const std::string pattern = "(?:ab){" + std::to_string(repetitions) + "}$";
    return Call("lq_regexp_contains", {Value::String(std::string(text, 'x')), Value::String(pattern)}, Type::Bool());
  };
  CHECK(*search(1 << 20, 20) == Value::Bool(false));
  CHECK(*search(1'000, 900) == Value::Bool(false));
  const absl::Status refused = search(1 << 20, 900).status();
  CHECK(absl::IsResourceExhausted(refused));
  CHECK(
      refused.message() ==
      "the regular expression '(?:ab){900}$' is too large for a text of 1048576 bytes; search for less, or in shorter "
      "texts");
}

TEST_CASE("a function's error is the call's status") {
  const absl::StatusOr<Value> zone =
      Call("lq_to_zone", {Value::TimestampMicros(0), Value::String("Nowhere/Else")}, Type::Datetime());
  CHECK(absl::IsInvalidArgument(zone.status()));
  CHECK(zone.status().message() ==
        "there is no time zone 'Nowhere/Else'; write a name such as Europe/Paris, or an offset such as +02:00");
  CHECK(Call("lq_timestamp_of_text", {Value::String("2024-06-02 america/new_york")}, Type::Timestamp())
            .status()
            .message() == "there is no time zone 'america/new_york'; it is written America/New_York");
  CHECK(Call("lq_timestamp_of_text", {Value::String("2024-06-02 utc")}, Type::Timestamp()).status().message() ==
        "there is no time zone 'utc'; it is written UTC");
  for (const char* const refused : {"localtime", "/etc/localtime", "../zoneinfo/UTC", ""}) {
    CAPTURE(refused);
    CHECK_FALSE(Call("lq_to_zone", {Value::TimestampMicros(0), Value::String(refused)}, Type::Datetime()).ok());
  }
  CHECK_FALSE(Call("lq_from_hex", {Value::String("xy")}, Type::Bytes()).ok());
}

TEST_CASE("a value above the size limit is rejected before it is allocated") {
  const std::string text(1'000, 'x');
  const int64_t times = base::kMaxGrownValueBytes / 1'000 + 1;
  const absl::StatusOr<Value> result = Call("lq_repeat", {Value::String(text), Value::Int64(times)}, Type::String());
  CHECK(absl::IsResourceExhausted(result.status()));
  CHECK(Call("lq_repeat", {Value::String(text), Value::Int64(3)}, Type::String())->string_value().size() == 3'000);
}

// Keeps nothing but which rows were set, and to what text.
class TextResults : public ResultColumn {
 public:
  TextResults() : ResultColumn(nullptr) {}
  void SetNull(int64_t) override { texts.emplace_back(std::nullopt); }
  void SetText(int64_t, std::string_view text) override { texts.emplace_back(text); }
  void SetTexts(int64_t, const TextList&) override { FAIL("no list"); }
  void SetInts(int64_t, const std::vector<int64_t>&) override { FAIL("no list"); }
  std::vector<std::optional<std::string>> texts;
};

TEST_CASE("rows are evaluated in order; an error ends them, or makes its row NULL") {
  const FunctionEntry* const from_hex = FindFunction("lq_from_hex");
  REQUIRE(from_hex != nullptr);
  const ValueBatch rows(
      {{"x", Type::String()}},
      {{Value::String("61")}, {Value::Null(Type::String())}, {Value::String("?")}, {Value::String("62")}});
  const ColumnView column = rows.batch().column(0);
  TextResults failed;
  CHECK_FALSE(EvaluateRows(*from_hex, OnError::kFail, absl::MakeSpan(&column, 1), 4, nullptr, failed).ok());
  CHECK(failed.texts == std::vector<std::optional<std::string>>{"a", std::nullopt});
  TextResults nulls;
  CHECK(EvaluateRows(*from_hex, OnError::kGiveNull, absl::MakeSpan(&column, 1), 4, nullptr, nulls).ok());
  CHECK(nulls.texts == std::vector<std::optional<std::string>>{"a", std::nullopt, std::nullopt, "b"});
}

TEST_CASE("evaluation stops once the query is to end") {
  const ValueBatch rows({{"x", Type::String()}}, {{Value::String("61")}});
  const ColumnView column = rows.batch().column(0);
  std::atomic<bool> stop = true;
  TextResults results;
  const absl::Status status =
      EvaluateRows(*FindFunction("lq_from_hex"), OnError::kGiveNull, absl::MakeSpan(&column, 1), 1, &stop, results);
  CHECK(absl::IsCancelled(status));
  CHECK(results.texts.empty());
}

absl::Status Throw(const Row&, Output&) { throw std::bad_alloc(); }

TEST_CASE("a library's exception becomes a status") {
  const FunctionEntry entry = {"lq_throws", "(STRING) -> STRING", Throw};
  CHECK(absl::IsInternal(Evaluate(entry, {Value::String("")}, Type::String()).status()));
}

TEST_CASE("every entry has a name of its own, by which it is found, and a signature") {
  std::set<std::string> names;
  for (const FunctionEntries list : AllFunctions()) {
    for (const FunctionEntry& entry : list) {
      INFO(entry.name);
      CHECK(names.insert(entry.name).second);
      CHECK(FindFunction(entry.name) == &entry);
      CHECK(rewrite::ParseSignature(entry.signature).ok());
    }
  }
  CHECK(names.size() > 150);
  CHECK(FindFunction("lq_") == nullptr);
}

}  // namespace
}  // namespace logquery::functions
