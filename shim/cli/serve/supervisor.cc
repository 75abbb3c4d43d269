// Holds the listening sockets, and restarts the server when it crashes.
#include "shim/cli/serve/supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/read_to_end.h"
#include "lib/base/strings.h"
#include "logquery/clock.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/serve/supervised.h"

namespace logquery::shim {
namespace {

// A server that has answered for as long dies of something new.
constexpr absl::Duration kSound = absl::Seconds(10);
constexpr absl::Duration kLongestDelay = absl::Seconds(10);

absl::Duration Monotonic() { return Clock::Real()->Monotonic(); }

std::vector<std::string> OwnArguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string text = base::ReadToEnd(file).value_or("");
  std::vector<std::string> arguments;
  for (size_t at = 0; at < text.size(); at += arguments.back().size() + 1) arguments.emplace_back(text.c_str() + at);
  return arguments;
}

// The exit code of a child that could not become a server, as shells have it.
constexpr int kExitNotRun = 126;

std::string HowItEnded(int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == kExitNotRun) return "ended: the program can't be run again";
  if (!WIFSIGNALED(status)) return base::StrCat("ended by itself with exit code ", WEXITSTATUS(status));
  return base::StrCat("died by signal ", WTERMSIG(status), " (", strsignal(WTERMSIG(status)), ")");
}

// The pointers of a list that execve takes.
std::vector<char*> PointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// This process has a thread that writes the log, so its child may call only what is async-signal-safe: all is prepared.
struct Launch {
  explicit Launch(const Supervision& supervision, const std::vector<std::string>& own_arguments)
      : given(supervision), argument_texts(own_arguments) {
    for (char** variable = environ; *variable != nullptr; ++variable) variable_texts.emplace_back(*variable);
    variable_texts.push_back(base::StrCat(Supervision::kVariable, "=", given.ToText()));
    arguments = PointersTo(argument_texts);
    variables = PointersTo(variable_texts);
    // Signals that are blocked stay so over exec: one that comes before the server reads them waits for it.
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
  }
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  // In the child.
  [[noreturn]] void Run() const {
    // Ends this process with the supervisor from here on; the server looks whether that has happened before.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int fd : {given.channel, given.listen, given.admin, given.local, given.board}) {
      if (fd >= 0) fcntl(fd, F_SETFD, 0);
    }
    pthread_sigmask(SIG_UNBLOCK, &ends, nullptr);
    // The very program that runs, also when another one stands where it was started from.
    execve("/proc/self/exe", arguments.data(), variables.data());
    _exit(kExitNotRun);
  }

  const Supervision given;
  std::vector<std::string> argument_texts;
  std::vector<std::string> variable_texts;
  std::vector<char*> arguments;
  std::vector<char*> variables;
  sigset_t ends;
};

class Supervisor {
 public:
  explicit Supervisor(const SupervisorOptions& options)
      : options_(options), arguments_(OwnArguments()), signal_fd_(OpenSignals()) {}
  ~Supervisor() {
    for (const int fd : {signal_fd_, channel_, local_, options_.sockets.listen, options_.sockets.admin}) {
      if (fd >= 0) close(fd);
    }
  }
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  int Run() {
    Start();
    while (!exit_code_) {
      pollfd entries[] = {{signal_fd_, POLLIN, 0}, {channel_, POLLIN, 0}};
      poll(entries, 2, TimeToWait());
      // Messages first: what a server said before it died still counts.
      ReadMessages();
      ReadSignals();
      if (!exit_code_ && server_ == 0 && Monotonic() >= start_at_) Start();
    }
    return *exit_code_;
  }

 private:
  static int OpenSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGCHLD}) sigaddset(&signals, signal);
    // One that is not blocked would take its default course and never be read.
    sigprocmask(SIG_BLOCK, &signals, nullptr);
    return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  }

  int TimeToWait() const {
    if (server_ != 0) return -1;
    return static_cast<int>(absl::ToInt64Milliseconds(std::max(start_at_ - Monotonic(), absl::ZeroDuration()))) + 1;
  }

  void Log(std::string_view level, std::string_view line) const { options_.log(level, line); }

  void Start();
  void ReadMessages();
  void OnReady();
  void ReadSignals();
  void OnStopSignal();
  void RefuseClients() const;
  void OnChildSignal();
  void OnEnd(int status);

  const SupervisorOptions options_;
  const std::vector<std::string> arguments_;
  const int signal_fd_;
  int channel_ = -1;
  int local_ = -1;
  pid_t server_ = 0;  // 0: none runs
  int starts_ = 0;
  int deaths_ = 0;  // in a row
  int stop_signals_ = 0;
  bool has_answered_ = false;               // one of them
  std::optional<absl::Duration> ready_at_;  // this one
  absl::Duration died_at_;                  // the one before
  absl::Duration start_at_;                 // the next one
  std::optional<int> exit_code_;
};

