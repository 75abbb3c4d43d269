#include "shim/worker_pool.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>

#include "absl/synchronization/barrier.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/notification.h"

namespace logquery::shim {
namespace {

TEST_CASE("tasks run, as many at one time as there are threads") {
  WorkerPool pool(3, 0);
  absl::BlockingCounter together(3);
  absl::Notification go;
  for (int i = 0; i < 3; ++i) {
    REQUIRE(pool.Submit([&] {
      together.DecrementCount();
      go.WaitForNotification();
    }));
  }
  together.Wait();  // would never end if one waited for another
  go.Notify();
  pool.Shutdown();
}

TEST_CASE("a task beyond threads and queue is not taken") {
  WorkerPool pool(1, 1);
  absl::Notification begun;
  absl::Notification go;
  std::atomic<int> done{0};
  REQUIRE(pool.Submit([&] {
    begun.Notify();
    go.WaitForNotification();
    ++done;
  }));
  begun.WaitForNotification();
  CHECK_FALSE(pool.IsFull());
  CHECK(pool.Submit([&] { ++done; }));
  CHECK(pool.IsFull());
  CHECK_FALSE(pool.Submit([&] { ++done; }));
  go.Notify();
  pool.Shutdown();
  CHECK(done == 2);
  CHECK_FALSE(pool.Submit([] {}));
}

TEST_CASE("a pool without a queue takes a task whenever a thread is free") {
  WorkerPool pool(1, 0);
  for (int i = 0; i < 50; ++i) {
    absl::Notification done;
    // The thread may be on its way back from the last task: then there is no room for a moment.
    while (!pool.Submit([&] { done.Notify(); })) {
    }
    done.WaitForNotification();
  }
}

TEST_CASE("shutting down does what was submitted before") {
  std::atomic<int> done{0};
  {
    WorkerPool pool(2, 100);
    for (int i = 0; i < 100; ++i) REQUIRE(pool.Submit([&] { ++done; }));
  }
  CHECK(done == 100);
}

}  // namespace
}  // namespace logquery::shim
