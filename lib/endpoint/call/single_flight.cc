// Keeps one flight per key, which the first caller runs while the others wait.
#include "lib/endpoint/call/single_flight.h"

#include <optional>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/endpoint/call/traced_step.h"

namespace logquery::endpoint {
namespace {

// Whether whoever asks for the same gets the same error.
bool IsTheCallsOwn(const absl::Status& status) {
  return absl::IsInvalidArgument(status) || absl::IsUnimplemented(status) || absl::IsPermissionDenied(status);
}

}  // namespace

struct SingleFlight::Flight {
  explicit Flight(std::string leader) : traceparent(std::move(leader)) {}
  const std::string traceparent;  // of the caller that leads
  CancellationSource cancellation;
  int waiting = 0;  // guarded by the SingleFlight's mutex

  absl::Mutex mutex;
  std::optional<absl::StatusOr<std::shared_ptr<const CachedAnswer>>> result ABSL_GUARDED_BY(mutex);
};

std::shared_ptr<const CachedAnswer> SingleFlight::FindFresh(const std::string& key, absl::Duration ttl) {
  std::shared_ptr<const CachedAnswer> kept = cache_->Find(key);
  if (kept == nullptr || clock_->Monotonic() - kept->bound_at < ttl) return kept;
  cache_->Erase(key);
  return nullptr;
}

std::shared_ptr<SingleFlight::Flight> SingleFlight::Join(const std::string& key, const Caller& caller, bool& leads) {
  absl::MutexLock lock(&mutex_);
  std::shared_ptr<Flight>& flight = flights_[key];
  leads = flight == nullptr;
  if (leads) flight = std::make_shared<Flight>(caller.traceparent);
  ++flight->waiting;
  return flight;
}

std::shared_ptr<SingleFlight::Flight> SingleFlight::JoinRunning(const std::string& key) {
  absl::MutexLock lock(&mutex_);
  const auto found = flights_.find(key);
  if (found == flights_.end()) return nullptr;
  ++found->second->waiting;
  return found->second;
}

int SingleFlight::WaitingFor(const std::string& key) {
  absl::MutexLock lock(&mutex_);
  const auto found = flights_.find(key);
  return found == flights_.end() ? 0 : found->second->waiting;
}

void SingleFlight::Leave(Flight& flight) {
  {
    absl::MutexLock lock(&mutex_);
    if (--flight.waiting > 0) return;
  }
  flight.cancellation.Cancel();
}

int64_t SingleFlight::Forgotten() {
  absl::ReaderMutexLock lock(&forget_mutex_);
  return forgotten_;
}

void SingleFlight::Keep(const std::string& key, const std::shared_ptr<const CachedAnswer>& answer, int64_t forgotten) {
  absl::ReaderMutexLock lock(&forget_mutex_);
  if (forgotten == forgotten_) cache_->Put(key, answer);
}

void SingleFlight::Forget() {
  {
    absl::MutexLock lock(&forget_mutex_);
    ++forgotten_;
    cache_->Clear();
  }
  // Callers that come from now on begin anew; those that wait keep their flight.
  absl::MutexLock lock(&mutex_);
  flights_.clear();
}

absl::StatusOr<std::shared_ptr<const CachedAnswer>> SingleFlight::Make(const std::string& key, Flight& flight,
                                                                       const Compute& compute) {
  const int64_t forgotten = Forgotten();
  LOGQUERY_ASSIGN_OR_RETURN(CachedAnswer computed, compute(flight.cancellation.token()));
  auto answer = std::make_shared<const CachedAnswer>(std::move(computed));
  Keep(key, answer, forgotten);
  return std::shared_ptr<const CachedAnswer>(std::move(answer));
}

void SingleFlight::Run(const std::string& key, absl::Duration ttl, Flight& flight, const Compute& compute) {
  // Another flight may have landed between the look at the cache and the begin of this one.
  absl::StatusOr<std::shared_ptr<const CachedAnswer>> result = FindFresh(key, ttl);
  if (*result == nullptr) result = Make(key, flight, compute);
  {
    // After this point a new caller finds the cached answer or starts a new flight.
    absl::MutexLock lock(&mutex_);
    const auto found = flights_.find(key);
    if (found != flights_.end() && found->second.get() == &flight) flights_.erase(found);
  }
  absl::MutexLock lock(&flight.mutex);
  flight.result = std::move(result);
}

absl::StatusOr<std::shared_ptr<const CachedAnswer>> SingleFlight::Await(Flight& flight,
                                                                        const CancellationToken& cancellation) {
  // The mutex's conditions are looked at when it is let go of: the callback below makes that happen.
  const CancellationToken::Registration wake =
      cancellation.OnCancel([&flight] { absl::MutexLock lock(&flight.mutex); });
  absl::MutexLock lock(&flight.mutex);
  const auto settled = [&]() ABSL_SHARED_LOCKS_REQUIRED(flight.mutex) {
    return flight.result.has_value() || cancellation.IsCancelled();
  };
  flight.mutex.Await(absl::Condition(&settled));
  if (flight.result.has_value()) return *flight.result;
  return absl::CancelledError("the call was cancelled");
}

absl::StatusOr<std::shared_ptr<const CachedAnswer>> SingleFlight::AwaitOther(Flight& flight, const Caller& caller) {
  TracedStep step(caller.trace, CallStep::kWait);
  absl::StatusOr<std::shared_ptr<const CachedAnswer>> result = Await(flight, caller.cancellation);
  step.End({.code = result.status().code(), .awaited = flight.traceparent});
  return result;
}

absl::StatusOr<SingleFlight::Got> SingleFlight::Get(const std::string& key, absl::Duration ttl, const Caller& caller,
                                                    const Compute& compute) {
  const CancellationToken& cancellation = caller.cancellation;
  while (true) {
    if (cancellation.IsCancelled()) return absl::CancelledError("the call was cancelled");
    if (std::shared_ptr<const CachedAnswer> kept = FindFresh(key, ttl)) return Got{std::move(kept), CacheUse::kHit};
    bool leads = false;
    const std::shared_ptr<Flight> flight = Join(key, caller, leads);
    absl::StatusOr<std::shared_ptr<const CachedAnswer>> result = absl::CancelledError();
    {
      const CancellationToken::Registration leave = cancellation.OnCancel([&] { Leave(*flight); });
      if (leads) Run(key, ttl, *flight, compute);
      result = leads ? Await(*flight, cancellation) : AwaitOther(*flight, caller);
    }
    if (result.ok()) return Got{*std::move(result), leads ? CacheUse::kMiss : CacheUse::kShared};
    if (leads || IsTheCallsOwn(result.status())) return result.status();
  }
}

absl::Status SingleFlight::Refresh(const std::string& key, const CancellationToken& cancellation,
                                   const Compute& compute) {
  if (const std::shared_ptr<Flight> flight = JoinRunning(key)) {
    const CancellationToken::Registration leave = cancellation.OnCancel([&] { Leave(*flight); });
    return Await(*flight, cancellation).status();
  }
  const int64_t forgotten = Forgotten();
  LOGQUERY_ASSIGN_OR_RETURN(CachedAnswer computed, compute(cancellation));
  Keep(key, std::make_shared<const CachedAnswer>(std::move(computed)), forgotten);
  return absl::OkStatus();
}

}  // namespace logquery::endpoint
