// Connections over their life: silent, slow and disconnecting clients, idle ones, and the end of the server.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <thread>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/notification.h"
#include "lib/base/strings.h"
#include "shim/http/transport/transport.h"
#include "tests/shim/http_requests.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim::http_tests {
namespace {

TEST_CASE("a client that is silent, or stops within a request, is disconnected") {
  TransportOptions options;
  options.limits.idle = absl::Milliseconds(50);
  options.limits.receive = absl::Milliseconds(100);
  ServerFixture fixture(options);
  RawClient silent(fixture.port());
  CHECK(silent.IsClosed());
  RawClient slow(fixture.port());
  slow.Send("GET / HT");
  CHECK(StatusOf(slow.Receive()) == 408);
  CHECK(slow.IsClosed());
  RawClient slow_body(fixture.port());
  slow_body.Send(
      base::StrCat("POST ", kCall, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\nContent-Length: 10\r\n\r\n{"));
  CHECK(StatusOf(slow_body.Receive()) == 408);
  CHECK(slow_body.IsClosed());
}

TEST_CASE("clients that read nothing delay no query and no other client") {
  TransportOptions options;
  options.max_connections = 64;
  ServerFixture fixture(options, 2, 64);
  absl::BlockingCounter done(40);
  fixture.service.on_run = [&](const QueryRequest& request) {
    done.DecrementCount();
    return AnswerWith(request.parameters.empty() ? "{}" : std::string(8 << 20, 'x'));
  };
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 20; ++i) {
    slow.push_back(std::make_unique<RawClient>(fixture.port(), 4'096));
    slow.back()->Send(base::StrCat("GET ", kCall, "?big=1 HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\n\r\n"));
  }
  for (int i = 0; i < 20; ++i) CHECK(StatusOf(Get(fixture.port(), kCall)) == 200);
  // All 20 queries end though none of their answers can be sent.
  done.Wait();
}

TEST_CASE("a response that the client does not read is abandoned") {
  TransportOptions options;
  options.limits.send_stall = absl::Milliseconds(50);
  options.max_connections = 1;
  ServerFixture fixture(options);
  fixture.service.on_run = [&](const QueryRequest& request) {
    return AnswerWith(request.parameters.empty() ? "{}" : std::string(8 << 20, 'x'));
  };
  RawClient slow(fixture.port(), 4'096);
  slow.Send(base::StrCat("GET ", kCall, "?big=1 HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\n\r\n"));
  REQUIRE_FALSE(fixture.log_lines.Await("\"status\":200").empty());
  // The only thread is free again.
  CHECK(StatusOf(Get(fixture.port(), kCall)) == 200);
}

TEST_CASE("a client's disconnection cancels its query") {
  for (const bool reset : {false, true}) {
    ServerFixture fixture;
    fixture.HoldQuery();
    RawClient client(fixture.port());
    client.Send(base::StrCat(kHead, "\r\n"));
    fixture.begun.WaitForNotification();
    if (reset) {
      client.Reset();
    } else {
      client.Close();
    }
    fixture.cancelled.WaitForNotification();
    CHECK_FALSE(fixture.log_lines.Await("\"status\":499").empty());
  }
}

TEST_CASE("idle connections make room when others wait") {
  TransportOptions options;
  options.max_connections = 2;
  options.limits.idle = absl::Seconds(3'600);
  ServerFixture fixture(options);
  RawClient first(fixture.port());
  RawClient second(fixture.port());
  for (RawClient* client : {&first, &second}) {
    client->Send(base::StrCat(kHead, "\r\n"));
    CHECK(StatusOf(client->Receive()) == 200);
  }
  CHECK(StatusOf(Get(fixture.port(), kCall)) == 200);
}

TEST_CASE("stopping finishes accepted requests and accepts no more") {
  ServerFixture fixture;
  absl::Notification begun;
  absl::Notification go;
  fixture.service.on_run = [&](const QueryRequest&) {
    begun.Notify();
    go.WaitForNotification();
    return AnswerWith(R"({"result":["late"]})");
  };
  RawClient idle(fixture.port());
  RawClient client(fixture.port());
  client.Send(base::StrCat(kHead, "\r\n"));
  begun.WaitForNotification();
  fixture.server->Stop(absl::Seconds(60));
  CHECK(idle.IsClosed());
  go.Notify();
  CHECK(BodyOf(client.Receive()) == R"({"result":["late"]})");
  CHECK(client.IsClosed());
  fixture.serving.join();
  fixture.serving = std::thread([] {});
}

TEST_CASE("a stop has a time limit, after which running queries are cancelled") {
  ServerFixture fixture;
  fixture.HoldQuery();
  RawClient client(fixture.port());
  client.Send(base::StrCat(kHead, "\r\n"));
  fixture.begun.WaitForNotification();
  fixture.StopAndJoin(absl::ZeroDuration());
  CHECK(StatusOf(client.Receive()) == 503);
}

TEST_CASE("a process with more than a thousand open files answers as any other") {
  // cpp-httplib uses select() unless told otherwise, which takes no descriptor from 1,024 on.
  constexpr int kMany = 1'100;
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  rlimit raised = before;
  raised.rlim_cur = std::max<rlim_t>(before.rlim_cur, std::min<rlim_t>(before.rlim_max, 4'096));
  REQUIRE(setrlimit(RLIMIT_NOFILE, &raised) == 0);
  std::vector<int> held = {dup(STDERR_FILENO)};
  const absl::Cleanup release = [&] {
    for (const int descriptor : held) close(descriptor);
    setrlimit(RLIMIT_NOFILE, &before);
  };
  while (held.back() >= 0 && held.back() < kMany) held.push_back(dup(STDERR_FILENO));
  REQUIRE(held.back() >= kMany);

  ServerFixture fixture;
  CHECK(StatusOf(Get(fixture.port(), kCall)) == 200);
  RawClient client(fixture.port());
  client.Send(Post("{}", "Content-Type: application/json\r\n"));
  CHECK(StatusOf(client.Receive()) == 200);
}

TEST_CASE("the server answers many clients at one time") {
  ServerFixture fixture({}, 4, 200);
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  LogLines others;
  for (int t = 0; t < 16; ++t) {
    threads.emplace_back([&] {
      RawClient client(fixture.port());
      for (int i = 0; i < 50; ++i) {
        client.Send(base::StrCat(kHead, "\r\n"));
        const std::string response = client.Receive();
        if (StatusOf(response) == 200) {
          ++good;
        } else {
          others.writer()(response);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& other : others.lines()) UNSCOPED_INFO(other);
  CHECK(good == 800);
}

}  // namespace
}  // namespace logquery::shim::http_tests
