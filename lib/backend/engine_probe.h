// Asks an engine elsewhere now and then whether it is there, with a deadline of its own, and keeps the outcome for a while.
//
//     EngineProbe probe("PostgreSQL", [&](const CancellationToken& stop) { return source.Probe(stop); }, breaker, clock);
//     if (!probe.State().status.ok()) …
#ifndef LOGQUERY_LIB_BACKEND_ENGINE_PROBE_H_
#define LOGQUERY_LIB_BACKEND_ENGINE_PROBE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/backend/circuit_breaker.h"
#include "logquery/cancellation.h"
#include "logquery/clock.h"
#include "logquery/remote_backend.h"

namespace logquery::backend {

struct EngineProbeOptions {
  absl::Duration limit = absl::Seconds(1);        // of one question; by the machine's clock
  absl::Duration keep_answer = absl::Seconds(5);  // by the probe's clock, as the next one
  absl::Duration keep_failure = absl::Seconds(1);
};

// Thread-safe. The question is asked on a thread of its own, so State returns in time even if a library does not.
class EngineProbe {
 public:
  // FragmentSource::Probe.
  using Ask = std::function<absl::Status(const CancellationToken& cancellation)>;

  // The engine has just answered: that is the first outcome. `engine` stands in messages. Borrows the clock.
  EngineProbe(std::string engine, Ask ask, std::shared_ptr<CircuitBreaker> breaker, const Clock* clock,
              EngineProbeOptions options = {});
  // Cancels a question that is under way, and waits for its end.
  ~EngineProbe();
  EngineProbe(const EngineProbe&) = delete;
  EngineProbe& operator=(const EngineProbe&) = delete;

  // While the breaker is open the engine is not asked. When it would let a call through, the question is that call, so an
  // engine that is back is found without any call.
  EngineState State();

 private:
  void Work();
  absl::Status AskEngine(const CancellationToken& cancellation);
  EngineState StateOf(const absl::Status& outcome) const;
  bool IsWanted() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stopping_ || asked_ > answered_; }
  bool IsAnswered() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return asked_ == answered_; }
  void Keep(EngineState state) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::string engine_;
  const Ask ask_;
  const std::shared_ptr<CircuitBreaker> breaker_;
  const Clock* const clock_;
  const EngineProbeOptions options_;
  absl::Mutex mutex_;
  EngineState last_ ABSL_GUARDED_BY(mutex_);
  absl::Duration kept_until_ ABSL_GUARDED_BY(mutex_);
  int64_t asked_ ABSL_GUARDED_BY(mutex_) = 0;  // questions so far
  int64_t answered_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_late_ ABSL_GUARDED_BY(mutex_) = false;  // nobody waits for the question under way any more
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::shared_ptr<CancellationSource> cancellation_ ABSL_GUARDED_BY(mutex_);  // of the question under way
  std::thread thread_;
};

}  // namespace logquery::backend

#endif  // LOGQUERY_LIB_BACKEND_ENGINE_PROBE_H_
