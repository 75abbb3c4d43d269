// One thread runs probes. One caller of State at a time waits for it, no longer than the limit.
#include "lib/backend/engine_probe.h"

#include <utility>

#include "lib/base/start_thread.h"
#include "lib/base/strings.h"
#include "logquery/error.h"

namespace logquery::backend {

using base::StrCat;

EngineProbe::EngineProbe(std::string engine, Ask ask, std::shared_ptr<CircuitBreaker> breaker, const Clock* clock,
                         EngineProbeOptions options)
    : engine_(std::move(engine)),
      ask_(std::move(ask)),
      breaker_(std::move(breaker)),
      clock_(clock),
      options_(options),
      kept_until_(clock->Monotonic() + options.keep_answer) {}

EngineProbe::~EngineProbe() {
  std::shared_ptr<CancellationSource> cancellation;
  std::thread thread;
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
    cancellation = cancellation_;
    thread.swap(thread_);
  }
  if (cancellation != nullptr) cancellation->Cancel();
  if (thread.joinable()) thread.join();
}

EngineState EngineProbe::State() {
  const CircuitBreaker::State breaker = breaker_->state();
  std::shared_ptr<CancellationSource> cancellation;
  {
    absl::MutexLock lock(&mutex_);
    if (breaker == CircuitBreaker::State::kOpen) {
      Keep({absl::UnavailableError(StrCat(engine_, " could not be reached by the last calls")), ""});
      kept_until_ = clock_->Monotonic();
      return last_;
    }
    // Answers from before the breaker opened are out of date.
    const bool is_kept = clock_->Monotonic() < kept_until_;
    if (!IsAnswered() || (is_kept && (breaker == CircuitBreaker::State::kClosed || !last_.status.ok()))) return last_;
    if (const absl::Status started = StartThread(); !started.ok()) return {started, ""};
    ++asked_;
    is_late_ = false;
    cancellation_ = cancellation = std::make_shared<CancellationSource>();
    if (mutex_.AwaitWithTimeout(absl::Condition(this, &EngineProbe::IsAnswered), options_.limit)) return last_;
    is_late_ = true;
    Keep(
        {absl::UnavailableError(StrCat(engine_, " did not answer within ", absl::FormatDuration(options_.limit))), ""});
  }
  cancellation->Cancel();
  absl::MutexLock lock(&mutex_);
  return last_;
}

absl::Status EngineProbe::StartThread() {
  if (thread_.joinable()) return absl::OkStatus();
  absl::StatusOr<std::thread> thread = base::StartThread(StrCat("probes of ", engine_), [this] { Work(); });
  if (!thread.ok()) return absl::UnavailableError(thread.status().message());
  thread_ = *std::move(thread);
  return absl::OkStatus();
}

void EngineProbe::Work() {
  while (true) {
    std::shared_ptr<CancellationSource> cancellation;
    {
      absl::MutexLock lock(&mutex_);
      mutex_.Await(absl::Condition(this, &EngineProbe::IsWanted));
      if (stopping_) return;
      cancellation = cancellation_;
    }
    EngineState state = StateOf(AskEngine(cancellation->token()));
    absl::MutexLock lock(&mutex_);
    answered_ = asked_;
    if (!is_late_) Keep(std::move(state));
  }
}

absl::Status EngineProbe::AskEngine(const CancellationToken& cancellation) {
  if (breaker_->state() == CircuitBreaker::State::kClosed) return ask_(cancellation);
  absl::StatusOr<CircuitBreaker::Call> call = breaker_->Admit();
  if (!call.ok()) return call.status();
  const absl::Status outcome = ask_(cancellation);
  // A request is cancelled only if it had no answer in time, which the breaker counts as a failure as well.
  return call->End(absl::IsCancelled(outcome) ? absl::UnavailableError("no answer in time") : outcome);
}

EngineState EngineProbe::StateOf(const absl::Status& outcome) const {
  if (outcome.ok() || GetErrorDetails(outcome).reason == kBusyReason) return {};
  const std::string details(base::Message(outcome));
  if (absl::IsUnavailable(outcome)) return {absl::UnavailableError(StrCat(engine_, " cannot be reached")), details};
  if (absl::IsFailedPrecondition(outcome)) {
    return {absl::UnavailableError(StrCat(engine_, " refuses this server, or is not trusted by it")), details};
  }
  return {absl::UnavailableError(StrCat(engine_, " does not answer as it should")), details};
}

void EngineProbe::Keep(EngineState state) {
  last_ = std::move(state);
  kept_until_ = clock_->Monotonic() + (last_.status.ok() ? options_.keep_answer : options_.keep_failure);
}

}  // namespace logquery::backend
