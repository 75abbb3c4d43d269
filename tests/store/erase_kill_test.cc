// Processes that are killed while they erase projects.
#include <signal.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/time/clock.h"
#include "tests/store/erased_logs.h"
#include "tests/store/folder_test_util.h"
#include "tests/support/child_process.h"

namespace logquery::store::erase_tests {
namespace {

constexpr int kProjects = 40;
constexpr int kRowsOfEach = 500;

// Erases one project after another until it is killed.
TEST_CASE("child: erases until it is killed", "[.child]") {
  const std::string root = testing::ChildArgument();
  const auto backend = OpenLogs(root + "data");
  WriteFile(root + "started", "");
  for (int i = 0; i < kProjects; ++i) Erase(*backend, "p" + std::to_string(i));
  while (true) absl::SleepFor(absl::Seconds(1));
}

void KillAndErase(int times) {
  for (int round = 0; round < times; ++round) {
    CAPTURE(round);
    TemporaryFolder folder;
    std::vector<std::string> projects;
    std::string rejected;
    for (int i = 0; i < kProjects; ++i) {
      projects.push_back("p" + std::to_string(i));
      absl::StrAppend(&rejected, R"({"project":"p)", i, "\"}\n");
    }
    {
      const auto backend = OpenLogs(folder / "data");
      for (const char* table : {kEdge, kPostgres}) {
        Load(*backend, {.table = table,
                        .files = {WriteFile(folder / table, RowsOf(projects, kProjects * kRowsOfEach) + rejected)}});
      }
    }
    const pid_t child = testing::StartChild("child: erases until it is killed", folder / "");
    while (!fs::exists(folder / "started")) absl::SleepFor(absl::Milliseconds(1));
    absl::SleepFor(absl::Milliseconds(5 + round * 37 % 400));
    kill(child, SIGKILL);
    REQUIRE(testing::AwaitChild(child) == -SIGKILL);
    const auto backend = OpenLogs(folder / "data");
    for (const char* table : {kEdge, kPostgres}) {
      for (const std::string& project : projects) {
        const int64_t rows = Count(*backend, table, "project = '" + project + "'");
        CHECK((rows == 0 || rows == kRowsOfEach));
      }
    }
    CheckInOrder(*backend);
    for (const auto& entry : fs::directory_iterator(folder / "data/rejected")) {
      CHECK(absl::EndsWith(entry.path().string(), ".ndjson"));
    }
    // A repetition completes it.
    for (const std::string& project : projects) Erase(*backend, project);
    CHECK(Count(*backend, kEdge) + Count(*backend, kPostgres) == 0);
    CHECK(RejectedText(folder / "data").empty());
    CheckInOrder(*backend);
  }
}

TEST_CASE("kill -9 while projects are erased: each log has all or none of a project's rows, and again completes it") {
  KillAndErase(4);
}

TEST_CASE("kill -9 at many moments of erasing", "[nightly]") { KillAndErase(100); }

}  // namespace
}  // namespace logquery::store::erase_tests
