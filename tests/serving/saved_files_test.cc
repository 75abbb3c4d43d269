// The files of saved queries: what people write wrongly, limits, several writers, and disks and folders that fail.
#include <sys/resource.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "logquery/serving/saved_queries.h"
#include "tests/serving/saved_fixture.h"
#include "tests/support/child_process.h"

namespace logquery {
namespace {

namespace fs = std::filesystem;
using testing::kCount;
using testing::kErrors;
using testing::McpFixture;
using testing::MessageOf;
using testing::Of;
using testing::ReadText;
using testing::Replace;
using Fixture = testing::SavedFixture;

TEST_CASE("a file that was edited wrongly is skipped, and the log names it with the place") {
  Fixture f;
  const Principal ann = Of("ann", "abc");
  REQUIRE(f.Save(ann, "wrong", kCount).ok());
  REQUIRE(f.Save(ann, "wrong", kErrors, 1).ok());
  REQUIRE(f.Save(ann, "right", kCount).ok());
  const std::string path = f.file("projects/abc/wrong.json");
  const std::string good = ReadText(path);
  struct Case {
    std::string from, to, told;
  };
  const Case cases[] = {
      {"\"revision\": 2", "\"revision\": two", "wrong.json: not JSON at line 4, column"},
      {"\"revision\": 2", "\"revision\": \"2\"", "wrong.json at line 4, column 3: revision must be"},
      {"\"endpoint\"", "\"endpont\"", "endpoint is missing"},
      {"\"description\"", "\"descripton\"", "at line 10, column 3: descripton"},
      {"\"revision\": 1", "\"revision\": 9", "at line 12, column 3: former[0].revision must be less"},
      {"\"name\": \"wrong\"", "\"name\": \"right\"", "name and project must be those of the file"},
      {"\"project\": \"abc\"", "\"project\": \"xyz\"", "name and project must be those of the file"},
      {"2026-03", "2026-13", "saved_at must be a time such as"},
      {good, "", "wrong.json"},
      {good, "[]", "must be an object"},
      {good, std::string(600 << 10, ' '), "is longer than"},
  };
  std::string end;
  for (const Case& c : cases) {
    CAPTURE(c.from, c.to.size());
    std::ofstream(path) << good;
    Replace(path, c.from, c.to);
    // Each has another length, so that a file system with coarse times shows the change.
    std::ofstream(path, std::ios::app) << (end += "\n");
    f.log.clear();
    CHECK(f.Names(ann) == std::vector<std::string>{"abc/right"});
    INFO(f.log);
    CHECK(absl::StartsWith(f.log, "warning: a saved query is skipped: " + f.folder()));
    CHECK(absl::StrContains(f.log, c.told));
    // A list that comes again does not say it again.
    f.log.clear();
    CHECK(f.Names(ann) == std::vector<std::string>{"abc/right"});
    CHECK(f.log.empty());
    // Nobody's work is overwritten, and callers are told no path.
    const absl::Status refused = f.Save(ann, "wrong", kCount, 2).status();
    CHECK(absl::IsAborted(refused));
    CHECK(MessageOf(refused) ==
          "the file of the saved query \"wrong\" was changed by hand and is wrong; the server's log says where");
    CHECK(absl::IsAborted(f.saved->Get(ann, {.name = "wrong"}, {}).status()));
  }
  std::ofstream(path) << good;
  CHECK(f.Names(ann) == std::vector<std::string>{"abc/right", "abc/wrong"});

  // Files that are no saved queries are not listed.
  std::ofstream(f.file("projects/abc/.hidden.json")) << "{";
  std::ofstream(f.file("projects/abc/notes.txt")) << "x";
  std::ofstream(f.file("projects/abc/a+b.json")) << good;
  fs::create_directory(f.file("projects/abc/folder.json"));
  f.log.clear();
  CHECK(f.Names(ann) == std::vector<std::string>{"abc/right", "abc/wrong"});
  CHECK(absl::StrContains(f.log, "a+b.json has a name that no saved query may have"));
  CHECK(absl::StrContains(f.log, "folder.json is not a plain file"));
  CHECK_FALSE(absl::StrContains(f.log, "notes.txt"));
}

TEST_CASE("revisions, queries and bytes are limited, for a project and for all") {
  SavedQueriesOptions limits;
  limits.max_revisions = 3;
  limits.max_project_queries = 2;
  limits.max_queries = 5;
  Fixture f(limits);
  const Principal ann = Of("ann", "abc"), eve = Of("eve", "xyz"), root = Of("root", std::nullopt);
  for (int64_t i = 0; i < 5; ++i) {
    REQUIRE(f.Save(ann, "q", kCount, i == 0 ? std::nullopt : std::make_optional(i)).ok());
  }
  CHECK(f.saved->Get(ann, {.name = "q"}, {})->kept.size() == 3);
  CHECK(MessageOf(f.saved->Get(ann, {.name = "q"}, 2).status()) == "the saved query \"q\" has no revision 2 any more");
  REQUIRE(f.Save(ann, "r", kCount).ok());
  const absl::Status full = f.Save(ann, "s", kCount).status();
  CHECK(absl::IsAborted(full));
  CHECK(MessageOf(full) == "the project has 2 saved queries, as many as it may have; delete some first");
  // Changes, and queries in place of deleted ones, need no further place; the oldest deleted ones make it.
  CHECK(f.Save(ann, "r", kErrors, 1).ok());
  for (const char* name : {"s", "t", "u", "v"}) {
    const std::string last = f.Names(ann).back().substr(4);
    REQUIRE(f.saved->Delete(ann, {.name = last}, {}).ok());
    REQUIRE(f.Save(ann, name, kCount).ok());
  }
  CHECK(f.Names(ann).size() == 2);
  int64_t files = 0;
  for (const auto& entry : fs::directory_iterator(f.file("projects/abc"))) files += entry.path().extension() == ".json";
  CHECK(files == 4);
  REQUIRE(f.Save(eve, "q", kCount).ok());
  const absl::Status total = f.Save(root, "q", kCount).status();
  CHECK(absl::IsAborted(total));
  CHECK(absl::StrContains(total.message(), "the saved queries of all projects would be 6 of "));
  CHECK(f.saved->Delete(eve, {.name = "q"}, {}).ok());
}

TEST_CASE("long texts leave no room for many revisions") {
  SavedQueriesOptions limits;
  limits.max_file_bytes = 10'000;
  limits.max_project_bytes = 15'000;
  Fixture f(limits);
  const Principal ann = Of("ann", "abc");
  const std::string sql = std::string(4'000, ' ') + kCount;
  for (int64_t i = 0; i < 5; ++i) {
    REQUIRE(f.Save(ann, "q", sql, i == 0 ? std::nullopt : std::make_optional(i)).ok());
  }
  CHECK(f.saved->Get(ann, {.name = "q"}, {})->kept.size() == 2);
  CHECK(fs::file_size(f.file("projects/abc/q.json")) <= 10'000);
  CHECK(absl::IsInvalidArgument(f.Save(ann, "long", std::string(10'000, ' ') + kCount).status()));
  REQUIRE(f.Save(ann, "r", sql).ok());
  const absl::Status full = f.Save(ann, "s", std::string(6'000, ' ') + kCount).status();
  CHECK(absl::IsAborted(full));
  CHECK(absl::StrContains(full.message(), "15000 are allowed; delete some first"));
}

TEST_CASE("one of two writers at a time wins each revision, also in two processes") {
  Fixture f;
  const Principal ann = Of("ann", "abc");
  REQUIRE(f.Save(ann, "q", kCount).ok());
  const std::unique_ptr<SavedQueries> other = f.Open();
  // The assertions of Catch2 belong to the test's own thread.
  const auto write = [&](SavedQueries& saved, bool& as_expected) {
    as_expected = true;
    for (int won = 0; won < 20 && as_expected;) {
      const auto now = saved.Get(ann, {.name = "q"}, {});
      const SavedDraft draft{.endpoint = "logs.all", .sql = now.ok() ? now->sql + " " : ""};
      const auto next = saved.Save(ann, {.name = "q"}, draft, now.ok() ? now->revision : 0);
      if (next.ok()) ++won;
      as_expected = next.ok() || absl::IsAborted(next.status());
    }
  };
  bool mine = false, others = false;
  std::thread second([&] { write(*other, others); });
  write(*f.saved, mine);
  second.join();
  CHECK(mine);
  CHECK(others);
  // No change is lost: each has added a space.
  const auto end = f.saved->Get(ann, {.name = "q"}, {});
  CHECK(end->revision == 41);
  CHECK(end->sql == kCount + std::string(40, ' '));
}

// A limit of file sizes is what a full disk is.
TEST_CASE("child: saved queries on a full disk", "[.child]") {
  Fixture f;
  const Principal ann = Of("ann", "abc");
  REQUIRE(f.Save(ann, "q", kCount).ok());
  signal(SIGXFSZ, SIG_IGN);
  const rlimit limit = {100, RLIM_INFINITY};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  for (const auto& revision : {std::optional<int64_t>(1), std::optional<int64_t>()}) {
    const absl::Status full = f.Save(ann, revision ? "q" : "new", kErrors, revision).status();
    CHECK(absl::IsUnavailable(full));
    CHECK(MessageOf(full) == "saved queries can't be written now; the server's log says why");
  }
  CHECK(absl::IsUnavailable(f.saved->Delete(ann, {.name = "q"}, {})));
  const rlimit no_limit = {RLIM_INFINITY, RLIM_INFINITY};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &no_limit) == 0);
  CHECK(absl::StrContains(f.log, "error: a saved query was not written: can't write " + f.folder()));
  CHECK(absl::StrContains(f.log, "File too large"));
  CHECK(f.saved->Get(ann, {.name = "q"}, {})->sql == kCount);
  CHECK(f.Names(ann) == std::vector<std::string>{"abc/q"});
  // No half file stays.
  for (const auto& entry : fs::directory_iterator(f.file("projects/abc"))) CHECK(entry.path().filename() == "q.json");
  CHECK(f.Save(ann, "q", kErrors, 1).ok());
}

TEST_CASE("a full disk leaves every saved query as it was, and is told without a path") {
  CHECK(testing::RunInChild("child: saved queries on a full disk", "") == 0);
}

TEST_CASE("a folder that cannot be written or read is an error that goes away with its cause") {
  Fixture f;
  const Principal ann = Of("ann", "abc"), root = Of("root", std::nullopt);
  REQUIRE(f.Save(root, "q", kCount).ok());
  // A file in the folder's place is an error for every user, also for root.
  fs::rename(f.file("shared"), f.file("away"));
  std::ofstream(f.file("shared")) << "x";
  CHECK(absl::IsUnavailable(f.Save(root, "q", kErrors).status()));
  const absl::Status unread = f.saved->List(ann, {}).status();
  CHECK(absl::IsUnavailable(unread));
  CHECK_FALSE(absl::StrContains(unread.message(), f.folder()));
  CHECK(absl::StrContains(f.log, "error: saved queries can't be read: "));
  fs::remove(f.file("shared"));
  fs::rename(f.file("away"), f.file("shared"));
  CHECK(f.Names(ann) == std::vector<std::string>{"shared/q"});
  // The folder itself is removed while the server runs.
  fs::remove_all(f.folder());
  CHECK(absl::IsUnavailable(f.Save(ann, "q", kCount).status()));
  CHECK(absl::IsUnavailable(f.saved->List(root, {}).status()));
}

TEST_CASE("what a killed writer left is removed at the next start") {
  Fixture f;
  const Principal ann = Of("ann", "abc");
  REQUIRE(f.Save(ann, "q", kCount).ok());
  std::ofstream(f.file("projects/abc/.saved.Xy12ab")) << "{\"na";
  CHECK(f.Names(ann) == std::vector<std::string>{"abc/q"});
  f.saved = f.Open();
  CHECK_FALSE(fs::exists(f.file("projects/abc/.saved.Xy12ab")));
  CHECK(f.Names(ann) == std::vector<std::string>{"abc/q"});
}

TEST_CASE("a folder in the wrong place, and wrong limits, are refused at the start") {
  McpFixture server;
  const auto open = [&](const std::string& folder) {
    return SavedQueries::Open({.folder = folder, .service = server.service.get()}).status();
  };
  CHECK(absl::IsNotFound(open(server.folder + "/no/such")));
  std::ofstream(server.folder + "/file") << "x";
  CHECK(absl::IsFailedPrecondition(open(server.folder + "/file")));
  CHECK(absl::IsInvalidArgument(open("")));
  CHECK(absl::IsInvalidArgument(SavedQueries::Open({.folder = server.folder}).status()));
  CHECK(absl::IsInvalidArgument(
      SavedQueries::Open({.folder = server.folder, .service = server.service.get(), .max_revisions = 0}).status()));
  CHECK(open(server.folder + "/new").ok());
}

}  // namespace
}  // namespace logquery
