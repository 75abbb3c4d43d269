// Handles a server's signals: graceful stop, immediate stop, reload.
#include "shim/serve/serve_signals.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace logquery::shim {
namespace {

constexpr int kServerEnded = SIGUSR1;

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

void ServeUntilSignal(const std::vector<HttpServer*>& servers, const sigset_t& signals, const ServeUntil& until,
                      RequestLog& log) {
  std::atomic<size_t> finished{0};
  std::vector<std::thread> serving;
  for (HttpServer* server : servers) {
    serving.emplace_back([&finished, server] {
      server->Serve();
      ++finished;
      kill(getpid(), kServerEnded);  // wakes the loop below
    });
  }
  StopCount stops(until.supervisor);
  int stopping = 0;
  while (finished < servers.size()) {
    siginfo_t received{};
    const int signal = sigwaitinfo(&signals, &received);
    if (signal < 0) continue;  // interrupted by one that is not among them
    if (signal == SIGHUP) {
      until.reload();
      continue;
    }
    const int wanted = signal == kServerEnded ? std::max(stopping, 1) : stops.Add(received.si_pid);
    if (wanted == stopping) continue;
    log.Note("info", wanted > 1 ? "stopping at once" : "stopping: requests that were accepted finish");
    for (HttpServer* server : servers) server->Stop(wanted > 1 ? absl::ZeroDuration() : until.grace);
    stopping = wanted;
  }
  for (std::thread& thread : serving) thread.join();
}

}  // namespace logquery::shim
