// Random queries are repeated while rows come and go, bounds move, the clock goes back, and days are clustered: an answer
// that is kept is, byte for byte, what a service that keeps nothing computes from the same rows.
//
// Each seed is one step of a run over one folder: a change, or none, then some calls. LOGQUERY_SEED sets the first one.
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/query_service.h"
#include "logquery/service_observer.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/store/learned_fields.h"
#include "logquery/testing/fake_clock.h"
#include "tests/endpoint/kept_faults.h"
#include "tests/endpoint/kept_polls.h"
#include "tests/endpoint/served_rows.h"

namespace logquery {
namespace {

// Counts the queries that ran over new rows alone, and those over groups.
class Merges : public ServiceObserver {
 public:
  void OnQueryStart(const QueryEvent& event) noexcept override {
    if (event.variant.find('+') != std::string_view::npos) ++count;
    if (event.variant.find(" groups") != std::string_view::npos) ++groups;
  }
  int64_t count = 0;
  int64_t groups = 0;
};

constexpr const char* kProjects[] = {"a", "b", "c", "d"};

class Run {
 public:
  Run(const std::filesystem::path& folder, int threads, Fault fault) {
    DuckDbOptions engine;
    engine.folder = folder.string();
    engine.memory_limit_bytes = 500'000'000;
    engine.threads = threads;
    backend_ = OpenDuckDb(engine).value();
    faulty_ = std::make_unique<Faulty>(backend_.get(), fault);
    keeping_ = Serve(faulty_.get(), 1 << 20);
    plain_ = Serve(backend_.get(), 0);
  }

  // Returns what differs; empty: nothing.
  std::string Step(uint64_t seed) {
    Dice dice(seed);
    if (polls_.size() < 12 || dice.OneIn(15)) {
      Poll poll = MakePoll(dice);
      if (polls_.size() < 12)
        polls_.push_back(std::move(poll));
      else
        polls_[static_cast<size_t>(dice.Below(12))] = std::move(poll);
    }
    if (dice.OneIn(3)) Change(dice);
    faulty_->has_rows_at_hand = !dice.OneIn(3);
    for (int call = 0; call < 4; ++call) {
      MoveClock(dice);
      const Poll& poll = polls_[static_cast<size_t>(dice.Below(static_cast<int64_t>(polls_.size())))];
      const std::string found = Compare(poll);
      if (!found.empty()) return base::StrCat("seed ", seed, ", call ", call, ": ", found);
    }
    return "";
  }

  int64_t kept() const { return kept_; }
  int64_t merged() const { return merges_.count; }
  int64_t grouped() const { return merges_.groups; }
  int64_t read() const { return faulty_->reads; }
  int64_t calls() const { return calls_; }

 private:
  std::unique_ptr<QueryService> Serve(QueryBackend* backend, int64_t kept_bytes) {
    Endpoint endpoint =
        MakeEndpoint("logs",
                     base::StrCat("WITH logs AS (SELECT t.id, t.timestamp, t.event_message, t.project FROM `", kLog,
                                  "` AS t) "
                                  "SELECT @start AS s, @end AS e, @project AS p FROM logs"),
                     1);
    Endpoint clickhouse = InClickHouseSql(
        MakeEndpoint("otel",
                     "WITH logs AS (SELECT * FROM logs WHERE project = {project:String} AND timestamp > "
                     "{start:DateTime64(6)} AND timestamp <= {end:DateTime64(6)}) SELECT count() AS n FROM logs",
                     2));
    for (Endpoint* each : {&endpoint, &clickhouse}) {
      each->query_sandboxing = true;
      each->max_rows = 200;
      for (const char* name : {"project", "start", "end"}) {
        Parameter& parameter = each->parameters.emplace_back();
        parameter.name = name;
        parameter.type = parameter.name == "project" ? Type::String() : Type::Timestamp();
      }
    }
    QueryServiceOptions options;
    options.backend = backend;
    options.clock = &clock_;
    options.authenticator = &authenticator_;
    options.endpoints = {endpoint, clickhouse};
    options.warming_threads = 0;
    options.kept_bytes = kept_bytes;
    options.groups_kept_above = absl::ZeroDuration();
    if (kept_bytes > 0) options.observer = &merges_;
    auto service = QueryService::Create(options);
    INFO(service.status().ToString());
    REQUIRE(service.ok());
    return *std::move(service);
  }

  void MoveClock(Dice& dice) {
    now_ += dice.OneIn(12) ? -dice.Below(100 * kSecond) : dice.Below(3 * kSecond);
    // Bounds meet rows exactly, which have whole seconds.
    if (dice.OneIn(2)) now_ -= now_ % kSecond;
    clock_.Set(absl::FromUnixMicros(now_));
  }

