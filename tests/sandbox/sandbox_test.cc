// SQL that callers may and may not run over logs.all, on a real engine. The lists are files that anyone can add to.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "tests/sandbox/sandbox_logs.h"
#include "tests/support/folders.h"

namespace logquery {
namespace {

using testing::SandboxLogs;

#ifdef NDEBUG
constexpr int64_t kOver = 256 << 20;
#else
constexpr int64_t kOver = int64_t{8} << 30;  // sanitizers keep memory that was let go of
#endif
constexpr absl::Duration kTimeLimit = absl::Milliseconds(500);

std::vector<std::string> Lines(const std::string& name) {
  return testing::SandboxLines(testing::SourcePath(base::StrCat("tests/testdata/sandbox/", name)));
}

TEST_CASE("every attack is refused before anything runs, and the error says why") {
  SandboxLogs logs(absl::Seconds(60));
  const std::vector<std::string> attacks = Lines("attacks.txt");
  CHECK(attacks.size() >= 150);
  for (const std::string& sql : attacks) {
    const absl::Status status = logs.Run(sql).status();
    INFO(sql << "\n" << status.ToString());
    const bool refused = absl::IsInvalidArgument(status) || absl::IsUnimplemented(status);
    CHECK(refused);
    CHECK_FALSE(base::Message(status).empty());
    // The message tells nothing of the engine's own.
    CHECK(base::Message(status).find("Binder Error") == std::string_view::npos);
    CHECK(base::Message(status).find("Catalog Error") == std::string_view::npos);
  }
}

TEST_CASE("SQL that only looks like an attack runs") {
  SandboxLogs logs(absl::Seconds(60));
  const std::vector<std::string> honest = Lines("honest.txt");
  CHECK(honest.size() >= 50);
  for (const std::string& sql : honest) {
    const absl::Status status = logs.Run(sql).status();
    INFO(sql << "\n" << status.ToString());
    CHECK(status.ok());
  }
}

TEST_CASE("oversized queries end with an error and stay within the engine's memory limit", "[serial]") {
  SandboxLogs logs(kTimeLimit);
  const std::vector<std::string> giants = Lines("giants.txt");
  CHECK(giants.size() >= 50);
  for (const std::string& sql : giants) {
    testing::ForgetPeakMemory();
    const absl::Duration start = Clock::Real()->Monotonic();
    const absl::Status status = logs.Run(sql).status();
    INFO(sql << "\n" << status.ToString() << "\nafter " << absl::FormatDuration(Clock::Real()->Monotonic() - start));
    CHECK_FALSE(status.ok());
    CHECK_FALSE(absl::IsInternal(status));
    CHECK(testing::PeakMemory() > 0);
    CHECK(testing::PeakMemory() < testing::kSandboxMemoryLimit + kOver);
  }
}

}  // namespace
}  // namespace logquery
