// Maintenance of a folder on a real store, with a clock that the tests move.
#include "logquery/serving/maintenance.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "logquery/clock.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/testing/fake_clock.h"

namespace logquery {
namespace {

constexpr int kRows = 31'000;  // enough for a day to be clustered
constexpr absl::Duration kDay = absl::Hours(24);
// Midnight, 2025-03-31: before the time that a new folder records.
const absl::Time kNow = absl::FromUnixSeconds(1'743'379'200);

// The lines of the log, in the order in which they come.
class Lines {
 public:
  void Add(std::string_view level, std::string_view text) {
    absl::MutexLock lock(&mutex_);
    lines_.push_back(absl::StrCat(std::string(level), " ", std::string(text)));
  }
  // Returns the first line that begins with one text and contains the other, and forgets it.
  std::string Await(const std::string& begin, const std::string& has = "") {
    const auto find = [&]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
      return std::find_if(lines_.begin(), lines_.end(), [&](const std::string& line) {
        return absl::StartsWith(line, begin) && absl::StrContains(line, has);
      });
    };
    const auto there = [&]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return find() != lines_.end(); };
    absl::MutexLock lock(&mutex_);
    CAPTURE(begin, has, lines_);
    REQUIRE(mutex_.AwaitWithTimeout(absl::Condition(&there), absl::Minutes(2)));
    const auto found = find();
    std::string line = *found;
    lines_.erase(found);
    return line;
  }

