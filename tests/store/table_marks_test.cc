// The state of tables as sinks are told it: two equal marks of a table, equal rows.
#include "lib/store/tables/table_marks.h"

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "lib/store/tables/change_books.h"
#include "tests/store/one_project.h"

namespace logquery::store {
namespace {

PreparedQuery CountQuery() {
  PreparedQuery::Parts parts;
  parts.dialect_text = R"(SELECT count(*) FROM "test.logs")";
  parts.schema = {{"n", Type::Int64()}};
  parts.tables = {"test.logs"};
  return PreparedQuery(std::move(parts));
}

struct Seen {
  int64_t rows = 0;
  std::string mark;
};

Seen Look(QueryBackend& backend) {
  static const PreparedQuery query = CountQuery();
  MarkedSink sink;
  const absl::Status status = backend.Execute(query, {}, {}, {}, sink);
  INFO(status.ToString());
  REQUIRE(status.ok());
  REQUIRE(sink.marks.size() == 2);
  CHECK(sink.marks[0].table == "test.logs");
  CHECK(sink.marks[1].table.empty());  // the key of receipts
  CHECK(sink.marks[1].mark.size() == 64);
  return {sink.rows().at(0).at(0).int64_value(), sink.marks[0].mark};
}

std::string WriteRows(const TemporaryFolder& folder, int number, const std::string& time = "2026-03-04T05:06:07Z") {
  return WriteFile(folder / ("rows" + std::to_string(number) + ".ndjson"),
                   R"({"timestamp":")" + time + R"(","i":)" + std::to_string(number) + "}\n");
}

TEST_CASE("a table's mark changes with its rows, and with nothing else") {
  TemporaryFolder folder;
  std::string last;
  {
    const auto backend = OpenFolder(folder / "data");
    const std::string empty = Look(*backend).mark;
    CHECK_FALSE(empty.empty());
    Load(*backend, {.table = "test_logs", .files = {WriteRows(folder, 1)}});
    const std::string first = Look(*backend).mark;
    CHECK(first != empty);
    CHECK(Look(*backend).mark == first);
    Load(*backend, {.table = "test_logs", .files = {WriteRows(folder, 1)}});  // the same file is skipped
    CHECK(Look(*backend).mark == first);
    REQUIRE(backend->store().Checkpoint().ok());
    CHECK(Look(*backend).mark == first);
    const std::string row = Row();
    REQUIRE(backend->store().Append({.table = "test_logs", .rows = {row}, .batch = "named"}).ok());
    last = Look(*backend).mark;
    CHECK(last != first);
  }
  CHECK(Look(*OpenFolder(folder / "data")).mark == last);
  CHECK(Look(*OpenFolder(folder / "data", /*read_only=*/true)).mark == last);
}

TEST_CASE("removing rows changes the mark, and adding others never restores it") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  Load(*backend, {.table = "test_logs", .files = {WriteRows(folder, 1), WriteRows(folder, 2, "2026-01-01T00:00:00Z")}});
  const std::string both = Look(*backend).mark;
  const auto retained = backend->store().Retain({.rules = {{.table = "test_logs", .max_age = absl::Hours(24)}},
                                                 .now = absl::FromUnixSeconds(1'772'600'767),
                                                 .clock_is_confirmed = true});
  REQUIRE(retained.ok());
  CHECK(retained->rows == 1);
  const Seen one = Look(*backend);
  CHECK(one.rows == 1);
  CHECK(one.mark != both);
  Load(*backend, {.table = "test_logs", .files = {WriteRows(folder, 3)}});
  CHECK(Look(*backend).mark != both);
}

TEST_CASE("rows of a batch without a name change the mark as others do") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  std::string last = Look(*backend).mark;
  for (int i = 0; i < 2; ++i) {
    const std::string row = Row();
    REQUIRE(backend->store().Append({.table = "test_logs", .rows = {row}}).ok());
    const std::string mark = Look(*backend).mark;
    CHECK(mark != last);
    last = mark;
  }
}

TEST_CASE("each folder has a key of its own, which copies keep") {
  TemporaryFolder folder;
  const auto key_of = [](QueryBackend& backend) {
    MarkedSink sink;
    REQUIRE(backend.Execute(CountQuery(), {}, {}, {}, sink).ok());
    return sink.marks.back().mark;
  };
  const std::string key = key_of(*OpenFolder(folder / "data"));
  CHECK(key_of(*OpenFolder(folder / "data", /*read_only=*/true)) == key);
  CHECK(key_of(*OpenFolder(folder / "other")) != key);
}

TEST_CASE("an in-memory database has no marks") {
  const auto backend = OpenInMemory();
  REQUIRE(backend != nullptr);
  MarkedSink sink;
  PreparedQuery::Parts parts;
  parts.dialect_text = "SELECT 1::BIGINT";
  parts.schema = {{"n", Type::Int64()}};
  REQUIRE(backend->Execute(PreparedQuery(std::move(parts)), {}, {}, {}, sink).ok());
  CHECK(sink.marks.empty());
}

TEST_CASE("marks that follow a change are those of the folder's books") {
  TemporaryFolder folder;
  const absl::Time time = absl::FromUnixSeconds(1'772'600'767);
  // A name that is too long for the books makes a change one of every project.
  const std::vector<std::string> projects = {"", "a", "b", "never", std::string(RowChange::kMaxProjectBytes + 1, 'x')};
  std::vector<ProjectView> followed;
  {
    const auto backend = OpenFolder(folder / "data");
    const auto look = [&] {
      std::vector<ProjectView> views;
      for (const std::string& project : projects) views.push_back(ViewOf(*backend, project));
      return views;
    };
    const auto append = [&](const std::vector<std::string>& owners) {
      std::vector<std::string> rows;
      for (const std::string& owner : owners) rows.push_back(ProjectRow(owner, time));
      REQUIRE(backend->store().Append({.table = "test_logs", .rows = {rows.begin(), rows.end()}}).ok());
    };
    const std::vector<ProjectView> empty = look();
    append({"a"});
    const std::vector<ProjectView> of_a = look();
    CHECK(of_a[0].mark != empty[0].mark);
    CHECK(of_a[1].mark != empty[1].mark);
    CHECK(of_a[2].mark == empty[2].mark);
    append({"b"});
    append({"b", projects.back()});
    const std::vector<ProjectView> of_every = look();
    for (size_t i = 0; i < projects.size(); ++i) CHECK(of_every[i].mark != of_a[i].mark);
    append({"b"});
    followed = look();
    CHECK(followed[1].mark == of_every[1].mark);
    CHECK(followed[3].mark == of_every[3].mark);
  }
  const auto again = OpenFolder(folder / "data");
  for (size_t i = 0; i < projects.size(); ++i) CHECK(ViewOf(*again, projects[i]).mark == followed[i].mark);
}

TEST_CASE("a mark is of the very rows that the query saw, while others come in") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  constexpr int kLoads = 40;
  std::atomic<bool> loading{true};
  absl::Status loads;
  std::thread loader([&] {
    for (int i = 0; i < kLoads && loads.ok(); ++i) {
      const std::string rows = Row();
      loads = backend->store().Append({.table = "test_logs", .rows = {rows}, .batch = std::to_string(i)}).status();
    }
    loading = false;
  });
  std::vector<Seen> seen;
  do {
    seen.push_back(Look(*backend));
  } while (loading);
  loader.join();
  REQUIRE(loads.ok());
  seen.push_back(Look(*backend));
  std::map<std::string, int64_t> rows_of;
  std::map<int64_t, std::string> mark_of;
  for (const Seen& one : seen) {
    CHECK(rows_of.emplace(one.mark, one.rows).first->second == one.rows);
    CHECK(mark_of.emplace(one.rows, one.mark).first->second == one.mark);
  }
  CHECK(seen.back().rows == kLoads);
}

}  // namespace
}  // namespace logquery::store
