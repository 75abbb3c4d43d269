// The program `logquery`.
#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>

#include "shim/command/command_line.h"

namespace {

// Of the terminal that `descriptor` is; 120 where it is none.
int Columns(int descriptor) {
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 120;
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const logquery::shim::Terminal terminal{std::cin,
                                          std::cout,
                                          std::cerr,
                                          isatty(STDOUT_FILENO) != 0,
                                          isatty(STDERR_FILENO) != 0,
                                          Columns(isatty(STDOUT_FILENO) != 0 ? STDOUT_FILENO : STDERR_FILENO)};
  return logquery::shim::RunCommandLine(argc, argv, terminal);
}
