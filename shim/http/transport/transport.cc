// Connects the poller, the thread pools and cpp-httplib, which parses requests and formats responses.
#include "shim/http/transport/transport.h"

// Ours are checked before the library's: these only have to be no smaller.
#define CPPHTTPLIB_MAX_LINE_LENGTH (128 * 1024)
#define CPPHTTPLIB_HEADER_MAX_LENGTH (16 * 1024)
#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "lib/base/listen_socket.h"
#include "lib/base/start_thread.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/worker_pool.h"
#include "logquery/clock.h"
#include "logquery/serving/log_receiver.h"
#include "shim/http/transport/connection_poller.h"
#include "shim/http/transport/http_body.h"
#include "shim/http/transport/probe_request.h"
#include "shim/http/transport/slow_bodies.h"

namespace logquery::shim {
namespace {

// The library reads and writes through this; the deadlines are Connection's. It writes a response's head and body apart, which
// go out together here.
class ConnectionStream final : public httplib::Stream {
 public:
  explicit ConnectionStream(Connection* connection) : connection_(connection) {}

  // Keeps what is written next until more is written, or Flush.
  void HoldHead() { holds_head_ = true; }
  // False: the client left, or a limit has passed.
  bool Flush() {
    const std::string head = std::exchange(held_, {});
    return connection_->Write(head) >= 0;
  }

  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, size_t size) override { return connection_->Read(to, size); }
  ssize_t write(const char* text, size_t size) override {
    if (std::exchange(holds_head_, false)) {
      held_.assign(text, size);
      return static_cast<ssize_t>(size);
    }
    const std::string head = std::exchange(held_, {});
    return connection_->Write(head, {text, size}) < 0 ? -1 : static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return connection_->fd(); }

 private:
  Connection* connection_;
  bool holds_head_ = false;
  std::string held_;
};

// For as long as this a thread stays with a connection that it has answered: most clients that ask again do so at once.
constexpr absl::Duration kStay = absl::Milliseconds(50);
// Threads for probes while all others are taken.
constexpr int kProbeThreads = 2;
constexpr int kProbesWaiting = 64;
// Threads that are there before the first request; further ones start when they are needed, if the system has them.
constexpr int kFirstThreads = 4;
// One thread in so many may wait for a slow body.
constexpr int kShareOfSlowBodies = 4;

// "http://host/a?b#c", "/a?b#c" and "/a/?b#c" → "/a" and "b": no path here ends in a slash.
void SplitTarget(std::string_view target, HttpRequest& request) {
  target = target.substr(0, target.find('#'));
  if (const size_t scheme = target.find("://"); !target.empty() && target.front() != '/' && scheme != target.npos) {
    const size_t path = target.find('/', scheme + 3);
    target = path == target.npos ? std::string_view("/") : target.substr(path);
  }
  const size_t question = target.find('?');
  std::string_view path = target.substr(0, question);
  if (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  request.path = path;
  if (question != target.npos) request.query = target.substr(question + 1);
}

HttpRequest FromLibrary(const httplib::Request& from, const Connection& connection) {
  HttpRequest request;
  request.method = from.method;
  SplitTarget(from.target, request);
  for (const auto& [name, value] : from.headers) request.headers.emplace_back(name, value);
  request.remote_address = from.remote_addr;
  request.client_left = [&connection] { return connection.ClientLeft(); };
  return request;
}

}  // namespace

// What this thread serves: the library hands its handlers the request alone.
struct Serving {
  Connection* connection;
  ConnectionStream* stream;
  bool last;                 // the connection ends after this request
  bool unread_body = false;  // what follows on the connection can't be told apart from it
};
thread_local Serving* serving = nullptr;

class Transport::Impl : public httplib::Server {
 public:
  Impl(const TransportOptions& options, int listening_fd, Routes* routes)
      : options_(options),
        listening_fd_(listening_fd),
        port_(base::PortOf(listening_fd)),
        routes_(routes),
        threads_(options.max_connections, options.max_connections),
        probe_threads_(kProbeThreads, kProbesWaiting),
        slow_bodies_(std::max(1, options.max_connections / kShareOfSlowBodies)),
        poller_(listening_fd, {.max_waiting = 2 * options.max_connections, .limits = options.limits}, &open_,
                [this](std::unique_ptr<Connection> connection) { Dispatch(std::move(connection)); }) {
    // The library does not listen, but it breaks answers off where it has no socket that does.
    svr_sock_ = listening_fd;
    set_keep_alive_timeout(absl::ToInt64Seconds(options.limits.idle));
    set_keep_alive_max_count(static_cast<size_t>(options.max_requests));
    SetHandlers();
  }
  ~Impl() override {
    Stop(absl::ZeroDuration());
    NotifyFinished();
    if (stopper_.joinable()) stopper_.join();
    close(listening_fd_);
  }

