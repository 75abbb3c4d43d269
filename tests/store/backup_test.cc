// Backups: taken of a folder at rest and in use, brought back, and refused where they are not whole.
#include "logquery/store/backup.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_replace.h"
#include "absl/time/clock.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/store/folder/backup_manifest.h"
#include "lib/store/folder/folder_files.h"
#include "tests/store/folder_test_util.h"
#include "tests/support/child_process.h"

namespace logquery::store {
namespace {

namespace fs = std::filesystem;
using testing::ChildArgument;

BackupReport BackUp(DuckDbBackend& backend, const std::string& target) {
  const auto report = backend.Backup({target});
  INFO(report.status().ToString());
  REQUIRE(report.ok());
  return *report;
}

RestoreReport Restore(const std::string& backup, const std::string& folder) {
  const auto report = RestoreBackup({backup, folder});
  INFO(report.status().ToString());
  REQUIRE(report.ok());
  return *report;
}

// `rows` rows that the file alone has, and one that is rejected.
std::string FileOf(const TemporaryFolder& folder, int number, int rows) {
  std::string text;
  for (int i = 0; i < rows; ++i) text += Row("\"i\":" + std::to_string(number)) + "\n";
  return WriteFile(folder / ("file" + std::to_string(number)), text + "rejected " + std::to_string(number) + "\n");
}

std::vector<std::string> NamesIn(const std::string& path) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(path)) names.push_back(fs::relative(entry.path(), path));
  std::sort(names.begin(), names.end());
  return names;
}

