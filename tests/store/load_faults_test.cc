// Loads that are cancelled, killed, or have no room on the disk.
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/store/folder_test_util.h"
#include "tests/store/stored_files.h"
#include "tests/support/child_process.h"

namespace logquery::store::store_tests {
namespace {

using testing::ChildArgument;
using testing::RunInChild;

TEST_CASE("opening completes or discards rejected-row files that a crash left behind") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  const std::string file = WriteFile(folder / "a", "bad\n");
  Load(*OpenFolder(data), {.table = "test.logs", .files = {file}});
  const std::string rejected = data + "/rejected/";
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(rejected)) names.push_back(entry.path());
  REQUIRE(names.size() == 2);
  // The files are as if the process had crashed before the names were given, and, for another file, before its transaction.
  for (const std::string& name : names) std::filesystem::rename(name, name + ".partial");
  WriteFile(rejected + "test.logs.000000000000.ndjson.partial", "rolled back");
  WriteFile(rejected + "test.logs.000000000000.reasons.ndjson.partial", "rolled back");
  OpenFolder(data);
  std::vector<std::string> after;
  for (const auto& entry : std::filesystem::directory_iterator(rejected)) after.push_back(entry.path());
  std::sort(names.begin(), names.end());
  std::sort(after.begin(), after.end());
  CHECK(after == names);
}

TEST_CASE("a load that is cancelled leaves nothing, and the store serves on") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const std::string file = WriteFile(folder / "a", Rows(200'000));
  CancellationSource source;
  LoadRequest request = {.table = "test.logs", .files = {file}, .cancellation = source.token()};
  const auto report = backend->store().Load(request, [&](const LoadProgress&) { source.Cancel(); });
  CHECK(report.status().code() == absl::StatusCode::kCancelled);
  CHECK(CountRows(*backend) == 0);
  CHECK(Load(*backend, {.table = "test.logs", .files = {file}}).rows == 200'000);
}

absl::StatusOr<LoadReport> LoadFile(DuckDbBackend& backend, const std::string& file) {
  return backend.store().Load({.table = "test.logs", .files = {file}}, nullptr);
}

// The argument is the test's folder. A limit of file sizes is what a full disk is to the engine.
TEST_CASE("child: the disk is full", "[.child]") {
  const std::string folder = ChildArgument();
  const auto backend = OpenFolder(folder + "/data");
  REQUIRE(LoadFile(*backend, folder + "/small").ok());
  signal(SIGXFSZ, SIG_IGN);
  const rlimit limit = {4 << 20, RLIM_INFINITY};
  setrlimit(RLIMIT_FSIZE, &limit);
  CHECK(LoadFile(*backend, folder + "/large").status().code() == absl::StatusCode::kResourceExhausted);
  CHECK(CountRows(*backend) == 10);
  const rlimit no_limit = {RLIM_INFINITY, RLIM_INFINITY};
  setrlimit(RLIMIT_FSIZE, &no_limit);
  CHECK(LoadFile(*backend, folder + "/large").ok());
}

TEST_CASE("a full disk fails the load, keeps earlier rows, and reading continues") {
  TemporaryFolder folder;
  WriteFile(folder / "small", Rows(10));
  std::string text;
  for (int i = 0; i < 200'000; ++i)
    text += Row("\"project\":\"" + std::to_string(i * 2654435761u) + "-" + std::to_string(i * 40503u) + "\"") + "\n";
  WriteFile(folder / "large", text);
  CHECK(RunInChild("child: the disk is full", folder / "") == 0);
  CHECK(CountRows(*OpenFolder(folder / "data")) == 200'010);
}

// The argument is after how many quarters of the file the end comes, and the test's folder.
TEST_CASE("child: killed in a load", "[.child]") {
  const std::string argument = ChildArgument();
  const int quarters = argument[0] - '0';
  const std::string folder = argument.substr(2);
  const auto backend = OpenFolder(folder + "/data");
  const auto progress = [&](const LoadProgress& now) {
    if (now.file == folder + "/large" && 4 * now.bytes_done >= quarters * now.bytes_total) raise(SIGKILL);
  };
  const LoadRequest request = {.table = "test.logs", .files = {folder + "/small", folder + "/large"}};
  CHECK(backend->store().Load(request, progress).ok());
}

TEST_CASE("kill -9 in the middle of a load leaves the folder as it was before that file") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  const std::string small = WriteFile(folder / "small", Rows(10));
  const std::string large = WriteFile(folder / "large", Rows(300'000));
  OpenFolder(data);
  for (int quarters = 0; quarters < 4; ++quarters) {
    CAPTURE(quarters);
    REQUIRE(RunInChild("child: killed in a load", std::to_string(quarters) + " " + folder / "") == -SIGKILL);
    CHECK(CountRows(*OpenFolder(data, /*read_only=*/true)) == 10);
    CHECK(CountRows(*OpenFolder(data)) == 10);
  }
  CHECK(Load(*OpenFolder(data), {.table = "test.logs", .files = {small, large}}).rows == 300'000);
}

TEST_CASE("queries see a file whole or not at all, while it is loaded") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / "a", Rows(1000))}});
  const std::string large = WriteFile(folder / "b", Rows(100'000));
  int wrong = 0;
  const auto report = backend->store().Load({.table = "test.logs", .files = {large}}, [&](const LoadProgress&) {
    if (CountRows(*backend) != 1000) ++wrong;
  });
  REQUIRE(report.ok());
  CHECK(wrong == 0);
  CHECK(CountRows(*backend) == 101'000);
}

}  // namespace
}  // namespace logquery::store::store_tests