  // ResourceExhausted: the system allows no thread for what must always work.
  absl::Status StartThreads() {
    LOGQUERY_ASSIGN_OR_RETURN(stopper_, base::StartThread([this] { EndInTime(); }));
    LOGQUERY_RETURN_IF_ERROR(probe_threads_.Start(1));
    return threads_.Start(std::min(kFirstThreads, options_.max_connections));
  }

  int port() const { return port_; }

  void AddTo(HttpServerState& state) const {
    state.connections += open_.size();
    state.heads += heads_;
    state.refused += refused_;
  }

  void Serve() {
    poller_.Run();
    threads_.Shutdown();
    probe_threads_.Shutdown();
    NotifyFinished();
  }

  // Starts no thread: one that asks to stop must not fail where the system has none left.
  void Stop(absl::Duration grace) {
    routes_->Drain();
    stopping_ = true;
    poller_.Stop();
    // Clients are refused from here on.
    if (!options_.shared) shutdown(listening_fd_, SHUT_RDWR);
    absl::MutexLock lock(&stop_mutex_);
    cancel_at_ = std::min(cancel_at_, Clock::Real()->Monotonic() + grace);
    stop_changed_.Signal();
  }

 private:
  void SetHandlers();
  void EndInTime();
  void NotifyFinished() {
    absl::MutexLock lock(&stop_mutex_);
    finished_ = true;
    stop_changed_.Signal();
  }
  void Dispatch(std::unique_ptr<Connection> connection);
  void ServeRequests(std::unique_ptr<Connection> connection);
  void ServeLast(std::unique_ptr<Connection> connection);
  // What happens to a connection after a request.
  enum class Next { kAwait, kClose, kLinger };
  Next ServeOne(Connection& connection, bool last);
  void End(std::unique_ptr<Connection> connection, Next next);
  void RefuseBusy(Connection& connection);
  // Refuses a request of which nothing is known but where it comes from.
  std::string RefusalOf(const std::string& address, const HttpProblem& problem);
  Next RefuseHead(Connection& connection, const std::string& address, const HttpProblem& problem);
  HandlerResponse AnswerRequest(const httplib::Request& request, httplib::Response& response);
  HandlerResponse OnLibraryError(const httplib::Request& request, httplib::Response& response);

