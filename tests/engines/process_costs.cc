// Reads /proc.
#include "tests/engines/process_costs.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "lib/base/read_to_end.h"

namespace logquery::testing {
namespace {

struct Stat {
  pid_t parent = 0;
  double cpu_millis = 0;
};

Stat StatOf(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  // The process may have ended.
  const std::string text = base::ReadToEnd(file).value_or("");
  const size_t after_name = text.rfind(')');
  Stat stat;
  long utime = 0;
  long stime = 0;
  long ended_utime = 0;  // of children that have ended, such as a server's parallel workers
  long ended_stime = 0;
  if (after_name == std::string::npos ||
      std::sscanf(text.c_str() + after_name + 1, " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld %ld %ld",
                  &stat.parent, &utime, &stime, &ended_utime, &ended_stime) != 5) {
    return stat;
  }
  stat.cpu_millis = 1'000.0 * static_cast<double>(utime + stime + ended_utime + ended_stime) /
                    static_cast<double>(sysconf(_SC_CLK_TCK));
  return stat;
}

int64_t BytesReadBy(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/io");
  std::string name;
  int64_t bytes = 0;
  file >> name >> bytes;
  return name == "rchar:" ? bytes : 0;
}

}  // namespace

ProcessCosts CostsOf(pid_t root) {
  if (root == 0) root = getpid();
  std::map<pid_t, Stat> stats;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t process = std::atoi(entry.path().filename().c_str());
    if (process > 0) stats[process] = StatOf(process);
  }
  ProcessCosts costs;
  for (const auto& [process, stat] : stats) {
    pid_t above = process;
    while (above != root && stats.contains(above) && stats[above].parent > 1) above = stats[above].parent;
    if (above != root) continue;
    costs.cpu_millis += stat.cpu_millis;
    costs.bytes_read += BytesReadBy(process);
  }
  return costs;
}

}  // namespace logquery::testing
