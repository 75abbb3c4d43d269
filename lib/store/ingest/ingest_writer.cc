// Batches requests, and answers each when its batch is committed.
#include "lib/store/ingest/ingest_writer.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/synchronization/notification.h"
#include "lib/base/readable_text.h"
#include "lib/base/start_thread.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/error.h"

namespace logquery {

std::unique_ptr<Ingest> Ingest::Create(const IngestOptions& options, LogStore* store) {
  return std::make_unique<store::IngestWriter>(options, store);
}

namespace store {
namespace {

// A batch with so many rows may be committed before its time: a commit costs as much as parsing some hundred.
constexpr int64_t kRowsWorthACommit = 1'000;
// The memory that a waiting row takes in addition to its text.
constexpr int64_t kBytesBesideText = 64;
// A batch's text; a request that is larger makes a batch of its own.
constexpr int64_t kBatchBytes = 64 << 20;

int64_t BytesOf(const EventPart& part) {
  int64_t bytes = 0;
  for (const std::string_view row : part.rows) bytes += static_cast<int64_t>(row.size()) + kBytesBesideText;
  return bytes;
}

absl::Status WithRetry(const absl::Status& status, absl::Duration after) {
  ErrorDetails details = GetErrorDetails(status);
  details.retry_after = after;
  return WithErrorDetails(status, details);
}

absl::Status TryLater(std::string_view why) {
  return WithRetry(absl::ResourceExhaustedError(base::StrCat(why, "; send them again later")), absl::Seconds(1));
}

absl::Status Stopped() { return absl::UnavailableError("the server stops and takes no more logs in; send them again"); }

bool IsOutcomeUnknown(const absl::Status& status) {
  return GetErrorDetails(status).reason == ErrorReason::kOutcomeUnknown;
}

// The disk is not the client's: it is told to come again.
absl::Status ForClient(const absl::Status& status) {
  if (IsOutcomeUnknown(status)) {
    const absl::Status unknown = absl::UnavailableError(base::StrCat(
        "it is not known whether the events are stored, because their commit failed: ", base::Message(status),
        "; only events with an Idempotency-Key can be sent again safely"));
    return WithRetry(WithErrorDetails(unknown, GetErrorDetails(status)), absl::Seconds(5));
  }
  if (!absl::IsResourceExhausted(status)) return status;
  return WithRetry(absl::UnavailableError(base::StrCat("logs can't be written just now: ", base::Message(status))),
                   absl::Seconds(5));
}

// Returns whether the error may be due to a single request, because of which the others of its batch fail too.
bool MayBeOnes(const absl::Status& status) {
  return absl::IsInternal(status) || absl::IsInvalidArgument(status) || absl::IsOutOfRange(status) ||
         absl::IsUnknown(status) || absl::IsDataLoss(status);
}

}  // namespace

class IngestWriter::Held : public Ingest::Reservation {
 public:
  Held(IngestWriter* writer, int64_t bytes, std::string sender)
      : writer_(writer), sender_(std::move(sender)), bytes_(bytes) {}
  ~Held() override { writer_->GiveBack(bytes_, sender_); }
  bool Grow(int64_t bytes) override {
    if (!writer_->GrowHeld(bytes, sender_)) return false;
    bytes_ += bytes;
    return true;
  }

