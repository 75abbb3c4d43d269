// Counts running calls and call rates per subject.
#include "lib/endpoint/call/call_gate.h"

#include <algorithm>

#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "logquery/error.h"

namespace logquery::endpoint {
namespace {

// Beyond so many, those are forgotten that say nothing any more.
constexpr size_t kManySubjects = 10'000;
// When one of the calls that run will be through, nobody knows.
constexpr absl::Duration kAfterConcurrent = absl::Seconds(1);

absl::Duration Interval(int64_t calls_per_minute) { return absl::Minutes(1) / std::max<int64_t>(calls_per_minute, 1); }

absl::Status TooMany(const std::string& message, absl::Duration retry_after) {
  ErrorDetails details;
  details.retry_after = retry_after;
  return WithErrorDetails(absl::ResourceExhaustedError(message), details);
}

}  // namespace

CallGate::Pass& CallGate::Pass::operator=(Pass&& other) noexcept {
  if (this == &other) return *this;
  Leave();
  gate_ = std::exchange(other.gate_, nullptr);
  keys_ = std::move(other.keys_);
  return *this;
}

void CallGate::Pass::Leave() {
  if (gate_ != nullptr) std::exchange(gate_, nullptr)->Leave(keys_);
}

absl::Status CallGate::Check(const Subject& subject, absl::Duration now) const {
  const auto found = counts_.find(subject.key);
  if (found == counts_.end()) return absl::OkStatus();
  const CallLimits& limits = subject.limits;
  if (limits.max_concurrent.has_value() && found->second.running >= *limits.max_concurrent) {
    return TooMany(base::StrCat(subject.name, " may have ", base::Counted(*limits.max_concurrent, "call"),
                                " at one time, and has as many; wait for one of them to end"),
                   kAfterConcurrent);
  }
  if (!limits.calls_per_minute.has_value()) return absl::OkStatus();
  const absl::Duration backlog = found->second.until - now;
  const absl::Duration wait = backlog - (*limits.calls_per_minute - 1) * Interval(*limits.calls_per_minute);
  if (wait <= absl::ZeroDuration()) return absl::OkStatus();
  return TooMany(base::StrCat(subject.name, " may make ", base::Counted(*limits.calls_per_minute, "call"),
                              " a minute; wait for ", absl::FormatDuration(absl::Ceil(wait, absl::Seconds(1)))),
                 wait);
}

absl::StatusOr<CallGate::Pass> CallGate::Enter(const std::vector<Subject>& subjects) {
  Pass pass;
  if (subjects.empty()) return pass;
  absl::MutexLock lock(&mutex_);
  const absl::Duration now = clock_->Monotonic();
  for (const Subject& subject : subjects) LOGQUERY_RETURN_IF_ERROR(Check(subject, now));
  for (const Subject& subject : subjects) {
    const CallLimits& limits = subject.limits;
    if (!limits.max_concurrent.has_value() && !limits.calls_per_minute.has_value()) continue;
    if (counts_.size() >= kManySubjects) Forget(now);
    Count& count = counts_.try_emplace(subject.key, Count{0, now}).first->second;
    ++count.running;
    if (limits.calls_per_minute.has_value())
      count.until = std::max(count.until, now) + Interval(*limits.calls_per_minute);
    pass.keys_.push_back(subject.key);
  }
  pass.gate_ = this;
  return pass;
}

void CallGate::Leave(const std::vector<std::string>& keys) {
  absl::MutexLock lock(&mutex_);
  for (const std::string& key : keys) --counts_.find(key)->second.running;
}

void CallGate::Forget(absl::Duration now) {
  absl::erase_if(counts_, [now](const auto& entry) { return entry.second.running == 0 && entry.second.until <= now; });
}

}  // namespace logquery::endpoint
