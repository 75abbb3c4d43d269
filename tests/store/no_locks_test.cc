// A folder on a file system that has no locks, as some network file systems: refused, with what to do about it.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <catch2/catch_test_macros.hpp>
#include <cerrno>
#include <cstddef>

#include "absl/strings/match.h"
#include "tests/store/folder_test_util.h"
#include "tests/support/child_process.h"

namespace logquery::store {
namespace {

// From here on, flock() fails in this process as it does on such a file system.
void TakeLocksAway() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_flock, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOLCK),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {std::size(filter), filter};
  REQUIRE(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  REQUIRE(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

// The argument is the folder.
TEST_CASE("child: there are no locks", "[.child]") {
  const std::string folder = testing::ChildArgument();
  TakeLocksAway();
  for (const bool read_only : {false, true}) {
    CAPTURE(read_only);
    const absl::Status status = OpenStatus(folder, read_only);
    INFO(status.ToString());
    CHECK(status.code() == absl::StatusCode::kFailedPrecondition);
    CHECK(absl::StrContains(status.message(), folder + " is on a file system without locks"));
    CHECK(absl::StrContains(status.message(), "keep it on a disk of this machine"));
  }
}

TEST_CASE("a folder on a file system without locks is rejected and unchanged") {
  TemporaryFolder folder;
  Load(*OpenFolder(folder / "data"), {.table = "test.logs", .files = {WriteFile(folder / "a", Row())}});
  CHECK(testing::RunInChild("child: there are no locks", folder / "data") == 0);
  CHECK(CountRows(*OpenFolder(folder / "data")) == 1);
}

}  // namespace
}  // namespace logquery::store
