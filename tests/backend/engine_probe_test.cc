// An engine is probed seldom, never for long, and with the breaker's knowledge.
#include "lib/backend/engine_probe.h"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <thread>

#include "absl/synchronization/notification.h"
#include "lib/base/strings.h"
#include "logquery/testing/fake_clock.h"

namespace logquery::backend {
namespace {

const absl::Status kAway = absl::UnavailableError("connect to 10.0.0.7 failed for reader");

// An engine that answers what a test says, and counts how often it is asked.
struct Engine {
  EngineProbe::Ask Ask() {
    return [this](const CancellationToken&) {
      absl::MutexLock lock(&mutex);
      ++asked;
      return answer;
    };
  }
  void Answers(const absl::Status& status) {
    absl::MutexLock lock(&mutex);
    answer = status;
  }
  int Asked() {
    absl::MutexLock lock(&mutex);
    return asked;
  }
  absl::Mutex mutex;
  absl::Status answer ABSL_GUARDED_BY(mutex);
  int asked ABSL_GUARDED_BY(mutex) = 0;
};

struct Probed {
  explicit Probed(CircuitBreakerOptions options = {})
      : breaker(std::make_shared<CircuitBreaker>("PostgreSQL", &clock, options)),
        probe("PostgreSQL", engine.Ask(), breaker, &clock, {.limit = absl::Minutes(1)}) {}
  // A call of a query's.
  void Call(const absl::Status& outcome) const {
    absl::StatusOr<CircuitBreaker::Call> call = breaker->Admit();
    REQUIRE(call.ok());
    CHECK(call->End(outcome) == outcome);
  }
  testing::FakeClock clock;
  Engine engine;
  std::shared_ptr<CircuitBreaker> breaker;
  EngineProbe probe;
};

TEST_CASE("an engine is asked again when its last answer is five seconds old, or one if it did not answer") {
  Probed probed;
  CHECK(probed.probe.State().status.ok());
  CHECK(probed.engine.Asked() == 0);  // it was opened just now
  probed.engine.Answers(kAway);
  probed.clock.Advance(absl::Milliseconds(4'999));
  CHECK(probed.probe.State().status.ok());
  probed.clock.Advance(absl::Milliseconds(1));
  EngineState away = probed.probe.State();
  CHECK(away.status == absl::UnavailableError("PostgreSQL cannot be reached"));
  CHECK(away.details == "connect to 10.0.0.7 failed for reader");
  CHECK(probed.engine.Asked() == 1);
  probed.engine.Answers(absl::OkStatus());
  probed.clock.Advance(absl::Milliseconds(999));
  CHECK_FALSE(probed.probe.State().status.ok());
  probed.clock.Advance(absl::Milliseconds(1));
  CHECK(probed.probe.State().status.ok());
  CHECK(probed.engine.Asked() == 2);
  probed.clock.Advance(absl::Milliseconds(4'999));
  CHECK(probed.probe.State().status.ok());
  CHECK(probed.engine.Asked() == 2);
}

TEST_CASE("the state describes a failure in our own words, and keeps the engine's as details") {
  for (const auto& [answer, reason] : std::initializer_list<std::pair<absl::Status, const char*>>{
           {kAway, "PostgreSQL cannot be reached"},
           {absl::FailedPreconditionError("no password for reader"),
            "PostgreSQL refuses this server, or is not trusted by it"},
           {absl::InternalError("syntax error at 10.0.0.7"), "PostgreSQL does not answer as it should"}}) {
    Probed probed;
    probed.engine.Answers(answer);
    probed.clock.Advance(absl::Seconds(5));
    const EngineState state = probed.probe.State();
    CHECK(state.status == absl::UnavailableError(reason));
    CHECK(state.details == base::Message(answer));
  }
  // An overloaded engine is available.
  Probed probed;
  probed.engine.Answers(Busy("all connections are in use"));
  probed.clock.Advance(absl::Seconds(5));
  CHECK(probed.probe.State().status.ok());
  CHECK(probed.engine.Asked() == 1);
}

TEST_CASE("an open breaker keeps the probe from asking the engine, and the next probe is the trial call") {
  Probed probed({.failures = 1});
  CHECK(probed.probe.State().status.ok());
  probed.Call(kAway);
  probed.engine.Answers(kAway);
  CHECK(probed.probe.State().status == absl::UnavailableError("PostgreSQL could not be reached by the last calls"));
  CHECK(probed.engine.Asked() == 0);
  probed.clock.Advance(absl::Seconds(1));
  CHECK(probed.probe.State().status == absl::UnavailableError("PostgreSQL cannot be reached"));
  CHECK(probed.engine.Asked() == 1);
  // The probe failed as a call does: the next one waits for two seconds.
  CHECK(probed.breaker->state() == CircuitBreaker::State::kOpen);
  probed.engine.Answers(absl::OkStatus());
  probed.clock.Advance(absl::Seconds(2));
  CHECK(probed.probe.State().status.ok());
  CHECK(probed.breaker->state() == CircuitBreaker::State::kClosed);
}

TEST_CASE("probes do not keep the breaker from opening") {
  Probed probed({.failures = 2});
  probed.Call(kAway);
  probed.clock.Advance(absl::Seconds(5));
  CHECK(probed.probe.State().status.ok());
  probed.Call(kAway);
  CHECK(probed.breaker->state() == CircuitBreaker::State::kOpen);
}

TEST_CASE("a probe of a hanging engine ends after the limit, and delays no other caller") {
  testing::FakeClock clock;
  absl::Notification asked;
  absl::Notification released;
  absl::Notification cancelled;
  const auto breaker = std::make_shared<CircuitBreaker>("BigQuery", &clock);
  CancellationToken::Registration registration;
  EngineProbe probe("BigQuery",
                    [&](const CancellationToken& token) {
                      if (asked.HasBeenNotified()) return absl::OkStatus();
                      registration = token.OnCancel([&] { cancelled.Notify(); });
                      asked.Notify();
                      released.WaitForNotification();
                      return absl::OkStatus();
                    },
                    breaker, &clock, {.limit = absl::Milliseconds(20)});
  clock.Advance(absl::Seconds(5));
  std::thread first(
      [&] { CHECK(probe.State().status == absl::UnavailableError("BigQuery did not answer within 20ms")); });
  asked.WaitForNotification();
  // Whoever comes meanwhile gets what is known, and does not wait.
  probe.State();
  first.join();
  CHECK(cancelled.HasBeenNotified());
  clock.Advance(absl::Seconds(10));
  CHECK_FALSE(probe.State().status.ok());
  released.Notify();
  // The engine answers again. The question that was given up ends on a thread of its own.
  do {
    clock.Advance(absl::Seconds(1));
  } while (!probe.State().status.ok());
}

TEST_CASE("a running probe request ends with the probe") {
  testing::FakeClock clock;
  absl::Notification asked;
  absl::Notification cancelled;
  const auto breaker = std::make_shared<CircuitBreaker>("BigQuery", &clock);
  auto probe = std::make_unique<EngineProbe>(
      "BigQuery",
      [&](const CancellationToken& token) {
        const auto registration = token.OnCancel([&] { cancelled.Notify(); });
        asked.Notify();
        cancelled.WaitForNotification();
        return absl::CancelledError("gone");
      },
      breaker, &clock, EngineProbeOptions{.limit = absl::ZeroDuration()});
  clock.Advance(absl::Seconds(5));
  CHECK_FALSE(probe->State().status.ok());
  probe = nullptr;
  CHECK(cancelled.HasBeenNotified() == asked.HasBeenNotified());
}

}  // namespace
}  // namespace logquery::backend
