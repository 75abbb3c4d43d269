#include "tests/isolation/supervisor.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "lib/base/strings.h"

namespace logquery::isolation {

absl::Status Supervised(const std::function<absl::Status(const Progress&)>& work,
                        const std::function<void(size_t item, int signal)>& crashed) {
  void* page = mmap(nullptr, sizeof(size_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return absl::InternalError("no memory can be shared with a child");
  auto* place = static_cast<volatile size_t*>(page);
  absl::Status status;
  for (size_t first = 0;;) {
    *place = first;
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) {
      status = absl::InternalError("no child process can be started");
      break;
    }
    if (child == 0) {
      // A run that is stopped leaves no child behind.
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      const absl::Status done = work(Progress(first, place));
      if (!done.ok()) std::fprintf(stderr, "%s\n", done.ToString().c_str());
      std::fflush(nullptr);
      // Ends without destructors of the parent's objects, which are not the child's to end.
      _exit(done.ok() ? 0 : 1);
    }
    int ended = 0;
    if (waitpid(child, &ended, 0) != child) {
      status = absl::InternalError("the child process can't be waited for");
      break;
    }
    if (!WIFSIGNALED(ended)) {
      if (WEXITSTATUS(ended) != 0) status = absl::InternalError("the child process failed");
      break;
    }
    crashed(*place, WTERMSIG(ended));
    first = *place + 1;
  }
  munmap(page, sizeof(size_t));
  return status;
}

}  // namespace logquery::isolation