  const TransportOptions options_;
  const int listening_fd_;
  const int port_;
  Routes* routes_;
  WakeFlag crowded_;  // requests wait for a thread
  OpenConnections open_;
  base::WorkerPool threads_;
  base::WorkerPool probe_threads_;
  SlowBodies slow_bodies_;
  ConnectionPoller poller_;
  std::atomic<bool> stopping_{false};
  std::atomic<int64_t> heads_{0};
  std::atomic<int64_t> refused_{0};
  absl::Mutex stop_mutex_;
  absl::CondVar stop_changed_;
  absl::Duration cancel_at_ ABSL_GUARDED_BY(stop_mutex_) = absl::InfiniteDuration();  // as Clock::Monotonic
  bool finished_ ABSL_GUARDED_BY(stop_mutex_) = false;
  std::thread stopper_;
};

namespace {

// How much of a file is in memory at one time.
constexpr size_t kPiece = 64 << 10;

// Sends the file piece by piece, as fast as the client takes it. When it can't be read the connection ends before the length
// that was promised.
httplib::ContentProvider SendFrom(std::shared_ptr<const AnswerFile> file) {
  return [file = std::move(file)](size_t offset, size_t length, httplib::DataSink& sink) {
    std::string piece(std::min(length, kPiece), '\0');
    const absl::StatusOr<size_t> count = file->ReadAt(static_cast<int64_t>(offset), piece.data(), piece.size());
    return count.ok() && *count > 0 && sink.write(piece.data(), *count);
  };
}

void Answer(HttpResponse from, httplib::Response& to) {
  to.status = from.status;
  for (const auto& [name, value] : from.headers) to.set_header(name, value);
  if (from.file != nullptr) {
    const auto bytes = static_cast<size_t>(from.file->size());
    to.set_content_provider(bytes, from.content_type, SendFrom(std::move(from.file)));
  } else {
    to.set_content(std::move(from.body), from.content_type);
  }
  serving->connection->BeginResponse();
  serving->stream->HoldHead();
}

// Makes more room for a body in chunks as it comes, twice as much each time.
class ChunkedRoom {
 public:
  ChunkedRoom(LogAdmission* admission, size_t max_bytes) : admission_(admission), max_bytes_(max_bytes) {}
  // Of so many bytes that were read. False: there is no room for them.
  bool MakeFor(size_t bytes) {
    read_ += bytes;
    if (admission_ == nullptr || read_ <= reserved_ || reserved_ >= max_bytes_) return true;
    const size_t more = std::min(std::max(reserved_, read_ - reserved_), max_bytes_ - reserved_);
    if (!admission_->Grow(static_cast<int64_t>(more))) return false;
    reserved_ += more;
    return true;
  }

 private:
  LogAdmission* const admission_;
  const size_t max_bytes_;
  size_t reserved_ = kChunkedRoomBytes;
  size_t read_ = 0;  // with what is around the chunks
};

// Reads the request's body where there is one and it is wanted. The library's own way takes lengths such as 0x7.
HttpProblem TakeBody(Connection& connection, Routes& routes, SlowBodies& slow_bodies, Exchange& exchange) {
  HttpRequest& request = exchange.http;
  const BodyLength length = BodyLengthOf(request);
  if (!length.has_body()) return {};
  serving->unread_body = true;
  // Logflare's clients may send long SQL so. In chunks it is refused: a proxy that drops a GET's body would drop nothing of them.
  const bool is_sql = request.method == "GET" && !length.chunked && Routes::TakesJson(exchange);
  if ((request.method == "GET" || request.method == "HEAD") && !is_sql) {
    return {400,
            "a GET has no body here, but for {\"sql\":\"…\"} as application/json to an endpoint; send parameters in "
            "the URL, or by POST"};
  }
  size_t max_bytes = 0;
  if (HttpProblem problem = routes.AdmitBody(exchange, length, max_bytes); problem.status != 0) return problem;
  if (max_bytes == 0) return {};
  ChunkedRoom room(length.chunked && exchange.admission ? exchange.admission->value().get() : nullptr, max_bytes);
  SlowBodies::Place place(&slow_bodies);
  bool has_room = true;
  bool has_time = true;
  connection.BeginBody();
  const auto read = [&](char* to, size_t size) -> ssize_t {
    has_time = !connection.IsSlowBody() || place.Take();
    if (!has_time) return -1;
    const ssize_t count = connection.Read(to, size);
    if (count > 0) has_room = room.MakeFor(static_cast<size_t>(count));
    return has_room ? count : -1;
  };
  const HttpProblem problem = ReadBody(length, read, request.body, max_bytes);
  if (connection.receive_timed_out()) return {408, "the request did not arrive in time"};
  if (!has_time) return {408, "the request arrives slowly, and as many slow ones as may be arrive already"};
  if (!has_room) return {429, "there is no memory for the rest of the body just now; send it again later"};
  serving->unread_body = problem.status != 0;
  return problem;
}

// Corrects headers that cpp-httplib sets wrongly for this connection.
void Tidy(httplib::Response& response) {
  response.headers.erase("Accept-Ranges");
  if (!serving->last && !serving->unread_body && response.get_header_value("Connection") != "close") return;
  response.headers.erase("Keep-Alive");
  response.headers.erase("Connection");
  response.set_header("Connection", "close");
}

}  // namespace

void Transport::Impl::SetHandlers() {
  set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
    return AnswerRequest(request, response);
  });
  set_error_handler([this](const httplib::Request& request, httplib::Response& response) {
    return OnLibraryError(request, response);
  });
  // Nothing of ours throws; memory may run out all the same.
  set_exception_handler(
      [this](const httplib::Request& request, httplib::Response& response, const std::exception_ptr&) {
        serving->unread_body = true;
        Exchange exchange(FromLibrary(request, *serving->connection));
        Answer(routes_->Refuse(exchange, {500, "an internal error"}), response);
      });
  set_post_routing_handler([](const httplib::Request&, httplib::Response& response) { Tidy(response); });
}

