// Handles a server's signals: graceful stop, immediate stop, reload.
#include "shim/cli/serve/serve_signals.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "absl/time/clock.h"
#include "lib/base/start_thread.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {
namespace {

constexpr int kServerEnded = SIGUSR1;
// Requests to stop after which the process waits for nothing.
constexpr int kKills = 3;
// A query that is interrupted ends within a second, if it ends at all.
constexpr absl::Duration kToEndQueries = absl::Seconds(3);

}  // namespace

sigset_t BlockServeSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, kServerEnded}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);  // a file may be no longer: whoever writes it is told
  return signals;
}

int StopCount::Add(pid_t sender) {
  ++all_;
  if (supervisor_ == 0) return all_;
  if (sender == supervisor_) ++from_supervisor_;
  return std::max(1, from_supervisor_);
}

LastResort::LastResort(std::function<void()> end)
    : end_(std::move(end)), thread_(base::StartThread([this] { Wait(); })) {}

LastResort::~LastResort() {
  {
    absl::MutexLock lock(&mutex_);
    over_ = true;
    changed_ = true;
  }
  if (thread_.ok()) thread_->join();
}

void LastResort::EndAfter(absl::Duration time) {
  absl::MutexLock lock(&mutex_);
  at_ = std::min(at_, absl::Now() + time);
  changed_ = true;
}

void LastResort::Wait() {
  absl::MutexLock lock(&mutex_);
  while (!over_) {
    changed_ = false;
    if (mutex_.AwaitWithDeadline(absl::Condition(this, &LastResort::HasChanged), at_)) continue;
    end_();
    return;
  }
}

absl::Status ServeUntilSignal(const std::vector<HttpServer*>& servers, const sigset_t& signals, const ServeUntil& until,
                              StopCount& stops, RequestLog& log) {
  std::atomic<size_t> finished{0};
  size_t serving = 0;
  absl::Status started;
  for (HttpServer* server : servers) {
    started = server->Start([&finished] {
      ++finished;
      kill(getpid(), kServerEnded);  // wakes the loop below
    });
    if (!started.ok()) {
      for (HttpServer* other : servers) other->Stop(absl::ZeroDuration());
      break;
    }
    ++serving;
  }
  int stopping = 0;
  while (finished < serving) {
    siginfo_t received{};
    const int signal = sigwaitinfo(&signals, &received);
    if (signal < 0) continue;  // interrupted by one that is not among them
    if (signal == SIGHUP) {
      until.reload();
      continue;
    }
    const int wanted = signal == kServerEnded ? std::max(stopping, 1) : stops.Add(received.si_pid);
    if (wanted >= kKills) _exit(kExitFailed);
    if (wanted == stopping) continue;
    log.Note("info", wanted > 1 ? "stopping at once" : "stopping: requests that were accepted finish");
    const absl::Duration grace = wanted > 1 ? absl::ZeroDuration() : until.grace;
    for (HttpServer* server : servers) server->Stop(grace);
    if (until.last_resort != nullptr) until.last_resort->EndAfter(grace + kToEndQueries);
    stopping = wanted;
  }
  for (HttpServer* server : servers) server->Wait();
  return started;
}

LastSignals::LastSignals(const sigset_t& signals, StopCount* stops)
    : signals_(signals), stops_(stops), thread_(base::StartThread([this] { Watch(); })) {}

LastSignals::~LastSignals() {
  if (!thread_.ok()) return;
  over_ = true;
  pthread_kill(thread_->native_handle(), kServerEnded);
  thread_->join();
}

void LastSignals::Watch() {
  while (true) {
    siginfo_t received{};
    const int signal = sigwaitinfo(&signals_, &received);
    // One of a server's end may still wait, and looks the same: glibc reports SI_TKILL as SI_USER.
    if (signal == kServerEnded && over_) return;
    if ((signal == SIGTERM || signal == SIGINT) && stops_->Add(received.si_pid) >= kKills) _exit(kExitFailed);
  }
}

}  // namespace logquery::shim
