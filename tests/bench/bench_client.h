// A client that waits for each answer.
#ifndef LOGQUERY_TESTS_BENCH_BENCH_CLIENT_H_
#define LOGQUERY_TESTS_BENCH_BENCH_CLIENT_H_

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "tests/bench/bench_util.h"

namespace logquery::bench {

class Client {
 public:
  Client(int port, std::string token) : port_(port), token_(std::move(token)) { Connect(); }
  ~Client() { close(fd_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Events of edge_logs. A 429 is waited for, as collectors do; returns how many there were.
  int PostLogs(const std::string& body) {
    int waits = 0;
    for (; !TryToPost(body); ++waits) absl::SleepFor(absl::Milliseconds(200));
    return waits;
  }
  // A call that has to be answered with rows.
  void Get(std::string_view path) {
    Send(base::StrCat("GET ", path, " HTTP/1.1\r\nHost: b\r\nX-API-KEY: ", token_, "\r\n\r\n"));
    Receive(/*may_wait=*/false);
  }

 private:
  bool TryToPost(const std::string& body) {
    Send(base::StrCat("POST /api/logs?source_name=edge_logs HTTP/1.1\r\nHost: b\r\nX-API-KEY: ", token_,
                      "\r\nContent-Length: ", body.size(), "\r\n\r\n"));
    Send(body);
    return Receive(/*may_wait=*/true);
  }

  void Connect() {
    fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) Fail("no connection");
  }

  void Send(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t sent = send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) Fail("the server closed the connection");
      text.remove_prefix(static_cast<size_t>(sent));
    }
  }

  // False: there is no room just now.
  bool Receive(bool may_wait) {
    std::string answer;
    size_t whole = std::string::npos;
    while (answer.size() < whole) {
      char buffer[16 << 10];
      const ssize_t got = recv(fd_, buffer, sizeof(buffer), 0);
      if (got <= 0) Fail("there is no answer: " + answer.substr(0, 1'000));
      answer.append(buffer, static_cast<size_t>(got));
      const size_t end = answer.find("\r\n\r\n");
      const size_t length = answer.find("Content-Length: ");
      if (end != std::string::npos && length < end) whole = end + 4 + std::stoul(answer.substr(length + 16));
    }
    const bool is_taken = answer.compare(9, 3, "200") == 0;
    if (!is_taken && !(may_wait && answer.compare(9, 3, "429") == 0))
      Fail("a request failed: " + answer.substr(0, 1'000));
    if (answer.find("Connection: close") != std::string::npos) {
      close(fd_);  // a server ends a connection after so many requests
      Connect();
    }
    return is_taken;
  }

  const int port_;
  const std::string token_;
  int fd_ = -1;
};

}  // namespace logquery::bench

#endif  // LOGQUERY_TESTS_BENCH_BENCH_CLIENT_H_