void Supervisor::Start() {
  int channel[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel) != 0) {
    Log("error", base::StrCat("no server can be started: ", std::strerror(errno)));
    exit_code_ = kExitFailed;
    return;
  }
  Supervision given;
  given.supervisor = getpid();
  given.channel = channel[1];
  given.listen = options_.sockets.listen;
  given.admin = options_.sockets.admin;
  given.local = local_;
  given.board = options_.board->fd();
  given.starts = ++starts_;
  given.heartbeat = options_.manager.watchdog() / 3;
  ready_at_.reset();
  const Launch launch(given, arguments_);
  server_ = fork();
  if (server_ == 0) launch.Run();
  close(channel[1]);
  if (channel_ >= 0) close(channel_);
  channel_ = channel[0];
  if (server_ > 0) return;
  server_ = 0;
  start_at_ = Monotonic() + RestartDelay(++deaths_);
  Log("error", base::StrCat("no server can be started: ", std::strerror(errno), "; the next attempt follows"));
  if (!has_answered_) exit_code_ = kExitFailed;
}

void Supervisor::ReadMessages() {
  ChildMessage message{};
  int socket = -1;
  while (channel_ >= 0 && ReceiveMessage(channel_, message, socket)) {
    switch (message) {
      case ChildMessage::kReady:
        OnReady();
        break;
      case ChildMessage::kAlive:
        options_.manager.Notify("WATCHDOG=1");
        break;
      case ChildMessage::kLocalSocket:
        if (local_ >= 0) close(local_);
        local_ = std::exchange(socket, -1);
        break;
    }
  }
  pollfd entry{channel_, POLLIN, 0};
  // At the end of what a dead server said poll would return at once, again and again.
  if (channel_ >= 0 && poll(&entry, 1, 0) > 0 && (entry.revents & POLLHUP) != 0) close(std::exchange(channel_, -1));
}

void Supervisor::OnReady() {
  ready_at_ = Monotonic();
  if (!std::exchange(has_answered_, true)) {
    options_.manager.Notify("READY=1");
    return;
  }
  const int64_t restarts = starts_ - 1;
  Log("info", base::StrCat("the server answers again as process ", server_, ", ",
                           absl::ToInt64Milliseconds(*ready_at_ - died_at_), " ms after the one before died; restart ",
                           restarts));
  options_.manager.Notify(
      base::StrCat("STATUS=the server was restarted, ", restarts, restarts == 1 ? " time in all" : " times in all"));
}

void Supervisor::ReadSignals() {
  signalfd_siginfo signal{};
  while (!exit_code_ && read(signal_fd_, &signal, sizeof(signal)) == sizeof(signal)) {
    switch (signal.ssi_signo) {
      case SIGHUP:
        if (server_ != 0) kill(server_, SIGHUP);
        break;
      case SIGCHLD:
        OnChildSignal();
        break;
      default:
        OnStopSignal();
    }
  }
}

// The server finishes what it has. Clients of a socket that the service manager keeps wait for the next server instead.
void Supervisor::RefuseClients() const {
  const ListeningSockets& sockets = options_.sockets;
  if (sockets.listen >= 0 && !sockets.listen_is_kept) shutdown(sockets.listen, SHUT_RDWR);
  if (sockets.admin >= 0 && !sockets.admin_is_kept) shutdown(sockets.admin, SHUT_RDWR);
  if (local_ >= 0) shutdown(local_, SHUT_RDWR);
}

void Supervisor::OnStopSignal() {
  if (++stop_signals_ == 1) {
    options_.manager.Notify("STOPPING=1");
    RefuseClients();
  }
  if (server_ == 0) {
    exit_code_ = kExitOk;  // between two servers
  } else {
    kill(server_, stop_signals_ < 3 ? SIGTERM : SIGKILL);
  }
}

void Supervisor::OnChildSignal() {
  int status = 0;
  if (server_ == 0 || waitpid(server_, &status, WNOHANG) != server_) return;
  ReadMessages();
  OnEnd(status);
}

void Supervisor::OnEnd(int status) {
  const pid_t ended = std::exchange(server_, 0);
  const bool orderly = WIFEXITED(status) && (stop_signals_ > 0 || !has_answered_);
  if (orderly) {
    exit_code_ = WEXITSTATUS(status);
    return;
  }
  const std::string what = base::StrCat("the server (process ", ended, ") ", HowItEnded(status));
  if (stop_signals_ > 0 || !has_answered_) {
    Log("error", base::StrCat(what, stop_signals_ > 0 ? " while it was ending" : " before it had answered once"));
    exit_code_ = kExitFailed;
    return;
  }
  const bool crashed = WIFSIGNALED(status) || WEXITSTATUS(status) != 0;
  for (const std::string& line : options_.board->Settle(crashed, Clock::Real()->Now())) Log("error", line);
  died_at_ = Monotonic();
  if (ready_at_ && died_at_ - *ready_at_ >= kSound) deaths_ = 0;
  const absl::Duration delay = RestartDelay(++deaths_);
  start_at_ = died_at_ + delay;
  Log("error", base::StrCat(what, "; it is started again ",
                            delay == absl::ZeroDuration() ? "at once" : "in " + absl::FormatDuration(delay)));
}

}  // namespace

absl::Duration RestartDelay(int deaths) {
  if (deaths <= 1) return absl::ZeroDuration();
  return std::min(kLongestDelay, absl::Milliseconds(100) * (int64_t{1} << std::min(deaths - 2, 10)));
}

int Supervise(const SupervisorOptions& options) { return Supervisor(options).Run(); }

}  // namespace logquery::shim
