// A process may be killed in the middle of any write to the database: nothing is lost.
//
// This program's own pwrite() stands before the system's, also for the engine. In a child process it cuts a chosen write to the
// database off in the middle, as the kernel does with a process that is killed then, and kills the process.
#include "lib/store/folder/rollback_journal.h"

#include <grp.h>
#include <limits.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "logquery/store/folder_check.h"
#include "tests/store/folder_test_util.h"
#include "tests/support/child_process.h"

namespace {

constexpr size_t kBlock = 262'144;
constexpr size_t kPage = 4096;

std::atomic<int> writes_left{-1};  // until the one that is cut off; negative: none is

bool IsDatabase(int fd) {
  char name[PATH_MAX];
  const ssize_t size = readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), name, sizeof(name));
  return size > 0 && absl::EndsWith(std::string(name, static_cast<size_t>(size)), "/logs.duckdb");
}

}  // namespace

extern "C" ssize_t pwrite(int fd, const void* data, size_t size, off_t offset) {
  if (size >= kBlock && writes_left.load() >= 0 && IsDatabase(fd) && writes_left.fetch_sub(1) == 0) {
    syscall(SYS_pwrite64, fd, data, kPage, offset);
    kill(getpid(), SIGKILL);
  }
  return syscall(SYS_pwrite64, fd, data, size, offset);
}

