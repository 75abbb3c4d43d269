// A thread runs the query into a sink that copies rows in pieces and waits while too many of them are unread.
#include "logquery/row_reader.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/base/start_thread.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/result/batch_copy.h"
#include "logquery/cancellation.h"
#include "logquery/clock.h"

namespace logquery {
namespace {

// The buffer holds several pieces, so that the query goes on while one is read.
constexpr size_t kPieces = 4;

absl::Status Cancelled() { return absl::CancelledError("the caller cancelled the query"); }

class RowReaderImpl : public RowReader, private BatchSink {
 public:
  RowReaderImpl(QueryService* service, QueryRequest request, const RowReaderOptions& options)
      : service_(service),
        max_bytes_(static_cast<size_t>(options.max_buffered_bytes)),
        piece_bytes_(std::max<size_t>(max_bytes_ / kPieces, 1)),
        request_(std::move(request)),
        callers_(std::exchange(request_.cancellation, cancellation_.token())) {}

  ~RowReaderImpl() override {
    registration_ = CancellationToken::Registration();
    Cancel();
    if (thread_.joinable()) thread_.join();
  }

  absl::Status Start() {
    registration_ = callers_.OnCancel([this] { Cancel(); });
    LOGQUERY_ASSIGN_OR_RETURN(thread_, base::StartThread([this] { Run(); }));
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(this, &RowReaderImpl::IsStarted));
    if (!schema_.has_value()) return ended_->status();
    return absl::OkStatus();
  }

  // Does not change once Start has returned.
  const Schema& schema() const override ABSL_NO_THREAD_SAFETY_ANALYSIS { return *schema_; }

  absl::StatusOr<const Batch*> Next() override {
    absl::MutexLock lock(&mutex_);
    Release();
    mutex_.Await(absl::Condition(this, &RowReaderImpl::HasNext));
    if (is_cancelled_) return Cancelled();
    if (waiting_.empty()) return ended_->ok() ? absl::StatusOr<const Batch*>(nullptr) : ended_->status();
    current_ = std::move(waiting_.front());
    waiting_.pop_front();
    view_ = current_->batch();
    return &*view_;
  }

  void Cancel() override {
    {
      absl::MutexLock lock(&mutex_);
      if (ended_.has_value() && waiting_.empty()) return;
      is_cancelled_ = true;
      for (const result::OwnedBatch& piece : waiting_) buffered_ -= piece.bytes();
      waiting_.clear();
    }
    cancellation_.Cancel();
  }

  const QueryAnswer& answer() const override ABSL_NO_THREAD_SAFETY_ANALYSIS { return **ended_; }

 private:
  void Run() {
    absl::StatusOr<QueryAnswer> answer = service_->Run(request_, *this);
    absl::MutexLock lock(&mutex_);
    // A service that does not begin its rows names their columns at the end.
    if (answer.ok() && !schema_.has_value()) schema_ = answer->schema;
    ended_ = std::move(answer);
  }

  void Begin(const RowsStart& start) override {
    absl::MutexLock lock(&mutex_);
    if (!schema_.has_value()) schema_ = start.schema;
    time_limit_ = start.time_limit;
    deadline_ = Clock::Real()->Monotonic() + start.time_limit;
  }

  absl::Status Append(const Batch& batch) override {
    for (int64_t begin = 0; begin < batch.rows();) {
      size_t bytes = 0;
      int64_t end = begin;
      for (; end < batch.rows(); ++end) {
        const size_t more = result::CopiedBytes(batch, end, max_bytes_);
        if (end > begin && bytes + more > piece_bytes_) break;
        bytes += more;
      }
      LOGQUERY_RETURN_IF_ERROR(AwaitRoom(bytes));
      Push(result::OwnedBatch(batch, begin, end));
      begin = end;
    }
    return absl::OkStatus();
  }

  absl::Status AwaitRoom(size_t bytes) {
    absl::MutexLock lock(&mutex_);
    if (!schema_.has_value()) return absl::InternalError("the service passes rows on before it names their columns");
    wanted_ = bytes;
    const bool has_room =
        mutex_.AwaitWithTimeout(absl::Condition(this, &RowReaderImpl::HasRoom), deadline_ - Clock::Real()->Monotonic());
    if (is_cancelled_) return Cancelled();
    if (has_room) return absl::OkStatus();
    return absl::DeadlineExceededError(
        base::StrCat("the rows were not read within the query's time limit of ", absl::FormatDuration(time_limit_)));
  }

  void Push(result::OwnedBatch piece) {
    absl::MutexLock lock(&mutex_);
    if (is_cancelled_) return;
    buffered_ += piece.bytes();
    waiting_.push_back(std::move(piece));
  }

  // Frees the batch that was read last.
  void Release() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    view_.reset();
    if (!current_.has_value()) return;
    buffered_ -= current_->bytes();
    current_.reset();
  }

  bool IsStarted() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return schema_.has_value() || ended_.has_value(); }
  bool HasNext() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return is_cancelled_ || !waiting_.empty() || ended_.has_value();
  }
  bool HasRoom() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return is_cancelled_ || buffered_ == 0 || buffered_ + wanted_ <= max_bytes_;
  }

  QueryService* const service_;
  const size_t max_bytes_;
  const size_t piece_bytes_;
  CancellationSource cancellation_;
  QueryRequest request_;
  const CancellationToken callers_;
  absl::Mutex mutex_;
  std::optional<Schema> schema_ ABSL_GUARDED_BY(mutex_);
  absl::Duration time_limit_ ABSL_GUARDED_BY(mutex_);
  absl::Duration deadline_ ABSL_GUARDED_BY(mutex_) = absl::InfiniteDuration();  // as Clock::Monotonic
  std::deque<result::OwnedBatch> waiting_ ABSL_GUARDED_BY(mutex_);
  std::optional<result::OwnedBatch> current_ ABSL_GUARDED_BY(mutex_);
  std::optional<Batch> view_ ABSL_GUARDED_BY(mutex_);  // of `current_`
  size_t buffered_ ABSL_GUARDED_BY(mutex_) = 0;        // bytes of `waiting_` and `current_`
  size_t wanted_ ABSL_GUARDED_BY(mutex_) = 0;          // bytes of the piece that waits for room
  bool is_cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  std::optional<absl::StatusOr<QueryAnswer>> ended_ ABSL_GUARDED_BY(mutex_);
  CancellationToken::Registration registration_;
  std::thread thread_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<RowReader>> RowReader::Open(QueryService& service, QueryRequest request,
                                                           const RowReaderOptions& options) {
  if (options.max_buffered_bytes < 1) {
    return absl::InvalidArgumentError(
        base::StrCat("max_buffered_bytes is ", options.max_buffered_bytes, "; it must be at least 1"));
  }
  auto reader = std::make_unique<RowReaderImpl>(&service, std::move(request), options);
  LOGQUERY_RETURN_IF_ERROR(reader->Start());
  return std::unique_ptr<RowReader>(std::move(reader));
}

}  // namespace logquery