void Transport::Impl::EndInTime() {
  absl::MutexLock lock(&stop_mutex_);
  while (!finished_) {
    const absl::Duration left = cancel_at_ - Clock::Real()->Monotonic();
    if (left <= absl::ZeroDuration()) break;
    stop_changed_.WaitWithTimeout(&stop_mutex_, left);
  }
  if (finished_) return;
  stop_mutex_.Unlock();
  routes_->CancelAll();
  stop_mutex_.Lock();
  // What was cancelled has a moment to say so.
  const auto finished = [this]() ABSL_SHARED_LOCKS_REQUIRED(stop_mutex_) { return finished_; };
  if (!stop_mutex_.AwaitWithTimeout(absl::Condition(&finished), absl::Seconds(2))) open_.ShutAll();
}

// Tasks of the pools are copied, so they share what they own.
void Transport::Impl::Dispatch(std::unique_ptr<Connection> connection) {
  const auto shared = std::make_shared<std::unique_ptr<Connection>>(std::move(connection));
  if (threads_.IsFull() && IsProbeAlone((*shared)->unread()) && HasNothingUnsent((*shared)->fd()) &&
      probe_threads_.Submit([this, shared] { ServeLast(std::move(*shared)); })) {
    return;
  }
  const bool taken = threads_.Submit([this, shared] {
    if (!threads_.IsFull()) crowded_.Lower();
    ServeRequests(std::move(*shared));
  });
  if (threads_.IsFull()) crowded_.Raise();
  if (taken) return;
  RefuseBusy(**shared);
  poller_.Linger(std::move(*shared));
}

void Transport::Impl::End(std::unique_ptr<Connection> connection, Next next) {
  if (next == Next::kLinger) return poller_.Linger(std::move(connection));
  open_.Remove(connection->fd());
}

void Transport::Impl::ServeRequests(std::unique_ptr<Connection> connection) {
  Connection::Head head = Connection::Head::kWhole;
  do {
    const bool last = connection->CountRequest() >= options_.max_requests;
    if (const Next next = ServeOne(*connection, last); next != Next::kAwait) return End(std::move(connection), next);
    head = connection->AwaitHead(poller_.stopping_fd(), crowded_.fd(), std::min(kStay, options_.limits.idle));
    // Others have their turn between two requests of one client's.
  } while (head == Connection::Head::kWhole && !threads_.IsFull());
  if (head == Connection::Head::kGone) {
    open_.Remove(connection->fd());
  } else {
    poller_.Return(std::move(connection));
  }
}

void Transport::Impl::ServeLast(std::unique_ptr<Connection> connection) {
  const Next next = ServeOne(*connection, /*last=*/true);
  End(std::move(connection), next);
}

