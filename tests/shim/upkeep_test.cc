// What a server does with its folder by itself, on a real store.
#include "shim/serve/upkeep.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "logquery/clock.h"
#include "logquery/store/duckdb_backend.h"

namespace logquery::shim {
namespace {

constexpr int kRows = 31'000;

// Lines of the server's log, as they come.
class Lines {
 public:
  IntakeLog log() {
    return [this](std::string_view level, std::string_view text) {
      absl::MutexLock lock(&mutex_);
      lines_.push_back(std::string(level) + " " + std::string(text));
    };
  }
  // The first line that begins so.
  std::string Await(const std::string& begin) {
    const auto find = [&]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
      return std::find_if(lines_.begin(), lines_.end(),
                          [&](const std::string& line) { return absl::StartsWith(line, begin); });
    };
    const auto there = [&]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return find() != lines_.end(); };
    absl::MutexLock lock(&mutex_);
    REQUIRE(mutex_.AwaitWithTimeout(absl::Condition(&there), absl::Minutes(2)));
    return *find();
  }

 private:
  absl::Mutex mutex_;
  std::vector<std::string> lines_ ABSL_GUARDED_BY(mutex_);
};

TEST_CASE("a server puts closed days in order and removes what is too old, and says so in its log") {
  std::string folder = (std::filesystem::temp_directory_path() / "logquery-upkeep-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  {
    const auto backend = OpenDuckDb({.folder = folder});
    REQUIRE(backend.ok());
    LogStore& store = (*backend)->store();
    const absl::Time today = absl::UnixEpoch() + absl::Floor(Clock::Real()->Now() - absl::UnixEpoch(), absl::Hours(24));
    for (const int days : {5, 100}) {
      std::vector<std::string> texts;
      for (int i = 0; i < kRows; ++i) {
        texts.push_back(absl::StrCat("{\"timestamp\":", absl::ToUnixMicros(today - absl::Hours(24 * days)) + i,
                                     ",\"project\":\"p", i % 7, "\"}"));
      }
      const std::vector<std::string_view> rows(texts.begin(), texts.end());
      REQUIRE(store.Append({.table = "edge_logs", .rows = rows}).ok());
    }
    ServeArguments arguments;
    arguments.cluster_percent = 100;
    arguments.retain = {"edge_logs=30d"};
    Lines lines;
    const auto tasks = MakeUpkeep(arguments, {"edge_logs"}, &store, lines.log());
    REQUIRE(tasks.ok());
    REQUIRE(tasks->size() == 2);
    for (const auto& task : *tasks) task->Start();
    CHECK(absl::StrContains(lines.Await("info retention: "), "31000 rows of cloudflare.logs.prod from before "));
    const std::string day = absl::FormatTime("%Y-%m-%d", today - absl::Hours(24 * 5), absl::UTCTimeZone());
    lines.Await(absl::StrCat("info clustering: 31,000 rows of cloudflare.logs.prod on ", day, " are in the order of "));
    for (const auto& task : *tasks) task->Stop();
    const auto stats = (*backend)->ReadStats();
    REQUIRE(stats.ok());
    CHECK(stats->front().rows == kRows);
    CHECK(stats->front().clustered_rows == kRows);
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("what is not asked for is not done; a rule that can't be is refused") {
  ServeArguments arguments;
  arguments.cluster_percent = 0;
  CHECK(MakeUpkeep(arguments, {"edge_logs"}, nullptr, nullptr)->empty());
  arguments.retain = {"edge_logs=never"};
  CHECK(absl::IsInvalidArgument(MakeUpkeep(arguments, {"edge_logs"}, nullptr, nullptr).status()));
}

}  // namespace
}  // namespace logquery::shim
