// Servers one after the other on sockets that a service manager opened and keeps: the test is that service manager.
#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "lib/base/listen_socket.h"
#include "lib/base/strings.h"
#include "shim/cli/options/commands.h"
#include "tests/shim/server_fixture.h"
#include "tests/support/child_process.h"

namespace logquery::shim {
namespace {

constexpr char kChild[] = "child: serves on sockets of LISTEN_FDS";
constexpr int kFirstPassed = 3;  // as sd_listen_fds(3) has it

struct Started {
  std::string folder;
  int listen = -1;
  int admin = -1;
  bool supervise = false;

  std::string ToText() const { return base::StrCat(folder, " ", listen, " ", admin, " ", supervise ? 1 : 0); }
  static Started FromText(const std::string& text) {
    std::istringstream in(text);
    Started started;
    in >> started.folder >> started.listen >> started.admin >> started.supervise;
    return started;
  }
};

// Runs as the process that a service manager starts and, started by that, as its server.
TEST_CASE("child: serves on sockets of LISTEN_FDS", "[.child]") {
  const Started started = Started::FromText(testing::ChildArgument());
  if (std::getenv("LOGQUERY_SUPERVISED") == nullptr) {
    dup2(started.listen, kFirstPassed);
    dup2(started.admin, kFirstPassed + 1);
    setenv("LISTEN_PID", std::to_string(getpid()).c_str(), 1);
    setenv("LISTEN_FDS", "2", 1);
  }
  std::istringstream in;
  std::ostringstream out;
  std::ofstream err(started.folder + "/err", std::ios::app);
  err << std::unitbuf;  // _exit flushes nothing
  ServeArguments arguments;
  arguments.service.data = started.folder + "/data";
  arguments.tokens = started.folder + "/tokens.json";
  arguments.supervise = started.supervise;
  _exit(RunServe(arguments, {in, out, err}));
}

class KeptSockets {
 public:
  KeptSockets() {
    std::string name = (std::filesystem::temp_directory_path() / "logquery-activation-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    started_.folder = name;
    std::filesystem::create_directory(name + "/data");
    started_.listen = Open();
    started_.admin = Open();
    std::istringstream in;
    std::ostringstream out, err;
    TokenArguments token;
    token.tokens = name + "/tokens.json";
    token.all_projects = true;
    REQUIRE(RunTokenCreate(token, {in, out, err}) == kExitOk);
  }
  ~KeptSockets() {
    close(started_.listen);
    close(started_.admin);
    std::filesystem::remove_all(started_.folder);
  }
  KeptSockets(const KeptSockets&) = delete;
  KeptSockets& operator=(const KeptSockets&) = delete;

  int port() const { return base::PortOf(started_.listen); }
  int admin_port() const { return base::PortOf(started_.admin); }
  pid_t Start(bool supervise) {
    started_.supervise = supervise;
    return testing::StartChild(kChild, started_.ToText());
  }

 private:
  // A socket that a child inherits, at a number that LISTEN_FDS leaves free.
  static int Open() {
    const absl::StatusOr<int> fd = base::ListenOn({"127.0.0.1", 0});
    REQUIRE(fd.ok());
    const int passed = fcntl(*fd, F_DUPFD, 100);
    close(*fd);
    REQUIRE(passed >= 100);
    return passed;
  }

  Started started_;
};

int Stop(pid_t server) {
  REQUIRE(kill(server, SIGTERM) == 0);
  return testing::AwaitChild(server);
}

TEST_CASE("the service manager's socket outlives its server, and clients wait for the next one") {
  KeptSockets sockets;
  for (const bool supervise : {true, false}) {
    CAPTURE(supervise);
    for (int start = 0; start < 2; ++start) {
      CAPTURE(start);
      RawClient early(sockets.port());  // connects before the server is there
      early.Send("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      const pid_t server = sockets.Start(supervise);
      CHECK(StatusOf(early.Receive()) == 200);
      CHECK(StatusOf(Get(sockets.admin_port(), "/ready")) == 200);
      CHECK(Stop(server) == kExitOk);
    }
  }
}

}  // namespace
}  // namespace logquery::shim
