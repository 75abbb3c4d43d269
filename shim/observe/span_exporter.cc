// One thread takes batches from a bounded queue. A batch that the collector did not take is sent again until it does;
// meanwhile the queue fills up, and further spans are dropped.
#include "shim/observe/span_exporter.h"

#include <algorithm>
#include <iterator>

#include "lib/base/start_thread.h"
#include "lib/base/strings.h"
#include "shim/observe/otlp_json.h"

namespace logquery::shim {
namespace {

// The most bytes of a collector's response, which only states a number.
constexpr size_t kMaxResponse = 16 << 10;

http::ClientOptions ClientOptions() {
  http::ClientOptions options;
  options.max_connections = 1;
  return options;
}

// OTLP: these ask to send the same again.
bool IsTransient(int status) { return status == 429 || status == 502 || status == 503 || status == 504; }

}  // namespace

SpanExporter::SpanExporter(SpanExporterOptions options) : options_(std::move(options)), client_(ClientOptions()) {
  absl::MutexLock stop(&stop_mutex_);
  absl::StatusOr<std::thread> thread = base::StartThread("sending traces", [this] { Work(); });
  started_ = thread.status();
  if (thread.ok()) {
    thread_ = *std::move(thread);
    return;
  }
  absl::MutexLock lock(&mutex_);
  stopping_ = true;  // nothing takes spans from the queue
}

void SpanExporter::Add(std::vector<Span> spans) {
  absl::MutexLock lock(&mutex_);
  if (stopping_ || waiting_.size() + in_batch_ + spans.size() > options_.max_waiting) {
    dropped_ += static_cast<int64_t>(spans.size());
    return;
  }
  std::move(spans.begin(), spans.end(), std::back_inserter(waiting_));
}

void SpanExporter::Stop() {
  absl::MutexLock stop(&stop_mutex_);
  if (!thread_.joinable()) return;
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
  }
  if (!done_.WaitForNotificationWithTimeout(options_.last_try)) giving_up_.Cancel();
  thread_.join();
}

SpanExporter::Counters SpanExporter::counters() const {
  absl::MutexLock lock(&mutex_);
  return {sent_, dropped_, static_cast<int64_t>(waiting_.size() + in_batch_)};
}

void SpanExporter::Work() {
  for (std::vector<Span> batch = Take(); !batch.empty(); batch = Take()) Deliver(batch);
  done_.Notify();
}

std::vector<Span> SpanExporter::Take() {
  absl::MutexLock lock(&mutex_);
  const auto some = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stopping_ || !waiting_.empty(); };
  const auto enough = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return stopping_ || waiting_.size() >= options_.max_batch;
  };
  mutex_.Await(absl::Condition(&some));
  mutex_.AwaitWithTimeout(absl::Condition(&enough), options_.every);
  in_batch_ = std::min(waiting_.size(), options_.max_batch);
  const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(in_batch_);
  std::vector<Span> batch(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
  waiting_.erase(waiting_.begin(), end);
  return batch;
}

void SpanExporter::Deliver(const std::vector<Span>& batch) {
  const auto count = static_cast<int64_t>(batch.size());
  for (absl::Duration pause = options_.pause;; pause = std::min(2 * pause, options_.max_pause)) {
    int64_t rejected = 0;
    const absl::Status status = Send(batch, rejected);
    Note(status);
    if (status.ok()) return Count(count - std::min(rejected, count), std::min(rejected, count));
    if (!absl::IsUnavailable(status) || IsStopping()) return Count(0, count);
    Pause(pause);
  }
}

absl::Status SpanExporter::Send(const std::vector<Span>& batch, int64_t& rejected) {
  http::Request request;
  request.url = options_.url;
  request.headers = options_.headers;
  request.headers.emplace_back("Content-Type", "application/json");
  request.body = OtlpTraceRequest(batch, options_.version);
  request.patience = options_.time_limit;
  request.time_limit = options_.time_limit;
  std::string response;
  const http::Outcome outcome =
      client_.Send(request, giving_up_.token(), [&response](const http::Head&, std::string_view piece) {
        response.append(piece.substr(0, kMaxResponse - std::min(response.size(), kMaxResponse)));
        return absl::OkStatus();
      });
  if (!outcome.status.ok()) return outcome.status;
  const int status = outcome.head.status;
  if (status >= 200 && status < 300) {
    rejected = RejectedSpans(response);
    return absl::OkStatus();
  }
  const std::string what = base::StrCat("it answered ", status);
  return IsTransient(status) ? absl::UnavailableError(what) : absl::InvalidArgumentError(what);
}

void SpanExporter::Pause(absl::Duration pause) {
  absl::MutexLock lock(&mutex_);
  mutex_.AwaitWithTimeout(absl::Condition(&stopping_), pause);
}

bool SpanExporter::IsStopping() const {
  absl::MutexLock lock(&mutex_);
  return stopping_;
}

void SpanExporter::Count(int64_t sent, int64_t dropped) {
  absl::MutexLock lock(&mutex_);
  sent_ += sent;
  dropped_ += dropped;
  in_batch_ = 0;
}

// Notes each change once: a collector that is down for a night is to leave two lines.
void SpanExporter::Note(const absl::Status& status) {
  if (status.ok() != is_failing_) return;
  is_failing_ = !status.ok();
  if (!options_.log) return;
  const int64_t dropped = counters().dropped;
  const std::string where = options_.url.substr(0, options_.url.find('?'));  // a key may follow
  if (status.ok()) {
    return options_.log("info", base::StrCat("traces: the collector at ", where, " takes spans again; ", dropped,
                                             " were dropped since the start"));
  }
  options_.log("error",
               base::StrCat("traces: the collector at ", where, " does not take spans: ", base::Message(status),
                            "; up to ", options_.max_waiting, " wait for it, more are dropped"));
}

}  // namespace logquery::shim
