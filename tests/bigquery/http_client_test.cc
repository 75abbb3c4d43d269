// The outcome of a request says whether it may have reached the server: a query that was never sent need not be looked for there.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <thread>

#include "lib/backend/http/client.h"

namespace logquery::http {
namespace {

// Takes connections and says nothing.
class SilentServer {
 public:
  SilentServer() : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const bound = reinterpret_cast<sockaddr*>(&address);
    REQUIRE(bind(fd_, bound, sizeof(address)) == 0);
    REQUIRE(listen(fd_, 1) == 0);
    socklen_t size = sizeof(address);
    REQUIRE(getsockname(fd_, bound, &size) == 0);
    port_ = ntohs(address.sin_port);
  }
  ~SilentServer() {
    if (connection_ >= 0) close(connection_);
    close(fd_);
  }
  SilentServer(const SilentServer&) = delete;
  SilentServer& operator=(const SilentServer&) = delete;

  // Waits until a client is there, and has sent something.
  void AwaitClient() {
    connection_ = accept(fd_, nullptr, nullptr);
    char byte = 0;
    REQUIRE(recv(connection_, &byte, 1, 0) == 1);
  }
  int port() const { return port_; }

 private:
  int fd_;
  int connection_ = -1;
  int port_ = 0;
};

Outcome CancelledOnceConnected(const std::string& scheme) {
  SilentServer server;
  Client client({});
  CancellationSource source;
  Request request;
  request.url = scheme + "://127.0.0.1:" + std::to_string(server.port()) + "/";
  request.body = "SELECT 1";
  Outcome outcome;
  std::thread sender([&] {
    outcome = client.Send(request, source.token(), [](const Head&, std::string_view) { return absl::OkStatus(); });
  });
  server.AwaitClient();
  source.Cancel();
  sender.join();
  return outcome;
}

TEST_CASE("a request that is cancelled may have reached the server only where it was sent") {
  const Outcome sent = CancelledOnceConnected("http");
  CHECK(absl::IsCancelled(sent.status));
  CHECK(sent.was_sent);
  // Nothing of it goes out before the handshake of TLS is through.
  const Outcome kept = CancelledOnceConnected("https");
  CHECK(absl::IsCancelled(kept.status));
  CHECK_FALSE(kept.was_sent);
}

}  // namespace
}  // namespace logquery::http
