// The store of kept answers by itself: its bound on memory, and how rows of two answers are merged.
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "lib/endpoint/kept/kept_answers.h"
#include "tests/endpoint/served_rows.h"

namespace logquery {
namespace {

TEST_CASE("rows are taken apart as they are encoded, in each format, and the newest of two answers are merged") {
  using endpoint::MergeNewest;
  using endpoint::RowKey;
  constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  const std::vector<RowKey> old = {{30, "b"}, {20, "a"}, {10, "a"}}, added = {{40, "x"}, {30, "a"}};
  const auto merge = [&](const std::string& before, const std::string& more, RowFormat format, int64_t earliest,
                         size_t limit) {
    const auto merged = MergeNewest(before, old, {earliest, kNever}, more, added, format, limit);
    return merged ? merged->body : std::string("not merged");
  };
  const std::string json = R"({"result":[{"a":"]}\\"},{"a":{"b":["},{"]}},{"a":null}]})",
                    two = R"({"result":[{"x":1},{"x":2}]})";
  CHECK(merge(json, two, RowFormat::kJson, 0, 4) == R"({"result":[{"x":1},{"x":2},{"a":"]}\\"},{"a":{"b":["},{"]}}]})");
  CHECK(merge(json, two, RowFormat::kJson, 25, 9) == R"({"result":[{"x":1},{"x":2},{"a":"]}\\"}]})");
  CHECK(merge("{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n", "{\"x\":1}\n{\"x\":2}\n", RowFormat::kNdjson, 0, 3) ==
        "{\"x\":1}\n{\"x\":2}\n{\"a\":1}\n");
  CHECK(merge("a\r\n\"1\n\"\"2\"\r\n2\r\n3\r\n", "a\r\n8\r\n9\r\n", RowFormat::kCsv, 0, 9) ==
        "a\r\n8\r\n9\r\n\"1\n\"\"2\"\r\n2\r\n3\r\n");
  const std::string schema = R"({"schema":[{"name":"]","type":"STRUCT<a INT64>"}],"rows":[)";
  CHECK(merge(schema + R"([["},["]],[null],["]"]]})", schema + "[[1],[2]]}", RowFormat::kJsonRows, 0, 4) ==
        "not merged");
  CHECK(merge(schema + R"([["},["]],[null],["]"]]})", schema + "[1],[2]]}", RowFormat::kJsonRows, 0, 4) ==
        schema + R"([1],[2],[["},["]],[null]]})");
  CHECK(merge(schema + "[1],[2],[3]]}", R"({"schema":[],"rows":[[1],[2]]})", RowFormat::kJsonRows, 0, 4) ==
        "not merged");
  // Formats of columns have no rows to take apart.
  CHECK(merge("x", "x", RowFormat::kArrow, 0, 4) == "not merged");
  CHECK(merge("x", "x", RowFormat::kParquet, 0, 4) == "not merged");
  // Another number of rows than keys, a body that is cut off, and an order that leaves the result open.
  CHECK(merge(two, two, RowFormat::kJson, 0, 4) == "not merged");
  CHECK(merge(json.substr(0, json.size() - 3), two, RowFormat::kJson, 0, 4) == "not merged");
  CHECK_FALSE(MergeNewest(two, added, {0, kNever}, two, added, RowFormat::kJson, 9).has_value());
  const auto none = MergeNewest(R"({"result":[]})", {}, {0, kNever}, two, added, RowFormat::kJson, 9);
  REQUIRE(none.has_value());
  CHECK(none->body == two);
}

TEST_CASE("kept answers take no more bytes than they may, and the least recently used go first") {
  endpoint::KeptAnswers kept(100'000);
  const auto put = [&](const std::string& key, size_t bytes) {
    QueryAnswer answer;
    answer.body = std::string(bytes, 'x');
    kept.Put(key,
             std::make_shared<endpoint::KeptAnswer>(std::move(answer), RecentRows::Moment{"", "state"},
                                                    std::vector<endpoint::Stretch>(), std::nullopt),
             kept.clears());
  };
  put("used", 5'000);
  for (int i = 0; i < 100'000; ++i) {
    put(base::StrCat("key", i), 100);
    if (i % 10 == 0) CHECK(kept.Find("used") != nullptr);
    if (kept.bytes() > 100'000) FAIL("more than they may");
  }
  CHECK(kept.Find("key0") == nullptr);
  CHECK(kept.Find("key99999") != nullptr);
  put("large", 30'000);
  CHECK(kept.Find("large") == nullptr);
  const uint64_t clears = kept.clears();
  kept.Clear();
  CHECK(kept.bytes() == 0);
  kept.PutPacked(ContentCoding::kGzip, "digest", SharedText("body"), clears);
  CHECK_FALSE(kept.FindPacked(ContentCoding::kGzip, "digest"));
  kept.PutPacked(ContentCoding::kGzip, "digest", SharedText("body"), kept.clears());
  CHECK(*kept.FindPacked(ContentCoding::kGzip, "digest") == "body");
  CHECK_FALSE(kept.FindPacked(ContentCoding::kZstd, "digest"));
}

}  // namespace
}  // namespace logquery
