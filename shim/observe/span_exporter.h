// Sends spans to a collector over OTLP/HTTP, in batches on a thread of its own. A caller that adds spans never waits: when the
// collector does not keep up, is down or hangs, spans are dropped and counted.
//
//     SpanExporter exporter({.url = "http://127.0.0.1:4318/v1/traces", .version = "0.1.0", .log = log});
//     exporter.Add(std::move(spans));
#ifndef LOGQUERY_SHIM_OBSERVE_SPAN_EXPORTER_H_
#define LOGQUERY_SHIM_OBSERVE_SPAN_EXPORTER_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "lib/backend/http/client.h"
#include "logquery/cancellation.h"
#include "shim/observe/span.h"

namespace logquery::shim {

struct SpanExporterOptions {
  std::string url;  // of the collector, with the path: "http://127.0.0.1:4318/v1/traces"
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string version = {};                       // of this program
  size_t max_waiting = 8'192;                     // spans; more are dropped
  size_t max_batch = 512;                         // spans in a request
  absl::Duration every = absl::Seconds(2);        // how long a span waits for others
  absl::Duration time_limit = absl::Seconds(10);  // of a request
  absl::Duration last_try = absl::Seconds(2);     // how long Stop waits for the collector
  // The pause after a request that failed; it doubles up to `max_pause` while the collector does not answer.
  absl::Duration pause = absl::Seconds(1);
  absl::Duration max_pause = absl::Seconds(30);
  // Receives one line when the collector stops accepting spans, and one when it accepts them again.
  std::function<void(std::string_view level, std::string_view line)> log = {};
};

// Thread-safe.
class SpanExporter {
 public:
  explicit SpanExporter(SpanExporterOptions options);
  // Calls Stop.
  ~SpanExporter() { Stop(); }
  SpanExporter(const SpanExporter&) = delete;
  SpanExporter& operator=(const SpanExporter&) = delete;

  // OK: the thread runs. ResourceExhausted: the system allowed none, and all spans are dropped.
  absl::Status started() const { return started_; }

  // Takes all of the spans, or drops all of them, so that traces stay whole. Drops them after Stop.
  void Add(std::vector<Span> spans);
  // Sends what waits, for at most `last_try`, and drops the rest. Idempotent.
  void Stop();

  struct Counters {
    int64_t sent = 0;  // accepted by the collector
    int64_t dropped = 0;
    int64_t waiting = 0;
  };
  Counters counters() const;

 private:
  void Work();
  // Returns the next batch when it is due; empty: the exporter stops, and nothing waits.
  std::vector<Span> Take();
  // Returns once the batch is accepted or has to be dropped.
  void Deliver(const std::vector<Span>& batch);
  // OK: accepted. Unavailable: to be sent again. Otherwise it will never be accepted.
  absl::Status Send(const std::vector<Span>& batch, int64_t& rejected);
  // Waits for that long, or until the exporter stops.
  void Pause(absl::Duration pause);
  bool IsStopping() const;
  void Count(int64_t sent, int64_t dropped);
  void Note(const absl::Status& status);

  const SpanExporterOptions options_;
  http::Client client_;
  CancellationSource giving_up_;
  absl::Notification done_;
  mutable absl::Mutex mutex_;
  std::deque<Span> waiting_ ABSL_GUARDED_BY(mutex_);
  size_t in_batch_ ABSL_GUARDED_BY(mutex_) = 0;  // taken, and not yet delivered
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  int64_t sent_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t dropped_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Mutex stop_mutex_;  // of Stop
  std::thread thread_ ABSL_GUARDED_BY(stop_mutex_);
  absl::Status started_;     // constant after construction
  bool is_failing_ = false;  // the thread's
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_OBSERVE_SPAN_EXPORTER_H_
