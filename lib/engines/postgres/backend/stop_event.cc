// Polls an eventfd together with the socket.
#include "lib/engines/postgres/backend/stop_event.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <limits>

#include "absl/time/clock.h"

namespace logquery::postgres {
namespace {

// The interval at which a wait checks the token if the system has provided no descriptor.
constexpr int kLookMs = 10;

int MillisecondsUntil(absl::Time deadline) {
  const int64_t left = absl::ToInt64Milliseconds(deadline - absl::Now() + absl::Microseconds(999));
  return static_cast<int>(std::clamp<int64_t>(left, 0, std::numeric_limits<int>::max()));
}

}  // namespace

StopEvent::StopEvent(const CancellationToken& token) : token_(token), event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (event_ < 0) return;
  registration_ = token_.OnCancel([event = event_] {
    const uint64_t one = 1;
    // Nobody reads it, so the first write stays; a further one may be refused.
    [[maybe_unused]] const ssize_t written = write(event, &one, sizeof(one));
  });
}

StopEvent::~StopEvent() {
  registration_ = CancellationToken::Registration();
  if (event_ >= 0) close(event_);
}

StopEvent::Woken StopEvent::Wait(int socket, bool read, bool write, absl::Time deadline) const {
  while (true) {
    if (IsSet()) return Woken::kStopped;
    const int left = MillisecondsUntil(deadline);
    pollfd waits[2] = {{socket, static_cast<short>((read ? POLLIN : 0) | (write ? POLLOUT : 0)), 0},
                       {event_, POLLIN, 0}};
    const int ready = poll(waits, event_ < 0 ? 1 : 2, event_ < 0 ? std::min(left, kLookMs) : left);
    if (IsSet()) return Woken::kStopped;
    // The caller learns of errors of the socket when it reads from it.
    if (ready > 0 && waits[0].revents != 0) return Woken::kReady;
    if (ready < 0 && errno != EINTR) return Woken::kReady;
    if (ready <= 0 && absl::Now() >= deadline) return Woken::kTimeout;
  }
}

}  // namespace logquery::postgres
