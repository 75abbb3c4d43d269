// Groups that are kept only as long as their updates are faster than the whole query, over a real engine and its folder.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/service_observer.h"
#include "tests/endpoint/served_rows.h"

namespace logquery {
namespace {

constexpr char kCounts[] =
    "SELECT TIMESTAMP_TRUNC(t.timestamp, MINUTE) AS minute, COUNT(*) AS n FROM `cloudflare.logs.prod` AS t "
    "WHERE t.project = 'abc' GROUP BY minute ORDER BY minute";

constexpr char kClickHouseCounts[] =
    "SELECT toStartOfInterval(timestamp, INTERVAL 7 MINUTE) AS at, avg(length(id)) AS a, count() AS n FROM logs WHERE "
    "source = 'edge_logs' AND project = 'abc' GROUP BY at ORDER BY at";

// Each query takes as long as the test says, on the test's clock.
class TimedBackend : public QueryBackend {
 public:
  TimedBackend(QueryBackend* backend, testing::FakeClock* clock) : backend_(backend), clock_(clock) {}

  Capabilities capabilities() const override { return backend_->capabilities(); }
  absl::StatusOr<Catalog> ReadCatalog() override { return backend_->ReadCatalog(); }
  uint64_t CatalogVersion() const override { return backend_->CatalogVersion(); }
  RowsState ReadState(const PreparedQuery& query, const Bindings& bindings) override {
    return backend_->ReadState(query, bindings);
  }
  absl::Status Execute(const PreparedQuery& query, const Bindings& bindings, const ExecutionLimits& limits,
                       const CancellationToken& cancellation, BatchSink& sink) override {
    clock_->Advance(takes);
    return backend_->Execute(query, bindings, limits, cancellation, sink);
  }

  absl::Duration takes = absl::Milliseconds(20);

 private:
  QueryBackend* const backend_;
  testing::FakeClock* const clock_;
};

class GroupRuns : public ServiceObserver {
 public:
  void OnQueryStart(const QueryEvent& event) noexcept override {
    is_of_groups = event.variant.find(" groups") != std::string_view::npos;
  }
  bool is_of_groups = false;
};

struct Fixture : ServedRows {
  explicit Fixture(Endpoint endpoint = MakeEndpoint("counts", kCounts, 1)) : ServedRows({std::move(endpoint)}) {
    QueryServiceOptions options = Options();
    options.backend = &timed;
    options.groups_kept_above = absl::Milliseconds(10);
    options.observer = &runs;
    Serve(std::move(options));
  }

  // Returns whether a call after a new row runs over groups.
  bool RunsOverGroups() {
    const std::string row =
        base::StrCat(R"({"timestamp":"2026-03-04T05:00:00Z","id":"new)", ++rows, R"(","project":"abc"})");
    REQUIRE(backend->store().Append({.table = "edge_logs", .rows = {row}}).ok());
    CHECK(Body("counts").find(base::StrCat("\"n\":", rows + 2, "}")) != std::string::npos);
    return runs.is_of_groups;
  }

  TimedBackend timed{backend.get(), &clock};
  GroupRuns runs;
  int rows = 0;
};

TEST_CASE("groups are kept from the second call on") {
  Fixture f;
  CHECK_FALSE(f.RunsOverGroups());
  CHECK(f.RunsOverGroups());
  CHECK(f.RunsOverGroups());
}

TEST_CASE("groups of a query in ClickHouse SQL are kept, too, and their averages take new rows") {
  Fixture f(InClickHouseSql(MakeEndpoint("counts", kClickHouseCounts, 1)));
  CHECK_FALSE(f.RunsOverGroups());
  CHECK(f.RunsOverGroups());
  f.timed.takes = absl::Milliseconds(1);
  CHECK(f.RunsOverGroups());
  CHECK(f.Body("counts") == R"({"result":[{"at":"2026-03-04T04:59:00","a":3.6,"n":5}]})");
}

TEST_CASE("groups whose updates take as long as the whole query are let go, until it takes twice as long") {
  Fixture f;
  CHECK_FALSE(f.RunsOverGroups());
  CHECK(f.RunsOverGroups());
  // Each update looks for the last row and reads the new ones: two queries.
  for (int i = 0; i < 3; ++i) CHECK(f.RunsOverGroups());
  CHECK_FALSE(f.RunsOverGroups());
  CHECK_FALSE(f.RunsOverGroups());
  f.timed.takes = absl::Milliseconds(60);
  CHECK_FALSE(f.RunsOverGroups());
  CHECK(f.RunsOverGroups());
}

TEST_CASE("groups count each row also after a checkpoint gave rows other places") {
  Fixture f;
  std::vector<std::string> closed;
  for (int i = 0; i < 31'000; ++i) {  // a day with fewer rows is not clustered
    closed.push_back(
        base::StrCat("{\"timestamp\":", 1'772'382'400'000'000 + i, ",\"id\":\"closed", i, "\",\"project\":\"xyz\"}"));
  }
  REQUIRE(f.backend->store().Append({.table = "edge_logs", .rows = {closed.begin(), closed.end()}}).ok());
  REQUIRE(f.backend->store().Checkpoint().ok());
  CHECK_FALSE(f.RunsOverGroups());
  f.timed.takes = absl::Milliseconds(1);
  CHECK(f.RunsOverGroups());
  int days = 0;
  ClusterRequest request;
  request.now = f.clock.Now();
  // The day's rows have been written once more, and the checkpoint that removes the first ones is still to come.
  request.on_day = [&](const ClusteredDay&) {
    ++days;
    CHECK(f.RunsOverGroups());
    CHECK(f.RunsOverGroups());
  };
  REQUIRE(f.backend->store().Cluster(request).ok());
  CHECK(days == 1);
  CHECK(f.RunsOverGroups());
  CHECK(f.RunsOverGroups());
}

TEST_CASE("groups whose updates are fast stay") {
  Fixture f;
  CHECK_FALSE(f.RunsOverGroups());
  f.timed.takes = absl::Milliseconds(1);
  for (int i = 0; i < 6; ++i) CHECK(f.RunsOverGroups());
}

}  // namespace
}  // namespace logquery
