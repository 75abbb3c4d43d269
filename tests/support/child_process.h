// Test cases that run in a process of their own: to hold a folder from outside, to be killed, to meet a process's limits.
//
//     TEST_CASE("child: holds the folder", "[.child]") { Use(ChildArgument()); }      // hidden: runs only when asked for
//     CHECK(RunInChild("child: holds the folder", folder) == 0);
//
// The process is started anew and not forked: sanitizers, and threads that are there already, do not survive a fork.
#ifndef LOGQUERY_TESTS_SUPPORT_CHILD_PROCESS_H_
#define LOGQUERY_TESTS_SUPPORT_CHILD_PROCESS_H_

#include <sys/types.h>

#include <string>

namespace logquery::testing {

// Runs this program's test case of that name, and waits. 0: it passed. -SIGNAL: it was killed. Otherwise it failed.
int RunInChild(const std::string& test_case, const std::string& argument);

// The same in two steps: starts it, and waits; between them it may be killed by its id.
pid_t StartChild(const std::string& test_case, const std::string& argument);
int AwaitChild(pid_t child);

// In the child: the argument that RunInChild was given.
std::string ChildArgument();

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_CHILD_PROCESS_H_