Transport::Impl::Next Transport::Impl::ServeOne(Connection& connection, bool last) {
  const std::string& address = connection.PeerAddress();
  const HttpProblem problem = connection.CheckHead();
  if (problem.status > 0) return RefuseHead(connection, address, problem);
  ConnectionStream stream(&connection);
  Serving now{&connection, &stream, last || stopping_};
  serving = &now;
  bool closed = false;
  // A range of rows makes no sense here; without this the library would cut the body.
  const auto setup = [](httplib::Request& request) { request.ranges.clear(); };
  const bool answered = process_request(stream, address, 0, "", 0, now.last, closed, setup);
  serving = nullptr;
  if (!stream.Flush() || !answered) return Next::kClose;
  if (now.unread_body) return Next::kLinger;
  return closed || now.last ? Next::kClose : Next::kAwait;
}

namespace {

// What ends a connection without the library, which takes no part in it.
std::string TextOf(const HttpResponse& response) {
  std::string text = base::StrCat("HTTP/1.1 ", response.status, " ", httplib::status_message(response.status), "\r\n");
  for (const auto& [name, value] : response.headers) base::StrAppend(&text, name, ": ", value, "\r\n");
  base::StrAppend(&text, "Content-Type: ", response.content_type, "\r\nContent-Length: ", response.body.size(),
                  "\r\nConnection: close\r\n\r\n", response.body);
  return text;
}

}  // namespace

std::string Transport::Impl::RefusalOf(const std::string& address, const HttpProblem& problem) {
  HttpRequest request;
  request.remote_address = address;
  Exchange exchange(std::move(request));
  return TextOf(routes_->Refuse(exchange, problem));
}

Transport::Impl::Next Transport::Impl::RefuseHead(Connection& connection, const std::string& address,
                                                  const HttpProblem& problem) {
  const std::string text = RefusalOf(address, problem);
  connection.BeginResponse();
  return connection.Write(text) > 0 ? Next::kLinger : Next::kClose;
}

// Writes without blocking, because this runs on the poller's thread.
void Transport::Impl::RefuseBusy(Connection& connection) {
  ++refused_;
  const std::string text =
      RefusalOf(connection.PeerAddress(), {503, "too many requests wait already; try again in a moment"});
  send(connection.fd(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

Transport::Impl::HandlerResponse Transport::Impl::AnswerRequest(const httplib::Request& request,
                                                                httplib::Response& response) {
  ++heads_;
  Exchange exchange(FromLibrary(request, *serving->connection));
  routes_->Begin(exchange);
  const HttpProblem problem = TakeBody(*serving->connection, *routes_, slow_bodies_, exchange);
  Answer(problem.status == 0 ? routes_->Answer(exchange) : routes_->Refuse(exchange, problem), response);
  return HandlerResponse::Handled;
}

Transport::Impl::HandlerResponse Transport::Impl::OnLibraryError(const httplib::Request& request,
                                                                 httplib::Response& response) {
  if (response.has_header("X-Request-Id")) return HandlerResponse::Unhandled;  // an answer of ours
  // Of a Range that can't be read; RFC 9110, section 14.2 has such a one ignored, as all are here.
  if (response.status == 416) return AnswerRequest(request, response);
  serving->unread_body = true;
  Exchange exchange(FromLibrary(request, *serving->connection));
  Answer(routes_->Refuse(exchange, {response.status, httplib::status_message(response.status)}), response);
  return HandlerResponse::Handled;
}

Transport::Transport(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Transport::~Transport() = default;

absl::StatusOr<std::unique_ptr<Transport>> Transport::Bind(const TransportOptions& options, Routes* routes) {
  int fd = options.listening_fd;
  if (fd < 0) {
    const bool is_unix = !options.unix_path.empty();
    LOGQUERY_ASSIGN_OR_RETURN(fd, is_unix ? base::ListenOnUnix(options.unix_path) : base::ListenOn(options.address));
  }
  auto impl = std::make_unique<Impl>(options, fd, routes);
  LOGQUERY_RETURN_IF_ERROR(impl->StartThreads());
  return std::unique_ptr<Transport>(new Transport(std::move(impl)));
}

int Transport::port() const { return impl_->port(); }
void Transport::Serve() { impl_->Serve(); }
void Transport::Stop(absl::Duration grace) { impl_->Stop(grace); }
void Transport::AddTo(HttpServerState& state) const { impl_->AddTo(state); }

}  // namespace logquery::shim
