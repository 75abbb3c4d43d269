#include "tests/isolation/supervisor.h"

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <utility>
#include <vector>

namespace logquery::isolation {
namespace {

using Crashes = std::vector<std::pair<size_t, int>>;

TEST_CASE("work continues after the item that ends the child process") {
  Crashes crashes;
  const absl::Status status = Supervised(
      [](const Progress& progress) {
        for (size_t item = progress.first(); item < 5; ++item) {
          progress.Begin(item);
          if (item == 1 || item == 2) std::raise(SIGKILL);
        }
        return absl::OkStatus();
      },
      [&](size_t item, int signal) { crashes.emplace_back(item, signal); });
  CHECK(status.ok());
  CHECK(crashes == Crashes{{1, SIGKILL}, {2, SIGKILL}});
}

TEST_CASE("work that fails is an error and is not restarted") {
  Crashes crashes;
  const absl::Status status = Supervised([](const Progress&) { return absl::NotFoundError("no folder"); },
                                         [&](size_t item, int signal) { crashes.emplace_back(item, signal); });
  CHECK(absl::IsInternal(status));
  CHECK(crashes.empty());
}

}  // namespace
}  // namespace logquery::isolation
