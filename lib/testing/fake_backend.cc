// Checks the rows of answers when they are asked for, and ends executions at their time limit, by the fake clock or the
// machine's.
#include "logquery/testing/fake_backend.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/synchronization/notification.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::testing {
namespace {

// Waits by the machine's clock. Returns whether the time came before the cancellation.
bool AwaitRealTime(absl::Duration time_limit, const CancellationToken& cancellation) {
  absl::Notification cancelled;
  const auto registration = cancellation.OnCancel([&cancelled] { cancelled.Notify(); });
  return !cancelled.WaitForNotificationWithTimeout(time_limit);
}

// Reports rows that do not fit the query to the test, instead of reading invalid memory.
absl::Status CheckRows(const Schema& schema, const FakeBackend::Rows& rows) {
  for (size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].size() != schema.size()) {
      return absl::InternalError(base::StrCat("fake backend: row ", row, " of the answer has ",
                                              base::Counted(rows[row].size(), "value"), ", the query has ",
                                              base::Counted(schema.size(), "column")));
    }
    for (size_t i = 0; i < schema.size(); ++i) {
      if (Type::SameLayout(rows[row][i].type(), schema[i].type)) continue;
      return absl::InternalError(base::StrCat("fake backend: row ", row, " of the answer has a ",
                                              rows[row][i].type().ToString(), " in column ", schema[i].name,
                                              ", which is ", schema[i].type.ToString()));
    }
  }
  return absl::OkStatus();
}

}  // namespace

// The plan of one execution, settled when it begins.
struct FakeBackend::Plan {
  std::optional<Rows> rows;
  Answer answer;  // asked for the rows when there are none
  absl::Status failure;
  int64_t failure_after_rows = 0;
  int64_t batch_rows = 0;
};

FakeBackend::FakeBackend(Catalog catalog, const FakeClock* clock) : clock_(clock), catalog_(std::move(catalog)) {
  capabilities_.engine = "fake";
  capabilities_.redacts = true;  // it runs no query, so none can ask about text
}

void FakeBackend::AnswerText(std::string googlesql, Rows rows) {
  absl::MutexLock lock(&mutex_);
  by_text_[std::move(googlesql)] = std::move(rows);
}

void FakeBackend::AnswerEndpoint(std::string endpoint_id, Rows rows) {
  absl::MutexLock lock(&mutex_);
  by_endpoint_[std::move(endpoint_id)] = std::move(rows);
}

void FakeBackend::AnswerBy(Answer answer) {
  absl::MutexLock lock(&mutex_);
  answer_ = std::move(answer);
}

void FakeBackend::FailWith(absl::Status status, int64_t after_rows) {
  absl::MutexLock lock(&mutex_);
  failure_ = std::move(status);
  failure_after_rows_ = after_rows;
}

void FakeBackend::Block() {
  absl::MutexLock lock(&mutex_);
  blocking_ = true;
}

void FakeBackend::Unblock() {
  absl::MutexLock lock(&mutex_);
  blocking_ = false;
  // Waking takes no mutex of ours, and each source lives until its execution has taken itself out of the list.
  for (CancellationSource* waiting : blocked_) waiting->Cancel();
}

void FakeBackend::AwaitBlocked(int count) {
  absl::MutexLock lock(&mutex_);
  const auto enough = [this, count]()
                          ABSL_NO_THREAD_SAFETY_ANALYSIS { return static_cast<int>(blocked_.size()) >= count; };
  mutex_.Await(absl::Condition(&enough));
}

void FakeBackend::SetBatchRows(int64_t rows) {
  absl::MutexLock lock(&mutex_);
  batch_rows_ = std::max<int64_t>(rows, 1);
}

void FakeBackend::SetCatalog(absl::StatusOr<Catalog> catalog) {
  absl::MutexLock lock(&mutex_);
  catalog_ = std::move(catalog);
}

void FakeBackend::SetCapabilities(Capabilities capabilities) {
  absl::MutexLock lock(&mutex_);
  capabilities_ = std::move(capabilities);
}

std::vector<FakeBackend::Call> FakeBackend::calls() const {
  absl::MutexLock lock(&mutex_);
  return calls_;
}

