// A queue of events over a store that a test can hold up and have fail.
#ifndef LOGQUERY_TESTS_STORE_INGEST_FIXTURE_H_
#define LOGQUERY_TESTS_STORE_INGEST_FIXTURE_H_

#include <catch2/catch_test_macros.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "logquery/error.h"
#include "logquery/store/ingest.h"
#include "logquery/testing/fake_clock.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store::ingest_tests {

using Texts = std::vector<std::string_view>;
using Outcome = std::optional<absl::StatusOr<EventOutcome>>;

// Passes calls on, and fails those that the test wants to fail.
class WatchedStore : public LogStore {
 public:
  explicit WatchedStore(LogStore* store) : store_(store) {}
  absl::StatusOr<std::vector<EventOutcome>> AppendEvents(const EventBatch& batch) override {
    batches.push_back(batch.parts.size());
    if (during_append) during_append();
    for (const EventPart& part : batch.parts) {
      for (const std::string_view row : part.rows) {
        if (!poison.empty() && row.find(poison) != std::string_view::npos) return failure;
      }
    }
    if (failing_commits == 0) return store_->AppendEvents(batch);
    --failing_commits;
    if (commit_stores) REQUIRE(store_->AppendEvents(batch).ok());
    ErrorDetails details;
    details.reason = ErrorReason::kOutcomeUnknown;
    return WithErrorDetails(absl::InternalError("a checkpoint failed"), details);
  }
  absl::StatusOr<LoadReport> Load(const LoadRequest& request,
                                  const std::function<void(const LoadProgress&)>& progress) override {
    return store_->Load(request, progress);
  }
  absl::StatusOr<LoadReport> Append(const AppendRequest& request) override { return store_->Append(request); }
  absl::StatusOr<bool> HasBatch(const std::string& table, const std::string& batch) override {
    return store_->HasBatch(table, batch);
  }
  absl::StatusOr<ClusterReport> Cluster(const ClusterRequest& request) override { return store_->Cluster(request); }
  absl::StatusOr<RetainReport> Retain(const RetainRequest& request) override { return store_->Retain(request); }
  absl::StatusOr<EraseReport> Erase(const EraseRequest& request) override { return store_->Erase(request); }
  absl::Status Checkpoint() override { return store_->Checkpoint(); }

  std::function<void()> during_append;
  std::string poison;  // batches with this in a row fail
  absl::Status failure = absl::InternalError("a defect");
  int failing_commits = 0;      // so many batches fail in their commit,
  bool commit_stores = false;   // before or after their rows are stored
  std::vector<size_t> batches;  // how many requests each had

 private:
  LogStore* const store_;
};

// A writer without a thread: the test moves its clock and has it look.
struct IngestFixture {
  explicit IngestFixture(IngestOptions options = {}) : backend(OpenFolder(folder / "data")), store(&backend->store()) {
    options.clock = &clock;
    ingest = Ingest::Create(options, &store);
  }
  // Submits rows; the outcome is set once they are answered. The fixture keeps both: rows that wait at the end are answered then.
  const Outcome& Submit(const Texts& rows, const std::string& table = "test_logs", const std::string& key = {}) {
    Submitted& kept = submitted.emplace_back();
    kept.texts.assign(rows.begin(), rows.end());
    kept.rows.assign(kept.texts.begin(), kept.texts.end());
    IngestRequest request;
    request.table = table;
    request.part.rows = kept.rows;
    request.part.key = key;
    ingest->Submit(request, [&kept](absl::StatusOr<EventOutcome> result) { kept.outcome = std::move(result); });
    return kept.outcome;
  }

  struct Submitted {
    std::vector<std::string> texts;
    Texts rows;
    Outcome outcome;
  };
  TemporaryFolder folder;
  testing::FakeClock clock;
  std::unique_ptr<DuckDbBackend> backend;
  WatchedStore store;
  std::deque<Submitted> submitted;
  std::unique_ptr<Ingest> ingest;
};

inline const Texts kOne = {R"({"i":1})"};
inline const Texts kTwo = {R"({"i":2})", R"({"i":3})"};

}  // namespace logquery::store::ingest_tests

#endif  // LOGQUERY_TESTS_STORE_INGEST_FIXTURE_H_
