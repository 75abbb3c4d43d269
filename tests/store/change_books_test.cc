// The number of each project's last change: it changes with the project's rows, with nothing else, and never apart from
// them.
#include "lib/store/tables/change_books.h"

#include <signal.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "logquery/store/backup.h"
#include "tests/store/one_project.h"
#include "tests/support/child_process.h"

namespace logquery::store {
namespace {

const absl::Time kNow = absl::FromUnixSeconds(1'774'915'200);

std::string MarkOf(QueryBackend& backend, const std::string& project) { return ViewOf(backend, project).mark; }

void Append(DuckDbBackend& backend, const std::string& project, absl::Time time = kNow, const std::string& batch = "") {
  const std::string row = ProjectRow(project, time);
  const auto report = backend.store().Append({.table = "test.logs", .rows = {row}, .batch = batch});
  REQUIRE(report.ok());
}

// Each way in which rows of `project` come and go, with what it does to the project's mark.
struct Write {
  std::string name;
  std::function<void(DuckDbBackend&, const TemporaryFolder&, const std::string& project)> run;
};

std::vector<Write> Writes() {
  const auto file = [](const TemporaryFolder& folder, const std::string& project, int number) {
    return WriteFile(folder / absl::StrCat(project, number),
                     absl::StrCat(ProjectRow(project, kNow, absl::StrCat("file ", number)), "\n"));
  };
  return {
      {"load", [=](DuckDbBackend& b, const TemporaryFolder& f,
                   const std::string& p) { Load(b, {.table = "test.logs", .files = {file(f, p, 1)}}); }},
      {"load of several files together",
       [=](DuckDbBackend& b, const TemporaryFolder& f, const std::string& p) {
         Load(b, {.table = "test.logs", .files = {file(f, p, 2), file(f, p, 3)}, .together = true});
       }},
      {"append", [](DuckDbBackend& b, const TemporaryFolder&, const std::string& p) { Append(b, p); }},
      {"append of a batch",
       [](DuckDbBackend& b, const TemporaryFolder&, const std::string& p) { Append(b, p, kNow, p + " batch"); }},
      {"append of rows that teach a field",
       [](DuckDbBackend& b, const TemporaryFolder&, const std::string& p) {
         const std::string row =
             absl::StrCat("{\"timestamp\":1774915200000000,\"project\":\"", p, "\",\"new_", p, "\":1}");
         REQUIRE(b.store().Append({.table = "test.logs", .rows = {row}}).ok());
       }},
      {"events",
       [](DuckDbBackend& b, const TemporaryFolder&, const std::string& p) {
         const std::string row = R"({"message":"x","timestamp":1774915200})";
         const std::vector<std::string_view> rows = {row};
         EventBatch batch;
         batch.table = "test.logs";
         batch.parts.push_back({.rows = rows, .sender = p, .project = p, .arrived = kNow});
         const auto outcomes = b.store().AppendEvents(batch);
         REQUIRE(outcomes.ok());
         CHECK(outcomes->front().rows == 1);
       }},
      {"retention by age",
       [](DuckDbBackend& b, const TemporaryFolder&, const std::string& p) {
         Append(b, p, kNow - absl::Hours(24 * 400));
         const std::string before = MarkOf(b, p);
         const auto report = b.store().Retain({.rules = {{.table = "test.logs", .max_age = absl::Hours(24 * 300)}},
                                               .now = kNow,
                                               .clock_is_confirmed = true});
         REQUIRE(report.ok());
         CHECK(report->rows == 1);
         CHECK(MarkOf(b, p) != before);
       }},
      {"erasing",
       [](DuckDbBackend& b, const TemporaryFolder&, const std::string& p) {
         const auto report = b.store().Erase({.project = p});
         REQUIRE(report.ok());
         CHECK(report->rows > 0);
       }},
  };
}

TEST_CASE("a project's mark changes with its own rows by every way in and out, and with no other project's") {
  TemporaryFolder folder;
  auto backend = OpenFolder(folder / "data");
  for (const std::string project : {"a", "b"}) Append(*backend, project);
  for (const Write& write : Writes()) {
    CAPTURE(write.name);
    const std::string a = MarkOf(*backend, "a"), all = MarkOf(*backend, "");
    const ProjectView b = ViewOf(*backend, "b");
    write.run(*backend, folder, "a");
    CHECK(MarkOf(*backend, "a") != a);
    CHECK(MarkOf(*backend, "") != all);
    // Compared without the columns that were learned or given back meanwhile, which are part of the view's text.
    const bool changes_columns = write.name.find("teach") != std::string::npos || write.name == "erasing";
    if (!changes_columns) CHECK(ViewOf(*backend, "b") == b);
    CHECK(MarkOf(*backend, "b") == b.mark);
    const std::string after = MarkOf(*backend, "a"), all_after = MarkOf(*backend, "");
    backend.reset();
    CHECK(MarkOf(*OpenFolder(folder / "data", /*read_only=*/true), "a") == after);
    backend = OpenFolder(folder / "data");
    CHECK(MarkOf(*backend, "a") == after);
    CHECK(MarkOf(*backend, "b") == b.mark);
    CHECK(MarkOf(*backend, "") == all_after);
  }
}

TEST_CASE("the mark stays the same after repeated files and events, rejected rows, checkpoints and clustering") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  std::string text;
  for (int i = 0; i < 31'000; ++i) text += ProjectRow(i % 2 == 0 ? "a" : "b", kNow + absl::Seconds(i)) + "\n";
  const std::string file = WriteFile(folder / "file", text);
  Load(*backend, {.table = "test.logs", .files = {file}});
  Append(*backend, "a", kNow, "named");
  const std::string a = MarkOf(*backend, "a"), b = MarkOf(*backend, "b"), all = MarkOf(*backend, "");
  Load(*backend, {.table = "test.logs", .files = {file}});
  Append(*backend, "a", kNow, "named");
  const std::string rejected = R"({"project":"a"})";
  REQUIRE(backend->store().Append({.table = "test.logs", .rows = {rejected}}).ok());
  REQUIRE(backend->store().Checkpoint().ok());
  const auto clustered = backend->store().Cluster({.now = kNow + absl::Hours(24 * 5)});
  REQUIRE(clustered.ok());
  CHECK(clustered->rows >= 31'000);
  CHECK(MarkOf(*backend, "a") == a);
  CHECK(MarkOf(*backend, "b") == b);
  CHECK(MarkOf(*backend, "") == all);
}

TEST_CASE("a restored backup keeps the marks, and later writes get other marks than the original's") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  Append(*backend, "a");
  Append(*backend, "b");
  REQUIRE(backend->Backup({folder / "backup"}).ok());
  REQUIRE(RestoreBackup({folder / "backup", folder / "restored"}).ok());
  const auto restored = OpenFolder(folder / "restored");
  for (const std::string project : {"a", "b", "nobody", ""}) {
    CAPTURE(project);
    CHECK(ViewOf(*restored, project) == ViewOf(*backend, project));
  }
  Append(*backend, "a");
  Append(*restored, "a");
  CHECK(MarkOf(*restored, "a") != MarkOf(*backend, "a"));
  CHECK(MarkOf(*restored, "b") == MarkOf(*backend, "b"));
}

TEST_CASE("an erased project's state is that of a project without rows, and its name is in no book") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const std::string none = MarkOf(*backend, "erased");
  Append(*backend, "erased");
  CHECK(MarkOf(*backend, "erased") != none);
  REQUIRE(backend->store().Erase({.project = "erased"}).ok());
  CHECK(MarkOf(*backend, "erased") == none);
  CHECK(SelectValue(*backend, "SELECT count(*) FROM logquery.changes WHERE project = 'erased'", Type::Int64())
            .int64_value() == 0);
  Append(*backend, "erased");
  CHECK(MarkOf(*backend, "erased") != none);
}

// Makes the folder one that a version without these records has left.
void MakeOld(const std::string& folder) {
  {
    duckdb::DatabaseOptions options;
    options.file = folder + "/logs.duckdb";
    const auto database = duckdb::Database::Open(options);
    REQUIRE(database.ok());
    for (const char* table : {"changes", "keys", "clock"}) {
      REQUIRE(duckdb::Run(database->Connect()->get(), absl::StrCat("DROP TABLE logquery.", table)).ok());
    }
  }
  WriteFile(folder + "/FORMAT", "logquery data folder, format 2\n");
}

TEST_CASE("an older folder opens: for reading without marks, for writing with marks that its rows then keep") {
  TemporaryFolder folder;
  { Append(*OpenFolder(folder / "data"), "a"); }
  MakeOld(folder / "data");
  {
    MarkedSink sink;
    PreparedQuery query = Duck("SELECT 1::BIGINT", {{"n", Type::Int64()}});
    REQUIRE(OpenFolder(folder / "data", /*read_only=*/true)->Execute(query, {}, {}, {}, sink).ok());
    CHECK(sink.marks.empty());
  }
  std::string a, b;
  {
    const auto backend = OpenFolder(folder / "data");
    a = MarkOf(*backend, "a");
    b = MarkOf(*backend, "b");
    Append(*backend, "b");
    CHECK(MarkOf(*backend, "a") == a);
    CHECK(MarkOf(*backend, "b") != b);
    const auto findings = backend->Check(/*read_rows=*/true);
    REQUIRE(findings.ok());
    for (const FolderFinding& finding : *findings) CHECK(finding.kind != FolderFinding::Kind::kError);
  }
  CHECK(ReadFile(folder / "data/FORMAT") == "logquery data folder, format 3\n");
  const auto backend = OpenFolder(folder / "data");
  CHECK(MarkOf(*backend, "a") == a);
  // The project's rows from before are gone, so its state must not be the one that it had with them.
  REQUIRE(backend->store().Erase({.project = "a"}).ok());
  CHECK(MarkOf(*backend, "a") != a);
}

TEST_CASE("check finds books of changes that contradict themselves") {
  TemporaryFolder folder;
  { Append(*OpenFolder(folder / "data"), "a"); }
  const auto errors = [&] {
    const auto backend = OpenFolder(folder / "data");
    const auto findings = backend->Check(/*read_rows=*/false);
    REQUIRE(findings.ok());
    std::vector<std::string> found;
    for (const FolderFinding& finding : *findings) {
      if (finding.kind == FolderFinding::Kind::kError) found.push_back(finding.what);
    }
    return found;
  };
  CHECK(errors().empty());
  const auto run = [&](const std::string& sql) {
    duckdb::DatabaseOptions options;
    options.file = folder / "data/logs.duckdb";
    const auto database = duckdb::Database::Open(options);
    REQUIRE(database.ok());
    REQUIRE(duckdb::Run(database->Connect()->get(), sql).ok());
  };
  run("INSERT INTO logquery.changes SELECT * FROM logquery.changes WHERE project = 'a'");
  CHECK(errors() == std::vector<std::string>{"the last change of 1 project of test.logs is recorded twice"});
  run("DELETE FROM logquery.changes WHERE project = 'a'");
  run("INSERT INTO logquery.changes VALUES ('test.logs', 'project', 'a', 17, 'x')");
  CHECK(errors() == std::vector<std::string>{"a project of test.logs has a later change than the table itself"});
}

TEST_CASE("a change of more projects than the books take one by one is of every project") {
  RowChange change;
  CHECK(change.empty());
  change.Add("a");
  change.Add("a");
  change.Add("");
  CHECK(change.projects().size() == 2);
  RowChange other;
  other.Add(std::string(RowChange::kMaxProjectBytes + 1, 'x'));
  CHECK(other.every());
  change.Merge(other);
  CHECK(change.every());
  RowChange many;
  for (size_t i = 0; i <= RowChange::kMaxProjects; ++i) many.Add(absl::StrCat(i));
  CHECK(many.every());
  RowChange unowned;
  unowned.AddUnowned();
  CHECK_FALSE(unowned.empty());
  CHECK(unowned.projects().empty());
  unowned.Add("");
  CHECK(unowned.projects().size() == 1);
  RowChange timed;
  CHECK(timed.EarliestOf("a") == std::nullopt);
  timed.Add("a", 7);
  timed.Add("a", 5);
  timed.Add("a", 6);
  timed.Add("b", 3);
  timed.AddUnowned(2);
  CHECK(timed.EarliestOf("a") == 5);
  CHECK(timed.EarliestOf("b") == 3);
  CHECK(timed.EarliestOf("c") == std::nullopt);
  CHECK(timed.EarliestOf(std::nullopt) == 2);
  timed.Merge(many);  // of every project, at times that are not known
  CHECK(timed.EarliestOf("a") == RowChange::kAnyTime);

  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  Append(*backend, "b");
  const std::string b = MarkOf(*backend, "b");
  Append(*backend, std::string(RowChange::kMaxProjectBytes + 1, 'x'));
  CHECK(MarkOf(*backend, "b") != b);
}

TEST_CASE("names of projects are no SQL") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  for (const std::string project : {"it's", "a'); DROP TABLE logquery.changes; --", "\xF0\x9F\x8C\xB2", "$1", "a\\"}) {
    CAPTURE(project);
    const std::string none = MarkOf(*backend, project);
    const std::string row =
        absl::StrCat(R"({"timestamp":"2026-03-04T05:06:07Z","project":")", project == "a\\" ? "a\\\\" : project, "\"}");
    REQUIRE(backend->store().Append({.table = "test.logs", .rows = {row}}).ok());
    const std::string one = MarkOf(*backend, project);
    CHECK(one != none);
    REQUIRE(backend->store().Append({.table = "test.logs", .rows = {row}}).ok());
    CHECK(MarkOf(*backend, project) != one);
    CHECK(backend->store().Erase({.project = project})->rows == 2);
    CHECK(MarkOf(*backend, project) == none);
  }
}

