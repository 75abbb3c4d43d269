#include "lib/base/background_task.h"

#include <catch2/catch_test_macros.hpp>

#include "absl/synchronization/notification.h"

namespace logquery::base {
namespace {

TEST_CASE("a task runs at once and then periodically, until it is stopped") {
  absl::Notification thrice;
  int times = 0;
  BackgroundTask task(absl::ZeroDuration(), [&](const CancellationToken&) {
    if (++times == 3) thrice.Notify();
  });
  REQUIRE(task.Start().ok());
  thrice.WaitForNotification();
  task.Stop();
  const int then = times;
  CHECK(then >= 3);
  task.Stop();  // again does nothing
  CHECK(times == then);
}

TEST_CASE("stopping a background task cancels its running work and ends its wait") {
  absl::Notification begun;
  BackgroundTask task(absl::InfiniteDuration(), [&](const CancellationToken& stopping) {
    absl::Notification cancelled;
    const auto registration = stopping.OnCancel([&] { cancelled.Notify(); });
    begun.Notify();
    cancelled.WaitForNotification();
  });
  REQUIRE(task.Start().ok());
  begun.WaitForNotification();
  task.Stop();

  absl::Notification done;
  BackgroundTask waits(absl::InfiniteDuration(), [&](const CancellationToken&) { done.Notify(); });
  REQUIRE(waits.Start().ok());
  done.WaitForNotification();
  waits.Stop();
}

TEST_CASE("a task that was never started can be stopped") {
  BackgroundTask task(absl::Hours(1), [](const CancellationToken&) { FAIL("nobody started it"); });
  task.Stop();
}

}  // namespace
}  // namespace logquery::base