TEST_CASE("a backup has the rows and the rejected rows, and restores to a working folder") {
  TemporaryFolder folder;
  const std::string file = FileOf(folder, 1, 3);
  {
    const auto backend = OpenFolder(folder / "data");
    Load(*backend, {.table = "test.logs", .files = {file}});
    const BackupReport report = BackUp(*backend, folder / "backup");
    CHECK(report.rows == 3);
    CHECK(report.files >= 3);  // the database, rejected rows and their reasons
    CHECK(report.held <= report.time);
    Load(*backend, {.table = "test.logs", .files = {FileOf(folder, 2, 5)}});
  }
  const RestoreReport restored = Restore(folder / "backup", folder / "restored");
  CHECK(restored.rows == 3);
  CHECK(absl::AbsDuration(absl::Now() - restored.made_at) < absl::Hours(1));
  const auto backend = OpenFolder(folder / "restored");
  CHECK(CountRows(*backend) == 3);
  CHECK(Load(*backend, {.table = "test.logs", .files = {file}}).files_skipped.size() == 1);
  CHECK(Load(*backend, {.table = "test.logs", .files = {folder / "file2"}}).rows == 5);
  for (const auto& entry : fs::directory_iterator(folder / "data/rejected")) {
    CAPTURE(entry.path());
    CHECK(ReadFile(entry.path()) == ReadFile(folder / "restored/rejected/" + entry.path().filename().string()));
  }
  struct stat info;
  REQUIRE(stat((folder / "backup").c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0700);
}

TEST_CASE("a folder that is open for reading is backed up as well") {
  TemporaryFolder folder;
  Load(*OpenFolder(folder / "data"), {.table = "test.logs", .files = {FileOf(folder, 1, 4)}});
  const auto reader = OpenFolder(folder / "data", /*read_only=*/true);
  CHECK(BackUp(*reader, folder / "backup").rows == 4);
  CHECK(CountRows(*reader) == 4);
  fs::create_directory(folder / "restored");  // an empty one will do
  CHECK(Restore(folder / "backup", folder / "restored").rows == 4);
}

TEST_CASE("an empty folder has a backup too, a database in memory none") {
  TemporaryFolder folder;
  CHECK(BackUp(*OpenFolder(folder / "data"), folder / "backup").rows == 0);
  Restore(folder / "backup", folder / "restored");
  CHECK(CountRows(*OpenFolder(folder / "restored", /*read_only=*/true)) == 0);
  CHECK(OpenInMemory()->Backup({folder / "none"}).status().code() == absl::StatusCode::kUnimplemented);
}

TEST_CASE("a backup during loading has a prefix of the files, each complete, with its rejected rows") {
  constexpr int kFiles = 40;
  constexpr int kRows = 300;
  constexpr int kBackups = 4;
  TemporaryFolder folder;
  std::vector<int64_t> rows;
  {
    const auto backend = OpenFolder(folder / "data");
    absl::Status loaded;  // checks are this thread's alone
    std::thread loader([&] {
      for (int i = 1; i <= kFiles && loaded.ok(); ++i) {
        loaded = backend->store().Load({.table = "test.logs", .files = {FileOf(folder, i, kRows)}}, nullptr).status();
      }
    });
    for (int i = 0; i < kBackups; ++i) rows.push_back(BackUp(*backend, folder / ("backup" + std::to_string(i))).rows);
    loader.join();
    INFO(loaded.ToString());
    REQUIRE(loaded.ok());
    rows.push_back(BackUp(*backend, folder / ("backup" + std::to_string(kBackups))).rows);
  }
  CHECK(std::is_sorted(rows.begin(), rows.end()));
  CHECK(rows.back() == int64_t{kFiles} * kRows);
  for (size_t i = 0; i < rows.size(); ++i) {
    CAPTURE(i);
    const std::string restored = folder / ("restored" + std::to_string(i));
    Restore(folder / ("backup" + std::to_string(i)), restored);
    const auto backend = OpenFolder(restored, /*read_only=*/true);
    const auto number = [&](const char* sql) { return SelectValue(*backend, sql, Type::Int64()).int64_value(); };
    // Rows of file N have i = N.
    const int64_t files = number(R"(SELECT count(DISTINCT i) FROM "test.logs")");
    CHECK(number(R"(SELECT coalesce(max(i), 0) FROM "test.logs")") == files);
    CHECK(number("SELECT count(*) FROM logquery.loads") == files);
    CHECK(CountRows(*backend) == files * kRows);
    CHECK(CountRows(*backend) == rows[i]);
    CHECK(NamesIn(restored + "/rejected").size() == static_cast<size_t>(2 * files));
  }
}

TEST_CASE("child: the database's file is locked", "[.child]") {
  duckdb::DatabaseOptions options;
  options.file = ChildArgument();
  CHECK(duckdb::Database::Open(options).status().code() == absl::StatusCode::kFailedPrecondition);
}

TEST_CASE("a backup leaves the engine's lock on its file") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  BackUp(*backend, folder / "first");
  BackUp(*backend, folder / "second");
  CHECK(testing::RunInChild("child: the database's file is locked", folder / "data/logs.duckdb") == 0);
}

TEST_CASE("a non-empty target is rejected and unchanged") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  BackUp(*backend, folder / "backup");
  fs::create_directory(folder / "foreign");
  WriteFile(folder / "foreign/notes", "mine");
  WriteFile(folder / "file", "mine");
  struct Case {
    const char* target;
    absl::StatusCode code;
    const char* says;
  };
  for (const Case& c : {Case{"backup", absl::StatusCode::kFailedPrecondition, "holds a backup already"},
                        Case{"foreign", absl::StatusCode::kFailedPrecondition, "is not empty"},
                        Case{"data", absl::StatusCode::kFailedPrecondition, "is not empty"},
                        Case{"file", absl::StatusCode::kNotFound, "Not a directory"},
                        Case{"absent/backup", absl::StatusCode::kNotFound, "absent to put the backup"}}) {
    CAPTURE(c.target);
    const absl::Status status = backend->Backup({folder / c.target}).status();
    CAPTURE(status.ToString());
    CHECK(status.code() == c.code);
    CHECK(absl::StrContains(status.message(), c.says));
  }
  CHECK(NamesIn(folder / "foreign") == std::vector<std::string>{"notes"});
  CHECK(Restore(folder / "backup", folder / "restored").rows == 0);
}

