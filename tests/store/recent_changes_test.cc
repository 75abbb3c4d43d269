// The last changes of a table: from which time on they added rows, and the rows themselves.
#include "lib/store/tables/recent_changes.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "lib/backend/recent_rows.h"
#include "logquery/batch.h"
#include "tests/store/one_project.h"

namespace logquery::store {
namespace {

using Time = std::optional<int64_t>;
using Texts = std::vector<std::string>;

BookedChange ChangeOf(int64_t number, const std::string& project, int64_t time) {
  BookedChange change;
  change.table = "test.logs";
  change.number.number = number;
  change.rows.Add(project, time);
  return change;
}

TEST_CASE("the earliest time of rows after a change is that of the project's rows, or of all") {
  RecentChanges recent;
  CHECK(recent.EarliestAfter("a", 4) == Time());  // nothing is known yet
  recent.Add(ChangeOf(5, "a", 50));
  recent.Add(ChangeOf(6, "b", 20));
  recent.Add(ChangeOf(7, "a", 70));
  CHECK(recent.EarliestAfter("a", 4) == Time(50));
  CHECK(recent.EarliestAfter("a", 5) == Time(70));
  CHECK(recent.EarliestAfter("b", 4) == Time(20));
  CHECK(recent.EarliestAfter(std::nullopt, 4) == Time(20));
  CHECK(recent.EarliestAfter("a", 7) == Time(RecentChanges::kNoRow));
  CHECK(recent.EarliestAfter("b", 6) == Time(RecentChanges::kNoRow));
  CHECK(recent.EarliestAfter("nobody", 4) == Time(RecentChanges::kNoRow));
  CHECK(recent.EarliestAfter("a", 3) == Time());  // before what is here
  BookedChange every = ChangeOf(8, "c", 80);
  every.rows.AddEvery(10);
  recent.Add(every);
  CHECK(recent.EarliestAfter("a", 7) == Time(10));
}

TEST_CASE("a change is completed by its commit, and one that failed takes what is known with it") {
  RecentChanges recent;
  recent.Add(ChangeOf(5, "a", 50));
  CHECK(recent.completed() == 0);
  recent.Completed();
  CHECK(recent.completed() == 5);
  recent.Add(ChangeOf(6, "a", 60));
  recent.Failed();
  CHECK(recent.completed() == 5);
  recent.Add(ChangeOf(6, "a", 65));  // the same number again
  recent.Completed();
  CHECK(recent.EarliestAfter("a", 5) == Time());
  CHECK(recent.EarliestAfter("a", 6) == Time(RecentChanges::kNoRow));
  recent.Add(ChangeOf(7, "a", 70));
  CHECK(recent.EarliestAfter("a", 6) == Time(70));
}

TEST_CASE("the oldest changes go when there are too many, or too many projects in them") {
  RecentChanges recent;
  const auto last = static_cast<int64_t>(RecentChanges::kMaxChanges) + 10;
  for (int64_t i = 1; i <= last; ++i) recent.Add(ChangeOf(i, "a", i));
  CHECK(recent.EarliestAfter("a", 9) == Time());
  CHECK(recent.EarliestAfter("a", 10) == Time(11));
  BookedChange wide = ChangeOf(last + 1, "a", 1);
  for (size_t i = 0; i + 1 < RowChange::kMaxProjects; ++i) wide.rows.Add(absl::StrCat("p", i), 1);
  CHECK_FALSE(wide.rows.every());
  for (int64_t i = 1; i <= 6; ++i) {
    wide.number.number = last + i;
    recent.Add(wide);
  }
  CHECK(recent.EarliestAfter("a", last) == Time());
  CHECK(recent.EarliestAfter("a", last + 1) == Time(1));
}

// SELECT id, project, timestamp FROM test.logs WHERE project = $1 AND timestamp >= $2 ORDER BY timestamp DESC, id LIMIT 2
PreparedQuery NewestQuery() {
  PreparedQuery::Parts parts;
  parts.slots = {{"project", Type::String()}, {"from", Type::Timestamp()}};
  parts.schema = {{"id", Type::String()}, {"project", Type::String()}, {"timestamp", Type::Timestamp()}};
  parts.tables = {"test.logs"};
  parts.rows_read = {{"test.logs", 0, std::nullopt}};
  parts.top_n_by_time = TopNByTime{"test.logs", 2, 1, {}, {1}};
  TableHints hints;
  hints.table = "test.logs";
  hints.conditions = {{{"project"}, TableHints::Comparison::kEqual, 0, {}},
                      {{"timestamp"}, TableHints::Comparison::kGreaterOrEqual, 1, {}}};
  hints.newest_suffice = true;
  parts.hints = {hints};
  return PreparedQuery(std::move(parts));
}

constexpr int64_t kStart = 1'772'600'767'000'000;  // 2026-03-04 05:06:07

Bindings BindingsOf(const std::string& project, int64_t from = kStart) {
  return {Value::String(project), Value::Timestamp(absl::FromUnixMicros(from))};
}

struct Served {
  TemporaryFolder folder;
  std::unique_ptr<DuckDbBackend> backend = OpenFolder(folder / "data");
  RecentRows& recent = dynamic_cast<RecentRows&>(*backend);
  PreparedQuery query = NewestQuery();
  Texts columns = {"id", "project", "timestamp"};