  void Append(Dice& dice) {
    std::vector<std::string> rows;
    for (int64_t i = dice.Below(4); i >= 0; --i) {
      int64_t time = now_ - dice.Below(5 * kSecond);
      if (dice.OneIn(4)) time = now_ - dice.Below(600 * kSecond);  // late
      if (dice.OneIn(8)) time = now_ - dice.Below(72 * kHour);     // by days
      if (dice.OneIn(6)) time = now_ + dice.Below(100 * kSecond);  // of the future
      if (dice.OneIn(2)) time -= time % kSecond;                   // at the time of others
      std::string row = base::StrCat("{\"timestamp\":", time, ",\"id\":\"r", ++rows_, "\"");
      if (!dice.OneIn(8)) base::StrAppend(&row, ",\"project\":\"", kProjects[dice.Below(4)], "\"");
      if (!dice.OneIn(4)) base::StrAppend(&row, ",\"event_message\":\"m", dice.Below(4), "\"");
      if (dice.OneIn(20)) base::StrAppend(&row, ",\"metadata\":{\"field", dice.Below(5), "\":1}");
      rows.push_back(row + "}");
    }
    const auto report = backend_->store().Append({.table = kLog, .rows = {rows.begin(), rows.end()}});
    INFO(report.status().ToString());
    REQUIRE(report.ok());
  }

  void Change(Dice& dice) {
    LogStore& store = backend_->store();
    absl::Status status;
    if (dice.OneIn(40)) {
      status = store.Cluster({.now = clock_.Now()}).status();
    } else if (dice.OneIn(40)) {
      status = store.Erase({.project = dice.OneIn(2) ? "d" : "c"}).status();
      keeping_->ForgetAnswers();
    } else if (dice.OneIn(40)) {
      status = store
                   .Retain({.rules = {{.table = kLog, .max_age = absl::Hours(24 + dice.Below(48))}},
                            .now = clock_.Now(),
                            .clock_is_confirmed = true})
                   .status();
    } else if (dice.OneIn(40)) {
      status =
          ForgetFields(*backend_, {.table = kLog, .field = base::StrCat("metadata.field", dice.Below(5))}).status();
      if (absl::IsNotFound(status)) status = absl::OkStatus();
    } else {
      Append(dice);
    }
    INFO(status.ToString());
    REQUIRE(status.ok());
  }

  QueryRequest RequestOf(const Poll& poll) const {
    const auto text = [&](int64_t time) {
      return absl::FormatTime("%Y-%m-%dT%H:%M:%E6SZ", absl::FromUnixMicros(time - time % poll.step),
                              absl::UTCTimeZone());
    };
    QueryRequest request;
    request.endpoint = poll.clickhouse ? "otel" : "logs";
    request.parameters = {{"sql", poll.sql},
                          {"project", poll.project},
                          {"start", text(now_ - poll.back)},
                          {"end", text(now_ + poll.ahead)}};
    return request;
  }

  std::string Compare(const Poll& poll) {
    authenticator_.principal.project_scope = poll.scoped ? std::optional<std::string>(poll.project) : std::nullopt;
    const QueryRequest request = RequestOf(poll);
    const auto got = keeping_->Run(request), wanted = plain_->Run(request);
    ++calls_;
    if (!got.ok() || !wanted.ok()) {
      return got.status() == wanted.status() ? "" : base::StrCat(poll.sql, ": ", got.status().ToString());
    }
    if (got->cache == CacheUse::kCurrent) ++kept_;
    const bool same = got->body == wanted->body && got->truncated == wanted->truncated &&
                      got->next_cursor == wanted->next_cursor && got->rows == wanted->rows &&
                      got->receipt == wanted->receipt;
    if (same) return "";
    return base::StrCat(poll.sql, "\nproject ", poll.project, poll.scoped ? ", scoped" : "", ", start ",
                        request.parameters[2].second, ", end ", request.parameters[3].second,
                        "\nkept: ", got->body.text(), "\nfull: ", wanted->body.text(), "\nreceipts: ", got->receipt,
                        "\n", wanted->receipt);
  }