// ------------------------------------------------------------------------------------------------ kill -9

constexpr int kProjects = 5;

// Appends batch after batch, each of the next project, until it is killed.
TEST_CASE("child: appends rows of projects until it is killed", "[.child]") {
  const std::string root = testing::ChildArgument();
  const auto backend = OpenFolder(root + "data");
  WriteFile(root + "started", "");
  for (int i = 0;; ++i) {
    const std::string row =
        absl::StrCat("{\"timestamp\":1774915200000000,\"i\":", i, ",\"project\":\"p", i % kProjects, "\"}");
    backend->store().Append({.table = "test.logs", .rows = {row}, .batch = absl::StrCat(i)}).IgnoreError();
  }
}

void KillAndCompare(int times) {
  for (int round = 0; round < times; ++round) {
    CAPTURE(round);
    TemporaryFolder folder;
    const pid_t child = testing::StartChild("child: appends rows of projects until it is killed", folder / "");
    while (!std::filesystem::exists(folder / "started")) absl::SleepFor(absl::Milliseconds(1));
    absl::SleepFor(absl::Milliseconds(20 + round * 37 % 250));
    kill(child, SIGKILL);
    REQUIRE(testing::AwaitChild(child) == -SIGKILL);
    const auto backend = OpenFolder(folder / "data");
    const auto number = [&](const std::string& sql) { return SelectValue(*backend, sql, Type::Int64()).int64_value(); };
    // Batch i was change i + 1: of the table, and of the project that it was the last one of.
    CHECK(number("SELECT number FROM logquery.changes WHERE kind = 'table' AND table_name = 'test.logs'") ==
          CountRows(*backend));
    CHECK(number("SELECT count(*) FROM (SELECT project, max(i) + 1 AS last FROM \"test.logs\" GROUP BY project) AS l"
                 " FULL JOIN (SELECT project, number FROM logquery.changes WHERE kind = 'project') AS c USING (project)"
                 " WHERE last IS DISTINCT FROM number") == 0);
  }
}

TEST_CASE("kill -9 while rows come in: each project's number is that of its last rows") { KillAndCompare(3); }

TEST_CASE("kill -9 at many moments of loading: each project's number is that of its last rows", "[nightly]") {
  KillAndCompare(100);
}

}  // namespace
}  // namespace logquery::store
