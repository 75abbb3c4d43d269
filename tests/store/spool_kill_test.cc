// Servers that are killed while they take files out of a spool.
#include <signal.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <thread>

#include "logquery/store/spool.h"
#include "logquery/testing/fake_clock.h"
#include "tests/store/folder_test_util.h"
#include "tests/store/spool_fixture.h"
#include "tests/support/child_process.h"

namespace logquery::store::spool_tests {
namespace {

TEST_CASE("a server that was killed after the commit and before the outcome: the next one says that it is loaded") {
  SpoolFixture at;
  at.Put("a.ndjson", Lines(3));
  const std::string taken = at.folder / "spool/.taken/test_logs/a.ndjson";
  CHECK(at.spool->TakeReady().ok());
  CHECK(Load(*at.backend, {.table = "test_logs", .files = {taken}}).rows == 3);
  at.Reopen();
  CHECK(at.TakeAll().ok());
  CHECK(at.Outcome("a.ndjson").outcome == "loaded");
  CHECK(at.Outcome("a.ndjson").rows == 3);
  CHECK(CountRows(*at.backend) == 3);
}

TEST_CASE("one process at a time takes files out of a spool") {
  SpoolFixture at;
  const auto second = Spool::Open(at.options(), &at.store);
  CHECK(second.status().code() == absl::StatusCode::kFailedPrecondition);
  CHECK(std::string(second.status().message()).find("another process takes files out of the spool") !=
        std::string::npos);
}

TEST_CASE("sending a file to a spool that no process serves fails as unavailable") {
  TemporaryFolder folder;
  fs::create_directory(folder / "spool");
  const std::string file = WriteFile(folder / "a.ndjson", Lines(1));
  const auto status = [&](const LoadRequest& request) { return LoadBySpool(folder / "spool", request).status(); };
  CHECK(status({.table = "test_logs", .files = {file}}).code() == absl::StatusCode::kUnavailable);
  CHECK(fs::exists(folder / "spool/test_logs"));  // it is there for the next who serves
  CHECK(status({.table = "../test_logs", .files = {file}}).code() == absl::StatusCode::kInvalidArgument);
  CHECK(status({.table = "test_logs", .files = {folder / "b.ndjson"}}).code() == absl::StatusCode::kNotFound);
  CancellationSource source;
  source.Cancel();
  const size_t before = std::distance(fs::directory_iterator(folder / "spool/test_logs"), fs::directory_iterator());
  CHECK(status({.table = "test_logs", .files = {file}, .cancellation = source.token()}).code() ==
        absl::StatusCode::kCancelled);
  CHECK(before == static_cast<size_t>(
                      std::distance(fs::directory_iterator(folder / "spool/test_logs"), fs::directory_iterator())));
}

SpoolOptions ChildSpool(const std::string& folder) {
  SpoolOptions options;
  options.folder = folder + "/spool";
  options.logs = {"test_logs"};
  options.batch_time = absl::ZeroDuration();
  return options;
}

TEST_CASE("child: serves a spool until it is killed", "[.child]") {
  const auto backend = OpenFolder(testing::ChildArgument() + "/data");
  const auto spool = Spool::Open(ChildSpool(testing::ChildArgument()), &backend->store());
  REQUIRE(spool.ok());
  REQUIRE((*spool)->Start().ok());
  pause();
}

// Kills a process that serves a spool at `rounds` moments, as many files as it gets done apart, and looks what is there.
void KillAndCount(int rounds) {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  OpenFolder(data);
  int files = 0;
  for (int round = 0; round < rounds; ++round) {
    fs::create_directories(folder / "spool/test_logs");
    for (int i = 0; i < 20; ++i, ++files) {
      const std::string name = std::to_string(files) + ".ndjson";
      WriteFile(folder / "beside", Row("\"i\":" + std::to_string(files)) + "\nbad " + name + "\n");
      fs::rename(folder / "beside", folder / ("spool/test_logs/" + name));
    }
    const pid_t child = testing::StartChild("child: serves a spool until it is killed", folder / "");
    // Once it has taken some file, or told of one, and a little later each time.
    const std::string file = folder / ("spool/test_logs/" + std::to_string(files - 1 - round % 20) + ".ndjson");
    const absl::Time give_up = absl::Now() + absl::Seconds(60);
    while ((round % 2 == 0 ? fs::exists(file) : !fs::exists(file + ".outcome")) && absl::Now() < give_up) {
      std::this_thread::yield();
    }
    for (int i = 0; i < round * 7919 % 100 * 100; ++i) std::this_thread::yield();
    kill(child, SIGKILL);
    REQUIRE(testing::AwaitChild(child) == -SIGKILL);
  }
  const auto backend = OpenFolder(data);
  auto spool = Spool::Open(ChildSpool(folder / ""), &backend->store());
  REQUIRE(spool.ok());
  CHECK((*spool)->TakeReady().ok());
  CHECK((*spool)->TakeReady().ok());
  CHECK(CountRows(*backend) == files);
  CHECK(SelectValue(*backend, R"(SELECT count(DISTINCT i) FROM "test.logs")", Type::Int64()) == Value::Int64(files));
  int outcomes = 0;
  for (const auto& entry : fs::directory_iterator(folder / "spool/test_logs")) {
    if (entry.path().extension() == ".outcome") ++outcomes;
  }
  CHECK(outcomes == files);
  int rejected = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(data + "/rejected")) ++rejected;
  CHECK(rejected == 2 * files);
}

TEST_CASE("kill -9 while a spool is served: every file is in once, with its outcome and its rejected row") {
  KillAndCount(6);
}

TEST_CASE("kill -9 at many moments while a spool is served", "[nightly]") { KillAndCount(100); }

}  // namespace
}  // namespace logquery::store::spool_tests