namespace logquery::store {
namespace {

// Midnight, 2026-03-31.
const absl::Time kNow = absl::FromUnixSeconds(1'774'915'200);
constexpr int kBatch = 50;
constexpr int kDays = 4;

std::vector<std::string> RowsOfDay(int day) {
  std::vector<std::string> rows;
  for (int i = 0; i < kBatch; ++i) {
    const absl::Time time = kNow + absl::Hours(24 * day) + absl::Seconds(i);
    rows.push_back("{\"timestamp\":" + std::to_string(absl::ToUnixMicros(time)) + ",\"i\":" + std::to_string(day) +
                   "}");
  }
  return rows;
}

// Its argument is "FOLDER WRITES": the write after so many others is cut off.
TEST_CASE("child: appends, removes and rewrites until a write is cut off", "[.child]") {
  const std::vector<std::string> arguments = absl::StrSplit(testing::ChildArgument(), ' ');
  int writes = 0;
  REQUIRE(absl::SimpleAtoi(arguments.at(1), &writes));
  writes_left = writes;
  const auto backend = OpenFolder(arguments[0] + "/data");
  std::ofstream acknowledged(arguments[0] + "/acknowledged", std::ios::app);
  for (int day = 0; day < kDays; ++day) {
    const std::vector<std::string> texts = RowsOfDay(day);
    const std::vector<std::string_view> rows(texts.begin(), texts.end());
    REQUIRE(backend->store().Append({.table = "test.logs", .rows = rows, .batch = std::to_string(day)}).ok());
    acknowledged << day << '\n' << std::flush;
    REQUIRE(backend->store().Checkpoint().ok());
    if (day == 2) {
      REQUIRE(backend->store().Cluster({.now = kNow + absl::Hours(24 * day)}).ok());
      const RetentionRule rule{.table = "test.logs", .max_age = absl::Hours(24)};
      REQUIRE(backend->store()
                  .Retain({.rules = {rule}, .now = kNow + absl::Hours(24 * day), .clock_is_confirmed = true})
                  .ok());
    }
  }
}

int RunUntilCut(const std::string& folder, int writes) {
  return testing::RunInChild("child: appends, removes and rewrites until a write is cut off",
                             folder + " " + std::to_string(writes));
}

// Each day has all of its rows or none; an acknowledged one has all unless retention may have removed it.
void CheckRows(DuckDbBackend& backend, const std::string& acknowledged) {
  const auto number = [&](const std::string& sql) { return SelectValue(backend, sql, Type::Int64()).int64_value(); };
  const std::string days = R"((SELECT i, count(*) AS n FROM "test.logs" GROUP BY i))";
  CHECK(number("SELECT count(*) FROM " + days + " WHERE n <> " + std::to_string(kBatch)) == 0);
  std::ifstream file(acknowledged);
  for (int day = 0; file >> day;) {
    CAPTURE(day);
    if (day >= 1) CHECK(number("SELECT count(*) FROM \"test.logs\" WHERE i = " + std::to_string(day)) == kBatch);
  }
  const auto findings = backend.Check(/*read_rows=*/true);
  REQUIRE(findings.ok());
  for (const FolderFinding& finding : *findings) CHECK(finding.kind != FolderFinding::Kind::kError);
}

bool OpensWithoutJournal(const std::string& folder) {
  std::filesystem::copy(folder + "/data", folder + "/copy", std::filesystem::copy_options::recursive);
  std::filesystem::remove(folder + "/copy/logs.duckdb.rollback");
  const absl::Status status = OpenStatus(folder + "/copy");
  CHECK((status.ok() || absl::IsDataLoss(status)));
  return status.ok();
}

TEST_CASE("any write of the engine can be cut off without a loss; without the journal the folder can't be opened") {
  int cuts = 0, needed = 0;
  for (;; ++cuts) {
    CAPTURE(cuts);
    TemporaryFolder folder;
    const int ended = RunUntilCut(folder / "", cuts);
    if (ended == 0) break;
    REQUIRE(ended == -SIGKILL);
    if (needed == 0 && !OpensWithoutJournal(folder / "")) ++needed;
    CheckRows(*OpenFolder(folder / "data"), folder / "acknowledged");
  }
  CHECK(cuts > 10);
  // The journal may be taken out when an engine writes nothing over.
  CHECK(needed > 0);
}

// Returns the path in `folder` of a data folder whose database can't be opened without the journal.
std::string Damaged(const TemporaryFolder& folder) {
  static const std::unique_ptr<TemporaryFolder> made = [] {
    for (int writes = 0;; ++writes) {
      auto one = std::make_unique<TemporaryFolder>();
      REQUIRE(RunUntilCut(*one / "", writes) == -SIGKILL);
      if (!OpensWithoutJournal(*one / "")) return one;
    }
  }();
  std::filesystem::copy(*made / "", folder / "damaged", std::filesystem::copy_options::recursive);
  return folder / "damaged";
}

TEST_CASE("child: opens the folder, and its first write of a block is cut off", "[.child]") {
  writes_left = 0;
  OpenFolder(testing::ChildArgument());
}

TEST_CASE("the next opening puts the blocks back, also one for reading, and also after a kill in the middle of that") {
  TemporaryFolder folder;
  const std::string damaged = Damaged(folder);
  const std::string file = damaged + "/data/logs.duckdb";

  SECTION("for reading") { CheckRows(*OpenFolder(damaged + "/data", /*read_only=*/true), damaged + "/acknowledged"); }
  SECTION("by a check that changes nothing else") {
    const auto findings = CheckFolder({damaged + "/data", kTestSchema});
    REQUIRE(findings.ok());
    for (const FolderFinding& finding : *findings) CHECK(finding.kind != FolderFinding::Kind::kError);
  }
  SECTION("after a process that was killed while it put them back") {
    REQUIRE(testing::RunInChild("child: opens the folder, and its first write of a block is cut off",
                                damaged + "/data") == -SIGKILL);
    CheckRows(*OpenFolder(damaged + "/data"), damaged + "/acknowledged");
  }
  SECTION("not by a process without the right to write, which says what to do") {
    const absl::Status status = RollbackJournal::PutBack(file, /*can_write=*/false);
    CHECK(absl::IsFailedPrecondition(status));
    CHECK(absl::StrContains(status.message(), "open the folder once with the right to write"));
    CHECK(RollbackJournal::PutBack(file, /*can_write=*/true).ok());
    CHECK(RollbackJournal::PutBack(file, /*can_write=*/false).ok());
  }
}

TEST_CASE("a journal that is another file's, older, damaged or no journal changes nothing") {
  TemporaryFolder folder;
  const std::string damaged = Damaged(folder);
  const std::string file = damaged + "/data/logs.duckdb";
  const std::string journal = ReadFile(file + ".rollback");
  const std::string database = ReadFile(file);
  std::string text = journal;
  SECTION("of a database with another name") { text[100] = static_cast<char>(~text[100]); }
  SECTION("of an older state") { text[28 + 16 + 4096 + 8] = static_cast<char>(~text[28 + 16 + 4096 + 8]); }
  SECTION("cut short") { text.resize(text.size() - 1); }
  SECTION("with more blocks than there are") { text[28 + 8] = '\x7f'; }
  SECTION("with blocks of no bytes") { text.replace(28, 8, 8, '\0'); }
  SECTION("empty") { text.clear(); }
  SECTION("of another version") { text[0] = 'L'; }
  REQUIRE(text != journal);
  WriteFile(file + ".rollback", text);
  CHECK(RollbackJournal::PutBack(file, /*can_write=*/true).ok());
  CHECK(ReadFile(file) == database);
}

constexpr uid_t kNobody = 65534;

// Modes do not hold for root. A process that waits for a lock of its own is ended by the alarm.
TEST_CASE("child: reads a folder whose files it may not write", "[.child]") {
  constexpr unsigned kPatienceSeconds = 60;
  alarm(kPatienceSeconds);
  if (geteuid() == 0) {
    REQUIRE(setgroups(0, nullptr) == 0);
    REQUIRE(setuid(kNobody) == 0);
  }
  const auto backend = OpenFolder(testing::ChildArgument(), /*read_only=*/true);
  CHECK(SelectValue(*backend, R"(SELECT count(*) FROM "test.logs")", Type::Int64()).int64_value() == kBatch);
}

TEST_CASE("a folder with a journal is read by a process that may write none of its files") {
  namespace fs = std::filesystem;
  TemporaryFolder folder;
  const std::string data = folder / "data";
  {
    const std::vector<std::string> texts = RowsOfDay(0);
    const auto backend = OpenFolder(data);
    REQUIRE(backend->store().Append({.table = "test.logs", .rows = {texts.begin(), texts.end()}, .batch = "0"}).ok());
  }
  REQUIRE(fs::exists(data + "/logs.duckdb.rollback"));
  bool folder_is_writable = false;
  SECTION("nor the folder") {}
  SECTION("but the folder") { folder_is_writable = true; }
  std::vector<std::string> paths = {folder / "", data};
  for (const auto& entry : fs::recursive_directory_iterator(data)) paths.push_back(entry.path());
  for (const std::string& path : paths) {
    if (geteuid() == 0) REQUIRE(chown(path.c_str(), kNobody, static_cast<gid_t>(-1)) == 0);
    if (!fs::is_directory(path) || !folder_is_writable) {
      fs::permissions(path, fs::perms::owner_write, fs::perm_options::remove);
    }
  }
  CHECK(testing::RunInChild("child: reads a folder whose files it may not write", data) == 0);
  for (const std::string& path : paths) fs::permissions(path, fs::perms::owner_write, fs::perm_options::add);
}

TEST_CASE("a journal that is a symbolic link is not followed") {
  TemporaryFolder folder;
  OpenFolder(folder / "data");
  std::filesystem::rename(folder / "data/logs.duckdb.rollback", folder / "elsewhere");
  std::filesystem::create_symlink(folder / "elsewhere", folder / "data/logs.duckdb.rollback");
  CHECK(absl::IsFailedPrecondition(OpenStatus(folder / "data")));
}

TEST_CASE("a folder that an older version has written gets a journal at its first opening") {
  TemporaryFolder folder;
  OpenFolder(folder / "data");
  std::filesystem::remove(folder / "data/logs.duckdb.rollback");
  OpenFolder(folder / "data");
  CHECK(std::filesystem::exists(folder / "data/logs.duckdb.rollback"));
}

}  // namespace
}  // namespace logquery::store
