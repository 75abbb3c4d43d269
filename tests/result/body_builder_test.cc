#include "lib/result/body_builder.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "lib/base/strings.h"
#include "tests/support/child_process.h"

namespace logquery::result {
namespace {

namespace fs = std::filesystem;

struct Folder {
  Folder() {
    std::string name = (fs::temp_directory_path() / "logquery-body-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() { fs::remove_all(path); }
  std::string path;
};

std::string Text(const QueryAnswer& answer) {
  std::string text;
  REQUIRE(ReadBody(answer, [&](std::string_view piece) {
            text += piece;
            return absl::OkStatus();
          }).ok());
  return text;
}

// The modes of the files in `folder` that this process has open, with or without a name.
std::vector<unsigned> OpenFilesIn(const std::string& folder) {
  std::vector<unsigned> modes;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    if (!fs::read_symlink(entry.path(), gone).string().starts_with(folder + "/")) continue;
    struct stat about {};
    if (stat(entry.path().c_str(), &about) == 0) modes.push_back(about.st_mode & 07777);
  }
  return modes;
}

TEST_CASE("a body within the memory limit stays in memory") {
  Folder folder;
  BodyBuilder builder({.memory_bytes = 10, .folder = folder.path});
  QueryAnswer answer;
  REQUIRE(std::move(builder).Finish("0123456789", answer).ok());
  CHECK(answer.body == "0123456789");
  CHECK(answer.file == nullptr);
  CHECK(BodyBytes(answer) == 10);
  CHECK(Text(answer) == "0123456789");
}

TEST_CASE("a longer body goes to an unnamed file, private to its owner, that is freed with its last user") {
  Folder folder;
  std::string expected;
  {
    BodyBuilder builder({.memory_bytes = 10, .folder = folder.path});
    CHECK(builder.TooLong(11));
    for (int i = 0; i < 1'000; ++i) {
      const std::string piece = base::StrCat(i, std::string(1'000, 'x'));
      expected += piece;
      REQUIRE(builder.Spill(piece).ok());
    }
    QueryAnswer answer;
    REQUIRE(std::move(builder).Finish("end", answer).ok());
    expected += "end";
    CHECK(answer.body.empty());
    REQUIRE(answer.file != nullptr);
    CHECK(BodyBytes(answer) == static_cast<int64_t>(expected.size()));
    CHECK(Text(answer) == expected);
    const QueryAnswer copy = answer;
    answer = QueryAnswer();
    CHECK(Text(copy) == expected);
    CHECK(fs::is_empty(folder.path));
    CHECK(OpenFilesIn(folder.path) == std::vector<unsigned>{0600});
    char byte;
    CHECK(copy.file->ReadAt(copy.file->size(), &byte, 1).value() == 0);
  }
  CHECK(OpenFilesIn(folder.path).empty());
  CHECK(fs::is_empty(folder.path));
}

TEST_CASE("an abandoned body leaves no file") {
  Folder folder;
  {
    BodyBuilder builder({.memory_bytes = 1, .folder = folder.path});
    REQUIRE(builder.Spill("some").ok());
    CHECK(OpenFilesIn(folder.path).size() == 1);
  }
  CHECK(OpenFilesIn(folder.path).empty());
  CHECK(fs::is_empty(folder.path));
}

TEST_CASE("an unusable folder for bodies is reported at startup, and later") {
  CHECK(base::Message(CheckBodyFolder("/nowhere/at/all")) ==
        "long answers can't go to /nowhere/at/all: the answer is longer than what is held in memory, and its file "
        "can't be "
        "made: No such file or directory");
  BodyBuilder builder({.memory_bytes = 1, .folder = "/nowhere/at/all"});
  const absl::Status status = builder.Spill("some");
  CHECK(status.code() == absl::StatusCode::kUnavailable);
  CHECK(base::Message(status).find("nowhere") == std::string::npos);
}

// A limit of file sizes is what a full disk is.
TEST_CASE("child: bodies on a full disk", "[.child]") {
  const std::string folder = testing::ChildArgument();
  signal(SIGXFSZ, SIG_IGN);
  const rlimit limit = {100'000, RLIM_INFINITY};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  BodyBuilder builder({.memory_bytes = 1, .folder = folder});
  CHECK(builder.Spill(std::string(60'000, 'x')).ok());
  const absl::Status status = builder.Spill(std::string(60'000, 'x'));
  CHECK(status.code() == absl::StatusCode::kUnavailable);
  CHECK(base::Message(status) ==
        "the answer is longer than what is held in memory, and its file can't be written: File too large");
}

TEST_CASE("a full disk is reported as an error, and no file is left") {
  Folder folder;
  CHECK(testing::RunInChild("child: bodies on a full disk", folder.path) == 0);
  CHECK(fs::is_empty(folder.path));
}

}  // namespace
}  // namespace logquery::result
