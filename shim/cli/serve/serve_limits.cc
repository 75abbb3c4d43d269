// Tries limits instead of computing them: a user's and a container's limits of threads count other processes, too.
#include "shim/cli/serve/serve_limits.h"

#include <dirent.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "lib/base/start_thread.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

// A request that is answered, one that waits for a thread, and two connections that wait for a request.
constexpr int kDescriptorsPerRequest = 4;
// Files of the engine, of answers and of the cache; connections of operators.
constexpr int kOtherDescriptors = 500;
constexpr int kFewestOtherDescriptors = 200;
constexpr int kFewestRequests = 4;
// Listeners, upkeep, watches, the log, and the first threads for requests; DuckDB does with fewer than it wants.
constexpr int kOtherThreads = 38;
// The most threads that are tried.
constexpr int kMostThreads = 1'024;

int ThreadsOf(const ServeArguments& arguments) {
  const int64_t all = int64_t{kOtherThreads} + arguments.query_threads + arguments.max_connections;
  return static_cast<int>(std::min<int64_t>(all, kMostThreads));
}

int DescriptorsOf(const ServeArguments& arguments) {
  return kDescriptorsPerRequest * arguments.max_connections + kOtherDescriptors;
}

int AllowDescriptors(int wanted) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  if (limit.rlim_cur < static_cast<rlim_t>(wanted)) {
    limit.rlim_cur = std::min(limit.rlim_max, static_cast<rlim_t>(wanted));
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) getrlimit(RLIMIT_NOFILE, &limit);
  }
  return static_cast<int>(std::min(limit.rlim_cur, static_cast<rlim_t>(wanted)));
}

int OwnThreads() {
  const std::unique_ptr<DIR, int (*)(DIR*)> tasks(opendir("/proc/self/task"), closedir);
  int count = 0;
  while (tasks != nullptr && readdir(tasks.get()) != nullptr) ++count;
  return count;
}

int StartableThreads(int wanted) {
  const int before = OwnThreads();
  absl::Notification go;
  std::vector<std::thread> threads;
  while (static_cast<int>(threads.size()) < wanted) {
    absl::StatusOr<std::thread> thread = base::StartThread([&go] { go.WaitForNotification(); });
    if (!thread.ok()) break;
    threads.push_back(*std::move(thread));
  }
  go.Notify();
  for (std::thread& thread : threads) thread.join();
  // The kernel counts a thread for a moment after it was joined.
  for (int i = 0; i < 1'000 && OwnThreads() > before; ++i) absl::SleepFor(absl::Milliseconds(1));
  return static_cast<int>(threads.size());
}

// " (ulimit -u is 100, pids.max is 64)"
std::string ThreadLimitsText() {
  std::string text;
  rlimit limit{};
  if (getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    text = base::StrCat("ulimit -u is ", limit.rlim_cur);
  }
  for (const char* path : {"/sys/fs/cgroup/pids.max", "/sys/fs/cgroup/pids/pids.max"}) {
    std::ifstream file(path);
    std::string most;
    if (file >> most && most != "max") base::StrAppend(&text, text.empty() ? "" : ", ", "pids.max is ", most);
  }
  return text.empty() ? text : base::StrCat(" (", text, ")");
}

}  // namespace

SystemLimits ReadSystemLimits(const ServeArguments& arguments) {
  return {AllowDescriptors(DescriptorsOf(arguments)), StartableThreads(ThreadsOf(arguments))};
}

absl::Status FitToLimits(const SystemLimits& limits, const std::function<void(std::string_view, std::string_view)>& log,
                         ServeArguments& arguments) {
  if (limits.descriptors < DescriptorsOf(arguments)) {
    const int fitting = (limits.descriptors - kFewestOtherDescriptors) / kDescriptorsPerRequest;
    if (fitting < kFewestRequests) {
      return absl::ResourceExhaustedError(
          base::StrCat("the process may open ", limits.descriptors, " files, and a server needs at least ",
                       kFewestOtherDescriptors + kFewestRequests * kDescriptorsPerRequest,
                       "; raise the limit (ulimit -n, LimitNOFILE= of systemd, --ulimit nofile= of a container)"));
    }
    const int wanted = arguments.max_connections;
    arguments.max_connections = std::min(wanted, fitting);
    log("warning", base::StrCat("the process may open ", limits.descriptors, " files, and --max-connections ", wanted,
                                " needs ", DescriptorsOf(arguments) + kDescriptorsPerRequest * (wanted - fitting),
                                "; the server works with --max-connections ", arguments.max_connections,
                                ". Raise the limit (ulimit -n, LimitNOFILE= of systemd, --ulimit nofile= of a "
                                "container)"));
  }
  if (limits.threads >= ThreadsOf(arguments)) return absl::OkStatus();

  const std::string raise = base::StrCat("; raise the limit", ThreadLimitsText(),
                                         " (ulimit -u, TasksMax= of systemd, --pids-limit of a container)");
  const int for_queries = limits.threads - kOtherThreads;
  if (for_queries < 1) {
    return absl::ResourceExhaustedError(base::StrCat(
        "the system allows ", limits.threads, " more threads, and a server needs at least ", kOtherThreads + 1, raise));
  }
  const int wanted = arguments.query_threads;
  arguments.query_threads = std::min(wanted, for_queries);
  log("warning", base::StrCat("the system allows ", limits.threads, " more threads, and --query-threads ", wanted,
                              " with --max-connections ", arguments.max_connections, " may need ",
                              kOtherThreads + wanted + arguments.max_connections, "; the server works with ",
                              arguments.query_threads,
                              " threads for queries, and requests wait while no thread can be started", raise));
  return absl::OkStatus();
}

}  // namespace logquery::shim
