#include "tests/support/child_process.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"

namespace logquery::testing {
namespace {

constexpr char kVariable[] = "LOGQUERY_TEST_CHILD_ARGUMENT";

}  // namespace

int RunInChild(const std::string& test_case, const std::string& argument) {
  return AwaitChild(StartChild(test_case, argument));
}

pid_t StartChild(const std::string& test_case, const std::string& argument) {
  std::string program = "/proc/self/exe";
  std::string name = absl::StrReplaceAll(test_case, {{",", "\\,"}});  // a comma would part two names
  std::string variable = base::StrCat(kVariable, "=", argument);
  std::vector<char*> arguments = {program.data(), name.data(), nullptr};
  std::vector<char*> environment = {variable.data()};
  for (char** entry = environ; *entry != nullptr; ++entry) environment.push_back(*entry);
  environment.push_back(nullptr);
  pid_t pid = 0;
  if (posix_spawn(&pid, program.c_str(), nullptr, nullptr, arguments.data(), environment.data()) != 0) {
    throw std::runtime_error("no process can be started");
  }
  return pid;
}

int AwaitChild(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

std::string ChildArgument() {
  const char* argument = std::getenv(kVariable);
  if (argument == nullptr) throw std::runtime_error("this test case runs in the child process of another one");
  return argument;
}

}  // namespace logquery::testing
