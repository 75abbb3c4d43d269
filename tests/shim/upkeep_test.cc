// What a server does with its folder by itself, on a real store.
#include "shim/cli/serve/upkeep.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "logquery/clock.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/support/folder_clock.h"

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

LogNames Names(std::vector<std::string> names) {
  return [names = std::move(names)] { return names; };
}

TEST_CASE("a server clusters closed days and removes too old rows, and logs it") {
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
    const auto counters = std::make_shared<UpkeepCounters>();
    const auto tasks =
        MakeUpkeep(*UpkeepSettings::Create(arguments, Names({"edge_logs"})), &store, lines.log(), nullptr, counters);
    REQUIRE(tasks.size() == 2);
    for (const auto& task : tasks) REQUIRE(task->Start().ok());
    CHECK(absl::StrContains(lines.Await("info retention: "), "31000 rows of cloudflare.logs.prod from before "));
    const std::string day = absl::FormatTime("%Y-%m-%d", today - absl::Hours(24 * 5), absl::UTCTimeZone());
    lines.Await(absl::StrCat("info clustering: 31,000 rows of cloudflare.logs.prod on ", day, " are in the order of "));
    for (const auto& task : tasks) task->Stop();
    CHECK(counters->retained_rows == kRows);
    CHECK(counters->clustered_rows == kRows);
    CHECK(counters->failures == 0);
    const auto stats = (*backend)->ReadStats();
    REQUIRE(stats.ok());
    CHECK(stats->front().rows == kRows);
    CHECK(stats->front().clustered_rows == kRows);
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("a clock that has jumped deletes nothing by age, and the log says how to confirm it") {
  std::string folder = (std::filesystem::temp_directory_path() / "logquery-upkeep-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  const absl::Time now = Clock::Real()->Now();
  {
    const auto backend = OpenDuckDb({.folder = folder});
    REQUIRE(backend.ok());
    const std::string row =
        absl::StrCat(R"({"project":"p","timestamp":)", absl::ToUnixMicros(now - absl::Hours(2'400)), "}");
    const std::vector<std::string_view> rows = {row};
    REQUIRE((*backend)->store().Append({.table = "edge_logs", .rows = rows}).ok());
  }
  REQUIRE(testing::TurnClockBack(folder, 200));
  ServeArguments arguments;
  arguments.cluster_percent = 0;
  arguments.retain = {"edge_logs=30d"};
  for (const bool confirmed : {false, true}) {
    CAPTURE(confirmed);
    if (confirmed) arguments.confirm_clock = absl::FormatTime("%Y-%m-%d", now, absl::UTCTimeZone());
    const auto backend = OpenDuckDb({.folder = folder});
    REQUIRE(backend.ok());
    Lines lines;
    const auto counters = std::make_shared<UpkeepCounters>();
    const auto tasks = MakeUpkeep(*UpkeepSettings::Create(arguments, Names({"edge_logs"})), &(*backend)->store(),
                                  lines.log(), nullptr, counters);
    REQUIRE(tasks[0]->Start().ok());
    const std::string line = lines.Await(confirmed ? "info retention: 1 rows" : "error retention: no rows are deleted");
    tasks[0]->Stop();
    if (!confirmed) CHECK(absl::StrContains(line, "confirm it with --confirm-clock 20"));
    CHECK(counters->failures == (confirmed ? 0 : 1));
    CHECK((*backend)->ReadStats()->front().rows == (confirmed ? 0 : 1));
  }
  std::filesystem::remove_all(folder);
  arguments.confirm_clock = "yes";
  CHECK(absl::IsInvalidArgument(UpkeepSettings::Create(arguments, Names({"edge_logs"})).status()));
}

TEST_CASE("upkeep runs only the tasks that are configured, and rejects an invalid rule") {
  ServeArguments arguments;
  arguments.cluster_percent = 0;
  const auto settings = UpkeepSettings::Create(arguments, Names({"edge_logs"}));
  REQUIRE(settings.ok());
  std::string folder = (std::filesystem::temp_directory_path() / "logquery-upkeep-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  {
    const auto backend = OpenDuckDb({.folder = folder});
    REQUIRE(backend.ok());
    const std::vector<std::string_view> rows = {R"({"timestamp":"2001-01-01T00:00:00Z","project":"p"})"};
    REQUIRE((*backend)->store().Append({.table = "edge_logs", .rows = rows}).ok());
    const auto tasks =
        MakeUpkeep(*settings, &(*backend)->store(), nullptr, nullptr, std::make_shared<UpkeepCounters>());
    for (const auto& task : tasks) REQUIRE(task->Start().ok());
    for (const auto& task : tasks) task->Stop();
    CHECK((*backend)->ReadStats()->front().rows == 1);
  }
  std::filesystem::remove_all(folder);

  ServeArguments other = arguments;
  other.retain = {"edge_logs=never"};
  CHECK(absl::IsInvalidArgument(UpkeepSettings::Create(other, Names({"edge_logs"})).status()));
  other.cluster_percent = 50;
  CHECK(absl::IsInvalidArgument((*settings)->Change(other)));
  CHECK((*settings)->cluster_percent() == 0);
  other.retain = {"*=90d,edge_logs=1d"};
  REQUIRE((*settings)->Change(other).ok());
  CHECK((*settings)->cluster_percent() == 50);
  const auto limits = (*settings)->limits();
  REQUIRE(limits.ok());
  REQUIRE(limits->size() == 1);
  CHECK(limits->at(0).max_age == absl::Hours(24));
}

TEST_CASE("the limit of all logs applies to logs that are declared later") {
  std::vector<std::string> names = {"edge_logs"};
  ServeArguments arguments;
  arguments.retain = {"*=90d,edge_logs=1d"};
  const auto settings = UpkeepSettings::Create(arguments, [&names] { return names; });
  REQUIRE(settings.ok());
  names.emplace_back("orders");
  const auto limits = (*settings)->limits();
  REQUIRE(limits.ok());
  REQUIRE(limits->size() == 2);
  CHECK(limits->at(0).max_age == absl::Hours(24));
  CHECK(limits->at(1).log == "orders");
  CHECK(limits->at(1).max_age == absl::Hours(24 * 90));
  arguments.retain = {"orders=5d"};
  CHECK((*settings)->Change(arguments).ok());
}

TEST_CASE("a log's declared retention overrides the limit of all logs, and its own limit overrides both") {
  std::string folder = (std::filesystem::temp_directory_path() / "logquery-upkeep-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  {
    DuckDbOptions options;
    options.folder = folder;
    options.own_logs_json = R"({"short": {"time": "t", "retention": {"days": 10}, "columns": {"t": "TIMESTAMP"}},
                                "named": {"time": "t", "retention": {"days": 10}, "columns": {"t": "TIMESTAMP"}}})";
    const auto backend = OpenDuckDb(options);
    REQUIRE(backend.ok());
    LogStore& store = (*backend)->store();
    const absl::Time now = Clock::Real()->Now();
    for (const char* log : {"short", "named", "edge_logs"}) {
      std::string row = absl::StrCat(R"({"t":)", absl::ToUnixMicros(now - absl::Hours(24 * 20)), R"(,"timestamp":)",
                                     absl::ToUnixMicros(now - absl::Hours(24 * 20)), "}");
      const std::vector<std::string_view> rows = {row};
      REQUIRE(store.Append({.table = log, .rows = rows}).ok());
    }
    ServeArguments arguments;
    arguments.cluster_percent = 0;
    arguments.retain = {"*=90d,named=30d"};
    Lines lines;
    const auto tasks = MakeUpkeep(
        *UpkeepSettings::Create(arguments, Names({"edge_logs", "short", "named"})), &store, lines.log(),
        [&] { return (*backend)->DeclaredRetention(); }, std::make_shared<UpkeepCounters>());
    REQUIRE(tasks[0]->Start().ok());
    CHECK(absl::StrContains(lines.Await("info retention: "), "1 rows of short from before "));
    tasks[0]->Stop();
    const auto stats = (*backend)->ReadStats();
    REQUIRE(stats.ok());
    for (const TableStats& table : *stats) {
      CAPTURE(table.log);
      if (table.log == "short") CHECK(table.rows == 0);
      if (table.log == "named" || table.log == "edge_logs") CHECK(table.rows == 1);
    }
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace logquery::shim
