#include "lib/endpoint/call/call_gate.h"

#include <catch2/catch_test_macros.hpp>
#include <optional>

#include "logquery/error.h"
#include "logquery/testing/fake_clock.h"

namespace logquery::endpoint {
namespace {

using testing::FakeClock;

CallGate::Subject Token(CallLimits limits, const std::string& key = "t:1") { return {key, "this token", limits}; }

CallLimits PerMinute(int64_t calls) {
  CallLimits limits;
  limits.calls_per_minute = calls;
  return limits;
}

CallLimits AtOnce(int64_t calls) {
  CallLimits limits;
  limits.max_concurrent = calls;
  return limits;
}

TEST_CASE("a rate allows a burst, then one call per interval, and a refusal says when to retry") {
  FakeClock clock(absl::UnixEpoch());
  CallGate gate(&clock);
  const CallGate::Subject token = Token(PerMinute(6));
  for (int call = 0; call < 6; ++call) CHECK(gate.Enter({token}).ok());
  const absl::Status refused = gate.Enter({token}).status();
  CHECK(refused.code() == absl::StatusCode::kResourceExhausted);
  CHECK(base::Message(refused) == "this token may make 6 calls a minute; wait for 10s");
  CHECK(GetErrorDetails(refused).retry_after == absl::Seconds(10));
  clock.Advance(absl::Seconds(9));
  CHECK(GetErrorDetails(gate.Enter({token}).status()).retry_after == absl::Seconds(1));
  clock.Advance(absl::Seconds(1));
  CHECK(gate.Enter({token}).ok());
  CHECK_FALSE(gate.Enter({token}).ok());
  clock.Advance(absl::Minutes(1));
  for (int call = 0; call < 6; ++call) CHECK(gate.Enter({token}).ok());
  CHECK_FALSE(gate.Enter({token}).ok());
  // A machine's clock that jumps lets nobody in, and keeps nobody out.
  for (const absl::Duration jump : {absl::Hours(24 * 365), -absl::Hours(2 * 24 * 365)}) {
    clock.Set(clock.Now() + jump);
    CHECK(GetErrorDetails(gate.Enter({token}).status()).retry_after == absl::Seconds(10));
  }
  clock.Advance(absl::Seconds(10));
  CHECK(gate.Enter({token}).ok());
}

TEST_CASE("concurrent calls count until their passes are released") {
  FakeClock clock(absl::UnixEpoch());
  CallGate gate(&clock);
  std::optional<CallGate::Pass> first = gate.Enter({Token(AtOnce(2))}).value();
  CallGate::Pass second = gate.Enter({Token(AtOnce(2))}).value();
  const absl::Status refused = gate.Enter({Token(AtOnce(2))}).status();
  CHECK(refused.code() == absl::StatusCode::kResourceExhausted);
  CHECK(GetErrorDetails(refused).retry_after == absl::Seconds(1));
  first.reset();
  CallGate::Pass third = gate.Enter({Token(AtOnce(2))}).value();
  CHECK_FALSE(gate.Enter({Token(AtOnce(2))}).ok());
  third = CallGate::Pass();
  second = std::move(third);  // gives up its own
  CallGate::Pass fourth = gate.Enter({Token(AtOnce(2))}).value();
  CHECK(gate.Enter({Token(AtOnce(2))}).ok());
}

TEST_CASE("each subject counts for itself, and the tightest of a call's decides") {
  FakeClock clock(absl::UnixEpoch());
  CallGate gate(&clock);
  const CallGate::Subject endpoint = {"e:1", "the endpoint logs.all", PerMinute(3)};
  CHECK(gate.Enter({endpoint, Token(PerMinute(1))}).ok());
  CHECK(gate.Enter({endpoint, Token(PerMinute(1), "t:2")}).ok());
  CHECK(base::Message(gate.Enter({endpoint, Token(PerMinute(1))}).status()).find("this token") == 0);
  CHECK(gate.Enter({endpoint, Token({}, "t:3")}).ok());
  CHECK(base::Message(gate.Enter({endpoint, Token({}, "t:3")}).status()).find("the endpoint logs.all") == 0);
}

TEST_CASE("a call that one subject refuses counts for none") {
  FakeClock clock(absl::UnixEpoch());
  CallGate gate(&clock);
  const CallGate::Pass busy = gate.Enter({{"e:1", "the endpoint logs.all", AtOnce(1)}}).value();
  for (int call = 0; call < 5; ++call) {
    CHECK_FALSE(gate.Enter({Token(PerMinute(1)), {"e:1", "the endpoint logs.all", AtOnce(1)}}).ok());
  }
  CHECK(gate.Enter({Token(PerMinute(1))}).ok());
}

TEST_CASE("nothing is counted without limits, and idle subjects are forgotten") {
  FakeClock clock(absl::UnixEpoch());
  CallGate gate(&clock);
  for (int call = 0; call < 1'000; ++call) REQUIRE(gate.Enter({Token({})}).ok());
  for (int token = 0; token < 30'000; ++token) {
    REQUIRE(gate.Enter({Token(PerMinute(1'000), std::to_string(token))}).ok());
    clock.Advance(absl::Milliseconds(60));
  }
}

}  // namespace
}  // namespace logquery::endpoint
