#include "shim/http/transport/connection.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <utility>

#include "lib/base/limited_places.h"
#include "logquery/testing/fake_clock.h"

namespace logquery::shim {
namespace {

// A connection whose client is the test, and whose time moves only when the test moves it.
struct Pair {
  Pair() {
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    client = ends[1];
    ConnectionLimits limits;
    limits.receive = absl::Seconds(20);
    limits.body_bytes = 1'000;
    limits.clock = &clock;
    connection = std::make_unique<Connection>(ends[0], limits);
  }
  ~Pair() { Leave(); }

  void Leave() {
    if (client >= 0) close(std::exchange(client, -1));
  }
  void Send(size_t bytes) const {
    const std::string text(bytes, 'x');
    REQUIRE(send(client, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes));
  }
  // Reads so many bytes; false: the time was over before.
  bool Read(size_t bytes) const {
    while (bytes > 0) {
      char piece[4096];
      const ssize_t count = connection->Read(piece, std::min(bytes, sizeof(piece)));
      if (count <= 0) return false;
      bytes -= static_cast<size_t>(count);
    }
    return true;
  }

  testing::FakeClock clock;
  int client = -1;
  std::unique_ptr<Connection> connection;
};

TEST_CASE("a body that keeps up the least speed may take any time") {
  Pair pair;
  pair.connection->BeginBody();
  for (int i = 0; i < 100; ++i) {
    pair.clock.Advance(absl::Seconds(19));
    pair.Send(1'000);
    REQUIRE(pair.Read(1'000));
  }
  CHECK(pair.connection->IsSlowBody());
}

TEST_CASE("a body that arrives byte by byte is cut off, also if a byte is always available") {
  Pair pair;
  pair.connection->BeginBody();
  CHECK_FALSE(pair.connection->IsSlowBody());
  int taken = 0;
  for (; taken < 1'000; ++taken) {
    pair.Send(1);
    if (!pair.Read(1)) break;
    pair.clock.Advance(absl::Seconds(1));
  }
  CHECK(taken == 20);
  CHECK(pair.connection->receive_timed_out());
  CHECK(pair.connection->IsSlowBody());
}

TEST_CASE("a fast beginning does not give a body more time for its rest") {
  Pair pair;
  pair.connection->BeginBody();
  pair.Send(50'000);
  REQUIRE(pair.Read(50'000));
  pair.clock.Advance(absl::Seconds(21));
  pair.Send(1);
  CHECK_FALSE(pair.Read(1));
  CHECK(pair.connection->receive_timed_out());
}

TEST_CASE("a lingering connection discards input until its client disconnects, or for three minutes") {
  Pair pair;
  pair.connection->BeginLinger();
  char end;
  CHECK(recv(pair.client, &end, 1, 0) == 0);  // nothing more is sent
  CHECK(pair.connection->Discard());
  pair.Send(100'000);
  CHECK(pair.connection->Discard());
  pair.clock.Advance(absl::Minutes(3));
  CHECK_FALSE(pair.connection->Discard());

  Pair gone;
  gone.connection->BeginLinger();
  gone.Leave();
  CHECK_FALSE(gone.connection->Discard());
}

TEST_CASE("a connection that lingers discards 32 MiB at most") {
  Pair pair;
  pair.connection->BeginLinger();
  int64_t sent = 0;
  do {
    pair.Send(64 << 10);
    sent += 64 << 10;
  } while (pair.connection->Discard());
  CHECK(sent == 32 << 20);
}

TEST_CASE("a least speed is counted over 20 seconds, or over 320 KiB if they take less") {
  ConnectionLimits limits;
  limits.SetLeastSpeed(16 << 10);
  CHECK(limits.body == absl::Seconds(20));
  CHECK(limits.body_bytes == 320 << 10);
  limits.SetLeastSpeed(1 << 10);
  CHECK(limits.body == absl::Seconds(20));
  CHECK(limits.body_bytes == 20 << 10);
  limits.SetLeastSpeed(32 << 10);
  CHECK(limits.body == absl::Seconds(10));
  CHECK(limits.body_bytes == 320 << 10);
}

TEST_CASE("places for slow bodies are given back") {
  base::LimitedPlaces bodies(1);
  base::LimitedPlaces::Place second(&bodies);
  {
    base::LimitedPlaces::Place first(&bodies);
    CHECK(first.Take());
    CHECK(first.Take());
    CHECK_FALSE(second.Take());
  }
  CHECK(second.Take());
}

}  // namespace
}  // namespace logquery::shim
