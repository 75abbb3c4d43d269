// One connection after another; a request is read to the end of its headers and as much of its body as they say.
#include "tests/clickhouse/scripted_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "lib/base/strings.h"

namespace logquery::testing {
namespace {

std::string ReadRequest(int connection) {
  std::string text;
  char buffer[4'096];
  size_t wanted = std::string::npos;
  while (wanted == std::string::npos || text.size() < wanted) {
    const ssize_t got = recv(connection, buffer, sizeof(buffer), 0);
    if (got <= 0) return text;
    text.append(buffer, static_cast<size_t>(got));
    const size_t end = text.find("\r\n\r\n");
    if (end == std::string::npos) continue;
    constexpr std::string_view kLength = "Content-Length: ";
    const size_t length = text.find(kLength);
    wanted = end + 4;
    if (length < end) wanted += static_cast<size_t>(std::atoi(text.c_str() + length + kLength.size()));
  }
  return text;
}

}  // namespace

ScriptedServer::ScriptedServer(std::string answer) : answer_(std::move(answer)) {
  socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  if (socket_ < 0 || bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0 ||
      listen(socket_, 16) != 0 || getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("there is no port for a server");
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { Serve(); });
}

ScriptedServer::~ScriptedServer() {
  // Ends accept().
  shutdown(socket_, SHUT_RDWR);
  thread_.join();
  close(socket_);
}

std::string ScriptedServer::url() const { return "http://127.0.0.1:" + std::to_string(port_); }

void ScriptedServer::Serve() {
  while (true) {
    const int connection = accept(socket_, nullptr, nullptr);
    if (connection < 0) return;
    {
      std::string request = ReadRequest(connection);
      const std::lock_guard lock(mutex_);
      last_request_ = std::move(request);
    }
    ++requests_;
    size_t sent = 0;
    while (sent < answer_.size()) {
      const ssize_t put = send(connection, answer_.data() + sent, answer_.size() - sent, MSG_NOSIGNAL);
      if (put <= 0) break;
      sent += static_cast<size_t>(put);
    }
    shutdown(connection, SHUT_WR);
    close(connection);
  }
}

std::string RowBinary(int rows) {
  std::string bytes(
      "\x01\x02"
      "c1\x05"
      "Int64",
      10);
  for (int i = 0; i < rows; ++i) bytes += std::string("\x05\0\0\0\0\0\0\0", 8);
  return bytes;
}

std::string WholeAnswer(const std::string& body, const std::string& headers) {
  return base::StrCat("HTTP/1.1 200 OK\r\n", headers, "Content-Length: ", body.size(), "\r\n\r\n", body);
}

}  // namespace logquery::testing
