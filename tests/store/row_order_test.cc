// The order in which a load stores rows: those of closed days by project, those of open days by project, so many at a time.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "lib/store/rows/row_batch.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store {
namespace {

constexpr int kProjects = 7;

std::string RowAt(absl::Time time, const std::string& rest) {
  return absl::StrCat("{\"timestamp\":", absl::ToUnixMicros(time), ",", rest, "}\n");
}

// The projects and times of all rows as they are stored.
std::vector<std::pair<std::string, int64_t>> Stored(DuckDbBackend& backend) {
  std::vector<std::pair<std::string, int64_t>> stored;
  const Rows rows = Select(backend, Duck("SELECT project, \"timestamp\" FROM \"test.logs\" ORDER BY rowid",
                                         {{"project", Type::String()}, {"timestamp", Type::Timestamp()}}));
  for (const auto& row : rows) {
    stored.emplace_back(row[0].is_null() ? "" : row[0].string_value(), row[1].is_null() ? -1 : row[1].int64_value());
  }
  return stored;
}

TEST_CASE("rows of closed days are stored by project, the newest first, and so are later ones behind them") {
  const absl::Time now = absl::Now(), closed = now - absl::Hours(24 * 5), open = now - absl::Minutes(5);
  std::string text;
  std::vector<std::pair<std::string, int64_t>> expected_closed, expected_open;
  for (int i = 0; i < 2'000; ++i) {
    // Rows of open days lie among the others, and times go backwards.
    const bool is_open = i % 3 == 0;
    const absl::Time time = (is_open ? open : closed) - absl::Seconds(is_open ? i / 100 : i);
    const std::string project = absl::StrCat("p", i * 31 % kProjects);
    text += RowAt(time, absl::StrCat("\"i\":", i, ",\"project\": \"", project, "\""));
    (is_open ? expected_open : expected_closed).emplace_back(project, absl::ToUnixMicros(time));
  }
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  CHECK(Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / "rows", text)}}).rows == 2'000);
  const auto newest_first = [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second > b.second;
  };
  std::sort(expected_closed.begin(), expected_closed.end(), newest_first);
  std::sort(expected_open.begin(), expected_open.end(), newest_first);
  std::vector<std::pair<std::string, int64_t>> expected = std::move(expected_closed);
  expected.insert(expected.end(), expected_open.begin(), expected_open.end());
  CHECK(Stored(*backend) == expected);
}

TEST_CASE("rows that do not show their time or project where it is looked for are stored all the same") {
  const absl::Time closed = absl::Now() - absl::Hours(24 * 5);
  const std::string of_b = "\"project\":\"b\"";
  std::string text;
  text += RowAt(closed, of_b);
  text += RowAt(closed, "\"metadata\":{\"request\":{\"project\":\"a\"}}," + of_b);
  text += RowAt(closed, "\"project\":null");
  text += RowAt(closed, "\"i\":1");
  text += RowAt(closed, R"("\u0070roject":"\u0062")");
  text += RowAt(closed, "\"project\":17");
  text += "{" + of_b + ",\"timestamp\":null}\n{\"project\":\"b\n" +
          RowAt(closed, "\"project\":\"" + std::string(100'000, 'x') + "\"");
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const LoadReport report = Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / "rows", text)}});
  std::map<std::string, int> found;
  for (const auto& [project, time] : Stored(*backend)) ++found[project];
  CHECK(report.rows + report.rejected_rows == 9);
  CHECK(found["b"] == 3);
  CHECK(found[std::string(100'000, 'x')] == 1);
  CHECK(found[""] == 2);
}

RowBatch BatchOf(const std::vector<std::string>& lines) {
  RowBatch batch;
  for (const std::string& line : lines) batch.lines.push_back({line, static_cast<int64_t>(batch.lines.size()) + 1});
  return batch;
}

TEST_CASE("lines of one project and time keep their order, and without a project all are ordered by time") {
  const std::vector<std::string> lines = {R"({"t":2,"p":"b"})",       R"({"t":2,"p":"a"})", R"({"t":1,"p":"b"})",
                                          R"({"t":2,"p":"a","i":1})", R"({"t":9,"p":"a"})", R"({"t":7,"p":"z"})"};
  const auto numbers = [&](const LineOrder& order) {
    RowBatch batch = BatchOf(lines);
    SortLines(order, &batch);
    std::vector<int64_t> found;
    for (const RowBatch::Line& line : batch.lines) found.push_back(line.number);
    return found;
  };
  CHECK(numbers({"t", "p", TimestampUnit::kMicroseconds, 5}) == std::vector<int64_t>{2, 4, 1, 3, 5, 6});
  CHECK(numbers({"t", "", TimestampUnit::kMicroseconds, 5}) == std::vector<int64_t>{3, 1, 2, 4, 6, 5});
  CHECK(numbers({"t", "p", TimestampUnit::kMicroseconds}) == std::vector<int64_t>{5, 2, 4, 1, 3, 6});
}

TEST_CASE("lines of open days are ordered by time, and a block of them at a time by project, the newest first") {
  std::vector<std::string> lines;
  const int count = static_cast<int>(2 * kOpenRows) + 100;
  for (int i = 0; i < count; ++i) {
    const int time = (i * 7919) % count;  // each once
    lines.push_back(absl::StrCat("{\"t\":", time, ",\"p\":\"p", time % 10, "\"}"));
  }
  RowBatch batch = BatchOf(lines);
  SortLines({"t", "p", TimestampUnit::kMicroseconds}, &batch);
  REQUIRE(batch.lines.size() == lines.size());
  for (int i = 0; i < count; ++i) {
    const RowBatch::Line& line = batch.lines[static_cast<size_t>(i)];
    CAPTURE(i, line.time, std::string(line.project));
    CHECK(line.time / kOpenRows == i / kOpenRows);
    if (i % kOpenRows == 0) continue;
    const RowBatch::Line& before = batch.lines[static_cast<size_t>(i) - 1];
    CHECK(std::pair(before.project, -before.time) < std::pair(line.project, -line.time));
  }
}

}  // namespace
}  // namespace logquery::store
