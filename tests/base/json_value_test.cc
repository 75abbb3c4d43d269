#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "lib/base/json/read.h"
#include "lib/base/json/value.h"
#include "lib/base/json/write.h"

namespace logquery::base {
namespace {

using Other = nlohmann::ordered_json;

TEST_CASE("a JSON value is built, changed and written") {
  std::vector<std::string> logs = {"edge"};
  Json report{{"rows", 3}, {"logs", logs}, {"inner", {{"a", nullptr}, {"b", true}}}};
  report["logs"].push_back("auth");
  report["rate"] = 0.5;
  CHECK(report.ToString() == R"({"rows":3,"logs":["edge","auth"],"inner":{"a":null,"b":true},"rate":0.5})");
  CHECK(report["logs"].get<std::vector<std::string>>() == std::vector<std::string>{"edge", "auth"});
  CHECK(report.value("rows", int64_t{0}) == 3);
  CHECK(report.value("none", "fallback") == "fallback");
  CHECK(report.erase("inner") == 1);
  CHECK(report.ToString(2) ==
        "{\n  \"rows\": 3,\n  \"logs\": [\n    \"edge\",\n    \"auth\"\n  ],\n  \"rate\": 0.5\n}");
}

TEST_CASE("a sorted value orders the members of objects by key") {
  SortedJson json{{"b", 1}, {"a", {{"d", 2}, {"c", 3}}}};
  json["aa"] = SortedJson::array();
  CHECK(json.ToString() == R"({"a":{"c":3,"d":2},"aa":[],"b":1})");
  CHECK(TryReadSortedJson(R"({"z":1,"y":{"b":[],"a":{}},"z":2})")->ToString() == R"({"y":{"a":{},"b":[]},"z":2})");
}

TEST_CASE("lists in braces are objects if all their elements are pairs with a string first") {
  CHECK(Json{{"a", 1}}.ToString() == R"({"a":1})");
  CHECK(Json{{"a", "b"}, {"c", "d"}}.ToString() == R"({"a":"b","c":"d"})");
  CHECK(Json{"a", "b"}.ToString() == R"(["a","b"])");
  CHECK(Json{{1, "b"}}.ToString() == R"([[1,"b"]])");
  CHECK(Json::array({{"a", 1}}).ToString() == R"([["a",1]])");
  CHECK(Json::object().ToString() == "{}");
  CHECK_THROWS_AS(Json::object({1, 2}), JsonTypeError);
}

TEST_CASE("members are found, added and replaced by key") {
  Json json;
  CHECK(json.find("a") == json.end());
  json["a"] = 1;
  CHECK_FALSE(json.emplace("a", 2).second);
  CHECK(json.emplace("b", 2).second);
  json.update(Json{{"b", 3}, {"c", 4}});
  CHECK(json.ToString() == R"({"a":1,"b":3,"c":4})");
  const Json& constant = json;
  CHECK(constant["missing"].is_null());
  CHECK_FALSE(constant.contains("missing"));
  CHECK(constant.at("a") == Json(1));
  CHECK_THROWS_AS(constant.at("missing"), JsonTypeError);
  std::string keys;
  for (auto member = constant.begin(); member != constant.end(); ++member) keys += member.key();
  for (const auto& [key, value] : constant.items()) keys += key + value.ToString();
  CHECK(keys == "abca1b3c4");
  const auto next = json.erase(json.find("a"));
  CHECK(next.key() == "b");
}

TEST_CASE("elements are inserted and erased by place") {
  Json json = {1, 2, 3};
  json.insert(json.begin() + 1, Json("new"));
  json.erase(0);
  const Json more = {4, 5};
  json.insert(json.end(), more.begin(), more.end());
  CHECK(json.ToString() == R"(["new",2,3,4,5])");
  CHECK(json.front().text() == "new");
  CHECK(json.back() == Json(5));
  json.clear();
  CHECK(json.ToString() == "[]");
}

TEST_CASE("reads of another kind throw and name both kinds") {
  const Json json{{"a", 1}};
  CHECK_THROWS_WITH(json["a"].get<std::string>(), "a JSON value must be a string, is a number");
  CHECK_THROWS_AS(json[0], JsonTypeError);
  CHECK_THROWS_AS(Json(1)["a"] = 2, JsonTypeError);
  CHECK_THROWS_AS(Json("x").push_back(1), JsonTypeError);
  CHECK_THROWS_AS(Json::array({1})[1], JsonTypeError);
  CHECK_THROWS_AS(json["a"].get<bool>(), JsonTypeError);
  CHECK_THROWS_AS(Json("1").get<int64_t>(), JsonTypeError);
}

TEST_CASE("a moved value leaves null, and a copy shares nothing") {
  Json json{{"a", {1, 2}}};
  Json copy = json;
  copy["a"][0] = 9;
  CHECK(json.ToString() == R"({"a":[1,2]})");
  const Json moved = std::move(json);
  CHECK(json.is_null());  // NOLINT(bugprone-use-after-move): this is what is tested
  CHECK(moved.ToString() == R"({"a":[1,2]})");
  copy = copy["a"];  // from its own inside
  CHECK(copy.ToString() == "[9,2]");
}

TEST_CASE("numbers keep their values at the limits of their types") {
  for (const char* text :
       {"0", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551615"}) {
    CAPTURE(text);
    const Json json = TryReadJson(text).value();
    CHECK(json.is_number_integer());
    CHECK(json.ToString() == text);
  }
  CHECK(Json(UINT64_MAX).ToString() == "18446744073709551615");
  CHECK(Json(INT64_MIN).ToString() == "-9223372036854775808");
  CHECK(TryReadJson("-0")->ToString() == "0");
  CHECK(TryReadJson("18446744073709551616")->is_number_float());
  CHECK(TryReadJson("1e-400")->ToString() == "0.0");
  CHECK(TryReadJson("1.7976931348623157e308")->ToString() == "1.7976931348623157e+308");
  CHECK_FALSE(TryReadJson("1e309").has_value());
  CHECK_FALSE(TryReadJson("[-1e999]").has_value());
  CHECK(Json(std::nan("")).ToString() == "null");
  CHECK(Json(std::numeric_limits<double>::infinity()).ToString() == "null");
}

TEST_CASE("numbers of different kinds are compared by value") {
  CHECK(Json(1) == Json(1u));
  CHECK(Json(1) == Json(1.0));
  CHECK_FALSE(Json(-1) == Json(UINT64_MAX));
  CHECK(Json(-1) < Json(UINT64_MAX));
  CHECK_FALSE(Json(UINT64_MAX) < Json(-1));
  CHECK(SortedJson(nullptr) < SortedJson(false));
  CHECK(SortedJson(true) < SortedJson(0));
  CHECK(SortedJson(9) < SortedJson::object());
  CHECK(SortedJson::object() < SortedJson::array());
  CHECK(SortedJson::array() < SortedJson(""));
  CHECK_FALSE(Json{{"a", 1}, {"b", 2}} == Json{{"b", 2}, {"a", 1}});
  CHECK(SortedJson{{"a", 1}, {"b", 2}} == SortedJson{{"b", 2}, {"a", 1}});
}

TEST_CASE("escapes are read and written, and halves of characters are rejected") {
  CHECK(TryReadJson(R"("\u0041\/\u00e4\ud83d\ude00\u0000")")->text() == std::string("A/\xC3\xA4\xF0\x9F\x98\x80\0", 9));
  CHECK(Json(std::string("\"\\\b\f\n\r\t\x01\x7F\0", 10)).ToString() ==
        "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\x7F\\u0000\"");
  CHECK_FALSE(TryReadJson(R"("\ud83d")").has_value());
  CHECK_FALSE(TryReadJson(R"("\ude00\ud83d")").has_value());
  CHECK_FALSE(TryReadJson("\"\xFF\"").has_value());
  CHECK_FALSE(TryReadJson("\"\n\"").has_value());
  CHECK(AsciiJsonString("a\x7F\xC3\xA4\xF0\x9F\x98\x80\xFF") == R"("a\u007f\u00e4\ud83d\ude00\ufffd")");
}

TEST_CASE("the last value of a duplicate key counts, in the place of the first") {
  CHECK(TryReadJson(R"({"a":1,"b":2,"a":{"c":3}})")->ToString() == R"({"a":{"c":3},"b":2})");
  std::string text = "{";
  for (int i = 0; i < 100; ++i) text += "\"k" + std::to_string(i % 50) + "\":" + std::to_string(i) + ",";
  text.back() = '}';
  const Json json = TryReadJson(text).value();
  CHECK(json.size() == 50);
  CHECK(json["k0"] == Json(50));
  CHECK(json.begin().key() == "k0");
}

TEST_CASE("deep text is rejected, and a deep value is freed without recursion") {
  const auto nested = [](size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(TryReadJson(nested(1'000))->ToString() == nested(1'000));
  CHECK_FALSE(TryReadJson(nested(1'000'000)).has_value());
  Json deep;
  for (int i = 0; i < 1'000'000; ++i) {
    Json outer = Json::array();
    outer.push_back(std::move(deep));
    deep = std::move(outer);
  }
  deep = nullptr;
  CHECK(deep.is_null());
}

TEST_CASE("text that is not one JSON value is rejected") {
  for (const char* text :
       {"", " ", "{", "[1,]", "{\"a\":1,}", "{} {}", "nul", "01", "+1", "1.", "'a'", "// x\n1", "{\"a\" 1}", "[1}"}) {
    CAPTURE(text);
    CHECK_FALSE(TryReadJson(text).has_value());
    CHECK_FALSE(TryReadSortedJson(text).has_value());
  }
  CHECK_FALSE(TryReadJson(std::string_view("{}\0", 3)).has_value());
  CHECK(TryReadJson("\xEF\xBB\xBF{}").has_value());
}

// Random documents, as nlohmann's values.
class Documents {
 public:
  explicit Documents(uint64_t seed) : random_(seed) {}

  Other Make(int depth) {
    switch (Below(depth > 4 ? 7 : 10)) {
      case 0:
        return nullptr;
      case 1:
        return Below(2) == 0;
      case 2:
        return static_cast<int64_t>(random_()) >> Below(64);
      case 3:
        return random_() >> Below(64);
      case 4:
        return Double();
      case 5:
      case 6:
        return Text();
      case 7:
      case 8:
        return Object(depth);
      default: {
        Other list = Other::array();
        for (uint64_t count = Below(6); count > 0; --count) list.push_back(Make(depth + 1));
        return list;
      }
    }
  }

  uint64_t Below(uint64_t limit) { return random_() % limit; }

  std::string Text() {
    static const std::vector<std::string> kParts = {"a",
                                                    "\"",
                                                    "\\",
                                                    "/",
                                                    "\n",
                                                    "\x01",
                                                    "\x7F",
                                                    "\xC3\xA4",
                                                    "\xF0\x9F\x98\x80",
                                                    "\xE2\x82",
                                                    "\xFF",
                                                    "\xC0\x80",
                                                    "\xED\xA0\x80",
                                                    "\xF4\x90",
                                                    std::string(1, '\0')};
    std::string text;
    for (uint64_t count = Below(8); count > 0; --count) text += kParts[Below(kParts.size())];
    return text;
  }

 private:
  double Double() {
    const uint64_t bits = random_();
    double value = 0;
    static_assert(sizeof(bits) == sizeof(value));
    std::memcpy(&value, &bits, sizeof(value));
    if (Below(2) == 0) return static_cast<double>(static_cast<int64_t>(Below(2'000'000)) - 1'000'000) / 1000;
    return std::isfinite(value) ? value : 0.1;
  }

  Other Object(int depth) {
    Other object = Other::object();
    for (uint64_t count = Below(Below(8) == 0 ? 40 : 5); count > 0; --count) {
      object["k" + std::to_string(Below(60)) + Text()] = Make(depth + 1);
    }
    return object;
  }

  std::mt19937_64 random_;
};

std::string Dump(const auto& json, int indent = -1) {
  return json.dump(indent, ' ', false, Other::error_handler_t::replace);
}

TEST_CASE("random documents are read and written as nlohmann's reader and writer do") {
  const uint64_t seed = std::random_device()();
  CAPTURE(seed);
  Documents documents(seed);
  for (int i = 0; i < 2'000; ++i) {
    std::string text = Dump(documents.Make(0), static_cast<int>(documents.Below(4)) - 1);
    // Half of the texts lose, double or exchange a byte; some of these are still JSON.
    if (i % 2 == 0 && !text.empty()) {
      const size_t at = documents.Below(text.size());
      const uint64_t how = documents.Below(3);
      if (how == 0) text.erase(at, 1);
      if (how == 1) text.insert(at, 1, text[at]);
      if (how == 2) text[at] = "{}[],:\"\\u0-.e 1\t\n"[documents.Below(17)];
    }
    CAPTURE(text);
    const Other expected = Other::parse(text, nullptr, /*allow_exceptions=*/false);
    const std::optional<Json> json = TryReadJson(text);
    REQUIRE(json.has_value() != expected.is_discarded());
    if (!json.has_value()) continue;
    REQUIRE(json->ToString() == Dump(expected));
    REQUIRE(json->ToString(0) == Dump(expected, 0));
    REQUIRE(json->ToString(2) == Dump(expected, 2));
    REQUIRE(Json(*json) == *json);
    REQUIRE(TryReadJson(json->ToString(1)) == json);
    REQUIRE(TryReadSortedJson(text)->ToString() == Dump(nlohmann::json::parse(text)));
  }
}

TEST_CASE("random bytes are written as nlohmann's writer does") {
  const uint64_t seed = std::random_device()();
  CAPTURE(seed);
  Documents documents(seed);
  for (int i = 0; i < 2'000; ++i) {
    std::string text = documents.Text();
    for (uint64_t count = documents.Below(6); count > 0; --count) text += static_cast<char>(documents.Below(256));
    CAPTURE(Dump(Other(text)));
    REQUIRE(Json(text).ToString() == Dump(Other(text)));
    REQUIRE(AsciiJsonString(text) == nlohmann::json(text).dump(-1, ' ', true, Other::error_handler_t::replace));
  }
}

TEST_CASE("pairs of random values compare as nlohmann's do") {
  const uint64_t seed = std::random_device()();
  CAPTURE(seed);
  Documents documents(seed);
  for (int i = 0; i < 1'000; ++i) {
    const nlohmann::json a = nlohmann::json::parse(Dump(documents.Make(3))),
                         b = nlohmann::json::parse(Dump(documents.Make(3)));
    const SortedJson ours_a = TryReadSortedJson(a.dump()).value(), ours_b = TryReadSortedJson(b.dump()).value();
    CAPTURE(a.dump(), b.dump());
    // nlohmann's take unsigned numbers beside signed ones as signed.
    const auto is_large = [](const nlohmann::json& v) {
      return v.is_number_unsigned() && v.get<uint64_t>() > INT64_MAX;
    };
    if (is_large(a) || is_large(b)) continue;
    REQUIRE((ours_a == ours_b) == (a == b));
    if (a.is_primitive() && b.is_primitive()) REQUIRE((ours_a < ours_b) == (a < b));
  }
}

}  // namespace
}  // namespace logquery::base