 private:
  IngestWriter* const writer_;
  const std::string sender_;
  int64_t bytes_;
};

absl::Status IngestWriter::CheckRoom(int64_t bytes) const {
  // One that is larger than all there is may come when nothing else is there.
  if (held_ == 0 || bytes <= options_.max_bytes - held_) return absl::OkStatus();
  return TryLater(base::StrCat("more than ", options_.max_bytes >> 20, " MiB of logs wait to be written"));
}

absl::Status IngestWriter::CheckQueue() const {
  if (reservations_ >= options_.max_requests) {
    return TryLater(base::StrCat(base::Counted(options_.max_requests, "request"),
                                 options_.max_requests == 1 ? " with logs is" : " with logs are",
                                 " under way, which is the limit"));
  }
  if (OldestAge() <= options_.max_wait) return absl::OkStatus();
  return TryLater(
      base::StrCat("logs have waited for more than ", absl::FormatDuration(options_.max_wait), " to be written"));
}

bool IngestWriter::GrowHeld(int64_t bytes, const std::string& sender) {
  absl::MutexLock lock(&mutex_);
  if (!shares_.MayGrow(sender, bytes) || !CheckRoom(bytes).ok()) {
    ++counted_.refused;
    return false;
  }
  held_ += bytes;
  shares_.Grow(sender, bytes);
  return true;
}

void IngestWriter::GiveBack(int64_t bytes, const std::string& sender) {
  absl::MutexLock lock(&mutex_);
  held_ -= bytes;
  shares_.Remove(sender, bytes);
  --reservations_;
}

absl::StatusOr<std::unique_ptr<Ingest::Reservation>> IngestWriter::Reserve(int64_t bytes, const std::string& sender) {
  absl::MutexLock lock(&mutex_);
  absl::Status admitted = CheckQueue();
  if (admitted.ok() && !shares_.MayAdd(sender, bytes)) {
    admitted = TryLater(base::StrCat("logs of this token take all of the ", shares_.share() >> 10,
                                     " KiB that one token may have under way"));
  }
  if (admitted.ok()) admitted = CheckRoom(bytes);
  if (!admitted.ok()) {
    ++counted_.refused;
    return admitted;
  }
  held_ += bytes;
  shares_.Add(sender, bytes);
  ++reservations_;
  return std::make_unique<Held>(this, bytes, sender);
}

absl::Status IngestWriter::Start() {
  absl::MutexLock lock(&thread_mutex_);
  if (thread_.joinable()) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(thread_, base::StartThread("commits of events", [this] { Run(); }));
  return absl::OkStatus();
}

void IngestWriter::End() {
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
  }
  absl::MutexLock lock(&thread_mutex_);
  if (thread_.joinable()) {
    thread_.join();
    thread_ = std::thread();
  }
  while (CommitReady()) {
  }
}

void IngestWriter::Run() {
  while (true) {
    {
      absl::MutexLock lock(&mutex_);
      mutex_.Await(absl::Condition(this, &IngestWriter::HasWork));
      if (waiting_ == 0) return;
      const absl::Duration left = DueIn();
      if (left > absl::ZeroDuration()) mutex_.AwaitWithTimeout(absl::Condition(this, &IngestWriter::IsFull), left);
    }
    CommitReady();
  }
}

bool IngestWriter::IsFull() const {
  // When every request under way is here, more time brings no more rows: clients that wait for each answer send in step with it.
  const bool all_came = waiting_ == reservations_;
  const int64_t enough = all_came ? std::min(options_.batch_rows, kRowsWorthACommit) : options_.batch_rows;
  return stopping_ || std::any_of(queues_.begin(), queues_.end(),
                                  [enough](const auto& queue) { return queue.second.rows >= enough; });
}

absl::Duration IngestWriter::OldestWaiting() const {
  absl::Duration oldest = absl::InfiniteDuration();
  for (const auto& [table, queue] : queues_) oldest = std::min(oldest, queue.waiting.front().since);
  return oldest;
}

absl::Duration IngestWriter::DueIn() const {
  return OldestWaiting() + options_.batch_time - options_.clock->Monotonic();
}

absl::Duration IngestWriter::OldestAge() const {
  const absl::Duration oldest = std::min(committing_since_, OldestWaiting());
  return oldest == absl::InfiniteDuration() ? absl::ZeroDuration() : options_.clock->Monotonic() - oldest;
}

absl::StatusOr<EventOutcome> IngestWriter::Append(const IngestRequest& request) {
  std::optional<absl::StatusOr<EventOutcome>> answer;
  absl::Notification answered;
  Submit(request, [&](absl::StatusOr<EventOutcome> outcome) {
    answer.emplace(std::move(outcome));
    answered.Notify();
  });
  answered.WaitForNotification();
  return *std::move(answer);
}

void IngestWriter::Submit(const IngestRequest& request, Done done) {
  Waiting waiting{request.part, std::move(done), nullptr, options_.clock->Monotonic()};
  waiting.part.arrived = options_.clock->Now();
  if (!request.is_reserved) {
    absl::StatusOr<std::unique_ptr<Reservation>> held = Reserve(BytesOf(request.part), request.part.sender);
    if (!held.ok()) return waiting.done(held.status());
    waiting.held = *std::move(held);
  }
  {
    absl::MutexLock lock(&mutex_);
    if (!stopping_) {
      Queue& queue = queues_[request.table];
      queue.rows += static_cast<int64_t>(request.part.rows.size());
      queue.waiting.push_back(std::move(waiting));
      ++waiting_;
      return;
    }
  }
  waiting.done(Stopped());
}

std::vector<IngestWriter::Batch> IngestWriter::TakeBatches() {
  std::vector<Batch> batches;
  absl::MutexLock lock(&mutex_);
  if (waiting_ == 0 || (!IsFull() && DueIn() > absl::ZeroDuration())) return batches;
  committing_since_ = OldestWaiting();
  for (auto at = queues_.begin(); at != queues_.end();) {
    Queue& queue = at->second;
    Batch& batch = batches.emplace_back();
    batch.table = at->first;
    int64_t rows = 0;
    int64_t bytes = 0;
    while (!queue.waiting.empty() && (batch.requests.empty() || (rows < options_.batch_rows && bytes < kBatchBytes))) {
      Waiting& next = queue.waiting.front();
      rows += static_cast<int64_t>(next.part.rows.size());
      bytes += BytesOf(next.part);
      batch.requests.push_back(std::move(next));
      queue.waiting.pop_front();
      --waiting_;
    }
    queue.rows -= rows;
    at = queue.waiting.empty() ? queues_.erase(at) : std::next(at);
  }
  return batches;
}

bool IngestWriter::CommitReady() {
  std::vector<Batch> batches = TakeBatches();
  for (Batch& batch : batches) Commit(std::move(batch), /*may_retry=*/true);
  absl::MutexLock lock(&mutex_);
  committing_since_ = absl::InfiniteDuration();
  return !batches.empty();
}

void IngestWriter::CommitAlone(const std::string& table, Waiting waiting, bool may_retry) {
  Batch alone;
  alone.table = table;
  alone.requests.push_back(std::move(waiting));
  Commit(std::move(alone), may_retry);
}

void IngestWriter::Commit(Batch batch, bool may_retry) {
  EventBatch events;
  events.table = batch.table;
  for (const Waiting& waiting : batch.requests) events.parts.push_back(waiting.part);
  absl::StatusOr<std::vector<EventOutcome>> outcomes = store_->AppendEvents(events);
  const bool is_unknown = IsOutcomeUnknown(outcomes.status());
  if (!is_unknown && batch.requests.size() > 1 && MayBeOnes(outcomes.status())) {
    for (Waiting& waiting : batch.requests) CommitAlone(batch.table, std::move(waiting), may_retry);
    return;
  }
  {
    absl::MutexLock lock(&mutex_);
    if (outcomes.ok()) ++counted_.batches;
    // A request for a table that there is not says nothing of the store.
    if (!absl::IsNotFound(outcomes.status())) counted_.stopped = outcomes.status();
  }
  for (size_t i = 0; i < batch.requests.size(); ++i) {
    if (is_unknown && may_retry && !batch.requests[i].part.key.empty()) {
      // The books tell by the key whether the first commit has stored it.
      CommitAlone(batch.table, std::move(batch.requests[i]), /*may_retry=*/false);
    } else if (!outcomes.ok()) {
      Answer(batch.requests[i], ForClient(outcomes.status()));
    } else if (!(*outcomes)[i].status.ok()) {
      Answer(batch.requests[i], (*outcomes)[i].status);
    } else {
      Answer(batch.requests[i], std::move((*outcomes)[i]));
    }
  }
}

void IngestWriter::Answer(Waiting& waiting, absl::StatusOr<EventOutcome> outcome) {
  waiting.held = nullptr;
  if (outcome.ok()) {
    absl::MutexLock lock(&mutex_);
    ++counted_.requests;
    if (!outcome->repeated) {
      counted_.rows += outcome->rows;
      counted_.rejected_rows += outcome->rejected_rows;
    }
  }
  waiting.done(std::move(outcome));
}

IngestState IngestWriter::state() const {
  absl::MutexLock lock(&mutex_);
  IngestState state = counted_;
  state.waiting_requests = waiting_;
  state.held_bytes = held_;
  state.lag = OldestAge();
  return state;
}

}  // namespace store
}  // namespace logquery