TEST_CASE("a backup that is cancelled leaves nothing, and one that was killed is begun again") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  Load(*backend, {.table = "test.logs", .files = {FileOf(folder, 1, 4)}});
  CancellationSource source;
  source.Cancel();
  CHECK(backend->Backup({folder / "backup", source.token()}).status().code() == absl::StatusCode::kCancelled);
  CHECK_FALSE(fs::exists(folder / "backup"));

  // A backup that kill -9 ended leaves these files.
  fs::create_directories(folder / "backup/rejected");
  for (const char* name : {"UNFINISHED", "logs.duckdb", "logs.duckdb.wal", "rejected/test.logs.1.ndjson"}) {
    WriteFile(folder / "backup/" + name, "half");
  }
  CHECK(RestoreBackup({folder / "backup", folder / "restored"}).status().code() == absl::StatusCode::kNotFound);
  CHECK_FALSE(fs::exists(folder / "restored"));
  CHECK(BackUp(*backend, folder / "backup").rows == 4);
  CHECK_FALSE(fs::exists(folder / "backup/UNFINISHED"));
  CHECK(Restore(folder / "backup", folder / "restored").rows == 4);
}

TEST_CASE("a damaged backup is not restored, and the error names the damage") {
  TemporaryFolder folder;
  {
    const auto backend = OpenFolder(folder / "data");
    Load(*backend, {.table = "test.logs", .files = {FileOf(folder, 1, 100)}});
    REQUIRE(backend->store().Checkpoint().ok());
    BackUp(*backend, folder / "backup");
  }
  const std::string manifest = ReadFile(folder / "backup/MANIFEST.json");
  const auto replaced = [&](const char* from, const char* to) {
    const std::string text = absl::StrReplaceAll(manifest, {{from, to}});
    REQUIRE(text != manifest);
    return text;
  };
  struct Case {
    const char* what;
    std::string file;
    std::string text;
    absl::StatusCode code;
    const char* says;
  };
  std::string flipped = ReadFile(folder / "backup/logs.duckdb");
  flipped[flipped.size() / 2] ^= 1;
  const Case cases[] = {
      {"a bit flipped", "logs.duckdb", flipped, absl::StatusCode::kDataLoss, "logs.duckdb has the SHA-256"},
      {"cut", "logs.duckdb", flipped.substr(1), absl::StatusCode::kDataLoss, "its manifest says"},
      {"no JSON", kManifestName, "{", absl::StatusCode::kDataLoss, "line 1"},
      {"no object", kManifestName, "[]", absl::StatusCode::kDataLoss, "no object"},
      {"nothing", kManifestName, "{}", absl::StatusCode::kDataLoss, "logquery_backup"},
      {"other rows", kManifestName, replaced("\"rows\": 100", "\"rows\": 99"), absl::StatusCode::kDataLoss,
       "other rows"},
      {"a name that leads out", kManifestName, replaced("logs.duckdb", "../logs.duckdb"), absl::StatusCode::kDataLoss,
       "no file \"../logs.duckdb\""},
      {"a file that is not there", kManifestName, replaced("rejected/test", "rejected/gone"),
       absl::StatusCode::kDataLoss, "is not there"},
      {"a later backup", kManifestName, replaced("\"logquery_backup\": 1", "\"logquery_backup\": 2"),
       absl::StatusCode::kFailedPrecondition, "its format is 2"},
      {"a later folder", kManifestName, replaced("\"folder_format\": 3", "\"folder_format\": 9"),
       absl::StatusCode::kFailedPrecondition, "a newer logquery"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const std::string was = ReadFile(folder / "backup/" + c.file);
    WriteFile(folder / "backup/" + c.file, c.text);
    const absl::Status status = RestoreBackup({folder / "backup", folder / "restored"}).status();
    CAPTURE(status.ToString());
    CHECK(status.code() == c.code);
    CHECK(absl::StrContains(status.message(), c.says));
    if (fs::exists(folder / "restored")) CHECK(NamesIn(folder / "restored").empty());
    WriteFile(folder / "backup/" + c.file, was);
  }
  CHECK(Restore(folder / "backup", folder / "restored").rows == 100);
}

TEST_CASE("a backup is restored into a new folder only, and one that was killed is begun again") {
  TemporaryFolder folder;
  BackUp(*OpenFolder(folder / "data"), folder / "backup");
  const auto refused = [&](const char* into) {
    const absl::Status status = RestoreBackup({folder / "backup", folder / into}).status();
    INFO(status.ToString());
    return status.code() == absl::StatusCode::kFailedPrecondition && absl::StrContains(status.message(), "not empty");
  };
  CHECK(refused("data"));
  CHECK(CountRows(*OpenFolder(folder / "data")) == 0);
  fs::create_directory(folder / "foreign");
  WriteFile(folder / "foreign/notes", "mine");
  CHECK(refused("foreign"));
  CHECK(NamesIn(folder / "foreign") == std::vector<std::string>{"notes"});

  // A restore that kill -9 ended leaves a folder that nothing opens, but a restore into it.
  fs::create_directories(folder / "restored/rejected");
  WriteFile(folder / "restored/FORMAT", "logquery data folder, being restored\n");
  WriteFile(folder / "restored/logs.duckdb", ReadFile(folder / "backup/logs.duckdb"));
  for (const bool read_only : {false, true}) {
    const absl::Status status = OpenStatus(folder / "restored", read_only);
    CHECK(status.code() == absl::StatusCode::kFailedPrecondition);
    CHECK(absl::StrContains(status.message(), "restore into it again"));
  }
  Restore(folder / "backup", folder / "restored");
  CHECK(OpenStatus(folder / "restored").ok());
}

// ------------------------------------------------------------------------------------------------ kill -9

// Makes backups of a folder that is being loaded into, and restores them, until it is killed.
TEST_CASE("child: backs up and restores until it is killed", "[.child]") {
  const std::string root = ChildArgument();
  const auto backend = OpenFolder(root + "data");
  std::thread loader([&] {
    for (int i = 0;; ++i) {
      const std::string row = Row("\"i\":" + std::to_string(i));
      const std::vector<std::string_view> rows(200, row);
      backend->store().Append({.table = "test.logs", .rows = rows, .batch = std::to_string(i)}).IgnoreError();
    }
  });
  WriteFile(root + "started", "");
  for (int i = 0;; ++i) {
    const std::string name = std::to_string(i);
    BackUp(*backend, root + "backup" + name);
    Restore(root + "backup" + name, root + "restored" + name);
  }
}

bool Opens(const std::string& folder) {
  const absl::Status status = OpenStatus(folder);
  // Killed before it was begun, or in the midst of it.
  CHECK((status.ok() || absl::StrContains(status.message(), "restore into it again")));
  return status.ok();
}

void KillAndRestore(int times) {
  for (int round = 0; round < times; ++round) {
    CAPTURE(round);
    TemporaryFolder folder;
    const pid_t child = testing::StartChild("child: backs up and restores until it is killed", folder / "");
    while (!fs::exists(folder / "started")) absl::SleepFor(absl::Milliseconds(1));
    absl::SleepFor(absl::Milliseconds(40 + round * 17 % 180));
    kill(child, SIGKILL);
    REQUIRE(testing::AwaitChild(child) == -SIGKILL);
    CHECK(CountRows(*OpenFolder(folder / "data")) % 200 == 0);
    for (const std::string& name : NamesIn(folder / "")) {
      if (name.find('/') != std::string::npos) continue;
      CAPTURE(name);
      if (name.rfind("restored", 0) == 0 && Opens(folder / name)) {
        CHECK(CountRows(*OpenFolder(folder / name)) % 200 == 0);
      }
      if (name.rfind("backup", 0) == 0) {
        // The backup is whole, or it does not look it.
        const bool finished = fs::exists(folder / name + "/MANIFEST.json");
        const auto restored = RestoreBackup({folder / name, folder / ("checked-" + name)});
        CHECK((finished ? restored.ok() : absl::IsNotFound(restored.status())));
        if (!finished) CHECK(OpenFolder(folder / "data")->Backup({folder / name}).ok());
      }
    }
  }
}

TEST_CASE("kill -9 while a backup is made or restored: a result that looks complete is complete") { KillAndRestore(6); }

TEST_CASE("kill -9 at many moments of backups and restores", "[nightly]") { KillAndRestore(100); }

TEST_CASE("names of files in a backup cannot lead outside of the folder") {
  for (const char* name : {"logs.duckdb", "logs.duckdb.wal", "logs.duckdb.wal.checkpoint", "rejected/a.b-c_d.ndjson"}) {
    CAPTURE(name);
    CHECK(IsFileOfFolder(name));
  }
  for (const char* name : {"", "FORMAT", "logs.duckdb.", "logs.duckdbx", "logs.duckdb/../x", "logs.duckdb.wal/x",
                           "rejected", "rejected/", "rejected/.", "rejected/..", "rejected/../x", "rejected/a/b",
                           "rejected/.hidden", "rejected/x.partial", "rejected/a b", "/rejected/a", "tmp/a"}) {
    CAPTURE(name);
    CHECK_FALSE(IsFileOfFolder(name));
  }
}

TEST_CASE("neither a backup nor a restore follows a symbolic link") {
  TemporaryFolder folder;
  const std::string outside = WriteFile(folder / "outside", "precious");
  {
    const auto backend = OpenFolder(folder / "data");
    Load(*backend, {.table = "test.logs", .files = {FileOf(folder, 1, 3)}});
    fs::create_symlink(outside, folder / "data/rejected/test.logs.link.ndjson");
    const absl::Status linked = backend->Backup({folder / "backup"}).status();
    CHECK(linked.code() == absl::StatusCode::kFailedPrecondition);
    CHECK(absl::StrContains(linked.message(), "test.logs.link.ndjson is a symbolic link"));
    CHECK_FALSE(fs::exists(folder / "backup"));
    fs::remove(folder / "data/rejected/test.logs.link.ndjson");
    BackUp(*backend, folder / "backup");
  }
  // A backup whose files are elsewhere is not that backup any more.
  fs::copy(folder / "backup", folder / "linked", fs::copy_options::recursive);
  fs::rename(folder / "linked/logs.duckdb", folder / "elsewhere");
  fs::create_symlink(folder / "elsewhere", folder / "linked/logs.duckdb");
  CHECK(RestoreBackup({folder / "linked", folder / "restored"}).status().code() == absl::StatusCode::kDataLoss);
  fs::copy(folder / "backup", folder / "moved", fs::copy_options::recursive);
  fs::rename(folder / "moved/rejected", folder / "others");
  fs::create_directory_symlink(folder / "others", folder / "moved/rejected");
  CHECK(RestoreBackup({folder / "moved", folder / "restored"}).status().code() == absl::StatusCode::kDataLoss);
  // Files are not removed through a link either when a restore that was killed is repeated.
  fs::create_directories(folder / "half");
  WriteFile(folder / "half/FORMAT", "logquery data folder, being restored\n");
  fs::create_directories(folder / "precious");
  WriteFile(folder / "precious/test.logs.1.ndjson", "precious");
  fs::create_directory_symlink(folder / "precious", folder / "half/rejected");
  CHECK(RestoreBackup({folder / "backup", folder / "half"}).status().code() == absl::StatusCode::kFailedPrecondition);
  CHECK(ReadFile(folder / "precious/test.logs.1.ndjson") == "precious");
  CHECK(Restore(folder / "backup", folder / "restored").rows == 3);
}

}  // namespace
}  // namespace logquery::store
