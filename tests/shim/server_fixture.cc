#include "tests/shim/server_fixture.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cerrno>
#include <stdexcept>
#include <utility>

#include "lib/base/sha256.h"
#include "lib/base/strings.h"

namespace logquery::shim {

StubService::StubService() : on_run([](const QueryRequest&) { return AnswerWith(R"({"result":[]})"); }) {}

QueryAnswer AnswerWith(std::string body) {
  QueryAnswer answer;
  answer.body = std::move(body);
  answer.digest = base::Sha256Hex(answer.body);
  return answer;
}

absl::StatusOr<Principal> StubService::Authenticate(std::string_view token) {
  ++authenticated_;
  if (knows_no_token || (token != "good" && token != "redacted" && token != "scoped" && !allow_all))
    return absl::UnauthenticatedError("no such token");
  Principal principal;
  principal.label = "tester";
  principal.redact_pii = token == "redacted";
  if (token == "scoped") principal.project_scope = "its own";
  return principal;
}

absl::StatusOr<CallTarget> StubService::Find(Principal principal, std::string_view endpoint) {
  ++found_;
  for (const Endpoint& known : Endpoint::BuiltIn()) {
    if (known.name == "logs.all" && known.name == endpoint) {
      return CallTarget{std::move(principal), std::make_shared<const Endpoint>(known), nullptr};
    }
  }
  return absl::NotFoundError(base::StrCat("there is no endpoint ", endpoint));
}

std::shared_ptr<const EndpointRegistry> StubService::registry() const {
  static const auto* const made = new std::shared_ptr<const EndpointRegistry>(
      EndpointRegistry::Create(Endpoint::BuiltIn(), Catalog::DeclaredLogs()).value());
  return *made;
}

absl::StatusOr<QueryAnswer> StubService::Run(const CallTarget&, const QueryRequest& request) {
  {
    absl::MutexLock lock(&mutex_);
    requests_.push_back(request);
  }
  return on_run(request);
}

absl::StatusOr<SandboxVerdict> StubService::Check(const CallTarget&, const QueryRequest& request) {
  if (!on_check) return absl::UnimplementedError("not in this test");
  return on_check(request);
}

std::vector<QueryRequest> StubService::requests() {
  absl::MutexLock lock(&mutex_);
  return requests_;
}

RoutesFixture::RoutesFixture(int query_threads, int max_queued, const Clock* clock, absl::Duration max_wait,
                             ServiceObserver* observer)
    : log(log_lines.writer(), true, clock),
      queue(QueryQueue::Create({&service, query_threads, max_queued, max_wait, observer}).value()),
      routes({&service, queue.get(), &log, clock, false}) {}

void RoutesFixture::HoldQuery() {
  service.on_run = [this](const QueryRequest& request) -> absl::StatusOr<QueryAnswer> {
    const auto registration = request.cancellation.OnCancel([this] { cancelled.Notify(); });
    begun.Notify();
    cancelled.WaitForNotification();
    return absl::CancelledError("cancelled");
  };
}

ServerFixture::ServerFixture(TransportOptions options, int query_threads, int max_queued)
    : RoutesFixture(query_threads, max_queued) {
  auto bound = Transport::Bind(options, &routes);
  REQUIRE(bound.ok());
  server = *std::move(bound);
  serving = std::thread([this] { server->Serve(); });
}

ServerFixture::~ServerFixture() { StopAndJoin(absl::ZeroDuration()); }

void ServerFixture::StopAndJoin(absl::Duration grace) {
  if (!serving.joinable()) return;
  server->Stop(grace);
  serving.join();
}

RawClient::RawClient(int port, int receive_buffer) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  if (receive_buffer > 0) setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof(receive_buffer));
  // No test waits for longer than this for what should come at once. Less than the server's own limits, so that what it says
  // only when they have passed fails.
  const timeval limit{15, 0};
  setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // Catch's macros cannot be used here, because they belong to the test's own thread.
  if (connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
    throw std::runtime_error("no connection to the server");
  }
}

RawClient::~RawClient() { Close(); }

void RawClient::Send(std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;  // the server has enough; what it says is what the test looks at
    text.remove_prefix(static_cast<size_t>(sent));
  }
}

bool RawClient::More() {
  char buffer[16 << 10];
  const ssize_t count = recv(fd_, buffer, sizeof(buffer), 0);
  if (count > 0) received_.append(buffer, static_cast<size_t>(count));
  return count > 0;
}

char RawClient::ReceiveByte() {
  if (received_.empty()) {
    char byte = 0;
    if (recv(fd_, &byte, 1, 0) != 1) return 0;
    received_ += byte;
  }
  return received_[0];
}

std::string RawClient::Receive(bool head_only) {
  size_t end;
  while ((end = received_.find("\r\n\r\n")) == std::string::npos) {
    if (!More()) return "";
  }
  const std::string length = HeaderOf(received_.substr(0, end + 4), "Content-Length");
  const size_t whole = end + 4 + (head_only || length.empty() ? 0 : std::stoul(length));
  while (received_.size() < whole) {
    if (!More()) return "";
  }
  std::string response = received_.substr(0, whole);
  received_.erase(0, whole);
  return response;
}

std::string RawClient::ReceiveUntil(std::string_view text) {
  size_t end;
  while ((end = received_.find(text)) == std::string::npos) {
    if (!More()) return "";
  }
  std::string whole = received_.substr(0, end + text.size());
  received_.erase(0, whole.size());
  return whole;
}

bool RawClient::IsClosed() {
  if (!received_.empty()) return false;
  errno = 0;
  // A timeout is not the end of the connection.
  return !More() && errno != EAGAIN && errno != EWOULDBLOCK;
}

void RawClient::Close() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
}

void RawClient::CloseSending() { shutdown(fd_, SHUT_WR); }

bool RawClient::HasAnswer() {
  pollfd entry{fd_, POLLIN, 0};
  return poll(&entry, 1, 1) > 0;
}

void RawClient::Reset() {
  const linger now{1, 0};
  setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
  Close();
}

std::string Get(int port, std::string_view path, std::string_view more_headers) {
  RawClient client(port);
  client.Send(base::StrCat("GET ", path, " HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: good\r\n", more_headers, "\r\n"));
  return client.Receive();
}

int StatusOf(std::string_view response) {
  return response.size() < 12 ? 0 : std::stoi(std::string(response.substr(9, 3)));
}

std::string HeaderOf(std::string_view response, std::string_view name) {
  const std::string_view head = response.substr(0, response.find("\r\n\r\n") + 2);
  for (size_t at = head.find("\r\n"); at != std::string_view::npos && at + 2 < head.size();
       at = head.find("\r\n", at + 2)) {
    const std::string_view line = head.substr(at + 2, head.find("\r\n", at + 2) - at - 2);
    if (line.size() > name.size() + 1 && base::EqualsIgnoreCase(line.substr(0, name.size()), name) &&
        line[name.size()] == ':') {
      return std::string(line.substr(line.find_first_not_of(' ', name.size() + 1)));
    }
  }
  return "";
}

std::string BodyOf(std::string_view response) {
  const size_t end = response.find("\r\n\r\n");
  return end == std::string_view::npos ? "" : std::string(response.substr(end + 4));
}

}  // namespace logquery::shim