  // Appends one row for each time, in microseconds after the start.
  void Add(const std::string& project, const std::vector<int64_t>& times) {
    std::vector<std::string> rows;
    for (const int64_t time : times) {
      rows.push_back(absl::StrCat("{\"timestamp\":", kStart + time, ",\"id\":\"", project, time, "\",\"project\":\"",
                                  project, "\"}"));
    }
    const auto report = backend->store().Append({.table = "test_logs", .rows = {rows.begin(), rows.end()}});
    INFO(report.status().ToString());
    REQUIRE(report.ok());
  }
  RecentRows::Moment Now(const std::string& project) {
    std::string completed = recent.Completed(query, BindingsOf(project));
    return {std::move(completed), backend->ReadState(query, BindingsOf(project)).text};
  }
  // The ids that are at hand; nullopt: they are not.
  std::optional<Texts> Read(const RecentRows::Moment& since, const RecentRows::Moment& until,
                            const std::string& project, int64_t from = kStart) {
    CollectingSink sink;
    const auto read = recent.ReadAdded(query, columns, BindingsOf(project, from), since, until, sink);
    INFO(read.status().ToString());
    REQUIRE(read.ok());
    if (!*read) return std::nullopt;
    Texts ids;
    for (const std::vector<Value>& row : sink.rows()) {
      CHECK(row[1].string_value() == project);
      CHECK(row[0].string_value() == absl::StrCat(project, row[2].int64_value() - kStart));
      ids.push_back(row[0].string_value());
    }
    std::sort(ids.begin(), ids.end());
    return ids;
  }
};

TEST_CASE("rows are at hand once somebody has asked for them: those of the project, up to a state") {
  Served f;
  f.Add("a", {1});
  const RecentRows::Moment first = f.Now("a");
  f.Add("a", {2});
  CHECK(f.Read(first, f.Now("a"), "a") == std::nullopt);
  const RecentRows::Moment asked = f.Now("a");
  f.Add("b", {3});
  f.Add("a", {4});
  const RecentRows::Moment then = f.Now("a");
  f.Add("a", {5});
  CHECK(f.Read(asked, then, "a") == Texts{"a4"});
  CHECK(f.Read(asked, f.Now("a"), "a") == Texts{"a4", "a5"});
  CHECK(f.Read(then, f.Now("a"), "a") == Texts{"a5"});
  CHECK(f.Read(asked, f.Now("b"), "b") == Texts{"b3"});
  CHECK(f.Read(f.Now("a"), f.Now("a"), "a") == Texts{});
  CHECK(f.Read(asked, f.Now("nobody"), "nobody") == Texts{});
  CHECK(f.Read(asked, f.Now("a"), "a", kStart + 5) == Texts{"a5"});
  CHECK(f.Read(first, f.Now("a"), "a") == std::nullopt);  // from before somebody asked
}

TEST_CASE("the newest of more rows than the query may return are at hand, with all of the last one's time") {
  Served f;
  f.Add("a", {1});
  const RecentRows::Moment before = f.Now("a");
  f.Read(before, before, "a");
  f.Add("a", {9, 3, 7});
  f.Add("a", {8, 2});
  CHECK(f.Read(before, f.Now("a"), "a") == Texts{"a8", "a9"});
  f.Add("a", {8});
  CHECK(f.Read(before, f.Now("a"), "a") == Texts{"a8", "a8", "a9"});
}

TEST_CASE("copies of rows go with the rows when a project is erased") {
  Served f;
  f.Add("a", {1});
  const RecentRows::Moment before = f.Now("a");
  f.Read(before, before, "a");
  f.Add("a", {2});
  const RecentRows::Moment now = f.Now("a");
  CHECK(f.Read(before, now, "a") == Texts{"a2"});
  REQUIRE(f.backend->store().Erase({.project = "somebody-else"}).ok());
  CHECK(f.Read(before, now, "a") == std::nullopt);  // which copies are whose is not looked at
}

TEST_CASE("only the engine can tell rows with other conditions or columns") {
  Served f;
  f.Add("a", {1});
  const RecentRows::Moment before = f.Now("a");
  f.Read(before, before, "a");
  f.Add("a", {2});
  CHECK(f.Read(before, f.Now("a"), "a") == Texts{"a2"});
  f.columns = {"id", "project", "no_such_column"};
  CHECK(f.Read(before, f.Now("a"), "a") == std::nullopt);
  f.columns = {"id", "timestamp", "project"};  // of another type
  CHECK(f.Read(before, f.Now("a"), "a") == std::nullopt);
  f.columns = {};
  CHECK(f.Read(before, f.Now("a"), "a") == std::nullopt);
  f.columns = {"id", "project", "timestamp"};
  CHECK(f.Read(before, f.Now("a"), "a") == Texts{"a2"});
}

TEST_CASE("the earliest time of rows that were added is known without a query") {
  Served f;
  const auto earliest = [&](const RecentRows::Moment& since, const std::string& project) {
    return f.recent.EarliestAdded(f.query, BindingsOf(project), since);
  };
  f.Add("a", {10});
  const RecentRows::Moment before = f.Now("a");
  CHECK(earliest(before, "a") == absl::InfiniteFuture());
  f.Add("a", {30, 20});
  f.Add("b", {5});
  CHECK(earliest(before, "a") == absl::FromUnixMicros(kStart + 20));
  CHECK(earliest(before, "b") == absl::FromUnixMicros(kStart + 5));
  CHECK(earliest(f.Now("a"), "a") == absl::InfiniteFuture());
  CHECK(earliest(f.Now("nobody"), "nobody") == absl::InfiniteFuture());
  CHECK(earliest(RecentRows::Moment(), "a") == std::nullopt);
}

}  // namespace
}  // namespace logquery::store
