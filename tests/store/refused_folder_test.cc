// Folders that are no data folders of this user: each opening refuses them, says what they are, and changes nothing in them.
#include <grp.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "lib/base/strings.h"
#include "logquery/store/backup.h"
#include "logquery/store/export.h"
#include "logquery/store/folder_check.h"
#include "tests/store/folder_test_util.h"
#include "tests/support/child_process.h"

namespace logquery::store {
namespace {

namespace fs = std::filesystem;

// The statuses of all that opens a data folder.
std::vector<absl::Status> Openings(const std::string& folder, const std::string& target) {
  return {OpenStatus(folder), OpenStatus(folder, /*read_only=*/true), CheckFolder({folder, kTestSchema}).status(),
          CheckFolder({folder, kTestSchema, /*repair=*/true}).status(), ExportFolder({folder, target}).status()};
}

std::map<std::string, std::string> FilesIn(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    files[entry.path()] = entry.is_regular_file() ? ReadFile(entry.path()) : "";
  }
  return files;
}

TEST_CASE("a backup is not opened as a data folder, and can be restored after the attempt") {
  const TemporaryFolder folder;
  const std::string backup = folder / "backup";
  REQUIRE(OpenFolder(folder / "data")->Backup({backup}).ok());
  const auto before = FilesIn(backup);
  for (const absl::Status& status : Openings(backup, folder / "exported")) {
    CHECK(status == absl::FailedPreconditionError(base::StrCat(backup, " is a backup; logquery restore ", backup,
                                                               " --data NEW makes a folder of it")));
  }
  CHECK(FilesIn(backup) == before);
  REQUIRE(RestoreBackup({backup, folder / "restored"}).ok());
  CHECK(OpenStatus(folder / "restored").ok());
}

TEST_CASE("a data folder that has a file of the manifest's name is opened, and so is an empty folder with one") {
  const TemporaryFolder folder;
  OpenFolder(folder / "data");
  WriteFile(folder / "data/MANIFEST.json", "{}");
  CHECK(OpenStatus(folder / "data").ok());
  fs::create_directory(folder / "other");
  WriteFile(folder / "other/MANIFEST.json", "{}");
  CHECK(OpenStatus(folder / "other").ok());
}

constexpr uid_t kNobody = 65534;

// Modes do not hold for root.
TEST_CASE("child: opens a folder that is closed for it", "[.child]") {
  if (geteuid() == 0) {
    REQUIRE(setgroups(0, nullptr) == 0);
    REQUIRE(setgid(kNobody) == 0);
    REQUIRE(setuid(kNobody) == 0);
  }
  const std::string folder = testing::ChildArgument();
  const bool is_closed = access(folder.c_str(), X_OK) != 0;
  for (const absl::Status& status : Openings(folder, folder + "-exported")) {
    CHECK(status == absl::PermissionDeniedError(
                        base::StrCat("can't read ", folder, is_closed ? "" : "/FORMAT", ": Permission denied")));
  }
}

TEST_CASE("a folder, or a file FORMAT, that this user can't read is reported as such") {
  const TemporaryFolder folder;
  fs::permissions(folder / "", fs::perms::others_exec, fs::perm_options::add);
  const std::string data = folder / "data";
  OpenFolder(data);
  std::string closed = data;
  SECTION("the folder") {}
  SECTION("the file") {
    closed = data + "/FORMAT";
    fs::permissions(data, fs::perms::others_exec, fs::perm_options::add);
  }
  fs::permissions(closed, fs::perms::none);
  CHECK(testing::RunInChild("child: opens a folder that is closed for it", data) == 0);
  fs::permissions(closed, fs::perms::owner_all);
}

}  // namespace
}  // namespace logquery::store
