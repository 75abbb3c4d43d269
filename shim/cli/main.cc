// The program `logquery`.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

#include "absl/synchronization/mutex.h"
#include "shim/cli/options/command_line.h"
#include "shim/cli/options/standard_output.h"

namespace {

// The width of the terminal `descriptor`; 120 if it is not a terminal.
int Columns(int descriptor) {
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 120;
}

// Returns false if somebody wants no colours (https://no-color.org), or the terminal cannot show them.
bool WantsColours() {
  const char* const none = std::getenv("NO_COLOR");
  const char* const kind = std::getenv("TERM");
  return (none == nullptr || *none == '\0') && kind != nullptr && std::string_view(kind) != "dumb";
}

// A file that is opened later must not become what the program prints to.
void OpenStandardDescriptors() {
  int fd = 0;
  while (fd >= 0 && fd <= STDERR_FILENO) fd = open("/dev/null", O_RDWR);
  if (fd > STDERR_FILENO) close(fd);
}

}  // namespace

int main(int argc, char** argv) {
  OpenStandardDescriptors();
#ifdef NDEBUG
  // Some distributions build Abseil with its check for deadlocks, which costs each lock that waits. Tests keep it.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
#endif
  std::ios::sync_with_stdio(false);
  // Lives until the process ends, which flushes std::cout.
  static logquery::shim::DescriptorBuffer* const output = new logquery::shim::DescriptorBuffer(STDOUT_FILENO);
  std::cout.rdbuf(output);
  const logquery::shim::Terminal terminal{std::cin,
                                          std::cout,
                                          std::cerr,
                                          isatty(STDOUT_FILENO) != 0,
                                          isatty(STDERR_FILENO) != 0,
                                          Columns(isatty(STDOUT_FILENO) != 0 ? STDOUT_FILENO : STDERR_FILENO),
                                          WantsColours()};
  return logquery::shim::RunCommandLine(argc, argv, terminal);
}
