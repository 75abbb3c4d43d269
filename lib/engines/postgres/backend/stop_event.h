// A call's cancellation as a file descriptor, so that code can wait for a socket and the cancellation together.
#ifndef LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_STOP_EVENT_H_
#define LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_STOP_EVENT_H_

#include "absl/time/time.h"
#include "logquery/cancellation.h"

namespace logquery::postgres {

class StopEvent {
 public:
  explicit StopEvent(const CancellationToken& token);
  ~StopEvent();
  StopEvent(const StopEvent&) = delete;
  StopEvent& operator=(const StopEvent&) = delete;

  bool IsSet() const { return token_.IsCancelled(); }

  enum class Woken { kReady, kStopped, kTimeout };
  // Waits until `socket` is readable (with `read`) or writable (with `write`), the call is cancelled, or `deadline`.
  Woken Wait(int socket, bool read, bool write, absl::Time deadline) const;

 private:
  const CancellationToken token_;
  const int event_;
  CancellationToken::Registration registration_;  // must be destroyed before the descriptor that its callback writes to
};

}  // namespace logquery::postgres

#endif  // LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_STOP_EVENT_H_
