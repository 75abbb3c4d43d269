// Counts of rejected rows by reason: of files, of requests, and of more reasons than are counted.
#include "lib/store/rows/rejected_counts.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "tests/store/event_parts.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store {
namespace {

// "1204 timestamp is missing|3 i is no INT64"
std::string TextOf(const std::vector<RejectedCount>& counts) {
  std::string text;
  for (const RejectedCount& count : counts) {
    base::StrAppend(&text, text.empty() ? "" : "|", count.rows, " ", count.reason);
  }
  return text;
}

TEST_CASE("a load counts all rejected rows by reason, also those that it does not list") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  std::string rows, others;
  for (int i = 0; i < 1'204; ++i) rows += base::StrCat("{\"i\":", i, "}\n");
  for (int i = 0; i < 3; ++i) rows += Row(base::StrCat("\"i\":\"value ", i, "\"")) + "\n";
  for (int i = 0; i < 2; ++i) others += Row(base::StrCat("\"i\":\"other ", i, "\"")) + "\n";
  const std::string first = WriteFile(folder / "a", rows + Row("\"i\":5"));
  const std::string second = WriteFile(folder / "b", others);
  const LoadReport report = Load(*backend, {.table = "test.logs", .files = {first, second}});
  CHECK(report.rows == 1);
  CHECK(report.rejected_rows == 1'209);
  CHECK(report.first_rejected.size() == 20);
  CHECK(TextOf(report.rejected_by_reason) == "1204 timestamp is missing|5 i is no INT64");
  REQUIRE(report.files.size() == 2);
  CHECK(TextOf(report.files[0].rejected_by_reason) == "1204 timestamp is missing|3 i is no INT64");
  CHECK(TextOf(report.files[1].rejected_by_reason) == "2 i is no INT64");
  CHECK(Load(*backend, {.table = "test.logs", .files = {second}}).rejected_by_reason.size() == 1);
}

TEST_CASE("reasons are told apart by kind and field, and not by values, places or names that rows bring") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const auto counts = [&](const std::vector<std::string>& lines) {
    const std::string file = WriteFile(folder / "rows", base::Join(lines, "\n"));
    return TextOf(Load(*backend, {.table = "test.logs", .files = {file}}).rejected_by_reason);
  };
  CHECK(counts({Row("\"i\":\"a\""), Row("\"i\":1.5"), Row("\"i\":{}")}) == "3 i is no INT64");
  CHECK(counts({Row("\"i\":\"a\""), R"({"timestamp":"yesterday"})", R"({"timestamp":"tomorrow"})"}) ==
        "2 timestamp is no TIMESTAMP|1 i is no INT64");
  CHECK(counts({R"({"timestamp":1772600767})", R"({"timestamp":1772600768})", R"({"timestamp":1772600767000})",
                R"({"timestamp":12})"}) ==
        "2 timestamp is not in the years 2000 to 2100; --timestamp-unit s would be right|"
        "1 timestamp is not in the years 2000 to 2100|"
        "1 timestamp is not in the years 2000 to 2100; --timestamp-unit ms would be right");
  CHECK(counts({R"({"ts":1})", R"({"time":1})"}) == "2 timestamp is missing");
  CHECK(counts({Row("\"one\":1,\"one\":2"), Row("\"two\":1,\"two\":2")}) == "2 a key stands twice");
  CHECK(counts({"bad", "{\"a\":", "[1]", "{\"a\" 1}", "  {\"bcd\" 2}"}) ==
        "2 invalid JSON: wanted ':'|2 invalid JSON: wanted an object|"
        "1 invalid JSON: wanted a value, found the end of the line");
  CHECK(counts({Row("\"metadata\":5"), Row("\"metadata\":\"x\"")}) == "2 metadata wants an object");
}

TEST_CASE("a request's rejected events are counted by reason, also when it is repeated after a restart") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  std::vector<std::string> texts;
  for (int i = 0; i < 1'500; ++i) texts.push_back(base::StrCat("{\"i\":\"value ", i, "\"}"));
  texts.push_back("not JSON");
  const event_tests::Texts rows(texts.begin(), texts.end());
  const std::vector<RejectedEvent> refused = {{1, "byte 17: no such field"}, {2, "byte 40: no such field"}};
  EventPart part = event_tests::Part(rows);
  part.refused = refused;
  part.key = "batch-1";
  const std::string counts = "1498 i is no INT64|2 malformed event|1 invalid JSON: wanted an object";
  {
    const auto backend = OpenFolder(data);
    const event_tests::Texts good = {R"({"i":1})", R"({"i":{}})"};
    const auto outcomes = event_tests::AppendParts(*backend, {part, event_tests::Part(good)});
    CHECK(outcomes[0].rejected_rows == 1'501);
    CHECK(outcomes[0].rejected.size() == 1'000);
    CHECK(TextOf(outcomes[0].rejected_by_reason) == counts);
    CHECK(TextOf(outcomes[1].rejected_by_reason) == "1 i is no INT64");
  }
  const auto backend = OpenFolder(data);
  const EventOutcome again = event_tests::AppendPart(*backend, part);
  CHECK(again.repeated);
  CHECK(TextOf(again.rejected_by_reason) == counts);
}

TEST_CASE("reasons beyond the limit are summed up, and no row is lost when counts are added") {
  RejectedCounts counts;
  const auto total = [](const std::vector<RejectedCount>& sorted) {
    int64_t rows = 0;
    for (const RejectedCount& count : sorted) rows += count.rows;
    return rows;
  };
  const int most = RejectedCounts::kMaxReasons;
  for (int i = 0; i < most; ++i) counts.Add(base::StrCat("reason ", i));
  CHECK(counts.Sorted().size() == RejectedCounts::kMaxReasons);
  CHECK(counts.Sorted().back().reason != kOtherReasons);
  for (int i = 0; i < 2 * most; ++i) counts.Add(base::StrCat("reason ", i), 3);
  const std::vector<RejectedCount> sorted = counts.Sorted();
  CHECK(sorted.size() == RejectedCounts::kMaxReasons + 1);
  CHECK(sorted.front().rows == 4);
  CHECK(sorted.back().reason == kOtherReasons);
  CHECK(sorted.back().rows == 3 * most);
  CHECK(total(sorted) == most + 6 * most);

  RejectedCounts sum({{"another reason", 7}});
  sum.Add(sorted);
  CHECK(sum.Sorted().front().reason == "another reason");
  CHECK(sum.Sorted().back().rows == 3 * most + 4);
  CHECK(total(sum.Sorted()) == total(sorted) + 7);
  CHECK(RejectedCounts().Sorted().empty());
}

}  // namespace
}  // namespace logquery::store