Capabilities FakeBackend::capabilities() const {
  absl::MutexLock lock(&mutex_);
  return capabilities_;
}

absl::StatusOr<Catalog> FakeBackend::ReadCatalog() {
  absl::MutexLock lock(&mutex_);
  return catalog_;
}

absl::Duration FakeBackend::Now() const { return clock_ == nullptr ? Clock::Real()->Monotonic() : clock_->Monotonic(); }

FakeBackend::Plan FakeBackend::MakePlan(const PreparedQuery& query) {
  Plan plan;
  absl::MutexLock lock(&mutex_);
  if (const auto text = by_text_.find(query.googlesql()); text != by_text_.end()) {
    plan.rows = text->second;
  } else if (const auto endpoint = by_endpoint_.find(query.endpoint_id()); endpoint != by_endpoint_.end()) {
    plan.rows = endpoint->second;
  } else if (answer_ != nullptr) {
    plan.answer = answer_;
  } else {
    plan.answer = [text_to_register = query.googlesql()](const PreparedQuery&,
                                                         const Bindings&) -> absl::StatusOr<Rows> {
      return absl::InternalError(base::StrCat("fake backend: no answer for ", text_to_register));
    };
  }
  plan.failure = failure_;
  plan.failure_after_rows = failure_.ok() ? 0 : failure_after_rows_;
  plan.batch_rows = batch_rows_;
  return plan;
}

absl::Status FakeBackend::WaitWhileBlocked(absl::Duration end, const CancellationToken& cancellation) {
  CancellationSource wake;
  {
    absl::MutexLock lock(&mutex_);
    if (!blocking_) return absl::OkStatus();
    blocked_.push_back(&wake);
  }
  bool time_is_up = false;
  {
    const auto registration = cancellation.OnCancel([&wake] { wake.Cancel(); });
    time_is_up = clock_ == nullptr ? AwaitRealTime(end - Now(), wake.token()) : clock_->Await(end, wake.token());
  }
  {
    absl::MutexLock lock(&mutex_);
    blocked_.erase(std::find(blocked_.begin(), blocked_.end(), &wake));
  }
  if (cancellation.IsCancelled()) return absl::CancelledError("the query was cancelled");
  return time_is_up ? absl::DeadlineExceededError("the query's time was up") : absl::OkStatus();
}

absl::Status FakeBackend::Execute(const PreparedQuery& query, const Bindings& bindings, const ExecutionLimits& limits,
                                  const CancellationToken& cancellation, BatchSink& sink) {
  // Settled before a test can see that the query is there, and moves the clock.
  const absl::Duration end = Now() + limits.time_limit;
  {
    absl::MutexLock lock(&mutex_);
    calls_.push_back({query.endpoint_id(), query.googlesql(), bindings, limits});
  }
  Plan plan = MakePlan(query);
  LOGQUERY_RETURN_IF_ERROR(WaitWhileBlocked(end, cancellation));
  if (!plan.failure.ok() && plan.failure_after_rows == 0) return plan.failure;
  if (!plan.rows.has_value()) {
    LOGQUERY_ASSIGN_OR_RETURN(plan.rows, plan.answer(query, bindings));
  }
  LOGQUERY_RETURN_IF_ERROR(CheckRows(query.schema(), *plan.rows));
  const auto all = static_cast<int64_t>(plan.rows->size());
  const int64_t wanted = std::min(all, std::max<int64_t>(limits.max_rows, 0));
  const int64_t last = plan.failure.ok() ? wanted : std::min(wanted, plan.failure_after_rows);
  for (int64_t row = 0; row < last || row == 0; row += plan.batch_rows) {
    if (cancellation.IsCancelled()) return absl::CancelledError("the query was cancelled");
    if (Now() >= end) return absl::DeadlineExceededError("the query's time was up");
    if (row >= last) break;
    const auto begin = plan.rows->begin() + row;
    const Rows batch(begin, begin + std::min(plan.batch_rows, last - row));
    LOGQUERY_RETURN_IF_ERROR(sink.Append(ValueBatch(query.schema(), batch).batch()));
  }
  return plan.failure;
}

}  // namespace logquery::testing
