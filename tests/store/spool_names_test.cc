// Names of files and folders in a spool: which are taken, and what becomes of the others.
#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>

#include "lib/base/strings.h"
#include "logquery/store/spool.h"
#include "logquery/testing/fake_clock.h"
#include "tests/store/folder_test_util.h"
#include "tests/store/spool_fixture.h"

namespace logquery::store::spool_tests {
namespace {

TEST_CASE("only files with a name of rows are taken; a folder in a log's folder stays") {
  SpoolFixture at;
  for (const char* name : {"a.jsonl", "b.ndjson", "c.tmp", ".d.ndjson", "e", "f.ndjson.new", ".ndjson"}) {
    at.Put(name, Row("\"project\":\"" + std::string(name) + "\"") + "\n");
  }
  fs::create_directory(at.Path("folder.ndjson"));
  CHECK(at.TakeAll().ok());
  CHECK(CountRows(*at.backend) == 2);
  for (const char* name : {"c.tmp", ".d.ndjson", "e", "f.ndjson.new", ".ndjson", "folder.ndjson"}) {
    CHECK(fs::exists(at.Path(name)));
  }
}

TEST_CASE("symbolic links in place of a spool's own folders are not followed") {
  for (const char* part : {".taken", ".failed", "test_logs"}) {
    CAPTURE(part);
    SpoolFixture at;
    at.spool.reset();
    const fs::path inside = fs::path(at.folder / "spool") / part;
    fs::remove_all(inside);
    fs::create_directory(at.folder / "outside");
    fs::create_directory_symlink(at.folder / "outside", inside);
    const absl::Status status = Spool::Open(at.options(), &at.store).status();
    CHECK(status.code() == absl::StatusCode::kFailedPrecondition);
    CHECK(status.message().find("is a symbolic link") != absl::string_view::npos);
  }
  // The folder becomes a link while the spool is open: the files stay where they are.
  SpoolFixture at;
  fs::remove_all(at.folder / "spool/.taken/test_logs");
  fs::create_directory(at.folder / "outside");
  fs::create_directory_symlink(at.folder / "outside", at.folder / "spool/.taken/test_logs");
  at.Put("a.ndjson", Lines(3));
  CHECK(at.TakeAll().code() == absl::StatusCode::kFailedPrecondition);
  CHECK(fs::is_empty(at.folder / "outside"));
  CHECK(fs::exists(at.Path("a.ndjson")));
}

TEST_CASE("endings of names may be in any letter case, and .json is taken if it has rows in lines") {
  SpoolFixture at;
  for (const char* name : {"a.NDJSON", "b.Jsonl", "c.json", "d.JSON"}) {
    at.Put(name, Row(base::StrCat("\"i\":", static_cast<int>(name[0]))) + "\n");
  }
  at.Put("array.json", "[" + Row() + "]");
  at.Put("pretty.json", "{\n  \"timestamp\": \"2026-03-04T05:06:07Z\"\n}");
  CHECK(at.TakeAll().ok());
  CHECK(CountRows(*at.backend) == 4);
  for (const char* name : {"a.NDJSON", "b.Jsonl", "c.json", "d.JSON"}) CHECK(at.Outcome(name).outcome == "loaded");
  CHECK(at.Outcome("array.json").outcome == "failed");
  CHECK(at.Outcome("array.json").reason ==
        "its first line is an array, not one object; write each row as an object on a line of its own, and call the "
        "file .ndjson");
  CHECK(at.Outcome("pretty.json").outcome == "failed");
}

TEST_CASE("files with other names are kept in .failed with the reason once nobody writes to them") {
  SpoolFixture at;
  at.Put("x.log", "text");
  at.Put("x.ndjson.1", Lines(1));
  at.Put("x.csv", "a,b");
  at.Put("x.csv.options", "{}");
  at.Put(".hidden.log", "text");
  std::ofstream open(at.Path("growing.part"));
  open << "text" << std::flush;
  // They may be about to be renamed.
  CHECK(at.TakeAll().ok());
  CHECK(fs::exists(at.Path("x.log")));
  CHECK(at.spool->state().files_failed == 0);
  at.clock.Advance(absl::Minutes(5));
  CHECK(at.spool->TakeReady().ok());
  CHECK(at.spool->state().files_failed == 3);
  const std::string reason =
      "a file of rows is recognized by its name: its name ends in .ndjson, .jsonl or .json, or one of these with .gz "
      "or "
      ".zst";
  for (const char* name : {"x.log", "x.ndjson.1", "x.csv"}) {
    CAPTURE(name);
    CHECK_FALSE(fs::exists(at.Path(name)));
    CHECK(at.Outcome(name).outcome == "failed");
    CHECK(at.Outcome(name).reason == reason);
    CHECK(at.lines.find(base::StrCat("spool: test_logs/", name, " can't be loaded and is in .failed: ", reason)) !=
          std::string::npos);
  }
  const std::string failed = at.folder / "spool/.failed/test_logs/";
  CHECK(ReadFile(failed + "x.ndjson.1") == Lines(1));
  CHECK(ReadFile(failed + "x.csv.options") == "{}");
  CHECK(CountSpool(at.folder / "spool").failed_files == 3);
  CHECK(fs::exists(at.Path(".hidden.log")));
  // The one that is open is only told of.
  CHECK(fs::exists(at.Path("growing.part")));
  CHECK(at.spool->state().ignored_files == 1);
  open.close();
  CHECK(at.spool->TakeReady().ok());
  CHECK(ReadFile(failed + "growing.part") == "text");
  // A file with its right name is loaded.
  fs::rename(failed + "x.ndjson.1", at.Path("x1.ndjson"));
  CHECK(at.TakeAll().ok());
  CHECK(CountRows(*at.backend) == 1);
}

TEST_CASE("a file with another name that can't be set aside stays where it is, and delays no other") {
  SpoolFixture at;
  at.Put("x.log", "text");
  at.clock.Advance(absl::Minutes(5));
  // Something else has the place of the folder for failed files.
  WriteFile(at.folder / "spool/.failed/test_logs", "");
  at.Put("a.ndjson", Lines(1));
  CHECK_FALSE(at.TakeAll().ok());
  CHECK(ReadFile(at.Path("x.log")) == "text");
  CHECK(CountRows(*at.backend) == 1);
  CHECK_FALSE(at.spool->state().stopped.ok());
  fs::remove(at.folder / "spool/.failed/test_logs");
  CHECK(at.TakeAll().ok());
  CHECK_FALSE(fs::exists(at.Path("x.log")));
}

TEST_CASE("folders within a log's, and files of other folders, are reported once and counted as long as they exist") {
  SpoolFixture at;
  fs::create_directories(at.Path("sub"));
  WriteFile(at.Path("sub/x.ndjson"), Lines(1));
  fs::create_directories(at.folder / "spool/other");
  WriteFile(at.folder / "spool/other/notes.txt", "text");
  WriteFile(at.folder / "spool/README", "text");
  fs::create_symlink(at.folder / "outside", at.Path("link.log"));
  at.clock.Advance(absl::Minutes(5));
  CHECK(at.TakeAll().ok());
  CHECK(at.spool->state().ignored_files == 4);
  CHECK(at.spool->state().files_failed == 0);
  CHECK(at.spool->state().waiting_files == 0);
  for (const char* label : {"test_logs/sub/ and what is in it", "other/notes.txt", "README", "test_logs/link.log"}) {
    CHECK(at.lines.find(base::StrCat("spool: ", label, " is not loaded: a file of rows lies in a log's folder")) !=
          std::string::npos);
  }
  const std::string told = at.lines;
  CHECK(at.TakeAll().ok());
  CHECK(at.lines == told);
  CHECK(CountSpool(at.folder / "spool").ignored_files == 4);
  fs::remove(at.folder / "spool/README");
  CHECK(at.TakeAll().ok());
  CHECK(at.spool->state().ignored_files == 3);
}

}  // namespace
}  // namespace logquery::store::spool_tests
