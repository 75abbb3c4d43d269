// The program `logquery` beside a bench: commands that have to succeed, and a server in a process of its own.
#ifndef LOGQUERY_TESTS_BENCH_BENCH_SERVER_H_
#define LOGQUERY_TESTS_BENCH_BENCH_SERVER_H_

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "lib/base/strings.h"
#include "tests/bench/bench_util.h"

namespace logquery::bench {

// The output of a command that has to succeed.
inline std::string Output(const std::string& command) {
  FILE* out = popen(command.c_str(), "r");
  if (out == nullptr) Fail(base::StrCat("can't run ", command));
  std::string text;
  char buffer[4'096];
  for (size_t count; (count = fread(buffer, 1, sizeof(buffer), out)) > 0;) text.append(buffer, count);
  if (pclose(out) != 0) Fail(base::StrCat("failed: ", command));
  return text;
}

inline std::string ServerProgram() {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path program = self.parent_path() / "logquery";
  if (error || !std::filesystem::exists(program)) {
    Fail(base::StrCat("there is no ", program.string(), "; build the target logquery_cli"));
  }
  return program.string();
}

class Server {
 public:
  // `logquery` with these words behind `serve`, and an address of its own.
  explicit Server(std::vector<std::string> words) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) Fail("no pipe");
    const std::string program = ServerProgram();
    words.insert(words.begin(), {program, "serve", "--listen", "127.0.0.1:0"});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    const bool started = posix_spawn(&pid_, program.c_str(), &actions, nullptr, arguments.data(), environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (!started) Fail("no server can be started");
    log_ = fdopen(ends[0], "r");
    ReadPort();
    drain_ = std::thread([this] {
      char buffer[4'096];
      while (fread(buffer, 1, sizeof(buffer), log_) > 0) continue;
    });
  }
  Server(const Server&) = delete;
  ~Server() {
    if (!has_ended_) kill(pid_, SIGKILL);
    Died(true);
    drain_.join();
    fclose(log_);
  }

  int port() const { return port_; }

  bool Died(bool wait = false) {
    int status = 0;
    if (!has_ended_ && waitpid(pid_, &status, wait ? 0 : WNOHANG) == pid_) has_ended_ = true;
    return has_ended_;
  }

  // `serve` is a supervisor; the server is its child, another one after each restart.
  pid_t Child() const {
    pid_t child = 0;
    std::ifstream(base::StrCat("/proc/", pid_, "/task/", pid_, "/children")) >> child;
    return child;
  }

  // `server` has to be the process of the server that is there now.
  static void ForgetPeak(pid_t server) { std::ofstream(base::StrCat("/proc/", server, "/clear_refs")) << "5"; }
  static double PeakMebibytes(pid_t server) { return Mebibytes(server, "VmHWM:"); }
  static double ResidentMebibytes(pid_t server) { return Mebibytes(server, "VmRSS:"); }

 private:
  static double Mebibytes(pid_t server, std::string_view name) {
    std::ifstream status(base::StrCat("/proc/", server, "/status"));
    double kib = 0;
    for (std::string word; status >> word;) {
      if (word == name) status >> kib;
    }
    return kib / 1'024;
  }

  void ReadPort() {
    constexpr std::string_view kBefore = "listening on http://127.0.0.1:";
    char line[4'096];
    while (fgets(line, sizeof(line), log_) != nullptr) {
      const std::string_view text = line;
      if (text.starts_with(kBefore)) {
        port_ = std::atoi(line + kBefore.size());
        return;
      }
      std::fputs(line, stderr);
    }
    Fail("the server did not begin to listen");
  }

  pid_t pid_ = 0;
  FILE* log_ = nullptr;
  int port_ = 0;
  bool has_ended_ = false;
  std::thread drain_;
};

}  // namespace logquery::bench

#endif  // LOGQUERY_TESTS_BENCH_BENCH_SERVER_H_
