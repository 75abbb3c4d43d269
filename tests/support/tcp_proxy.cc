// A thread for the port, and one for each connection.
#include "tests/support/tcp_proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace logquery::testing {
namespace {

sockaddr_in AddressOf(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  return address;
}

bool SendAll(int to, const std::vector<char>& bytes) {
  size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t some = send(to, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (some <= 0) return false;
    sent += static_cast<size_t>(some);
  }
  return true;
}

}  // namespace

TcpProxy::TcpProxy(int server_port) : server_port_(server_port) {
  socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = AddressOf(0);
  socklen_t length = sizeof(address);
  if (bind(socket_, reinterpret_cast<sockaddr*>(&address), length) != 0 || listen(socket_, 16) != 0 ||
      getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    throw std::runtime_error("no port for a proxy");
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { Serve(); });
}

TcpProxy::~TcpProxy() {
  {
    absl::MutexLock lock(&mutex_);
    ended_ = true;
    for (const int each : open_) shutdown(each, SHUT_RDWR);
  }
  shutdown(socket_, SHUT_RDWR);
  thread_.join();
  for (std::thread& connection : connections_) connection.join();
  close(socket_);
}

void TcpProxy::SetMode(Mode mode, int64_t after) {
  absl::MutexLock lock(&mutex_);
  mode_ = mode;
  after_ = after;
  ++epoch_;
}

void TcpProxy::PassAll() { SetMode(Mode::kPass, 0); }
void TcpProxy::CutAfter(int64_t bytes) { SetMode(Mode::kCut, bytes); }
void TcpProxy::GarbleAfter(int64_t bytes) { SetMode(Mode::kGarble, bytes); }
void TcpProxy::StandStill() { SetMode(Mode::kStill, 0); }

void TcpProxy::Serve() {
  while (true) {
    const int client = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) return;
    connections_.emplace_back([this, client] { Forward(client); });
  }
}

void TcpProxy::Forward(int client) {
  const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = AddressOf(server_port_);
  bool goes_on = connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  {
    absl::MutexLock lock(&mutex_);
    open_.insert(open_.end(), {client, server});
    goes_on = goes_on && !ended_;
  }
  int64_t seen = 0;
  int epoch = -1;
  std::vector<char> bytes;
  while (goes_on) {
    pollfd both[] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
    if (poll(both, 2, -1) < 0) break;
    for (int i = 0; i < 2 && goes_on; ++i) {
      if (both[i].revents == 0) continue;
      bytes.resize(16 << 10);
      const ssize_t some = recv(both[i].fd, bytes.data(), bytes.size(), 0);
      bytes.resize(static_cast<size_t>(std::max<ssize_t>(some, 0)));
      goes_on = some > 0;
      const bool may_go_on = !goes_on || i == 0 || Treat(bytes, seen, epoch);
      // Bytes before a cut still go out.
      goes_on = goes_on && SendAll(i == 0 ? server : client, bytes) && may_go_on;
    }
  }
  absl::MutexLock lock(&mutex_);
  open_.erase(std::remove_if(open_.begin(), open_.end(), [&](int each) { return each == client || each == server; }),
              open_.end());
  close(client);
  close(server);
}

bool TcpProxy::Treat(std::vector<char>& bytes, int64_t& seen, int& epoch) {
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(this, &TcpProxy::MayGoOn));
  if (epoch != epoch_) seen = 0;
  epoch = epoch_;
  const int64_t begin = seen;
  seen += static_cast<int64_t>(bytes.size());
  if (mode_ == Mode::kGarble && begin <= after_ && after_ < seen) bytes[static_cast<size_t>(after_ - begin)] ^= 0x55;
  if (mode_ != Mode::kCut || seen <= after_) return true;
  bytes.resize(static_cast<size_t>(std::max<int64_t>(after_ - begin, 0)));
  return false;
}

}  // namespace logquery::testing
