// The files of rejected events: how they grow, what bounds them, and what a crash leaves of them.
#include "lib/store/load/event_rejects.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/backend_impl.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store {
namespace {

namespace fs = std::filesystem;

const absl::Time kStart = absl::FromUnixSeconds(1'772'600'700);

// A folder with books, in which events are rejected without rows.
class Rejecting {
 public:
  explicit Rejecting(const std::string& data, const EventRejects::Limits& limits = {})
      : folder_(data + "/rejected"), backend_(OpenFolder(data)), rejects_(folder_, limits) {
    state_ = *static_cast<DuckDbBackendImpl&>(*backend_).engine().Use();
    connection_ = *state_->database.Connect();
    REQUIRE(rejects_.Settle(connection_.get()).ok());
  }

  void Append(const std::string& text, absl::Time now, bool commits = true, const std::string& project = "") {
    auto transaction = duckdb::Transaction::Begin(connection_.get());
    REQUIRE(transaction.ok());
    const absl::Status appended =
        rejects_.Append(connection_.get(), "test.logs", now, {{text, "no event", "token", 7, now, project}});
    INFO(appended.ToString());
    REQUIRE(appended.ok());
    if (!commits) return;
    REQUIRE(transaction->Commit().ok());
    rejects_.Committed();
  }
  void Trim(absl::Time now) {
    auto transaction = duckdb::Transaction::Begin(connection_.get());
    REQUIRE(transaction.ok());
    REQUIRE(rejects_.Trim(connection_.get(), now).ok());
    REQUIRE(transaction->Commit().ok());
    rejects_.Committed();
  }

  EventRejects& rejects() { return rejects_; }
  DuckDbBackend& backend() { return *backend_; }
  std::string Text(const std::string& name) const { return ReadFile(folder_ + "/" + name); }
  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  const std::string folder_;
  const std::unique_ptr<DuckDbBackend> backend_;
  EventRejects rejects_;
  std::shared_ptr<duckdb::Engine::State> state_;
  duckdb::ConnectionHandle connection_;
};

TEST_CASE("rejected events of several batches are in one file, with time, sender and reason in another") {
  TemporaryFolder folder;
  Rejecting at(folder / "data");
  at.Append("{\"a\":\n1}", kStart);
  at.Append("second", kStart + absl::Seconds(1));
  CHECK(at.Files() ==
        std::vector<std::string>{"test.logs.events.00000001.ndjson", "test.logs.events.00000001.reasons.ndjson"});
  CHECK(at.Text("test.logs.events.00000001.ndjson") == "{\"a\": 1}\nsecond\n");
  CHECK(at.Text("test.logs.events.00000001.reasons.ndjson") ==
        "{\"arrived\":\"2026-03-04T05:05:00.000000Z\",\"token\":\"token\",\"index\":7,\"reason\":\"no event\"}\n"
        "{\"arrived\":\"2026-03-04T05:05:01.000000Z\",\"token\":\"token\",\"index\":7,\"reason\":\"no event\"}\n");
  CHECK(at.rejects().state().files == 1);
  CHECK(at.rejects().state().bytes == static_cast<int64_t>(at.Text("test.logs.events.00000001.ndjson").size() +
                                                           at.Text("test.logs.events.00000001.reasons.ndjson").size()));
}

TEST_CASE("files are rotated by size and age, and the oldest are removed") {
  TemporaryFolder folder;
  EventRejects::Limits limits;
  limits.file_bytes = 1'000;
  limits.total_bytes = 3'000;
  Rejecting at(folder / "data", limits);
  for (int i = 0; i < 100; ++i) {
    at.Append(std::string(300, 'x'), kStart + absl::Seconds(i));
    CHECK(at.rejects().state().bytes <= limits.total_bytes);
    CHECK(at.Files().size() == static_cast<size_t>(2 * at.rejects().state().files));
  }
  CHECK(at.rejects().state().files == 3);
  CHECK(at.rejects().state().removed_rows == 94);
  const std::vector<TableStats> stats = *at.backend().ReadStats();
  CHECK(stats.at(0).rejected_event_bytes == at.rejects().state().bytes);
  CHECK(stats.at(0).removed_rejected_events == 94);
  // A file that is larger than the bound takes the place of all others.
  at.Append(std::string(5'000, 'y'), kStart + absl::Hours(1));
  CHECK(at.rejects().state().files == 1);
  const std::vector<std::string> before = at.Files();
  at.Append("small", kStart + absl::Hours(26));
  CHECK(at.Files() != before);
  at.Trim(kStart + absl::Hours(26) + limits.keep - absl::Seconds(1));
  CHECK(at.rejects().state().files == 1);
  at.Trim(kStart + absl::Hours(26) + limits.keep);
  CHECK(at.Files().empty());
  CHECK(at.rejects().state().bytes == 0);
}

TEST_CASE("a project that fills the folder loses its own rejected events") {
  TemporaryFolder folder;
  EventRejects::Limits limits;
  limits.file_bytes = 1'000;
  limits.total_bytes = 5'000;
  Rejecting at(folder / "data", limits);
  at.Append("of alpha", kStart, true, "alpha");
  at.Append("of all projects", kStart);
  for (int i = 1; i < 100; ++i) at.Append(std::string(300, 'x'), kStart + absl::Seconds(i), true, "beta");
  CHECK(at.Text("test.logs.events.00000001.ndjson") == "of alpha\n");
  CHECK(at.Text("test.logs.events.00000002.ndjson") == "of all projects\n");
  CHECK(at.rejects().state().bytes <= limits.total_bytes);
  CHECK(at.rejects().state().removed_rows > 80);
}

TEST_CASE("uncommitted rejects are cut off by the next batch and by the next opening") {
  TemporaryFolder folder;
  const std::string name = "test.logs.events.00000001.ndjson";
  {
    Rejecting at(folder / "data");
    at.Append("first", kStart);
    at.Append("not committed", kStart, /*commits=*/false);
    CHECK(absl::StrContains(at.Text(name), "not committed"));
    at.Append("second", kStart);
    CHECK(at.Text(name) == "first\nsecond\n");
    at.Append("not committed", kStart, /*commits=*/false);
  }
  WriteFile(folder / "data/rejected/test.logs.events.00000009.ndjson", "of no transaction\n");
  WriteFile(folder / "data/rejected/test.logs.0123456789012345.ndjson", "of a file\n");
  Rejecting at(folder / "data");
  CHECK(at.Text(name) == "first\nsecond\n");
  CHECK(at.Files() == std::vector<std::string>{"test.logs.0123456789012345.ndjson", name,
                                               "test.logs.events.00000001.reasons.ndjson"});
  CHECK(at.rejects().state().files == 1);
}

TEST_CASE("a missing file is reported, and forgotten at the next opening") {
  TemporaryFolder folder;
  {
    Rejecting at(folder / "data");
    at.Append("first", kStart);
    fs::remove(folder / "data/rejected/test.logs.events.00000001.ndjson");
    const auto findings = at.backend().Check(false);
    REQUIRE(findings.ok());
    const bool told = std::any_of(findings->begin(), findings->end(), [](const FolderFinding& finding) {
      return finding.kind == FolderFinding::Kind::kWarning &&
             absl::StrContains(finding.what, "1 rejected event of test.logs is missing from rejected/test.logs.events");
    });
    CHECK(told);
    // The next event goes into a file of its own.
    at.Append("second", kStart);
    CHECK(at.Text("test.logs.events.00000002.ndjson") == "second\n");
  }
  Rejecting at(folder / "data");
  CHECK(at.rejects().state().files == 1);
  CHECK(at.rejects().state().removed_rows == 1);
  const auto findings = at.backend().Check(false);
  REQUIRE(findings.ok());
  const bool noted = std::any_of(findings->begin(), findings->end(), [](const FolderFinding& finding) {
    return finding.kind == FolderFinding::Kind::kNote &&
           absl::StrContains(finding.what, "no longer kept of the rejected events of test.logs: 1");
  });
  CHECK(noted);
}

}  // namespace
}  // namespace logquery::store
