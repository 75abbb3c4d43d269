#include "lib/base/worker_pool.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <memory>

#include "absl/synchronization/barrier.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/notification.h"

namespace logquery::base {
namespace {

TEST_CASE("as many tasks run at one time as there are threads") {
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

TEST_CASE("a task beyond threads and queue is rejected") {
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

TEST_CASE("a task that waits for its thread to start takes no place in the queue, and does not run yet") {
  for (int i = 0; i < 200; ++i) {
    WorkerPool pool(1, 1);
    absl::Notification go;
    REQUIRE(pool.Submit([&] { go.WaitForNotification(); }));
    const WorkerPool::Use use = pool.use();
    CHECK(use.running + use.waiting == 1);
    CHECK(pool.Submit([] {}));
    go.Notify();
    pool.Shutdown();
  }
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

// Occupies a pool's one thread until it is let go.
struct Busy {
  explicit Busy(WorkerPool& pool) {
    REQUIRE(pool.Submit([state = state] {
      state->begun.Notify();
      state->go.WaitForNotification();
    }));
    state->begun.WaitForNotification();
  }
  // The thread may still be on its way out of what it waited for when this goes.
  struct State {
    absl::Notification begun;
    absl::Notification go;
  };
  std::shared_ptr<State> state = std::make_shared<State>();
  absl::Notification& go = state->go;
};

TEST_CASE("waiting submitters take turns, so that a busy one does not delay the others") {
  std::string order;
  {
    WorkerPool pool(1, 100);
    Busy busy(pool);
    const auto submit = [&](const std::string& who) {
      REQUIRE(pool.Submit({[&order, who] { order += who; }, who, {}}));
    };
    for (int i = 0; i < 4; ++i) submit("a");
    for (int i = 0; i < 2; ++i) submit("b");
    submit("c");
    busy.go.Notify();
  }
  CHECK(order == "abcabaa");
}

TEST_CASE("when the queue is full, the submitter with most tasks loses its last one to one with fewer") {
  std::string done;
  std::string dropped;
  {
    WorkerPool pool(1, 4);
    Busy busy(pool);
    const auto submit = [&](const std::string& who, const std::string& name) {
      return pool.Submit({[&done, name] { done += name; }, who, [&dropped, name] { dropped += name; }});
    };
    for (const char* name : {"1", "2", "3", "4"}) REQUIRE(submit("a", name));
    CHECK_FALSE(submit("a", "5"));
    CHECK(submit("b", "x"));
    CHECK(dropped == "4");
    CHECK(submit("b", "y"));
    CHECK(dropped == "43");
    CHECK_FALSE(submit("b", "z"));  // both have two
    CHECK(submit("c", "p"));
    CHECK(dropped.size() == 3);
    CHECK(submit("d", "q"));
    CHECK(dropped.size() == 4);
    CHECK_FALSE(submit("e", "r"));  // each has one
    busy.go.Notify();
  }
  CHECK(done.size() == 4);
}

TEST_CASE("threads can be started before they are needed, up to the pool's maximum at most") {
  WorkerPool pool(3, 0);
  CHECK(pool.use().threads == 0);
  CHECK(pool.Start(2).ok());
  CHECK(pool.use().threads == 2);
  CHECK(pool.use().running == 0);
  absl::Notification go;
  for (int i = 0; i < 3; ++i) CHECK(pool.Submit([&] { go.WaitForNotification(); }));
  CHECK(pool.use().threads == 3);
  go.Notify();
}

TEST_CASE("a pool reports its use") {
  WorkerPool pool(1, 3);
  Busy busy(pool);
  REQUIRE(pool.Submit([] {}));
  const WorkerPool::Use use = pool.use();
  busy.go.Notify();
  CHECK(use.running == 1);
  CHECK(use.max_threads == 1);
  CHECK(use.waiting == 1);
  CHECK(use.max_waiting == 3);
}

TEST_CASE("a task that can't be dropped keeps its place") {
  WorkerPool pool(1, 2);
  Busy busy(pool);
  REQUIRE(pool.Submit({[] {}, "a", {}}));
  REQUIRE(pool.Submit({[] {}, "a", {}}));
  CHECK_FALSE(pool.Submit({[] {}, "b", {}}));
  busy.go.Notify();
}

TEST_CASE("shutting down runs the tasks that were submitted before") {
  std::atomic<int> done{0};
  {
    WorkerPool pool(2, 100);
    for (int i = 0; i < 100; ++i) REQUIRE(pool.Submit([&] { ++done; }));
  }
  CHECK(done == 100);
}

}  // namespace
}  // namespace logquery::base
