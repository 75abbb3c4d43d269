// An engine that is away fails calls at once, and is asked again now and then.
#include "lib/backend/circuit_breaker.h"

#include <catch2/catch_test_macros.hpp>

#include "logquery/error.h"
#include "logquery/testing/fake_clock.h"

namespace logquery::backend {
namespace {

using State = CircuitBreaker::State;

const absl::Status kAway = absl::UnavailableError("it can't be reached");

// The status of a call that comes to this.
absl::Status Ask(CircuitBreaker& breaker, const absl::Status& outcome) {
  absl::StatusOr<CircuitBreaker::Call> call = breaker.Admit();
  return call.ok() ? call->End(outcome) : call.status();
}

TEST_CASE("after failures in a row calls fail at once, and one in a while is let through until it succeeds") {
  testing::FakeClock clock;
  CircuitBreaker breaker("BigQuery", &clock);
  for (int i = 0; i < 5; ++i) {
    CHECK(breaker.state() == State::kClosed);
    CHECK(Ask(breaker, kAway) == kAway);
  }
  CHECK(breaker.state() == State::kOpen);
  for (const absl::Duration wait : {absl::Seconds(1), absl::Seconds(2), absl::Seconds(4), absl::Seconds(8),
                                    absl::Seconds(16), absl::Seconds(30), absl::Seconds(30)}) {
    const absl::Status refused = Ask(breaker, absl::OkStatus());
    CHECK(absl::IsUnavailable(refused));
    CHECK(GetErrorDetails(refused).retry_after == wait);
    clock.Advance(wait - absl::Milliseconds(1));
    CHECK(absl::IsUnavailable(Ask(breaker, absl::OkStatus())));
    clock.Advance(absl::Milliseconds(1));
    CHECK(breaker.state() == State::kHalfOpen);
    CHECK(Ask(breaker, kAway) == kAway);
    CHECK(breaker.state() == State::kOpen);
  }
  clock.Advance(absl::Seconds(30));
  CHECK(Ask(breaker, absl::OkStatus()).ok());
  CHECK(breaker.state() == State::kClosed);
  // The next time it waits as briefly as the first time.
  for (int i = 0; i < 5; ++i) CHECK(Ask(breaker, kAway) == kAway);
  CHECK(GetErrorDetails(Ask(breaker, kAway)).retry_after == absl::Seconds(1));
}

TEST_CASE("other calls proceed as soon as the trial call has an answer, before its last row") {
  testing::FakeClock clock;
  CircuitBreaker breaker("BigQuery", &clock, {.failures = 2});
  for (int i = 0; i < 2; ++i) CHECK(Ask(breaker, kAway) == kAway);
  clock.Advance(absl::Seconds(1));
  auto probe = breaker.Admit();
  REQUIRE(probe.ok());
  CHECK(absl::IsUnavailable(breaker.Admit().status()));
  probe->NoteAnswer();
  CHECK(breaker.state() == State::kClosed);
  CHECK(breaker.Admit().ok());
  // The probe fails after all, which is one failure like any other's.
  CHECK(probe->End(kAway) == kAway);
  CHECK(breaker.state() == State::kClosed);
}

TEST_CASE("one call at a time tries an engine that was away") {
  testing::FakeClock clock;
  CircuitBreaker breaker("BigQuery", &clock, {.failures = 1});
  CHECK(Ask(breaker, kAway) == kAway);
  clock.Advance(absl::Seconds(1));
  {
    auto probe = breaker.Admit();
    REQUIRE(probe.ok());
    CHECK(absl::IsUnavailable(breaker.Admit().status()));
    // The probe was cancelled: the next one tries.
    CHECK(absl::IsCancelled(probe->End(absl::CancelledError("gone"))));
  }
  {
    auto forgotten = breaker.Admit();
    REQUIRE(forgotten.ok());
  }
  CHECK(Ask(breaker, absl::OkStatus()).ok());
  CHECK(breaker.state() == State::kClosed);
}

TEST_CASE("only consecutive failures that show the engine to be unavailable count") {
  testing::FakeClock clock;
  CircuitBreaker breaker("BigQuery", &clock, {.failures = 2});
  ErrorDetails busy;
  busy.reason = kBusyReason;
  for (const absl::Status& status :
       {absl::OkStatus(), absl::InternalError("x"), absl::ResourceExhaustedError("x"), absl::DeadlineExceededError("x"),
        WithErrorDetails(absl::UnavailableError("all connections are in use"), busy)}) {
    CHECK(Ask(breaker, kAway) == kAway);
    CHECK(Ask(breaker, status) == status);
    CHECK(breaker.state() == State::kClosed);
  }
  // Cancelled says neither that it is there nor that it is not.
  CHECK(Ask(breaker, kAway) == kAway);
  CHECK(absl::IsCancelled(Ask(breaker, absl::CancelledError("x"))));
  CHECK(Ask(breaker, kAway) == kAway);
  CHECK(breaker.state() == State::kOpen);
}

TEST_CASE("calls that were let through before it opened do not make the wait longer") {
  testing::FakeClock clock;
  CircuitBreaker breaker("BigQuery", &clock, {.failures = 1});
  auto early = breaker.Admit();
  REQUIRE(early.ok());
  CHECK(Ask(breaker, kAway) == kAway);
  clock.Advance(absl::Milliseconds(900));
  CHECK(early->End(kAway) == kAway);
  clock.Advance(absl::Milliseconds(100));
  CHECK(breaker.state() == State::kHalfOpen);
}

}  // namespace
}  // namespace logquery::backend
