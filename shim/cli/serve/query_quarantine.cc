// Runs suspects alone, and rejects queries that crashed a server while running alone.
#include "shim/cli/serve/query_quarantine.h"

#include <algorithm>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::shim {

class QueryQuarantine::Run : public ExecutionGuard::Pass {
 public:
  Run(QueryQuarantine* owner, const CallDigest& digest, bool alone, int slot)
      : owner_(owner), digest_(digest), alone_(alone), slot_(slot) {}
  ~Run() override {
    owner_->board_->End(slot_);
    owner_->Leave(digest_, alone_);
  }
  void OnOverdue(absl::Duration ran) override {
    if (owner_->on_overdue_) owner_->on_overdue_(slot_, ran);
  }

 private:
  QueryQuarantine* const owner_;
  const CallDigest digest_;
  const bool alone_;
  const int slot_;
};

QueryQuarantine::QueryQuarantine(CrashBoard* board, const Clock* clock, OnOverdue on_overdue)
    : board_(board), clock_(clock), on_overdue_(std::move(on_overdue)) {
  absl::MutexLock lock(&mutex_);
  for (const CrashBoard::Remembered& one : board_->remembered()) remembered_.emplace(one.digest, one);
}

absl::Status QueryQuarantine::CheckRefused(const CallDigest& digest) {
  absl::MutexLock lock(&mutex_);
  const auto found = remembered_.find(digest);
  if (found == remembered_.end() || !found->second.refused_until) return absl::OkStatus();
  const absl::Time now = clock_->Now();
  if (now >= *found->second.refused_until) {
    // The supervisor forgets the call in the same way, but looks only when a server ends.
    remembered_.erase(found);
    return absl::OkStatus();
  }
  board_->CountRefusal();
  const int64_t minutes = std::max<int64_t>(absl::ToInt64Minutes(now - found->second.crashed), 0);
  return absl::InvalidArgumentError(base::StrCat(
      "this query, or one that differs from it in constants alone, ended the server ",
      minutes == 0 ? std::string("less than a minute") : base::StrCat(minutes, minutes == 1 ? " minute" : " minutes"),
      " ago; it is refused to this token until ",
      absl::FormatTime("%H:%M", *found->second.refused_until, absl::UTCTimeZone()),
      " UTC; change the query, and report query ", HexOf(digest), " to those who run the server"));
}

// Whether it runs alone.
absl::StatusOr<bool> QueryQuarantine::WaitForTurn(const CallDigest& digest, absl::Duration at_most,
                                                  const CancellationToken& cancellation) {
  bool cancelled = false;
  // Outlives the lock: a callback may be under way, which takes it.
  const CancellationToken::Registration registration = cancellation.OnCancel([this, &cancelled] {
    absl::MutexLock lock(&mutex_);
    cancelled = true;
  });
  absl::MutexLock lock(&mutex_);
  const bool alone = remembered_.contains(digest);
  if (alone) ++wait_alone_;
  const auto turn = [this, alone, &cancelled]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    if (cancelled) return true;
    return !one_alone_ && (alone ? running_ == 0 : wait_alone_ == 0);
  };
  const bool came = mutex_.AwaitWithTimeout(absl::Condition(&turn), at_most);
  if (alone) --wait_alone_;
  if (cancelled) return absl::CancelledError("the query was cancelled");
  if (!came) {
    return absl::UnavailableError(
        "a query that ran when the server died runs alone, and this one waited for it for too long; try again");
  }
  if (alone) {
    one_alone_ = true;
  } else {
    ++running_;
  }
  return alone;
}

void QueryQuarantine::Leave(const CallDigest& digest, bool alone) {
  absl::MutexLock lock(&mutex_);
  if (!alone) {
    --running_;
    return;
  }
  one_alone_ = false;
  remembered_.erase(digest);
  board_->Clear(digest);
}

absl::StatusOr<std::unique_ptr<ExecutionGuard::Pass>> QueryQuarantine::Enter(const ExecutionKey& key,
                                                                             absl::Duration time_limit,
                                                                             const CancellationToken& cancellation) {
  const CallDigest digest = DigestOf(key.token_id, key.shape.empty() ? key.call : key.shape);
  LOGQUERY_RETURN_IF_ERROR(CheckRefused(digest));
  LOGQUERY_ASSIGN_OR_RETURN(const bool alone, WaitForTurn(digest, time_limit, cancellation));
  const int slot = board_->Begin(digest, alone, clock_->Now());
  if (slot >= 0) return std::make_unique<Run>(this, digest, alone, slot);
  absl::MutexLock lock(&mutex_);
  if (alone) {
    one_alone_ = false;
  } else {
    --running_;
  }
  return absl::UnavailableError("too many queries are running");
}

}  // namespace logquery::shim
