#include "shim/cli/serve/supervisor.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "lib/base/strings.h"
#include "tests/shim/server_fixture.h"
#include "tests/shim/supervised_server.h"

namespace logquery::shim {
namespace {

#ifdef __SANITIZE_ADDRESS__
// AddressSanitizer makes an exit of SIGSEGV.
constexpr int kDeadly[] = {SIGABRT, SIGKILL};
#else
constexpr int kDeadly[] = {SIGSEGV, SIGABRT, SIGKILL};
#endif

constexpr char kCount[] = "select count(*) as n from edge_logs";

std::string Counted() { return base::StrCat(R"({"result":[{"n":)", kServedRows, "}]}"); }

TEST_CASE("a crashed server is restarted: connections wait meanwhile, and all rows are present") {
  SupervisedServer serve;
  REQUIRE(BodyOf(serve.Get(QueryPath(kCount))) == Counted());
  for (const int signal : kDeadly) {
    const pid_t before = serve.server();
    serve.KillServer(signal);
    CHECK(BodyOf(serve.Get(QueryPath(kCount))) == Counted());
    CHECK(serve.server() != before);
    serve.AwaitLog(base::StrCat("(process ", before, ") died by signal ", signal));
  }
  CHECK(serve.End(SIGTERM) == 0);
  CHECK(serve.log().find("\"message\":\"stopped\"") != std::string::npos);
}

TEST_CASE("only requests that were under way are lost with a server") {
  SupervisedServer serve;
  std::string answer = "none yet";
  std::thread lost([&] { answer = serve.Get(QueryPath(kEndless)); });
  serve.AwaitQuery();
  serve.KillServer(SIGSEGV);
  lost.join();
  CHECK(answer.empty());
  std::vector<std::thread> clients;
  std::vector<int> statuses(8);
  for (int& status : statuses) {
    clients.emplace_back([&] { status = StatusOf(serve.Get(QueryPath(kCount))); });
  }
  for (std::thread& client : clients) client.join();
  CHECK(statuses == std::vector<int>(8, 200));
}

TEST_CASE("SIGHUP ends neither the supervisor nor the server, and SIGINT ends both") {
  SupervisedServer serve;
  const pid_t server = serve.server();
  for (const pid_t process : {serve.supervisor(), server}) {
    const size_t logged = serve.log().size();
    REQUIRE(kill(process, SIGHUP) == 0);
    while (serve.log().find("SIGHUP: the tables are read", logged) == std::string::npos) std::this_thread::yield();
    CHECK(StatusOf(serve.Get("/health")) == 200);
  }
  CHECK(serve.server() == server);
  CHECK(serve.End(SIGINT) == 0);
}

TEST_CASE("a server ends with its supervisor, and is restarted if another process ends it") {
  SupervisedServer serve;
  serve.KillServer(SIGTERM);
  CHECK(StatusOf(serve.Get("/health")) == 200);
  CHECK(serve.End(SIGKILL) == -SIGKILL);
  // Its own sockets are gone with it: nobody listens any more. The kernel needs a moment for that.
  const auto listens = [&] {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(serve.port()));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool connected = connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
    close(fd);
    return connected;
  };
  while (listens()) std::this_thread::yield();
}

TEST_CASE("the service manager is notified that the server is ready, alive and stopping") {
  std::string folder = "/tmp/logquery-notify-XXXXXX";
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = folder + "/notify";
  path.copy(address.sun_path, path.size());
  const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  REQUIRE(bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0);
  setenv("NOTIFY_SOCKET", path.c_str(), 1);
  setenv("WATCHDOG_USEC", "300000", 1);
  SupervisedServer serve;
  unsetenv("NOTIFY_SOCKET");
  unsetenv("WATCHDOG_USEC");
  // Heartbeats come all the time, so that a message that does not come would be waited for without end.
  const auto await = [fd](std::string_view wanted) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    std::string message;
    do {
      char buffer[200];
      message.assign(buffer, static_cast<size_t>(recv(fd, buffer, sizeof(buffer), 0)));
      INFO("waiting for " << wanted << ", the last message is " << message);
      REQUIRE(std::chrono::steady_clock::now() < end);
    } while (message.find(wanted) == std::string::npos);
  };
  await("READY=1");
  await("WATCHDOG=1");
  await("WATCHDOG=1");
  serve.KillServer(SIGSEGV);
  await("STATUS=the server was restarted, 1 time in all");
  await("WATCHDOG=1");
  std::thread ending([&] { CHECK(serve.End(SIGTERM) == 0); });
  await("STOPPING=1");
  ending.join();
  close(fd);
  std::filesystem::remove_all(folder);
}

TEST_CASE("the first restart is immediate, and further ones are increasingly delayed") {
  CHECK(RestartDelay(1) == absl::ZeroDuration());
  CHECK(RestartDelay(2) == absl::Milliseconds(100));
  CHECK(RestartDelay(3) == absl::Milliseconds(200));
  CHECK(RestartDelay(8) == absl::Milliseconds(6'400));
  CHECK(RestartDelay(9) == absl::Seconds(10));
  CHECK(RestartDelay(1'000'000) == absl::Seconds(10));
}

}  // namespace
}  // namespace logquery::shim
