#include "shim/cli/serve/serve_signals.h"

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>

#include "absl/synchronization/notification.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/serve/self_probe.h"
#include "shim/cli/serve/supervised.h"
#include "tests/shim/server_fixture.h"
#include "tests/support/child_process.h"

namespace logquery::shim {
namespace {

TEST_CASE("without a supervisor every signal counts, and with one only the supervisor's") {
  StopCount alone(0);
  CHECK(alone.Add(7) == 1);
  CHECK(alone.Add(8) == 2);
  StopCount supervised(100);
  CHECK(supervised.Add(7) == 1);    // from a terminal or a service manager
  CHECK(supervised.Add(100) == 1);  // the same signal, handed on
  CHECK(supervised.Add(7) == 1);
  CHECK(supervised.Add(100) == 2);
}

TEST_CASE("child: waits for ever while it stops", "[.child]") {
  StopCount stops(0);
  const sigset_t signals = BlockServeSignals();
  const LastSignals last_signals(signals, &stops);
  while (true) kill(getpid(), SIGTERM);  // signals that wait for the same thread are one
}

TEST_CASE("a third signal ends a process whose end waits for something") {
  CHECK(testing::RunInChild("child: waits for ever while it stops", "") == kExitFailed);
}

TEST_CASE("a process that stops in time is not killed, and one more signal changes nothing") {
  StopCount stops(0);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &signals, &before);
  { const LastSignals last_signals(signals, &stops); }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_CASE("a process that does not end by itself is killed after its time, and one that does is not") {
  absl::Notification ended;
  LastResort last_resort([&] { ended.Notify(); });
  last_resort.EndAfter(absl::Hours(1));
  CHECK_FALSE(ended.HasBeenNotified());
  last_resort.EndAfter(absl::ZeroDuration());
  ended.WaitForNotification();
  LastResort never([] { FAIL("it has ended"); });
  never.EndAfter(absl::Hours(1));
}

TEST_CASE("a server that accepts no connections fails the heartbeat, and a serving one passes") {
  const absl::StatusOr<int> deaf = base::ListenOn({"127.0.0.1", 0});
  REQUIRE(deaf.ok());
  CHECK_FALSE(AnswersHealth(*deaf, absl::Milliseconds(50)));
  close(*deaf);
  const absl::StatusOr<int> socket = base::ListenOn({"127.0.0.1", 0});
  REQUIRE(socket.ok());
  TransportOptions options;
  options.listening_fd = *socket;
  const ServerFixture fixture(options);
  CHECK(AnswersHealth(*socket, absl::Seconds(60)));
}

TEST_CASE("the supervision text is read back as it was written, and invalid text is rejected") {
  Supervision given;
  given.supervisor = 42;
  given.channel = 9;
  given.listen = 3;
  given.starts = 2;
  given.heartbeat = absl::Milliseconds(100);
  const absl::StatusOr<Supervision> read = Supervision::FromText(given.ToText());
  REQUIRE(read.ok());
  CHECK(read->ToText() == given.ToText());
  CHECK(read->admin == -1);
  for (const char* wrong : {"", "1 2 3", "a b c d e f g h", "1 2 3 4 5 6 7 8 9 10"}) {
    CAPTURE(wrong);
    CHECK(Supervision::FromText(wrong).status().code() == absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace logquery::shim
