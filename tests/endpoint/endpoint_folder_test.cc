#include "logquery/endpoint_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/synchronization/notification.h"
#include "lib/base/strings.h"

namespace logquery {
namespace {

namespace fs = std::filesystem;

struct Folder {
  Folder() : path((fs::temp_directory_path() / base::StrCat("logquery-endpoint-folder-", getpid())).string()) {
    fs::remove_all(path);
    fs::create_directory(path);
  }
  ~Folder() { fs::remove_all(path); }
  void Write(const std::string& file, const std::string& text) const {
    std::ofstream(path + "/" + file, std::ios::trunc) << text;
  }
  void Define(const std::string& name, const std::string& sql, int last_digit = 1) const {
    Write(name + ".json",
          base::StrCat(R"({"id":"b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f0)", last_digit, R"(","name":")", name, R"("})"));
    Write(name + ".sql", sql);
  }
  const std::string path;
};

TEST_CASE("a folder's definitions are read in the order of their names, and a change is reported once it settles") {
  const Folder folder;
  folder.Define("b", "SELECT 2 AS b", 2);
  folder.Define("a", "SELECT 1 AS a");
  const auto source = EndpointFolder::Open(folder.path, absl::ZeroDuration());
  const auto first = source->Read();
  REQUIRE(first.ok());
  REQUIRE(first->endpoints.size() == 2);
  CHECK(first->endpoints[0].name == "a");
  CHECK(first->endpoints[1].query == "SELECT 2 AS b");

  int told = 0;
  const auto watch = source->OnChange([&told] { ++told; });
  source->Look();
  CHECK(told == 0);
  folder.Define("c", "SELECT 3 AS c", 3);
  source->Look();
  CHECK(told == 0);  // it may still be written to
  source->Look();
  CHECK(told == 1);
  source->Look();
  CHECK(told == 1);
  CHECK(source->Read()->revision != first->revision);
}

TEST_CASE("a folder that keeps changing is not reported until it settles") {
  const Folder folder;
  folder.Define("a", "SELECT 1 AS a");
  const auto source = EndpointFolder::Open(folder.path, absl::ZeroDuration());
  int told = 0;
  const auto watch = source->OnChange([&told] { ++told; });
  std::string sql = "SELECT 1 AS a";
  for (int i = 0; i < 5; ++i) {
    folder.Write("a.sql", sql += " ");
    source->Look();
  }
  CHECK(told == 0);
  source->Look();
  CHECK(told == 1);
  // A folder that is as it was at the last report has no change.
  fs::rename(folder.path + "/a.sql", folder.path + "/a.old");
  source->Look();
  fs::rename(folder.path + "/a.old", folder.path + "/a.sql");
  source->Look();
  source->Look();
  CHECK(told == 1);
}

TEST_CASE("the revision depends on the texts only: touching a file does not change it") {
  const Folder folder;
  folder.Define("a", "SELECT 1 AS a");
  const auto source = EndpointFolder::Open(folder.path, absl::ZeroDuration());
  const std::string before = source->Read()->revision;
  int told = 0;
  const auto watch = source->OnChange([&told] { ++told; });
  folder.Define("a", "SELECT 1 AS a");
  struct timespec times[2] = {{1, 0}, {1, 0}};
  REQUIRE(utimensat(AT_FDCWD, (folder.path + "/a.sql").c_str(), times, 0) == 0);
  source->Look();
  source->Look();
  CHECK(told == 1);
  CHECK(source->Read()->revision == before);
  folder.Define("a", "SELECT 2 AS a");
  CHECK(source->Read()->revision != before);
}

TEST_CASE("a change is noticed automatically, and nothing is reported after the watch has ended") {
  const Folder folder;
  folder.Define("a", "SELECT 1 AS a");
  const auto source = EndpointFolder::Open(folder.path, absl::Milliseconds(1));
  int never = 0;
  source->OnChange([&never] { ++never; }).reset();
  absl::Notification told;
  const auto watch = source->OnChange([&told] {
    if (!told.HasBeenNotified()) told.Notify();
  });
  folder.Define("b", "SELECT 2 AS b", 2);
  told.WaitForNotification();
  CHECK(never == 0);
}

TEST_CASE("test cases and hidden files are no definitions, and do not count as a change") {
  const Folder folder;
  folder.Define("a", "SELECT 1 AS a");
  const auto source = EndpointFolder::Open(folder.path, absl::ZeroDuration());
  const std::string before = source->Read()->revision;
  int told = 0;
  const auto watch = source->OnChange([&told] { ++told; });
  folder.Write("a.cases.json", "{");
  folder.Write(".a.json", "half wri");
  source->Look();
  source->Look();
  CHECK(told == 0);
  CHECK(source->Read()->revision == before);
}

TEST_CASE("a folder without a complete set of definitions is an error") {
  const Folder folder;
  const auto error = [&folder] {
    const absl::Status status = ReadEndpointFolder(folder.path).status();
    const std::string message(base::Message(status));
    return base::StrCat(absl::StatusCodeToString(status.code()), " ", message);
  };
  CHECK(error() == base::StrCat("NOT_FOUND there is no definition (NAME.json) in ", folder.path));
  folder.Define("a", "SELECT 1 AS a");
  fs::remove(folder.path + "/a.sql");
  CHECK(error() == base::StrCat("INVALID_ARGUMENT ", folder.path, "/a.json has no a.sql beside it"));
  folder.Define("a", "SELECT 1 AS a");
  folder.Write("b.sql", "SELECT 2 AS b");
  CHECK(error() == base::StrCat("INVALID_ARGUMENT ", folder.path, "/b.sql has no b.json beside it"));
  folder.Write("b.json", "{");
  CHECK(error().find("/b.json: not JSON at line 1") != std::string::npos);
  fs::remove(folder.path + "/b.json");
  REQUIRE(mkfifo((folder.path + "/b.json").c_str(), 0600) == 0);  // reading it would wait for a writer
  CHECK(error() == base::StrCat("NOT_FOUND can't read ", folder.path, "/b.json: it is no file"));
  fs::remove(folder.path + "/b.json");
  folder.Define("b", std::string(static_cast<size_t>(kMaxDefinitionBytes) + 1, ' '), 2);
  CHECK(error() == base::StrCat("INVALID_ARGUMENT ", folder.path, "/b.sql is longer than 1048576 bytes"));
  fs::remove_all(folder.path);
  CHECK(error() == base::StrCat("NOT_FOUND can't read the folder ", folder.path, ": there is no such folder"));
  std::ofstream(folder.path) << "";
  CHECK(error() == base::StrCat("INVALID_ARGUMENT ", folder.path, " is a file; definitions are in a folder"));
}

}  // namespace
}  // namespace logquery