  Merges merges_;
  testing::FakeClock clock_{absl::FromUnixMicros(kNow)};
  OnePrincipal authenticator_;
  std::unique_ptr<DuckDbBackend> backend_;
  std::unique_ptr<Faulty> faulty_;
  std::unique_ptr<QueryService> keeping_;
  std::unique_ptr<QueryService> plain_;
  std::vector<Poll> polls_;
  int64_t now_ = kNow;
  int64_t rows_ = 0;
  int64_t kept_ = 0;
  int64_t calls_ = 0;
};

// 70,000 rows in three row groups: 35,000 of a closed day, which is clustered in the run, most of a project that no call
// reads, and some of each project.
std::filesystem::path MakeFolder(const std::filesystem::path& folder) {
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  DuckDbOptions engine;
  engine.folder = (folder / "rows").string();
  engine.memory_limit_bytes = 500'000'000;
  auto backend = OpenDuckDb(engine).value();
  std::vector<std::string> rows;
  for (int i = 0; i < 70'000; ++i) {
    const int64_t time = i < 35'000 ? kNow - 60 * kHour + i * 100'000 : kNow - 5 * kHour + (i - 35'000) * 500'000;
    rows.push_back(base::StrCat("{\"timestamp\":", time, ",\"id\":\"o", i, "\",\"project\":\"",
                                i % 500 == 0 ? kProjects[(i / 500) % 4] : "others", "\",\"event_message\":\"m", i % 7,
                                "\"}"));
  }
  const auto report = backend->store().Append({.table = kLog, .rows = {rows.begin(), rows.end()}});
  INFO(report.status().ToString());
  REQUIRE(report.ok());
  REQUIRE(backend->store().Checkpoint().ok());
  return folder / "rows";
}

struct Checked {
  std::string found;
  int64_t kept = 0;
  int64_t merged = 0;
  int64_t grouped = 0;
  int64_t read = 0;
  int64_t calls = 0;
};

class Folders {
 public:
  Folders() : rows_(MakeFolder(root_)) {}
  ~Folders() { std::filesystem::remove_all(root_); }

  Checked Check(int threads, uint64_t seed, int steps, Fault fault = Fault::kNone) {
    const std::filesystem::path copy = root_ / "copy";
    std::filesystem::remove_all(copy);
    std::filesystem::copy(rows_, copy, std::filesystem::copy_options::recursive);
    Run run(copy, threads, fault);
    Checked checked;
    for (int i = 0; i < steps && checked.found.empty(); ++i) checked.found = run.Step(seed + static_cast<uint64_t>(i));
    checked.kept = run.kept();
    checked.merged = run.merged();
    checked.grouped = run.grouped();
    checked.read = run.read();
    checked.calls = run.calls();
    return checked;
  }

 private:
  const std::filesystem::path root_ = std::filesystem::temp_directory_path() / ServedRows::NewName();
  const std::filesystem::path rows_;
};

uint64_t FirstSeed() {
  const char* const given = std::getenv("LOGQUERY_SEED");
  return given == nullptr ? 1 : std::stoull(given);
}

void CheckSteps(int steps) {
  Folders folders;
  int differences = 0;
  for (const int threads : {1, 2, 4}) {
    const Checked checked = folders.Check(threads, FirstSeed(), steps);
    CAPTURE(threads, FirstSeed(), checked.found, checked.kept, checked.merged, checked.grouped, checked.read,
            checked.calls);
    CHECK(checked.found.empty());
    differences += checked.found.empty() ? 0 : 1;
    // Otherwise nothing was checked.
    CHECK(checked.kept * 5 > checked.calls);
    CHECK(checked.merged > 0);
    CHECK(checked.read > 0);
    CHECK(checked.grouped * 25 > checked.calls);
  }
  // For scripts/nightly.
  std::printf("%d steps of seed %s; %d differences\n", 3 * steps, std::to_string(FirstSeed()).c_str(), differences);
}

TEST_CASE("an answer that is kept is the one that a full run gives, byte for byte, whatever comes in between") {
  CheckSteps(100);
}

TEST_CASE("twenty thousand steps of kept answers differ from full runs in none", "[nightly]") { CheckSteps(6'667); }

void CheckFinds(Fault fault, int steps) {
  Folders folders;
  const Checked checked = folders.Check(2, 1, steps, fault);
  CAPTURE(static_cast<int>(fault), checked.kept, checked.calls);
  CHECK_FALSE(checked.found.empty());
}

TEST_CASE("the check of kept answers finds a state of rows that wrongly stays the same") {
  CheckFinds(Fault::kStateStays, 200);
}

TEST_CASE("the check of kept answers finds groups that wrongly stay or go") {
  for (const Fault fault : {Fault::kNothingTouched, Fault::kTouchedTwice, Fault::kNothingCut, Fault::kNoLastPlace,
                            Fault::kNothingAdded, Fault::kAddedLater}) {
    CheckFinds(fault, 1'000);
  }
}

TEST_CASE("the check of kept answers finds new rows at hand that are not all") {
  CheckFinds(Fault::kRowsBefore, 1'000);
}

TEST_CASE("the check of kept answers finds a fault that is planted in each rule", "[nightly]") {
  for (const Fault fault : {Fault::kNoEpoch, Fault::kNoProject, Fault::kNoRowInTheWay, Fault::kFirstRowLater}) {
    CheckFinds(fault, 20'000);
  }
}

}  // namespace
}  // namespace logquery
