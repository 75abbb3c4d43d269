#include "logquery/overdue_watch.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"

namespace logquery {
namespace {

using Pass = std::unique_ptr<ExecutionGuard::Pass>;

ExecutionKey KeyOf(const std::string& call) { return {.token_id = "t", .call = call}; }

// A guard whose passes tell of their runs.
class NextGuard : public ExecutionGuard {
 public:
  absl::StatusOr<std::unique_ptr<ExecutionGuard::Pass>> Enter(const ExecutionKey& key, absl::Duration,
                                                              const CancellationToken&) override {
    if (key.call == "refused") return absl::InvalidArgumentError("refused");
    return std::make_unique<Run>(this, key.call);
  }
  std::vector<std::string> events;

 private:
  class Run : public ExecutionGuard::Pass {
   public:
    Run(NextGuard* owner, std::string call) : owner_(owner), call_(std::move(call)) {}
    ~Run() override { owner_->events.push_back("end " + call_); }
    absl::Status why_stopped() const override { return absl::AbortedError(call_); }
    void OnOverdue(absl::Duration ran) override { owner_->events.push_back(call_ + absl::FormatDuration(ran)); }

   private:
    NextGuard* const owner_;
    const std::string call_;
  };
};

// A watch whose clocks the test moves, and which looks when the test says.
struct Watched {
  OverdueWatchOptions Options() {
    OverdueWatchOptions options;
    options.on_overdue = [this](const ExecutionKey& query, absl::Duration) { overdue.push_back(query.call); };
    options.next = &next;
    options.look_every = absl::ZeroDuration();
    options.monotonic = [this] { return now; };
    options.processor = [this] { return processor; };
    return options;
  }
  Pass Begin(const std::string& call, absl::Duration time_limit) {
    auto pass = watch.Enter(KeyOf(call), time_limit, {});
    REQUIRE(pass.ok());
    return *std::move(pass);
  }
  std::vector<std::string> After(int64_t passed, int64_t worked) {
    now += absl::Milliseconds(passed);
    processor += absl::Milliseconds(worked);
    watch.Look();
    return overdue;
  }

  absl::Duration now, processor;
  NextGuard next;
  std::vector<std::string> overdue;
  OverdueWatch watch{Options()};
};

TEST_CASE("a query is overdue 2 seconds after its deadline, once") {
  Watched watched;
  Pass late = watched.Begin("late", absl::Seconds(5));
  const Pass other = watched.Begin("other", absl::Seconds(60));
  watched.Begin("ended", absl::Seconds(1)).reset();
  CHECK(watched.After(5'000, 9'000).empty());
  CHECK(watched.After(1'900, 1'900).empty());
  CHECK(watched.watch.counters().total == 0);
  CHECK(watched.After(200, 200) == std::vector<std::string>{"late"});
  CHECK(watched.After(20'000, 20'000) == std::vector<std::string>{"late"});
  CHECK(watched.watch.counters().running == 1);
  late.reset();
  CHECK(watched.watch.counters().running == 0);
  CHECK(watched.watch.counters().total == 1);
}

TEST_CASE("a process without processor time has 10 seconds") {
  Watched watched;
  const Pass pass = watched.Begin("late", absl::Seconds(5));
  CHECK(watched.After(5'000, 5'000).empty());
  CHECK(watched.After(9'000, 500).empty());
  CHECK(watched.After(1'000, 0) == std::vector<std::string>{"late"});
}

TEST_CASE("a query without a deadline is never overdue") {
  Watched watched;
  const Pass pass = watched.Begin("endless", absl::InfiniteDuration());
  CHECK(watched.After(1'000'000'000, 1'000'000'000).empty());
}

TEST_CASE("the next guard admits runs, and its passes are told when they are overdue and when they end") {
  Watched watched;
  CHECK(absl::IsInvalidArgument(watched.watch.Enter(KeyOf("refused"), absl::Seconds(1), {}).status()));
  Pass pass = watched.Begin("late", absl::Seconds(1));
  CHECK(pass->why_stopped() == absl::AbortedError("late"));
  watched.After(1'000, 1'000);
  watched.After(3'000, 3'000);
  CHECK(watched.next.events == std::vector<std::string>{"late4s"});
  pass.reset();
  CHECK(watched.next.events == std::vector<std::string>{"late4s", "end late"});
}

TEST_CASE("a watch looks by itself while queries run") {
  absl::Notification told;
  OverdueWatchOptions options;
  options.on_overdue = [&](const ExecutionKey&, absl::Duration) { told.Notify(); };
  options.look_every = absl::Milliseconds(1);
  // Each look is a second later than the one before.
  std::atomic<int64_t> looks{0};
  options.monotonic = options.processor = [&looks] { return absl::Seconds(++looks); };
  OverdueWatch watch(options);
  const auto pass = watch.Enter(KeyOf("late"), absl::Seconds(5), {});
  REQUIRE(pass.ok());
  told.WaitForNotification();
  CHECK(watch.counters().running == 1);
}

}  // namespace
}  // namespace logquery
