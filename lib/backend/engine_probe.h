// Checks periodically, with a deadline, whether a remote engine is reachable, and reuses the result for a while.
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
  absl::Duration limit = absl::Seconds(1);        // of one probe; by the machine's clock
  absl::Duration keep_answer = absl::Seconds(5);  // by the probe's clock, like the next one
  absl::Duration keep_failure = absl::Seconds(1);
};

// Thread-safe. Probes run on a thread of their own, so that State returns in time even if a library blocks.
class EngineProbe {
 public:
  // See FragmentSource::Probe.
  using Ask = std::function<absl::Status(const CancellationToken& cancellation)>;

  // The engine must have just answered: that is the first result. `engine` is used in messages. Borrows the clock.
  EngineProbe(std::string engine, Ask ask, std::shared_ptr<CircuitBreaker> breaker, const Clock* clock,
              EngineProbeOptions options = {});
  // Cancels a running probe, and waits for its end.
  ~EngineProbe();
  EngineProbe(const EngineProbe&) = delete;
  EngineProbe& operator=(const EngineProbe&) = delete;

  // While the breaker is open, the engine is not probed. When the breaker would admit a call, the probe is that call,
  // so that a recovered engine is detected without calls.
  EngineState State();

 private:
  // Unavailable: the system allows no further thread.
  absl::Status StartThread() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
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
  int64_t asked_ ABSL_GUARDED_BY(mutex_) = 0;  // number of probes
  int64_t answered_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_late_ ABSL_GUARDED_BY(mutex_) = false;  // callers no longer wait for the running probe
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::shared_ptr<CancellationSource> cancellation_ ABSL_GUARDED_BY(mutex_);  // of the running probe
  std::thread thread_ ABSL_GUARDED_BY(mutex_);                                // started by the first probe
};

}  // namespace logquery::backend

#endif  // LOGQUERY_LIB_BACKEND_ENGINE_PROBE_H_