 private:
  absl::Mutex mutex_;
  std::vector<std::string> lines_ ABSL_GUARDED_BY(mutex_);
};

// A folder that is removed afterwards.
class Served {
 public:
  explicit Served(const std::string& own_logs = "", absl::Time now = kNow) : clock(now) {
    std::string name = (std::filesystem::temp_directory_path() / "logquery-maintenance-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder_ = name;
    auto opened = OpenDuckDb({.folder = folder_, .own_logs_json = own_logs});
    INFO(opened.status().ToString());
    REQUIRE(opened.ok());
    backend = *std::move(opened);
  }
  ~Served() {
    backend.reset();
    std::filesystem::remove_all(folder_);
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  // Adds rows with this time, one microsecond apart.
  void Append(const std::string& log, absl::Time time, int count = 1, int letters = 0) {
    std::vector<std::string> texts;
    for (int i = 0; i < count; ++i) {
      std::string message(static_cast<size_t>(letters), ' ');
      for (char& c : message) c = static_cast<char>('a' + random_() % 26);
      texts.push_back(absl::StrCat(R"({"timestamp":)", absl::ToUnixMicros(time) + i, R"(,"project":"p)",
                                   letters > 0 ? 0 : i % 7, R"(","event_message":")", message, "\"}"));
    }
    const std::vector<std::string_view> rows(texts.begin(), texts.end());
    const auto report = backend->store().Append({.table = log, .rows = rows});
    INFO(report.status().ToString());
    REQUIRE(report.ok());
    REQUIRE(report->rows == count);
  }

  TableStats StatsOf(const std::string& log) const {
    const auto stats = backend->ReadStats();
    REQUIRE(stats.ok());
    const auto found = std::find_if(stats->begin(), stats->end(), [&](const TableStats& s) { return s.log == log; });
    REQUIRE(found != stats->end());
    return *found;
  }

  // `retention` runs each millisecond, so that a test sees the effect of what it changes.
  MaintenanceOptions Options(std::vector<RetentionRule> retention) {
    MaintenanceOptions options;
    options.rules.retention = std::move(retention);
    options.rules.cluster_share = 0;
    options.retain_every = absl::Milliseconds(1);
    options.clock = &clock;
    options.log = [this](std::string_view level, std::string_view line) { lines.Add(level, line); };
    return options;
  }

  std::unique_ptr<Maintenance> Make(MaintenanceOptions options) const {
    auto maintenance = Maintenance::Create(backend.get(), std::move(options));
    INFO(maintenance.status().ToString());
    REQUIRE(maintenance.ok());
    return *std::move(maintenance);
  }

  Lines lines;
  testing::FakeClock clock;
  std::unique_ptr<DuckDbBackend> backend;

 private:
  std::mt19937 random_{1};
  std::string folder_;
};

TEST_CASE("old rows go, a large log shrinks, closed days are clustered, and the log says so") {
  Served served;
  served.Append("edge_logs", kNow - 5 * kDay, kRows);
  served.Append("edge_logs", kNow - 100 * kDay, 1'000);  // too few to be clustered
  for (int day = 8; day > 0; --day) served.Append("postgres_logs", kNow - day * kDay, 1'000, 1'000);
  REQUIRE(served.backend->store().Checkpoint().ok());
  MaintenanceOptions options = served.Options(
      {{.table = "edge_logs", .max_age = 30 * kDay}, {.table = "postgres_logs", .max_bytes = 3'000'000}});
  options.rules.cluster_share = 1;
  options.retain_every = absl::Hours(1);
  const auto maintenance = served.Make(std::move(options));
  REQUIRE(maintenance->Start().ok());
  served.lines.Await("info retention: 1000 rows of cloudflare.logs.prod from before ", "are gone, by their age");
  served.lines.Await("info retention: ", "are gone, by size: 1 project took more than its share");
  const std::string day = absl::FormatTime("%Y-%m-%d", kNow - 5 * kDay, absl::UTCTimeZone());
  served.lines.Await(
      absl::StrCat("info clustering: 31,000 rows of cloudflare.logs.prod on ", day, " are in the order of "));
  maintenance->Stop();
  maintenance->Stop();  // has no further effect
  const TableStats edge = served.StatsOf("edge_logs"), postgres = served.StatsOf("postgres_logs");
  CHECK(edge.rows == kRows);
  CHECK(edge.clustered_rows == kRows);
  CHECK(postgres.rows <= 4'000);
  CHECK(postgres.rows > 0);
  const Maintenance::Counters counters = maintenance->counters();
  CHECK(counters.retained_rows == 1'000 + 8'000 - postgres.rows);
  CHECK(counters.clustered_rows == kRows);
  CHECK(counters.failures == 0);
}

TEST_CASE("rows go when the clock reaches their age") {
  Served served;
  served.Append("edge_logs", kNow - 29 * kDay);
  const auto maintenance = served.Make(served.Options({{.table = "edge_logs", .max_age = 30 * kDay}}));
  REQUIRE(maintenance->Start().ok());
  CHECK(served.StatsOf("edge_logs").rows == 1);
  served.clock.Advance(2 * kDay);
  served.lines.Await("info retention: 1 row of cloudflare.logs.prod");
  maintenance->Stop();
  CHECK(served.StatsOf("edge_logs").rows == 0);
}

TEST_CASE("a clock that has jumped deletes nothing by age, and the log says how to confirm it") {
  // The folder has recorded the machine's time.
  const absl::Time today = absl::UnixEpoch() + absl::Floor(Clock::Real()->Now() - absl::UnixEpoch(), kDay);
  Served served("", today + absl::Hours(12));
  struct Case {
    std::optional<int> confirmed;  // days from today
    bool deletes;
  };
  for (const Case& c : {Case{std::nullopt, false}, Case{-2, false}, Case{2, false}, Case{-1, true}, Case{1, true},
                        Case{0, true}, Case{std::nullopt, false}}) {
    CAPTURE(c.confirmed.value_or(99));
    served.clock.Advance(100 * kDay);
    const absl::Time midnight = served.clock.Now() - absl::Hours(12);
    served.Append("edge_logs", today - 100 * kDay);
    MaintenanceOptions options = served.Options({{.table = "edge_logs", .max_age = 30 * kDay}});
    options.retain_every = absl::Hours(1);
    if (c.confirmed.has_value()) options.rules.clock_confirmed_on = midnight + *c.confirmed * kDay;
    const auto maintenance = served.Make(std::move(options));
    REQUIRE(maintenance->Start().ok());
    if (c.deletes) {
      served.lines.Await("info retention: ", " of cloudflare.logs.prod");
    } else {
      served.lines.Await("error retention: no rows are deleted",
                         absl::StrCat("confirm it with --confirm-clock ",
                                      absl::FormatTime("%Y-%m-%d", midnight, absl::UTCTimeZone())));
    }
    maintenance->Stop();
    CHECK(maintenance->counters().failures == (c.deletes ? 0 : 1));
    CHECK((served.StatsOf("edge_logs").rows == 0) == c.deletes);
  }
}

TEST_CASE("maintenance does only what its rules say") {
  Served served;
  served.Append("edge_logs", kNow - 8'000 * kDay);
  served.Append("edge_logs", kNow - 5 * kDay, kRows);
  MaintenanceOptions options = served.Options({});
  options.log = nullptr;
  const auto maintenance = served.Make(std::move(options));
  REQUIRE(maintenance->Start().ok());
  maintenance->Stop();
  CHECK(served.StatsOf("edge_logs").rows == 1 + kRows);
  CHECK(served.StatsOf("edge_logs").clustered_rows == 0);
  CHECK(maintenance->counters().failures == 0);
}

TEST_CASE("changed rules apply to later runs, and invalid ones change nothing") {
  Served served;
  for (const char* log : {"edge_logs", "auth_logs"}) served.Append(log, kNow - 5 * kDay);
  const auto maintenance = served.Make(served.Options({}));
  REQUIRE(maintenance->Start().ok());
  const absl::Status status = maintenance->Change(
      {.retention = {{.table = "edge_logs", .max_age = kDay}, {.table = "edge_log", .max_age = kDay}},
       .cluster_share = 0});
  CHECK(absl::IsInvalidArgument(status));
  REQUIRE(maintenance->Change({.retention = {{.table = "auth_logs", .max_age = kDay}}, .cluster_share = 0}).ok());
  served.lines.Await("info retention: 1 row of ");
  CHECK(served.StatsOf("auth_logs").rows == 0);
  CHECK(served.StatsOf("edge_logs").rows == 1);
  REQUIRE(maintenance->Change({.retention = {{.table = "edge_logs", .max_age = kDay}}, .cluster_share = 0}).ok());
  served.lines.Await("info retention: 1 row of cloudflare.logs.prod");
}

TEST_CASE("the rule for all logs reaches those that are declared later") {
  Served served;
  const auto maintenance =
      served.Make(served.Options({{.table = "*", .max_age = 90 * kDay}, {.table = "edge_logs", .max_age = kDay}}));
  REQUIRE(maintenance->Start().ok());
  const absl::Status declared = served.backend->DeclareLogs(
      "schema.json", R"({"orders": {"time": "timestamp", "columns": {"timestamp": "TIMESTAMP"}}})");
  INFO(declared.ToString());
  REQUIRE(declared.ok());
  served.Append("orders", kNow - 80 * kDay);
  served.Append("orders", kNow - 100 * kDay);
  served.lines.Await("info retention: 1 row of orders from before ");
  CHECK(served.StatsOf("orders").rows == 1);
  CHECK(maintenance->Change({.retention = {{.table = "orders", .max_age = 5 * kDay}}}).ok());
}

TEST_CASE("a log's declared retention counts before the rule for all logs, and after one that names the log") {
  Served served(R"({"short": {"time": "timestamp", "retention": {"days": 10}, "columns": {"timestamp": "TIMESTAMP"}},
                    "named": {"time": "timestamp", "retention": {"days": 10}, "columns": {"timestamp": "TIMESTAMP"}}})");
  for (const char* log : {"short", "named", "edge_logs"}) served.Append(log, kNow - 20 * kDay);
  const auto maintenance =
      served.Make(served.Options({{.table = "*", .max_age = 90 * kDay}, {.table = "named", .max_age = 30 * kDay}}));
  REQUIRE(maintenance->Start().ok());
  served.lines.Await("info retention: 1 row of short from before ");
  maintenance->Stop();
  CHECK(served.StatsOf("short").rows == 0);
  CHECK(served.StatsOf("named").rows == 1);
  CHECK(served.StatsOf("edge_logs").rows == 1);
}

TEST_CASE("invalid options are rejected") {
  Served served;
  struct Case {
    MaintenanceRules rules;
    const char* says;
  };
  for (const Case& c :
       {Case{{.retention = {{"edge_log", kDay}}}, "there is no log edge_log; did you mean edge_logs"},
        Case{{.retention = {{"", kDay}}}, "there is no log "},
        Case{{.retention = {{"edge_logs", kDay}, {"cloudflare.logs.prod", kDay}}},
             "two rules for cloudflare.logs.prod"},
        Case{{.retention = {{"*", kDay}, {"*", kDay}}}, "two rules for *"},
        Case{{.retention = {{"edge_logs", absl::ZeroDuration()}}}, "a limit of edge_logs is not positive"},
        Case{{.retention = {{"*", kDay, -1}}}, "a limit of * is not positive"},
        Case{{.cluster_share = 1.5}, "cluster_share is 1.5; it must be from 0 to 1"},
        Case{{.cluster_share = -0.5}, "from 0 to 1"},
        Case{{.cluster_share = std::numeric_limits<double>::quiet_NaN()}, "from 0 to 1"}}) {
    MaintenanceOptions options;
    options.rules = c.rules;
    const absl::Status status = Maintenance::Create(served.backend.get(), options).status();
    CAPTURE(c.says, status.ToString());
    CHECK(absl::IsInvalidArgument(status));
    CHECK(absl::StrContains(status.message(), c.says));
  }
  CHECK(absl::IsInvalidArgument(Maintenance::Create(nullptr, {}).status()));
}

TEST_CASE("maintenance that was never started can be stopped") {
  Served served;
  const auto maintenance = served.Make(served.Options({}));
  maintenance->Stop();
  CHECK(maintenance->counters().failures == 0);
}

}  // namespace
}  // namespace logquery
