// A server on a socket with a service that answers what the test says.
#ifndef LOGQUERY_TESTS_SHIM_SERVER_FIXTURE_H_
#define LOGQUERY_TESTS_SHIM_SERVER_FIXTURE_H_

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "logquery/query_service.h"
#include "logquery/serving/query_queue.h"
#include "shim/http/calls/routes.h"
#include "shim/http/transport/transport.h"
#include "shim/observe/request_log.h"
#include "tests/support/log_lines.h"

namespace logquery::shim {

// Knows the tokens "good" (label "tester"), "redacted", which mandates redaction, and "scoped", for the project "its own"; and the
// endpoint "logs.all". `on_run` answers.
class StubService : public QueryService {
 public:
  StubService();

  absl::StatusOr<Principal> Authenticate(std::string_view token) override;
  absl::StatusOr<CallTarget> Find(Principal principal, std::string_view endpoint) override;
  std::optional<QueryAnswer> FindCached(const CallTarget&, const QueryRequest&) override { return std::nullopt; }
  absl::StatusOr<QueryAnswer> Run(const CallTarget& target, const QueryRequest& request) override;
  absl::StatusOr<SandboxVerdict> Check(const CallTarget& target, const QueryRequest& request) override;
  // Nothing of the shim calls these.
  absl::StatusOr<QueryAnswer> Run(const QueryRequest&) override { return absl::UnimplementedError("not in a stub"); }
  absl::StatusOr<QueryAnswer> Run(const QueryRequest&, BatchSink&) override {
    return absl::UnimplementedError("not in a stub");
  }
  absl::StatusOr<SandboxVerdict> Check(const QueryRequest&) override {
    return absl::UnimplementedError("not in a stub");
  }
  absl::StatusOr<std::shared_ptr<const PreparedQuery>> Prepare(const QueryRequest&) override {
    return absl::UnimplementedError("not in a stub");
  }
  // The built-in endpoints.
  std::shared_ptr<const EndpointRegistry> registry() const override;
  absl::Status Reload() override { return absl::OkStatus(); }
  void ForgetAnswers() override {}

  // Requests so far, in order.
  std::vector<QueryRequest> requests();
  // How often a token was looked up, and an endpoint.
  int authenticated() const { return authenticated_; }
  int found() const { return found_; }

  bool allow_all = false;                   // as a service without tokens
  std::atomic<bool> knows_no_token{false};  // as after all were revoked
  // Set before the server is asked; called from several threads.
  std::function<absl::StatusOr<QueryAnswer>(const QueryRequest&)> on_run;
  std::function<absl::StatusOr<SandboxVerdict>(const QueryRequest&)> on_check;

 private:
  std::atomic<int> authenticated_{0};
  std::atomic<int> found_{0};
  absl::Mutex mutex_;
  std::vector<QueryRequest> requests_ ABSL_GUARDED_BY(mutex_);
};

QueryAnswer AnswerWith(std::string body);

using testing::LogLines;

// Routes over a stub, without a socket.
struct RoutesFixture {
  explicit RoutesFixture(int query_threads = 2, int max_queued = 8, const Clock* clock = Clock::Real(),
                         absl::Duration max_wait = absl::Seconds(10), ServiceObserver* observer = nullptr);
  ~RoutesFixture() { queue->Stop(); }

  // Has the next query wait until it is cancelled, and tells when it has begun and when it was cancelled.
  void HoldQuery();

  absl::Notification begun;
  absl::Notification cancelled;
  StubService service;
  LogLines log_lines;
  RequestLog log;
  const std::unique_ptr<QueryQueue> queue;
  Routes routes;
};

struct ServerFixture : RoutesFixture {
  explicit ServerFixture(TransportOptions options = {}, int query_threads = 2, int max_queued = 8);
  ~ServerFixture();

  int port() const { return server->port(); }
  // Stops and waits until all is over.
  void StopAndJoin(absl::Duration grace);

  std::unique_ptr<Transport> server;
  std::thread serving;
};

// A client that sends bytes as the test has them.
class RawClient {
 public:
  // `receive_buffer` above 0: how much the kernel takes for a client that does not read.
  explicit RawClient(int port, int receive_buffer = 0);
  ~RawClient();
  RawClient(const RawClient&) = delete;

  void Send(std::string_view text);
  // One whole response, by its Content-Length. Empty: the server closed before it was whole.
  std::string Receive(bool head_only = false);
  // What comes up to the text, and with it. Empty: the server closed before.
  std::string ReceiveUntil(std::string_view text);
  // The first byte of a response; Receive gives it again. 0: the server closed.
  char ReceiveByte();
  // Returns whether the server closes the connection without sending anything more.
  bool IsClosed();
  void Close();
  // Says that nothing more will be sent; answers can still be received.
  void CloseSending();
  // Returns whether the server has sent something, or closed, within a moment.
  bool HasAnswer();
  // Ends the connection as a process that was killed does: the server gets a reset.
  void Reset();

 private:
  bool More();

  int fd_;
  std::string received_;
};

// "GET PATH" with the good token, answered on a connection of its own.
std::string Get(int port, std::string_view path, std::string_view more_headers = "");
int StatusOf(std::string_view response);
// The header's value; empty when it is not there.
std::string HeaderOf(std::string_view response, std::string_view name);
std::string BodyOf(std::string_view response);

}  // namespace logquery::shim

#endif  // LOGQUERY_TESTS_SHIM_SERVER_FIXTURE_H_
