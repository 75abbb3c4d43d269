// Serves logquery::http_server from the installed package: one call over a socket, an action, and a stop.
#include "logquery/http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "logquery/query_service.h"
#include "logquery/serving/query_queue.h"
#include "logquery/testing/fake_backend.h"
#include "logquery/testing/fake_clock.h"

namespace {

template <typename T>
T Need(absl::StatusOr<T> made) {
  if (made.ok()) return *std::move(made);
  std::cerr << made.status() << "\n";
  std::exit(1);
}

std::string Get(int port, const std::string& path) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const std::string request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  std::string response;
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0 &&
      send(fd, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size())) {
    char buffer[4096];
    for (ssize_t count; (count = recv(fd, buffer, sizeof(buffer), 0)) > 0;) response.append(buffer, count);
  }
  close(fd);
  return response;
}

bool Expect(const std::string& response, const std::string& part) {
  if (response.find(part) != std::string::npos) return true;
  std::cerr << "expected " << part << " in:\n" << response << "\n";
  return false;
}

}  // namespace

int main() {
  logquery::testing::FakeClock clock(absl::FromUnixSeconds(1'772'600'767));
  logquery::testing::FakeBackend backend(logquery::Catalog::DeclaredLogs(), &clock);
  backend.AnswerBy(
      [](const logquery::PreparedQuery&, const logquery::Bindings&) { return logquery::testing::FakeBackend::Rows{}; });
  logquery::QueryServiceOptions service_options;
  service_options.backend = &backend;
  service_options.clock = &clock;
  service_options.warming_threads = 0;
  const auto service = Need(logquery::QueryService::Create(std::move(service_options)));
  const auto queue = Need(logquery::QueryQueue::Create({.service = service.get()}));

  logquery::HttpServerOptions options;
  options.service = service.get();
  options.queue = queue.get();
  options.actions = {{"/version", false, [](const logquery::HttpActionCall&) { return std::string("{\"mine\":1}"); }}};
  const auto server = Need(logquery::HttpServer::Create(options));
  if (const absl::Status started = server->Start(); !started.ok()) {
    std::cerr << started << "\n";
    return 1;
  }
  const bool good = Expect(Get(server->port(), "/health"), "{\"status\":\"ok\"}") &&
                    Expect(Get(server->port(), "/version"), "{\"mine\":1}") &&
                    Expect(Get(server->port(), "/api/endpoints/query/logs.all?project=abc"), "{\"result\":[]}") &&
                    Expect(Get(server->port(), "/nothing"), "NOT_FOUND");
  server->Stop(absl::Seconds(5));
  server->Wait();
  queue->Stop();
  return good ? 0 : 1;
}
