// A spool over a folder, whose store a test can have fail.
#ifndef LOGQUERY_TESTS_STORE_SPOOL_FIXTURE_H_
#define LOGQUERY_TESTS_STORE_SPOOL_FIXTURE_H_

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lib/store/spool/spool_outcome.h"
#include "logquery/store/spool.h"
#include "logquery/testing/fake_clock.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store::spool_tests {

namespace fs = std::filesystem;

inline std::string Lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += Row("\"i\":" + std::to_string(i)) + "\n";
  return text;
}

// Passes calls on, and fails those that the test wants to fail.
class FailingStore : public LogStore {
 public:
  explicit FailingStore(LogStore* store) : store_(store) {}
  absl::StatusOr<LoadReport> Load(const LoadRequest& request,
                                  const std::function<void(const LoadProgress&)>& progress) override {
    loads.push_back(request);
    for (const std::string& file : request.files) {
      if (!failure.ok() && file.find(fails_for) != std::string::npos) return failure;
    }
    return store_->Load(request, progress);
  }
  absl::StatusOr<LoadReport> Append(const AppendRequest& request) override { return store_->Append(request); }
  absl::StatusOr<bool> HasBatch(const std::string& table, const std::string& batch) override {
    return store_->HasBatch(table, batch);
  }
  absl::StatusOr<std::vector<EventOutcome>> AppendEvents(const EventBatch& batch) override {
    return store_->AppendEvents(batch);
  }
  absl::StatusOr<ClusterReport> Cluster(const ClusterRequest& request) override { return store_->Cluster(request); }
  absl::StatusOr<RetainReport> Retain(const RetainRequest& request) override { return store_->Retain(request); }
  absl::StatusOr<EraseReport> Erase(const EraseRequest& request) override { return store_->Erase(request); }
  absl::Status Checkpoint() override { return store_->Checkpoint(); }

  absl::Status failure;
  std::string fails_for;  // files with this in their names
  std::vector<LoadRequest> loads;

 private:
  LogStore* const store_;
};

// A data folder and its spool, which looks when the test says so.
struct SpoolFixture {
  SpoolFixture() : backend(OpenFolder(folder / "data")), store(&backend->store()) { Reopen(); }

  void Reopen() {
    spool.reset();
    auto opened = Spool::Open(options(), &store);
    INFO(opened.status().ToString());
    REQUIRE(opened.ok());
    spool = *std::move(opened);
  }
  SpoolOptions options() {
    SpoolOptions made;
    made.folder = folder / "spool";
    made.logs = {"test_logs"};
    made.max_bytes = 100'000;
    made.clock = &clock;
    made.log = [this](std::string_view, std::string_view line) { lines += std::string(line) + "\n"; };
    return made;
  }
  std::string Path(const std::string& name) { return folder / ("spool/test_logs/" + name); }
  // Puts a file there as a program does that writes it elsewhere and renames it.
  void Put(const std::string& name, std::string_view text) {
    fs::rename(WriteFile(folder / "beside", text), Path(name));
  }
  // Looks, waits until what has come is due, and looks again.
  absl::Status TakeAll() {
    spool->TakeReady().IgnoreError();
    clock.Advance(absl::Seconds(60));
    return spool->TakeReady();
  }
  SpoolOutcome Outcome(const std::string& name) {
    auto outcome = SpoolOutcome::Parse(ReadFile(Path(name) + ".outcome"));
    INFO(name);
    REQUIRE(outcome.ok());
    return *std::move(outcome);
  }

  TemporaryFolder folder;
  testing::FakeClock clock{absl::Now()};
  std::unique_ptr<DuckDbBackend> backend;
  FailingStore store;
  std::unique_ptr<Spool> spool;
  std::string lines;
};

}  // namespace logquery::store::spool_tests

#endif  // LOGQUERY_TESTS_STORE_SPOOL_FIXTURE_H_
